/**
 * POST /multi-search: several searches in one request, evaluated side by side and answered in order. Each has its own result or error.
 *
 * Each is a read of its own: the engine puts them into its lanes as it would had the client sent them one by one.
 */
import { limits, type ReadHandle, type ResponseFormat, type SearchRequest } from '../../engine/index.js';
import { wordGot } from '../api/describe-violation.js';
import type { AppContext } from '../app-context.js';
import { responseFormatOf } from '../http/accept.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { parseJsonBody } from '../http/json-body.js';
import { RequestError } from '../http/request-error.js';
import type { RouteDefinition } from '../http/router.js';
import type { ReadEngine } from '../read-context.js';
import { BodyParameters, isJsonObject } from './body-parameters.js';
import { GatheredResults } from './gathered-results.js';
import { recordSearch } from './record-search.js';
import { SEARCH_BODY_BYTES_MAX } from './search.js';
import { readSearchRequest } from './search-request.js';

/** The searches that `body` lists, unread. Throws `invalid_json`, `invalid_query`. */
function readSearches(body: unknown): readonly unknown[] {
  if (!isJsonObject(body))
    throw new RequestError('invalid_json', `request body: expected an object with "searches", got ${wordGot(body)}`);
  const searches: unknown = body['searches'];
  if (!Array.isArray(searches))
    throw new RequestError('invalid_query', `request body "searches": expected an array, got ${wordGot(searches)}`);
  const { length } = searches;
  if (length >= 1 && length <= limits.MULTI_SEARCH_MAX) return searches;
  const expected = `1 to ${limits.MULTI_SEARCH_MAX} searches`;
  throw new RequestError('invalid_query', `request body "searches": expected ${expected}, got ${length}`);
}

/** Reads search `index`. Throws `invalid_query`, `payload_too_large`. */
function readSearch(search: unknown, index: number, format: ResponseFormat): SearchRequest {
  const place = `searches[${index}]`;
  if (!isJsonObject(search))
    throw new RequestError('invalid_query', `request body "${place}": expected an object, got ${wordGot(search)}`);
  const { collection } = search;
  if (typeof collection !== 'string') {
    const expected = `expected the name of a collection, got ${wordGot(collection)}`;
    throw new RequestError('invalid_query', `request body "${place}.collection": ${expected}`);
  }
  return readSearchRequest(new BodyParameters(search, `${place}.`), collection, format);
}

/** Returns the search, or what is wrong with it. */
function tryReadSearch(search: unknown, index: number, format: ResponseFormat): SearchRequest | RequestError {
  try {
    return readSearch(search, index, format);
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}

/** Whether `request` may take longer than others. */
const mayTakeLong = (request: SearchRequest | RequestError): boolean =>
  'facet' in request && (request.facet !== null || request.filter !== null || request.sort !== null);

/** The indexes of `requests` as they are begun: what readers take long for, before what this thread answers meanwhile. */
function startOrder(requests: readonly (SearchRequest | RequestError)[]): number[] {
  const indexes = requests.map((_, index) => index);
  return [...indexes.filter((i) => mayTakeLong(requests[i])), ...indexes.filter((i) => !mayTakeLong(requests[i]))];
}

function runSearches(
  context: AppContext,
  exchange: Exchange,
  requests: readonly (SearchRequest | RequestError)[],
  format: ResponseFormat,
  engine: ReadEngine,
): void {
  const results = new GatheredResults(exchange, format, requests.length);
  const handles: ReadHandle[] = [];
  exchange.hold(() => {
    for (const handle of handles) engine.cancelRead(handle);
    results.drop();
  });
  const asker = {
    asksMore: requests.length > 1,
    get client(): string {
      return exchange.client;
    },
  };
  for (const index of startOrder(requests)) {
    if (!exchange.isOpen) return;
    const request = requests[index];
    if (request instanceof RequestError) {
      results.fail(index, request);
      continue;
    }
    context.metrics.searchRequests += 1;
    const handle = engine.search(
      request,
      (error, result) => {
        if (result === null) {
          results.fail(index, error);
          return;
        }
        results.add(index, result);
        // It is counted among the answers not yet read from now on.
        if (result.heldBytes > 0) engine.releaseAnswer(result.heldBytes);
        recordSearch(context, exchange, request, result);
      },
      asker,
    );
    if (handle >= 0) handles.push(handle);
  }
}

export function multiSearchRoutes(context: AppContext): RouteDefinition[] {
  const maxBytes = Math.min(context.maxBodyBytes, SEARCH_BODY_BYTES_MAX);
  const handle = (exchange: Exchange): void =>
    readBody(exchange, maxBytes, context.bodies, (bytes) => {
      const searches = readSearches(parseJsonBody(bytes));
      const format = responseFormatOf(exchange.head.accept);
      const requests = searches.map((search, index) => tryReadSearch(search, index, format));
      exchange.letGo();
      context.gate.pass(exchange, (engine) => runSearches(context, exchange, requests, format, engine));
    });
  return [{ template: '/multi-search', endpoints: { POST: { access: 'search', handle } } }];
}
