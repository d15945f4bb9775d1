/**
 * The routes of a page that a person opens: public, as what it shows is not, for which the page asks with the key that a person
 * enters. Called by ui.ts and docs.ts.
 *
 * Every file is answered from memory. The page itself is asked for anew each time, and is mostly unchanged; what it loads is
 * named by its content, and never asked for again. It may load from this server alone, and no other page may frame it.
 */
import { encodingOf } from '../http/accept-encoding.js';
import { replyError } from '../http/error-reply.js';
import type { Exchange } from '../http/exchange.js';
import { reply } from '../http/reply.js';
import type { RouteDefinition } from '../http/router.js';
import type { PageFile } from '../ui/page-files.js';
import { namesTag } from './search-tags.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const COMMON_HEADERS = [
  ...['content-security-policy', POLICY],
  ...['x-content-type-options', 'nosniff'],
  ...['referrer-policy', 'no-referrer'],
  ...['vary', 'accept-encoding'],
];
const ASKED_EACH_TIME = 'no-cache';
const NEVER_ASKED_AGAIN = 'public, max-age=31536000, immutable';
const INDEX = 'index.html';

function replyFile(exchange: Exchange, file: PageFile, caching: string): void {
  const { minBytes } = exchange.compressor;
  const encoding = minBytes === 0 ? null : encodingOf(exchange.head.acceptEncoding, file.encodings);
  const packed = encoding === null ? undefined : file.packed[encoding];
  const { body, tag } = packed ?? file.plain;
  const headers = [...COMMON_HEADERS, 'cache-control', caching, 'etag', tag];
  if (namesTag(exchange.head.ifNoneMatch, tag)) {
    reply(exchange, { status: 304, contentType: null, body: '', headers });
    return;
  }
  if (encoding !== null) headers.push('content-encoding', encoding);
  reply(exchange, { status: 200, contentType: file.contentType, body, headers, isEncoded: true });
}

/** The routes of the page whose files are `files`, at `path`. Throws when there is no index.html among them. */
export function pageRoutes(path: string, files: ReadonlyMap<string, PageFile>): RouteDefinition[] {
  const page = files.get(INDEX);
  if (page === undefined) throw new Error(`the page at ${path} has no ${INDEX}`);
  const asset = (exchange: Exchange): void => {
    const [name = ''] = exchange.parameters;
    const file = files.get(`assets/${name}`);
    if (file !== undefined) replyFile(exchange, file, NEVER_ASKED_AGAIN);
    else replyError(exchange, 'not_found', `${path} has no such file: ${name.slice(0, 200)}`);
  };
  return [
    {
      template: path,
      endpoints: { GET: { access: 'public', handle: (exchange) => replyFile(exchange, page, ASKED_EACH_TIME) } },
    },
    { template: `${path}/assets/{file}`, endpoints: { GET: { access: 'public', handle: asset } } },
  ];
}
