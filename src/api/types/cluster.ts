/**
 * What a node of a cluster tells of itself and of the others, in /ready. Doc comments are the descriptions in /openapi.json.
 */
import type { tags } from 'typia';

type Count = number & tags.Type<'uint64'>;

export interface ClusterStatus {
  /** connecting, opening, behind: it takes in what it lacks; joining; ready; left */
  phase: 'connecting' | 'opening' | 'behind' | 'joining' | 'ready' | 'left';
  /** whether a NATS server is connected */
  connected: boolean;
  /** address of that server */
  server: string | null;
  /** name of the node */
  node: string;
  /** the last place of the log that it has applied */
  applied: Count;
  /** messages known to be in the log and not applied */
  lag: Count;
  /** up to where writes are acknowledged, or may be */
  released: Count;
  /** how long its lease is valid without being renewed */
  lease_ms: number;
  /** leases of others that it has ended, since its start */
  evictions: Count;
  /** leases that it has lost, since its start */
  losses: Count;
  /** of the log; null: not known */
  stream: ClusterStream | null;
  /** the newest in the store; null: there is none, or it is not known */
  snapshot: ClusterSnapshot | null;
  /** as far as this node knows */
  nodes: readonly ClusterNodeStatus[];
}

export interface ClusterStream {
  first: Count;
  last: Count;
  bytes: Count;
}

export interface ClusterSnapshot {
  /** the last place of the log that it contains */
  sequence: Count;
}

export interface ClusterNodeStatus {
  node: string;
  /** of its lease: held, left: given back, evicted: ended by another, unknown: not heard of for as long as it lasts */
  state: 'held' | 'left' | 'evicted' | 'unknown';
  applied: Count;
  /** whether it has too little memory for writes */
  short_of_memory: boolean;
  /** where clients reach it; null: it does not say */
  url: string | null;
  version: string;
  /** since its lease was heard of, or read after the start of the node that tells this */
  silent_ms: number;
}
