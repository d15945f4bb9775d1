/**
 * The state of a node of a cluster as /ready tells it.
 */
import type { ClusterStatus } from '../api/types/cluster.js';
import type { ServedState } from './cluster-state.js';

/** What is told of `state`. */
export const statusOf = (state: ServedState): ClusterStatus => ({
  phase: state.phase,
  connected: state.isConnected,
  server: state.server,
  node: state.node,
  applied: state.applied,
  lag: state.lag,
  released: state.released,
  lease_ms: state.leaseMs,
  evictions: state.evictions,
  losses: state.losses,
  stream: state.stream,
  snapshot: state.snapshot && { sequence: state.snapshot.sequence },
  nodes: state.nodes.map(({ node, state: lease, applied, isShort, url, version, silentMs }) => {
    return { node, state: lease, applied, short_of_memory: isShort, url, version, silent_ms: silentMs };
  }),
});
