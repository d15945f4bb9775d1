/**
 * GET /collections/{name}/suggest: completions of the last token of a partial query.
 */
import type { ReadCallback, SuggestRequest } from '../../engine/index.js';
import { describeViolation } from '../api/describe-violation.js';
import { validateSuggestBounds } from '../api/generated/validators.js';
import { responseFormatOf } from '../http/accept.js';
import type { Exchange } from '../http/exchange.js';
import { readBoolean, readInteger } from '../http/query-string.js';
import { RequestError } from '../http/request-error.js';
import { decodePathSegment, type RouteDefinition } from '../http/router.js';
import type { ReadContext } from '../read-context.js';
import type { ReadEngine } from '../read-engine.js';
import { followRead, replyRead, takeResult } from './reply-read.js';
import { checkCollection, checkUnfiltered } from './scoped-reads.js';

const PARAMETERS = ['q', 'query_by', 'limit', 'typo_tolerance'];
const LIMIT_DEFAULT = 5;

/** Reads the request of a suggestion. Throws `invalid_query`. */
function readSuggestRequest(exchange: Exchange): SuggestRequest {
  const [q = null, queryBy = null, limit = null, typoTolerance = null] = exchange.values;
  const checked = validateSuggestBounds({ limit: readInteger('limit', limit, LIMIT_DEFAULT) });
  if (!checked.success) throw new RequestError('invalid_query', describeViolation('query parameter', checked.errors));
  return {
    collection: decodePathSegment(exchange.parameters[0] ?? ''),
    q: q ?? '',
    queryBy,
    limit: checked.data.limit,
    typoTolerance: readBoolean('typo_tolerance', typoTolerance, null),
    format: responseFormatOf(exchange.head.accept),
  };
}

function runSuggest(context: ReadContext, exchange: Exchange, request: SuggestRequest, engine: ReadEngine): void {
  context.metrics.suggestRequests += 1;
  const done: ReadCallback = (error, result) => {
    if (!takeResult(exchange, engine, error, result)) return;
    context.metrics.suggestDuration.observeUs(result.elapsedUs);
    replyRead(exchange, result, request.format, 'suggest');
  };
  followRead(exchange, engine, engine.suggest(request, done, exchange));
}

export function suggestRoutes(context: ReadContext): RouteDefinition[] {
  const handle = (exchange: Exchange): void => {
    const request = readSuggestRequest(exchange);
    checkCollection(exchange.scope, request.collection);
    checkUnfiltered(exchange.scope, 'suggestions');
    context.gate.pass(exchange, (engine) => runSuggest(context, exchange, request, engine));
  };
  return [
    {
      template: '/collections/{name}/suggest',
      endpoints: { GET: { access: 'search', isScoped: true, parameters: PARAMETERS, handle } },
    },
  ];
}
