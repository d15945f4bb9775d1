/**
 * Forgets the names of nodes that are no more: the keys of leases that ended long ago are emptied in the bucket. Used by cluster-member.ts.
 *
 * What a node promises does not depend on them (membership.ts): such a lease can be renewed no more, and all who waited for its end have
 * seen it. Without this, nodes that get another name at each start would leave their keys behind for ever, and each start would read them.
 */
import type { LeaseBucket } from './lease-port.js';
import type { Key } from './membership.js';

export interface ForgottenNodesOptions {
  /** The node that forgets others. */
  readonly node: string;
  /** How long a lease must have been over, as this node has heard of it: several leases at least. */
  readonly forgetAfterMs: number;
  /** How long an answer of the bucket is waited for. */
  readonly timeoutMs: number;
}

export class ForgottenNodes {
  readonly #bucket: LeaseBucket;
  readonly #options: ForgottenNodesOptions;
  #isBusy = false;

  constructor(bucket: LeaseBucket, options: ForgottenNodesOptions) {
    this.#bucket = bucket;
    this.#options = options;
  }

  /** Empties one of `keys` that is old enough, if there is one; to be called now and then. */
  tick(now: number, keys: ReadonlyMap<string, Key>): void {
    if (this.#isBusy) return;
    const { node: self, forgetAfterMs, timeoutMs } = this.#options;
    for (const [node, { revision, value, at }] of keys) {
      if (value === null || value.state === 'held' || node === self || now - at < forgetAfterMs) continue;
      this.#isBusy = true;
      // Whatever becomes of it: the watch tells when it is done, and else it is tried again.
      void this.#bucket.put(node, null, revision, timeoutMs).then(() => {
        this.#isBusy = false;
      });
      return;
    }
  }
}
