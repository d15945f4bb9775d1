/**
 * GET /collections/{name}/search: the hot path. Reads the parameters, asks a reader, sends the bytes it wrote.
 *
 * Never parses or builds JSON for a successful search.
 */
import {
  limits,
  type ReadCallback,
  type ReadHandle,
  type ResponseFormat,
  type SearchRequest,
} from '../../engine/index.js';
import { describeViolation } from '../api/describe-violation.js';
import { validateSearchBounds } from '../api/generated/validators.js';
import type { SearchBounds } from '../api/types/parameters.js';
import { responseFormatOf } from '../http/accept.js';
import type { Exchange } from '../http/exchange.js';
import { parseQueryString, readBoolean, readInteger } from '../http/query-string.js';
import { RequestError } from '../http/request-error.js';
import { decodePathSegment, OWN, type RouteDefinition } from '../http/router.js';
import type { ReadContext, ReadEngine } from '../read-context.js';
import { RememberedRequests } from './remembered-requests.js';
import { replyRead, runRead } from './reply-read.js';

/** Where the value of each parameter is. Written down, so that reading one is an access by a number. */
const PLACES = {
  q: 0,
  query_by: 1,
  filter: 2,
  sort: 3,
  facet: 4,
  limit: 5,
  offset: 6,
  prefix: 7,
  typo_tolerance: 8,
  match_mode: 9,
  typo_threshold: 10,
  ranking: 11,
  highlight: 12,
  highlight_open: 13,
  highlight_close: 14,
  snippet_tokens: 15,
  explain: 16,
  explain_id: 17,
  include_fields: 18,
  exclude_fields: 19,
} as const;
const PARAMETERS = Object.keys(PLACES);

type ParameterName = keyof typeof PLACES;
type Values = readonly (string | null)[];

const LIMIT_DEFAULT = 10;
const TYPO_THRESHOLD_DEFAULT = 10;
const SNIPPET_TOKENS_DEFAULT = 30;
const LOGGED_QUERY_CHARS_MAX = 256;

const readText = (values: Values, name: ParameterName): string | null => values[PLACES[name]] ?? null;

/** Reads the parameters that have bounds, and checks them. Throws `invalid_query`. */
function readBounds(values: Values): SearchBounds {
  const matchMode = readText(values, 'match_mode');
  const ranking = readText(values, 'ranking');
  const checked = validateSearchBounds({
    limit: readInteger('limit', readText(values, 'limit'), LIMIT_DEFAULT),
    offset: readInteger('offset', readText(values, 'offset'), 0),
    match_mode: matchMode === null ? 'all' : matchMode.toLowerCase(),
    typo_threshold: readInteger('typo_threshold', readText(values, 'typo_threshold'), TYPO_THRESHOLD_DEFAULT),
    snippet_tokens: readInteger('snippet_tokens', readText(values, 'snippet_tokens'), SNIPPET_TOKENS_DEFAULT),
    ranking: ranking === null ? undefined : ranking.toLowerCase(),
  });
  if (!checked.success) throw new RequestError('invalid_query', describeViolation('query parameter', checked.errors));
  const { data } = checked;
  if (data.offset + data.limit > limits.SEARCH_WINDOW_MAX) {
    const got = `${data.offset} + ${data.limit}`;
    throw new RequestError(
      'invalid_query',
      `query parameters, offset + limit: expected at most ${limits.SEARCH_WINDOW_MAX}, got ${got}`,
    );
  }
  return data;
}

/** Reads the request that `query` is, asked of `collection` and answered in `format`. Throws `invalid_query`. */
function readSearchRequest(query: string, collection: string, format: ResponseFormat): SearchRequest {
  const values = parseQueryString(query, PARAMETERS);
  const bounds = readBounds(values);
  return {
    collection,
    q: readText(values, 'q') ?? '',
    queryBy: readText(values, 'query_by'),
    filter: readText(values, 'filter'),
    sort: readText(values, 'sort'),
    facet: readText(values, 'facet'),
    limit: bounds.limit,
    offset: bounds.offset,
    prefix: readBoolean('prefix', readText(values, 'prefix'), true),
    typoTolerance: readBoolean('typo_tolerance', readText(values, 'typo_tolerance'), null),
    matchMode: bounds.match_mode,
    typoThreshold: bounds.typo_threshold,
    ranking: bounds.ranking ?? null,
    highlight: readText(values, 'highlight'),
    highlightOpen: readText(values, 'highlight_open'),
    highlightClose: readText(values, 'highlight_close'),
    snippetTokens: bounds.snippet_tokens,
    explain: readBoolean('explain', readText(values, 'explain'), false),
    explainId: readText(values, 'explain_id'),
    includeFields: readText(values, 'include_fields'),
    excludeFields: readText(values, 'exclude_fields'),
    format,
  };
}

function runSearch(context: ReadContext, exchange: Exchange, request: SearchRequest, engine: ReadEngine): void {
  const { metrics, analytics, slowQueryUs, logger } = context;
  metrics.searchRequests += 1;
  const start = (done: ReadCallback): ReadHandle => engine.search(request, done, exchange);
  runRead(exchange, engine, start, (result) => {
    const { found, elapsedUs } = result;
    replyRead(exchange, result, request.format, 'search');
    metrics.searchDuration.observeUs(elapsedUs);
    analytics.record(request.collection, request.q, found, elapsedUs);
    if (slowQueryUs > 0 && elapsedUs >= slowQueryUs) {
      const q = request.q.slice(0, LOGGED_QUERY_CHARS_MAX);
      const { collection, filter, sort, facet } = request;
      const ms = elapsedUs / 1000;
      logger.warn({ id: exchange.head.requestId, collection, q, filter, sort, facet, found, ms }, 'slow search');
    }
  });
}

export function searchRoutes(context: ReadContext): RouteDefinition[] {
  const remembered = new RememberedRequests();
  const read = ({ parameters, head }: Exchange): SearchRequest => {
    const collection = decodePathSegment(parameters[0] ?? '');
    const format = responseFormatOf(head.accept);
    const known = remembered.get(head.query, collection, format);
    if (known !== undefined) return known;
    const request = readSearchRequest(head.query, collection, format);
    remembered.keep(head.query, request);
    return request;
  };
  const handle = (exchange: Exchange): void => {
    const request = read(exchange);
    const { engine } = context.gate;
    if (engine !== null) runSearch(context, exchange, request, engine);
    else context.gate.pass(exchange, (opened) => runSearch(context, exchange, request, opened));
  };
  return [
    {
      template: '/collections/{name}/search',
      endpoints: { GET: { access: 'search', parameters: OWN, handle } },
    },
  ];
}
