/**
 * Query analytics: the most frequent queries, those without results, and the latency of searches.
 */
import type { QueryList } from '../api/types/server.js';
import type { AppContext } from '../app-context.js';
import type { Exchange } from '../http/exchange.js';
import { readInteger } from '../http/query-string.js';
import { replyJson } from '../http/reply.js';
import type { RouteDefinition } from '../http/router.js';

const PARAMETERS = ['collection', 'limit'];
const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 500;

/**
 * `limit` is cut to 1 to LIMIT_MAX. `collection` '' means all, like a missing one; one that does not exist has no queries.
 */
function listHandler(
  { analytics, gate, gather }: AppContext,
  list: (collection: string | null, limit: number) => QueryList,
): (exchange: Exchange) => void {
  return (exchange) => {
    const [collection = null, limit = null] = exchange.values;
    const count = Math.min(Math.max(readInteger('limit', limit, LIMIT_DEFAULT), 1), LIMIT_MAX);
    gather(() => {
      const { engine } = gate;
      if (engine !== null) analytics.forgetGone((name) => engine.versionOf(name).collectionId !== 0);
      replyJson(exchange, 200, list(collection === '' ? null : collection, count));
    });
  };
}

export function analyticsRoutes(context: AppContext): RouteDefinition[] {
  const { analytics } = context;
  const top = listHandler(context, (collection, limit) => analytics.top(collection, limit));
  const zeroResults = listHandler(context, (collection, limit) => analytics.zeroResults(collection, limit));
  const latency = (exchange: Exchange): void => context.gather(() => replyJson(exchange, 200, analytics.latency()));
  return [
    { template: '/analytics/top', endpoints: { GET: { access: 'search', parameters: PARAMETERS, handle: top } } },
    {
      template: '/analytics/zero-results',
      endpoints: { GET: { access: 'search', parameters: PARAMETERS, handle: zeroResults } },
    },
    { template: '/analytics/latency', endpoints: { GET: { access: 'search', handle: latency } } },
  ];
}
