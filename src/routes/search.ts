/**
 * Searches: GET with the parameters in the query string, POST with a JSON object of them. The hot path: reads the parameters, asks
 * a reader, sends the bytes it wrote.
 *
 * Never parses or builds JSON for a successful search.
 */
import type { ReadCallback, ReadHandle, ResponseFormat, SearchRequest } from '../../engine/index.js';
import { wordGot } from '../api/describe-violation.js';
import type { AppContext } from '../app-context.js';
import { responseFormatOf } from '../http/accept.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { parseJsonBody } from '../http/json-body.js';
import { RequestError } from '../http/request-error.js';
import { decodePathSegment, type Endpoint, OWN, type RouteDefinition } from '../http/router.js';
import type { ReadContext, ReadEngine } from '../read-context.js';
import { BodyParameters, isJsonObject } from './body-parameters.js';
import { QueryParameters } from './query-parameters.js';
import { recordSearch } from './record-search.js';
import { REMEMBERED_CHARS_MAX, RememberedRequests } from './remembered-requests.js';
import { replyRead, runRead } from './reply-read.js';
import { readSearchRequest } from './search-request.js';

export const SEARCH_TEMPLATE = '/collections/{name}/search';

/** Of one search, or of several. */
export const SEARCH_BODY_BYTES_MAX = 1024 * 1024;

function runSearch(context: ReadContext, exchange: Exchange, request: SearchRequest, engine: ReadEngine): void {
  context.metrics.searchRequests += 1;
  const start = (done: ReadCallback): ReadHandle => engine.search(request, done, exchange);
  runRead(exchange, engine, start, (result) => {
    replyRead(exchange, result, request.format, 'search');
    recordSearch(context, exchange, request, result);
  });
}

export function searchEndpoint(context: ReadContext): Endpoint {
  const remembered = new RememberedRequests();
  const read = ({ parameters, head }: Exchange): SearchRequest => {
    const collection = decodePathSegment(parameters[0] ?? '');
    const format = responseFormatOf(head.accept);
    const known = remembered.get(head.query, collection, format);
    if (known !== undefined) return known;
    const request = readSearchRequest(new QueryParameters(head.query), collection, format);
    remembered.keep(head.query, request);
    return request;
  };
  const handle = (exchange: Exchange): void => {
    const request = read(exchange);
    const { engine } = context.gate;
    if (engine !== null) runSearch(context, exchange, request, engine);
    else context.gate.pass(exchange, (opened) => runSearch(context, exchange, request, opened));
  };
  return { access: 'search', parameters: OWN, handle };
}

/** Reads the request that the JSON object `bytes` describes. Throws `invalid_json`, `invalid_query`. */
function readBodyRequest(bytes: Uint8Array, collection: string, format: ResponseFormat): SearchRequest {
  const body = parseJsonBody(bytes);
  if (!isJsonObject(body))
    throw new RequestError('invalid_json', `request body: expected an object of parameters, got ${wordGot(body)}`);
  return readSearchRequest(new BodyParameters(body), collection, format);
}

function searchByBodyEndpoint(context: AppContext): Endpoint {
  const remembered = new RememberedRequests();
  const maxBytes = Math.min(context.maxBodyBytes, SEARCH_BODY_BYTES_MAX);
  const read = ({ parameters, head }: Exchange, bytes: Uint8Array<ArrayBuffer>): SearchRequest => {
    const collection = decodePathSegment(parameters[0] ?? '');
    const format = responseFormatOf(head.accept);
    if (bytes.length > REMEMBERED_CHARS_MAX) return readBodyRequest(bytes, collection, format);
    // A character a byte, whatever they mean.
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const known = remembered.get(key, collection, format);
    if (known !== undefined) return known;
    const request = readBodyRequest(bytes, collection, format);
    remembered.keep(key, request);
    return request;
  };
  const handle = (exchange: Exchange): void =>
    readBody(exchange, maxBytes, context.bodies, (bytes) => {
      const request = read(exchange, bytes);
      exchange.letGo();
      context.gate.pass(exchange, (engine) => runSearch(context, exchange, request, engine));
    });
  return { access: 'search', handle };
}

export function searchRoutes(context: AppContext): RouteDefinition[] {
  const endpoints = { GET: searchEndpoint(context), POST: searchByBodyEndpoint(context) };
  return [{ template: SEARCH_TEMPLATE, endpoints }];
}
