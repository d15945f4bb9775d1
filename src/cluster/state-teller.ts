/**
 * Puts together what a node tells of itself and the others. Used by cluster-thread.ts.
 */
import type { ClusterMember } from './cluster-member.js';
import type { ClusterOptions } from './cluster-options.js';
import type { ClusterState, NodeState } from './cluster-state.js';
import type { NatsLink } from './nats-link.js';
import type { SnapshotKeeper, StoredSnapshot } from './snapshot-keeper.js';

/** How often the store of snapshots is asked. */
const SNAPSHOT_MS = 15_000;

export class StateTeller {
  readonly #options: ClusterOptions;
  readonly #link: NatsLink;
  readonly #streamId: string;
  readonly #member: ClusterMember;
  readonly #keeper: SnapshotKeeper;
  readonly #send: (state: ClusterState) => void;
  #snapshot: StoredSnapshot | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    options: ClusterOptions,
    link: NatsLink,
    streamId: string,
    member: ClusterMember,
    keeper: SnapshotKeeper,
    send: (state: ClusterState) => void,
  ) {
    this.#options = options;
    this.#link = link;
    this.#streamId = streamId;
    this.#member = member;
    this.#keeper = keeper;
    this.#send = send;
  }

  tell(): void {
    this.#askForSnapshot();
    const { phase, reason, stream, figures } = this.#member;
    this.#send({
      ...{ phase, reason, trouble: this.#link.trouble, isConnected: this.#link.isConnected, server: this.#link.server },
      ...{ node: this.#options.nodeName, streamId: this.#streamId, ...figures },
      ...{ nodes: this.#nodes(), stream, snapshot: this.#snapshot },
    });
  }

  #nodes(): NodeState[] {
    const { membership } = this.#member;
    const nodes: NodeState[] = [];
    for (const [node, { value, at }] of membership.keys) {
      if (value === null) continue;
      const { life, leaseMs, isShort, url, version } = value;
      const applied = node === this.#options.nodeName ? this.#member.figures.applied : membership.appliedBy(life);
      const silentMs = Math.round(performance.now() - at);
      const state = value.state === 'held' && silentMs > leaseMs ? 'unknown' : value.state;
      nodes.push({ node, state, applied: Math.max(applied, value.applied), isShort, url, version, silentMs });
    }
    return nodes.sort((a, b) => (a.node < b.node ? -1 : 1));
  }

  #askForSnapshot(): void {
    if (!this.#link.isConnected || performance.now() - this.#askedAt < SNAPSHOT_MS) return;
    this.#askedAt = performance.now();
    this.#keeper
      .newest()
      .then((snapshot) => {
        this.#snapshot = snapshot;
      })
      .catch(() => {});
  }
}
