/**
 * The writer's side of the maintenance thread: hands over merges, snapshots and verifications, at most one of each kind
 * at a time.
 */
import type { MessagePort } from 'node:worker_threads';
import { assert, assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import type { Arena } from '../memory/arena.js';
import type { HeldFolder } from '../storage/files/node-directory.js';
import type { ManifestSegment } from '../storage/types/manifest.js';
import type { RebuildOrder, RebuildOutcome, RebuildRunner } from '../writer/change/rebuild-order.js';
import type { MergeOrder, MergeOutcome } from '../writer/merge/merge-job.js';
import type { MergeRunner } from '../writer/merge/merge-scheduler.js';
import type { SnapshotOrder, SnapshotOutcome } from '../writer/snapshot/snapshot-job.js';
import type { SnapshotRunner } from '../writer/snapshot/snapshotter.js';
import type { VerifyRunner } from '../writer/snapshot/verify-stored.js';
import type { Epoch } from './generations.js';
import type { MaintenanceInput, MaintenanceOutput } from './messages.js';

type Kind = MaintenanceOutput['kind'];

export class MaintenanceClient implements MergeRunner, RebuildRunner, SnapshotRunner, VerifyRunner {
  readonly #port: MessagePort;
  /** Protects what merges and rebuilds read, from when the first of those under way began. */
  readonly #epoch: Epoch;
  #reading = 0;
  readonly #waiting = new Map<Kind, (message: MaintenanceOutput) => void>();

  /** `epoch`: that of the maintenance thread, which will read and write files in `folder`. */
  constructor(port: MessagePort, epoch: Epoch, folder: HeldFolder) {
    this.#port = port;
    this.#epoch = epoch;
    port.on('message', (message: MaintenanceOutput) => {
      const done = assertPresent(this.#waiting.get(message.kind), 'an order of this kind is under way');
      this.#waiting.delete(message.kind);
      done(message);
    });
    this.#send({ kind: 'folder', folder });
  }

  addArena(arena: Arena): void {
    this.#send({ kind: 'arena', arena });
  }

  /** Has its garbage collected when it comes to it. */
  collectGarbage(): void {
    this.#send({ kind: 'collect' });
  }

  /** Merges; an epoch keeps the sources, and the bitmaps that a commit may replace meanwhile. */
  async run(order: MergeOrder): Promise<MergeOutcome> {
    this.#enter();
    const answer = await this.#ask({ kind: 'merge', order }, 'merge');
    this.#leave();
    assert(answer.kind === 'merge', 'the answer to a merge');
    return answer.outcome;
  }

  /** Rebuilds; protected as a merge is. */
  async rebuild(order: RebuildOrder): Promise<RebuildOutcome> {
    this.#enter();
    const answer = await this.#ask({ kind: 'rebuild', order }, 'rebuild');
    this.#leave();
    assert(answer.kind === 'rebuild', 'the answer to a rebuild');
    return answer.outcome;
  }

  #enter(): void {
    if (this.#reading++ === 0) this.#epoch.enter();
  }

  #leave(): void {
    if (--this.#reading === 0) this.#epoch.leave();
  }

  /** Writes a snapshot, whose regions are pinned. */
  async writeSnapshot(order: SnapshotOrder): Promise<SnapshotOutcome> {
    const answer = await this.#ask({ kind: 'snapshot', order, state: null }, 'snapshot');
    assert(answer.kind === 'snapshot', 'the answer to a snapshot');
    return answer.outcome;
  }

  async verify(segment: ManifestSegment): Promise<EngineError | null> {
    const answer = await this.#ask({ kind: 'verify', segment }, 'verify');
    assert(answer.kind === 'verify', 'the answer to a verification');
    return answer.error === null ? null : new EngineError(answer.error.code, answer.error.message);
  }

  close(): void {
    this.#port.close();
  }

  #ask(message: MaintenanceInput, kind: Kind): Promise<MaintenanceOutput> {
    assert(!this.#waiting.has(kind), 'one order of a kind at a time');
    this.#send(message);
    return new Promise((resolve) => {
      this.#waiting.set(kind, resolve);
    });
  }

  #send(message: MaintenanceInput): void {
    this.#port.postMessage(message);
  }
}
