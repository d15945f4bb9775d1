/**
 * What a search leaves behind when it has succeeded: its metrics, its place in the analytics, a line in the log when it was slow.
 */
import type { ReadResult, SearchRequest } from '../../engine/index.js';
import type { Exchange } from '../http/exchange.js';
import type { ReadContext } from '../read-context.js';
import type { ReadEngine } from '../read-engine.js';

/** Records that `request`, which came with `exchange`, was answered by `engine` with `result`. */
export function recordSearch(
  { metrics, analytics, slowSearches }: ReadContext,
  exchange: Exchange,
  request: SearchRequest,
  result: Omit<ReadResult, 'body'>,
  engine: ReadEngine,
): void {
  const { found, elapsedUs, waitedUs } = result;
  metrics.searchDuration.observeUs(elapsedUs);
  if (waitedUs > 0) metrics.searchWait.observeUs(waitedUs);
  analytics.record(request.collection, request.q, found, elapsedUs);
  if (slowSearches === null || elapsedUs + waitedUs < slowSearches.thresholdUs) return;
  metrics.slowSearches += 1;
  slowSearches.note(exchange, request, result, engine);
}
