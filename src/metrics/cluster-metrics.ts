/**
 * What a node of a cluster counts: how far it has applied the log, its lease, the others, the log itself and the snapshots in the store.
 *
 * Called by metrics.ts, of a node of a cluster alone.
 */
import { Gauge, type Registry } from 'prom-client';
import type { ServedState } from '../cluster/cluster-state.js';
import { addCounter, addGauge, PREFIX } from './own-metric.js';

const GAUGES: readonly (readonly [string, string, (state: ServedState) => number])[] = [
  ['connected', '1 while a NATS server is connected.', (state) => Number(state.isConnected)],
  ['applied_sequence', 'Last place of the log that this node has applied.', (state) => state.applied],
  ['lag_messages', 'Messages known to be in the log that this node has not applied.', (state) => state.lag],
  ['released_sequence', 'Up to where writes are acknowledged, or may be.', (state) => state.released],
  ['lease_seconds', 'How long the lease of this node is valid without being renewed.', (state) => state.leaseMs / 1000],
  ['proposed_bytes', 'Writes of this node that the log has not taken yet.', (state) => state.proposedBytes],
  ['stream_first_sequence', 'Oldest place that the log has.', (state) => state.stream?.first ?? Number.NaN],
  ['stream_last_sequence', 'Newest place that the log has.', (state) => state.stream?.last ?? Number.NaN],
  ['stream_bytes', 'Size of the log.', (state) => state.stream?.bytes ?? Number.NaN],
  [
    'store_snapshot_sequence',
    'Place of the newest snapshot in the store.',
    (state) => state.snapshot?.sequence ?? Number.NaN,
  ],
];

/** Adds them to `registry`. */
export function addClusterMetrics(registry: Registry, state: () => ServedState): void {
  for (const [name, help, read] of GAUGES) addGauge(registry, `cluster_${name}`, help, () => read(state()));
  addCounter(
    registry,
    'cluster_evictions_total',
    'Leases of other nodes that this one has ended.',
    () => state().evictions,
  );
  addCounter(registry, 'cluster_lease_losses_total', 'Leases that this node has lost.', () => state().losses);
  addNodeGauge(
    registry,
    'node_applied_sequence',
    'Last place of the log that a node says it has applied.',
    state,
    (node) => node.applied,
  );
  addNodeGauge(
    registry,
    'node_lease_held',
    '1 while the lease of a node is held, as far as this one has heard.',
    state,
    (node) => Number(node.state === 'held'),
  );
}

function addNodeGauge(
  registry: Registry,
  name: string,
  help: string,
  state: () => ServedState,
  read: (node: ServedState['nodes'][number]) => number,
): void {
  new Gauge({
    name: `${PREFIX}cluster_${name}`,
    help,
    labelNames: ['node'],
    registers: [registry],
    collect() {
      this.reset();
      for (const node of state().nodes) this.set({ node: node.node }, read(node));
    },
  });
}
