/**
 * The metrics that a node of a cluster has beside those of every server, without a cluster.
 */
import { Registry } from 'prom-client';
import { connectingState } from '../../src/cluster/cluster-state.js';
import { addClusterMetrics } from '../../src/metrics/cluster-metrics.js';

/** Their names. */
export async function clusterMetricNames(): Promise<string[]> {
  const registry = new Registry();
  addClusterMetrics(registry, () => ({ ...connectingState('one', null, null), leaseMs: 0, proposedBytes: 0 }));
  const metrics = await registry.getMetricsAsJSON();
  return metrics.map(({ name }) => name);
}
