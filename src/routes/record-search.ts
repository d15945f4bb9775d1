/**
 * What a search leaves behind when it has succeeded: its metrics, its place in the analytics, a line in the log when it was slow.
 */
import type { ReadResult, SearchRequest } from '../../engine/index.js';
import type { Exchange } from '../http/exchange.js';
import type { ReadContext } from '../read-context.js';

const LOGGED_QUERY_CHARS_MAX = 256;

/** Records that `request`, which came with `exchange`, was answered with `result`. */
export function recordSearch(
  { metrics, analytics, slowQueryUs, logger }: ReadContext,
  { head }: Exchange,
  request: SearchRequest,
  { found, elapsedUs }: Pick<ReadResult, 'found' | 'elapsedUs'>,
): void {
  metrics.searchDuration.observeUs(elapsedUs);
  analytics.record(request.collection, request.q, found, elapsedUs);
  if (slowQueryUs === 0 || elapsedUs < slowQueryUs) return;
  metrics.slowSearches += 1;
  const q = request.q.slice(0, LOGGED_QUERY_CHARS_MAX);
  const { collection, filter, sort, facet } = request;
  const ms = elapsedUs / 1000;
  logger.warn({ id: head.requestId, collection, q, filter, sort, facet, found, ms }, 'slow search');
}
