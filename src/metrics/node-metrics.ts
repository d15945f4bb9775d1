/**
 * The metrics of the process and of Node, under the names that dashboards made for any program of Node look for: process_* and
 * nodejs_*, without a prefix.
 *
 * Called by metrics.ts.
 */
import { collectDefaultMetrics, type Registry } from 'prom-client';

/**
 * Gauges that end in _total, as only counters may (promtool refuses them). Each is the sum over the types of the metric with the
 * same name but for that end.
 */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

/** Adds them to `registry`. */
export function addNodeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
