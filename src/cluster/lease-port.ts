/**
 * The bucket of leases, one key per node, as cluster-member.ts sees it: every change of a key gets a revision, which grows over all
 * keys, and is made only if the key has the revision that is expected. Implemented by nats-leases.ts, and by a simulation in the tests.
 */

/** What lies under a node's key. */
export interface LeaseValue {
  /** Of one process of the node. */
  readonly origin: string;
  /** Of one period in which the process answers reads. */
  readonly life: string;
  /**
   * held: the node may answer reads for `leaseMs` from when it has asked for this. left: it has stopped. evicted: another node has
   * written this, so the lease that it had cannot be renewed.
   */
  readonly state: 'held' | 'left' | 'evicted';
  readonly leaseMs: number;
  /** Counts the changes that the process has asked for. */
  readonly renewal: number;
  /** Sequence that the node has applied: it may be further. */
  readonly applied: number;
  /** Whether it has too little memory for writes. */
  readonly isShort: boolean;
  readonly url: string | null;
  readonly version: string;
  /** Of evicted: the revision that was written over. */
  readonly over: number | null;
}

/** `value` null: the key was deleted, or is nothing that a node has written. */
export interface LeaseEntry {
  readonly node: string;
  readonly revision: number;
  readonly value: LeaseValue | null;
}

export type LeaseOutcome =
  | { readonly kind: 'stored'; readonly revision: number }
  /** The key has another revision than was expected. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'unknown' };

export interface LeaseBucket {
  /** Unlike that of any other bucket, also of one that has had its name. */
  readonly id: string;
  /** The last revision that was in it when this process opened it. */
  readonly opened: number;
  /**
   * Changes the key of `node`, if it has `revision`; 0: if there is none. `value` null: it is emptied, and its earlier changes are dropped.
   * Never rejects.
   */
  put(node: string, value: LeaseValue | null, revision: number, timeoutMs: number): Promise<LeaseOutcome>;
  /** Hands on the last change of each key, then all further ones or later ones in their place, by revision; reconnects for ever. */
  watch(receive: (entry: LeaseEntry) => void): { stop(): void };
}
