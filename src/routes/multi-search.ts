/**
 * POST /multi-search: several searches in one request, evaluated side by side and answered in order. Each has its own result or error.
 *
 * Each is a read of its own: the engine puts them into its lanes as it would had the client sent them one by one.
 */
import {
  type Asker,
  limits,
  type ReadHandle,
  type ReadPlace,
  type ResponseFormat,
  type SearchRequest,
} from '../../engine/index.js';
import { wordGot } from '../api/describe-violation.js';
import type { AppContext } from '../app-context.js';
import { responseFormatOf } from '../http/accept.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { parseJsonBody } from '../http/json-body.js';
import { RequestError } from '../http/request-error.js';
import type { RouteDefinition } from '../http/router.js';
import { noteUnknown, STRICT } from '../http/unknown-parameters.js';
import type { ReadEngine } from '../read-engine.js';
import { BodyParameters, isJsonObject, KNOWN_OF_MANY, unknownKeys } from './body-parameters.js';
import { GatheredResults } from './gathered-results.js';
import { type PlacedSearch, placeSearches } from './place-searches.js';
import { recordSearch } from './record-search.js';
import { RememberedSets } from './remembered-sets.js';
import { SEARCH_BODY_BYTES_MAX } from './search.js';
import { readSearchRequest } from './search-request.js';

/** The searches of a request, or what is wrong with each; `lastUs` as in remembered-sets.ts. */
interface AskedSet {
  readonly requests: readonly (SearchRequest | RequestError)[];
  readonly format: ResponseFormat;
  readonly lastUs: Float64Array;
}

/** What the body may have. */
const KNOWN: ReadonlySet<string> = new Set(['searches', STRICT]);

/** The searches that `body` lists, unread; what it has beside them is noted. Throws `invalid_json`, `invalid_query`. */
function readSearches(exchange: Exchange, body: unknown): readonly unknown[] {
  if (!isJsonObject(body))
    throw new RequestError('invalid_json', `request body: expected an object with "searches", got ${wordGot(body)}`);
  exchange.isStrict = new BodyParameters(body).boolean(STRICT, false) || exchange.isStrict;
  noteUnknown(exchange, unknownKeys(body, KNOWN), exchange.isStrict, 'request body');
  const searches: unknown = body['searches'];
  if (!Array.isArray(searches))
    throw new RequestError('invalid_query', `request body "searches": expected an array, got ${wordGot(searches)}`);
  const { length } = searches;
  if (length >= 1 && length <= limits.MULTI_SEARCH_MAX) return searches;
  const expected = `1 to ${limits.MULTI_SEARCH_MAX} searches`;
  throw new RequestError('invalid_query', `request body "searches": expected ${expected}, got ${length}`);
}

/** Reads search `index` of `exchange`. Throws `invalid_query`, `forbidden`, `payload_too_large`. */
function readSearch(exchange: Exchange, search: unknown, index: number, format: ResponseFormat): SearchRequest {
  const place = `searches[${index}]`;
  if (!isJsonObject(search))
    throw new RequestError('invalid_query', `request body "${place}": expected an object, got ${wordGot(search)}`);
  const { collection } = search;
  if (typeof collection !== 'string') {
    const expected = `expected the name of a collection, got ${wordGot(collection)}`;
    throw new RequestError('invalid_query', `request body "${place}.collection": ${expected}`);
  }
  const source = new BodyParameters(search, `${place}.`, KNOWN_OF_MANY);
  const isStrict = source.boolean(STRICT, false) || exchange.isStrict;
  noteUnknown(exchange, source.unknown(), isStrict, source.what);
  return readSearchRequest(source, collection, format, exchange.scope);
}

/** Returns the search, or what is wrong with it. */
function tryReadSearch(
  exchange: Exchange,
  search: unknown,
  index: number,
  format: ResponseFormat,
): SearchRequest | RequestError {
  try {
    return readSearch(exchange, search, index, format);
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}

/** Whether `request` may take longer than others. */
const mayTakeLong = (request: SearchRequest | RequestError): boolean =>
  'facet' in request && (request.facet !== null || request.filter !== null || request.sort !== null);

/** Where to answer `requests`, of which it is not known what they take: first what readers may take long for. */
function placeUnknown(requests: readonly (SearchRequest | RequestError)[]): PlacedSearch[] {
  const indexes = requests.map((_, index) => index);
  const long = indexes.filter((i) => mayTakeLong(requests[i]));
  const ordered = [...long, ...indexes.filter((i) => !mayTakeLong(requests[i]))];
  return ordered.map((index) => ({ index, place: 'unknown' }));
}

/** `lastUs`: what each of `requests` took when it was last answered, which is noted there. */
function runSearches(
  context: AppContext,
  exchange: Exchange,
  { requests, format, lastUs }: AskedSet,
  engine: ReadEngine,
): void {
  const results = new GatheredResults(exchange, format, requests.length);
  const handles: ReadHandle[] = [];
  exchange.hold(() => {
    for (const handle of handles) engine.cancelRead(handle);
    results.drop();
  });
  const askers = askersOf(exchange);
  for (const { index, place } of placeSearches(lastUs) ?? placeUnknown(requests)) {
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
        lastUs[index] = result.elapsedUs;
        exchange.span?.addRead(result, { 'sabre.collection': request.collection });
        results.add(index, result);
        // It is counted among the answers not yet read from now on.
        if (result.heldBytes > 0) engine.releaseAnswer(result.heldBytes);
        recordSearch(context, exchange, request, result, engine);
      },
      requests.length === 1 ? exchange : askers[place],
    );
    if (handle >= 0) handles.push(handle);
  }
  results.endCall();
}

/** The client of `exchange`, as it asks for reads in each place. */
function askersOf(exchange: Exchange): Readonly<Record<ReadPlace, Asker>> {
  const askerAt = (place: ReadPlace): Asker => ({
    place,
    get client(): string {
      return exchange.client;
    },
  });
  return { here: askerAt('here'), readers: askerAt('readers'), unknown: askerAt('unknown') };
}

/** Reads what `exchange` asks with `bytes`, or finds it in `remembered`. Throws `invalid_json`, `invalid_query`. */
function readSet(exchange: Exchange, bytes: Uint8Array<ArrayBuffer>, remembered: RememberedSets): AskedSet {
  const { scope } = exchange;
  const format = responseFormatOf(exchange.head.accept);
  const known = remembered.get(bytes, format, scope);
  if (known !== undefined) return known;
  const searches = readSearches(exchange, parseJsonBody(bytes));
  const requests = searches.map((search, index) => tryReadSearch(exchange, search, index, format));
  const lastUs = new Float64Array(requests.length).fill(Number.NaN);
  const isWhole = (all: typeof requests): all is SearchRequest[] => !all.some((each) => each instanceof RequestError);
  if (isWhole(requests) && exchange.unknownParameters.length === 0)
    remembered.keep(bytes, { requests, format, scope, lastUs });
  return { requests, format, lastUs };
}

export function multiSearchRoutes(context: AppContext): RouteDefinition[] {
  const maxBytes = Math.min(context.maxBodyBytes, SEARCH_BODY_BYTES_MAX);
  const remembered = new RememberedSets();
  const handle = (exchange: Exchange): void =>
    readBody(exchange, maxBytes, context.bodies, (bytes) => {
      const set = readSet(exchange, bytes, remembered);
      context.gate.pass(exchange, (engine) => {
        exchange.letGo();
        runSearches(context, exchange, set, engine);
      });
    });
  return [{ template: '/multi-search', endpoints: { POST: { access: 'search', isScoped: true, handle } } }];
}
