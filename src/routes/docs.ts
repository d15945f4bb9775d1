/**
 * The description of the interface: /openapi.json for programs, /docs for people. Public, and the same until the next
 * version, so both are made once.
 */
import { buildOpenApi } from '../api/openapi/document.js';
import type { AppContext } from '../app-context.js';
import type { Exchange } from '../http/exchange.js';
import { JSON_TYPE, reply } from '../http/reply.js';
import type { RouteDefinition } from '../http/router.js';
import { renderDocsPage } from '../ui/docs-page.js';

/** The page runs no script and loads nothing. */
const PAGE_HEADERS = ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"];

export function docsRoutes(context: AppContext): RouteDefinition[] {
  const description = Buffer.from(JSON.stringify(buildOpenApi(context.version)));
  const page = Buffer.from(renderDocsPage(context.version));
  const openapi = (exchange: Exchange): void => {
    reply(exchange, { status: 200, contentType: JSON_TYPE, body: description });
  };
  const docs = (exchange: Exchange): void => {
    reply(exchange, { status: 200, contentType: 'text/html; charset=utf-8', body: page, headers: PAGE_HEADERS });
  };
  return [
    { template: '/openapi.json', endpoints: { GET: { access: 'public', handle: openapi } } },
    { template: '/docs', endpoints: { GET: { access: 'public', handle: docs } } },
  ];
}
