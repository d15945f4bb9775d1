/**
 * Searches: GET with the parameters in the query string, POST with a JSON object of them. The hot path: reads the parameters, asks
 * a reader, sends the bytes it wrote.
 *
 * Never parses or builds JSON for a successful search.
 */
import type { ReadResult, ResponseFormat } from '../../engine/index.js';
import { wordGot } from '../api/describe-violation.js';
import type { AppContext } from '../app-context.js';
import { responseFormatOf } from '../http/accept.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { parseJsonBody } from '../http/json-body.js';
import type { QueryPair } from '../http/query-string.js';
import { reply } from '../http/reply.js';
import { RequestError } from '../http/request-error.js';
import { decodePathSegment, type Endpoint, OWN, type RouteDefinition } from '../http/router.js';
import { noteOthers, noteUnknown, STRICT, unknownError } from '../http/unknown-parameters.js';
import type { KeyScope } from '../keys/key-scope.js';
import type { ReadContext } from '../read-context.js';
import type { ReadEngine } from '../read-engine.js';
import { BodyParameters, isJsonObject } from './body-parameters.js';
import { QueryParameters } from './query-parameters.js';
import { recordSearch } from './record-search.js';
import { type FoundLast, REMEMBERED_CHARS_MAX, type ReadSearch, RememberedRequests } from './remembered-requests.js';
import { followRead, replyRead, takeResult } from './reply-read.js';
import { readSearchRequest } from './search-request.js';
import { markOf, namesTag } from './search-tags.js';

export const SEARCH_TEMPLATE = '/collections/{name}/search';

/** Of one search, or of several. */
export const SEARCH_BODY_BYTES_MAX = 1024 * 1024;

function runSearch(context: ReadContext, exchange: Exchange, search: ReadSearch, engine: ReadEngine): void {
  const { request } = search;
  context.metrics.searchRequests += 1;
  if (exchange.head.ifNoneMatch !== '' && answersUnchanged(context, exchange, search, engine)) return;
  const handle = engine.search(
    request,
    (error, result) => {
      if (takeResult(exchange, engine, error, result)) answerSearch(context, exchange, search, engine, result);
    },
    exchange,
  );
  followRead(exchange, engine, handle);
}

function answerSearch(
  context: ReadContext,
  exchange: Exchange,
  search: ReadSearch,
  engine: ReadEngine,
  result: ReadResult,
): void {
  const { request } = search;
  const { tag, tagLines } = noteFound(context, search, result);
  if (namesTag(exchange.head.ifNoneMatch, tag)) replyUnchanged(exchange, tag);
  else replyRead(exchange, result, request.format, 'search', tagLines);
  recordSearch(context, exchange, request, result, engine);
}

/** Notes what `search` found; what it finds in the same state of the collection is the same. */
function noteFound(context: ReadContext, search: ReadSearch, result: ReadResult): FoundLast {
  const { collectionId, version, found } = result;
  const { last } = search;
  if (last !== null && last.version === version && last.collectionId === collectionId) return last;
  const tag = context.tags.of(result, search.mark);
  const tagLines = `\r\netag: ${tag}\r\ncache-control: no-cache`;
  const noted = { collectionId, version, found, tag, tagLines };
  search.last = noted;
  return noted;
}

/** Answers without a search what is known to be as the client has it; false: it is not. */
function answersUnchanged(
  context: ReadContext,
  exchange: Exchange,
  { request, last }: ReadSearch,
  engine: ReadEngine,
): boolean {
  if (last === null) return false;
  const now = engine.versionOf(request.collection);
  if (now.collectionId !== last.collectionId || now.version !== last.version) return false;
  const { tag, found } = last;
  if (!namesTag(exchange.head.ifNoneMatch, tag)) return false;
  replyUnchanged(exchange, tag);
  recordSearch(context, exchange, request, { ...now, found, elapsedUs: 0, waitedUs: 0, heldBytes: 0 }, engine);
  return true;
}

function replyUnchanged(exchange: Exchange, tag: string): void {
  const headers = ['etag', tag, 'cache-control', 'no-cache', 'vary', 'accept-encoding'];
  reply(exchange, { status: 304, contentType: null, body: '', headers });
}

export function searchEndpoint(context: ReadContext): Endpoint {
  const remembered = new RememberedRequests();
  const read = (exchange: Exchange): ReadSearch => {
    const { parameters, head, scope } = exchange;
    const collection = decodePathSegment(parameters[0] ?? '');
    const format = responseFormatOf(head.accept);
    const known = remembered.get(head.query, collection, format, scope);
    if (known !== undefined) {
      exchange.unknownParameters = known.unknown;
      return known;
    }
    const others: QueryPair[] = [];
    const source = new QueryParameters(head.query, others);
    noteOthers(exchange, others);
    const request = readSearchRequest(source, collection, format, scope);
    const mark = scope === null ? markOf(`${format} ${head.query}`) : markOf(JSON.stringify(request));
    const search = { request, unknown: exchange.unknownParameters, scope, mark, last: null };
    remembered.keep(head.query, search);
    return search;
  };
  const handle = (exchange: Exchange): void => {
    const search = read(exchange);
    const { engine } = context.gate;
    if (engine !== null && exchange.head.sequence === '') runSearch(context, exchange, search, engine);
    else context.gate.pass(exchange, (opened) => runSearch(context, exchange, search, opened));
  };
  return { access: 'search', isScoped: true, parameters: OWN, handle };
}

/** Reads the search that the JSON object `bytes` describes. Throws `invalid_json`, `invalid_query`, `forbidden`. */
function readBodySearch(
  bytes: Uint8Array,
  collection: string,
  format: ResponseFormat,
  scope: KeyScope | null,
): ReadSearch {
  const body = parseJsonBody(bytes);
  if (!isJsonObject(body))
    throw new RequestError('invalid_json', `request body: expected an object of parameters, got ${wordGot(body)}`);
  const source = new BodyParameters(body);
  const isStrict = source.boolean(STRICT, false);
  const unknown = source.unknown();
  if (isStrict && unknown.length > 0) throw unknownError(source.what, unknown[0]);
  const request = readSearchRequest(source, collection, format, scope);
  return { request, unknown, scope, mark: markOf(JSON.stringify(request)), last: null };
}

function searchByBodyEndpoint(context: AppContext): Endpoint {
  const remembered = new RememberedRequests();
  const maxBytes = Math.min(context.maxBodyBytes, SEARCH_BODY_BYTES_MAX);
  const read = ({ parameters, head, scope }: Exchange, bytes: Uint8Array<ArrayBuffer>): ReadSearch => {
    const collection = decodePathSegment(parameters[0] ?? '');
    const format = responseFormatOf(head.accept);
    if (bytes.length > REMEMBERED_CHARS_MAX) return readBodySearch(bytes, collection, format, scope);
    // A character a byte, whatever they mean.
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const known = remembered.get(key, collection, format, scope);
    if (known !== undefined) return known;
    const search = readBodySearch(bytes, collection, format, scope);
    remembered.keep(key, search);
    return search;
  };
  const handle = (exchange: Exchange): void =>
    readBody(exchange, maxBytes, context.bodies, (bytes) => {
      const search = read(exchange, bytes);
      noteUnknown(exchange, search.unknown, exchange.isStrict, 'request body');
      context.gate.pass(exchange, (engine) => {
        exchange.letGo();
        runSearch(context, exchange, search, engine);
      });
    });
  return { access: 'search', isScoped: true, handle };
}

export function searchRoutes(context: AppContext): RouteDefinition[] {
  const endpoints = { GET: searchEndpoint(context), POST: searchByBodyEndpoint(context) };
  return [{ template: SEARCH_TEMPLATE, endpoints }];
}
