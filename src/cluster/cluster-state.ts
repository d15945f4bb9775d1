/**
 * What a node of a cluster tells of itself and of the others: for /ready, metrics and `sabre cluster status`.
 */
import type { StoredSnapshot } from './snapshot-keeper.js';

/**
 * connecting: no NATS server, or no log, has answered yet. opening: the engine is not open. behind: it takes in what it lacks, or waits for
 * a lease. joining: all nodes are being told. ready: it answers reads while its lease is valid. left: it has given its lease back.
 */
export type ClusterPhase = 'connecting' | 'opening' | 'behind' | 'joining' | 'ready' | 'left';

export interface ClusterState {
  readonly phase: ClusterPhase;
  /** Why it is not ready; null: it is, or nothing is known beyond the phase. */
  readonly reason: string | null;
  /** Why NATS does not do what it is asked for; null: it does, or nothing is known. */
  readonly trouble: string | null;
  readonly isConnected: boolean;
  /** Address of the NATS server; null: none. */
  readonly server: string | null;
  readonly node: string;
  readonly streamId: string | null;
  /** Sequence that this node has applied. */
  readonly applied: number;
  /** Messages that are known to be in the log and not applied. */
  readonly lag: number;
  /** Up to where writes were acknowledged, or may be. */
  readonly released: number;
  /** Evictions since the start: of others by this node, of this one by others. */
  readonly evictions: number;
  readonly losses: number;
  readonly nodes: readonly NodeState[];
  /** null: not known. */
  readonly stream: { readonly first: number; readonly last: number; readonly bytes: number } | null;
  /** In the snapshot store; null: none. */
  readonly snapshot: StoredSnapshot | null;
}

/** The same with what the main thread knows better. */
export interface ServedState extends ClusterState {
  /** How long the lease is valid yet; 0: it is not. */
  readonly leaseMs: number;
  /** Bytes of writes that the log has not taken. */
  readonly proposedBytes: number;
}

export interface NodeState {
  readonly node: string;
  /** unknown: it was held, and its time went by since this node has heard of it. */
  readonly state: 'held' | 'left' | 'evicted' | 'unknown';
  readonly applied: number;
  readonly isShort: boolean;
  readonly url: string | null;
  readonly version: string;
  /** Since this process has heard of its lease; of one that was not renewed meanwhile since it has read it, after its start. */
  readonly silentMs: number;
}

/** Of a node that no NATS server serves, for `trouble`; `server`: to which it is connected all the same, null: to none. */
export const connectingState = (node: string, trouble: string | null, server: string | null): ClusterState => ({
  ...{ phase: 'connecting', reason: null, trouble, isConnected: server !== null, server, node, streamId: null },
  ...{ applied: 0, lag: 0, released: 0, evictions: 0, losses: 0, nodes: [], stream: null, snapshot: null },
});
