/**
 * The metrics of the process and of Node, under the names that dashboards made for any program of Node look for: process_* and
 * nodejs_*, without a prefix.
 *
 * Called by metrics.ts.
 */
import { readdir, stat } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/**
 * Gauges that end in _total, as only counters may (promtool refuses them). Each is the sum over the types of the metric with the
 * same name but for that end.
 */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

/** It lists the descriptors of tens of thousands of connections while requests wait. */
const SLOW = 'process_open_fds';
const DESCRIPTORS = '/proc/self/fd';

/** Adds them to `registry`. */
export function addNodeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  if (registry.getSingleMetric(SLOW) === undefined) return;
  registry.removeSingleMetric(SLOW);
  new Gauge({
    name: SLOW,
    help: 'Number of open file descriptors.',
    registers: [registry],
    async collect() {
      // Where it cannot be told, as with no descriptor left to list them with, the last one stays.
      await countDescriptors().then(
        (count) => this.set(count),
        () => {},
      );
    },
  });
}

/** Files that this process has open. Linux tells it as the size of the folder from 6.2 on, and 0 before. */
async function countDescriptors(): Promise<number> {
  const { size } = await stat(DESCRIPTORS);
  // One of them is that of the folder itself.
  return size > 0 ? size : (await readdir(DESCRIPTORS)).length - 1;
}
