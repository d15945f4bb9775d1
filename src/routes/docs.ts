/**
 * The description of the interface: /openapi.json for programs, /docs for people, and / that leads to them. Public, and
 * the same until the next version, so all are made once.
 */
import { createHash } from 'node:crypto';
import { buildOpenApi } from '../api/openapi/document.js';
import type { AppContext } from '../app-context.js';
import type { Exchange } from '../http/exchange.js';
import { JSON_TYPE, reply, replyJson } from '../http/reply.js';
import type { RouteDefinition } from '../http/router.js';
import { renderIndexPage } from '../ui/index-page.js';
import { pageRoutes } from './page-routes.js';
import { namesTag } from './search-tags.js';
import { leadsToPage } from './ui.js';

const HTML_TYPE = 'text/html; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

const TAG_CHARS = 22;

/** Of the page at /, which runs no script and loads nothing. */
const PAGE_HEADERS = ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"];

export function docsRoutes(context: AppContext): RouteDefinition[] {
  const description = Buffer.from(JSON.stringify(buildOpenApi(context.version)));
  const indexPage = Buffer.from(renderIndexPage(context.version));
  // Weak: whether it is compressed is up to who asks.
  const tag = `W/"${createHash('sha256').update(description).digest('base64url').slice(0, TAG_CHARS)}"`;
  const openapi = (exchange: Exchange): void => {
    const headers = ['cache-control', 'no-cache', 'etag', tag];
    if (namesTag(exchange.head.ifNoneMatch, tag))
      reply(exchange, { status: 304, contentType: null, body: '', headers });
    else reply(exchange, { status: 200, contentType: JSON_TYPE, body: description, headers });
  };
  const docs = (exchange: Exchange): void => {
    reply(exchange, { status: 200, contentType: HTML_TYPE, body: indexPage, headers: PAGE_HEADERS });
  };
  const index = (exchange: Exchange): void => {
    // A browser names HTML; what does not, be it curl or a program, gets JSON.
    const isBrowser = exchange.head.accept.includes('text/html');
    if (isBrowser && leadsToPage(context)) {
      const headers = ['location', '/ui', 'vary', 'accept'];
      reply(exchange, { status: 302, contentType: TEXT_TYPE, body: 'the page is at /ui\n', headers });
    } else if (isBrowser) {
      reply(exchange, { status: 200, contentType: HTML_TYPE, body: indexPage, headers: PAGE_HEADERS });
    } else {
      replyJson(exchange, 200, { name: 'sabre', version: context.version, docs: '/docs', openapi: '/openapi.json' });
    }
  };
  const docsPage: RouteDefinition[] =
    context.docsFiles === null
      ? [{ template: '/docs', endpoints: { GET: { access: 'public', handle: docs } } }]
      : pageRoutes('/docs', context.docsFiles);
  return [
    { template: '/', endpoints: { GET: { access: 'public', handle: index } } },
    { template: '/openapi.json', endpoints: { GET: { access: 'public', handle: openapi } } },
    ...docsPage,
  ];
}
