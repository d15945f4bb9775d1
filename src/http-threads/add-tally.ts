/**
 * Adds what a front thread has answered to the counts of the main thread, as if it had been answered there.
 */
import type { SearchAnalytics } from '../analytics/search-analytics.js';
import type { HttpCounters } from '../http/http-counters.js';
import type { Metrics } from '../metrics/metrics.js';
import type { TallyMessage } from './messages.js';

/** Adds `tally` to `counters`, `metrics` and `analytics`. */
export function addTally(
  tally: TallyMessage,
  counters: HttpCounters,
  metrics: Metrics,
  analytics: SearchAnalytics,
): void {
  for (const [template, method, status, count] of tally.answers) counters.add(template, method, status, count);
  const { collections, queries, found, searchUs, suggestUs, fetchUs } = tally;
  metrics.searchRequests += searchUs.length;
  metrics.suggestRequests += suggestUs.length;
  metrics.slowSearches += tally.slowSearches;
  for (const [i, elapsedUs] of searchUs.entries()) {
    metrics.searchDuration.observeUs(elapsedUs);
    analytics.record(collections[i], queries[i], found[i], elapsedUs);
  }
  for (const elapsedUs of suggestUs) metrics.suggestDuration.observeUs(elapsedUs);
  for (const elapsedUs of fetchUs) metrics.fetchDuration.observeUs(elapsedUs);
}
