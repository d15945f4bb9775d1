/**
 * GET /collections/{name}/search: the hot path. Reads the parameters, asks a reader, sends the bytes it wrote.
 *
 * Never parses or builds JSON for a successful search.
 */
import { type Engine, limits, type ReadCallback, type ReadHandle, type SearchRequest } from '../../engine/index.js';
import { describeViolation } from '../api/describe-violation.js';
import { validateSearchBounds } from '../api/generated/validators.js';
import type { AppContext } from '../app-context.js';
import { responseFormatOf } from '../http/accept.js';
import type { Exchange } from '../http/exchange.js';
import { readBoolean, readInteger } from '../http/query-string.js';
import { RequestError } from '../http/request-error.js';
import { decodePathSegment, type RouteDefinition } from '../http/router.js';
import { replyRead, runRead } from './reply-read.js';

const PARAMETERS = [
  'q',
  'query_by',
  'filter',
  'sort',
  'facet',
  'limit',
  'offset',
  'prefix',
  'typo_tolerance',
  'match_mode',
  'typo_threshold',
  'ranking',
  'highlight',
  'highlight_open',
  'highlight_close',
  'snippet_tokens',
  'explain',
  'explain_id',
];

const LIMIT_DEFAULT = 10;
const TYPO_THRESHOLD_DEFAULT = 10;
const SNIPPET_TOKENS_DEFAULT = 30;
const LOGGED_QUERY_CHARS_MAX = 256;

/** Reads the parameters from `typo_threshold` on: those with bounds, still to be checked, and the others. */
function readExtras(values: readonly (string | null)[]) {
  const [typoThreshold = null, ranking = null, highlight = null, open = null, close = null] = values.slice(10);
  const [snippetTokens = null, explain = null, explainId = null] = values.slice(15);
  const bounds = {
    typo_threshold: readInteger('typo_threshold', typoThreshold, TYPO_THRESHOLD_DEFAULT),
    snippet_tokens: readInteger('snippet_tokens', snippetTokens, SNIPPET_TOKENS_DEFAULT),
    ranking: ranking === null ? undefined : ranking.toLowerCase(),
  };
  const others = {
    highlight,
    highlightOpen: open,
    highlightClose: close,
    explain: readBoolean('explain', explain, false),
    explainId,
  };
  return { bounds, others };
}

/** Reads the request of a search. Throws `invalid_query`. */
function readSearchRequest(exchange: Exchange): SearchRequest {
  const { values } = exchange;
  const [q = null, queryBy = null, filter = null, sort = null, facet = null] = values;
  const [, , , , , limit = null, offset = null, prefix = null, typoTolerance = null, matchMode = null] = values;
  const extras = readExtras(values);
  const bounds = {
    limit: readInteger('limit', limit, LIMIT_DEFAULT),
    offset: readInteger('offset', offset, 0),
    match_mode: matchMode === null ? 'all' : matchMode.toLowerCase(),
    ...extras.bounds,
  };
  const checked = validateSearchBounds(bounds);
  if (!checked.success) throw new RequestError('invalid_query', describeViolation('query parameter', checked.errors));
  const { data } = checked;
  if (data.offset + data.limit > limits.SEARCH_WINDOW_MAX) {
    const got = `${data.offset} + ${data.limit}`;
    throw new RequestError(
      'invalid_query',
      `query parameters, offset + limit: expected at most ${limits.SEARCH_WINDOW_MAX}, got ${got}`,
    );
  }
  return {
    collection: decodePathSegment(exchange.parameters[0] ?? ''),
    q: q ?? '',
    queryBy,
    filter,
    sort,
    facet,
    limit: data.limit,
    offset: data.offset,
    prefix: readBoolean('prefix', prefix, true),
    typoTolerance: readBoolean('typo_tolerance', typoTolerance, null),
    matchMode: data.match_mode,
    typoThreshold: data.typo_threshold,
    ranking: data.ranking ?? null,
    snippetTokens: data.snippet_tokens,
    ...extras.others,
    format: responseFormatOf(exchange.head.accept),
  };
}

function runSearch(context: AppContext, exchange: Exchange, request: SearchRequest, engine: Engine): void {
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

export function searchRoutes(context: AppContext): RouteDefinition[] {
  const handle = (exchange: Exchange): void => {
    const request = readSearchRequest(exchange);
    const { engine } = context.gate;
    if (engine !== null) runSearch(context, exchange, request, engine);
    else context.gate.pass(exchange, (opened) => runSearch(context, exchange, request, opened));
  };
  return [
    {
      template: '/collections/{name}/search',
      endpoints: { GET: { access: 'search', parameters: PARAMETERS, handle } },
    },
  ];
}
