/**
 * A snapshotter over a disk in memory, with the writing of files in the test's hands, for tests of what snapshots write and
 * when.
 */
import assert from 'node:assert/strict';
import { EngineError } from '../../engine/core/errors.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { MergeJob } from '../../engine/writer/merge/merge-job.js';
import type { SnapshotRunner } from '../../engine/writer/snapshot/snapshotter.js';
import { type HarnessOptions, WriteHarness } from './engine-writes.js';
import { SimulatedDirectory } from './simulated-directory.js';

/** Number of the one collection. */
export const ID = 1;
const schemaNamed = (name: string) => parseSchema({ name, fields: [{ name: 'title', type: 'text' }] });

/** Holds what the snapshotter orders back until it is let go. */
class HeldRunner {
  #waiting: (() => void)[] = [];
  holds = false;

  readonly wrap = (inner: SnapshotRunner): SnapshotRunner => ({
    writeSnapshot: async (order) => {
      if (this.holds) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return inner.writeSnapshot(order);
    },
  });

  letGo(): void {
    this.holds = false;
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** A data directory with one collection, and a snapshotter whose files can be held back. */
export class SnapshotFixture {
  readonly directory: SimulatedDirectory;
  readonly runner = new HeldRunner();
  readonly harness: WriteHarness<SimulatedDirectory>;
  ended = 0;

  constructor(options: HarnessOptions = {}, directory = new SimulatedDirectory()) {
    this.directory = directory;
    const onEnd = (): void => {
      this.ended++;
    };
    this.harness = new WriteHarness(directory, true, false, { runner: this.runner.wrap, onEnd, ...options });
  }

  /** A fixture whose collection holds `ids`, each in a segment of its own. */
  static async with(ids: readonly string[], options: HarnessOptions = {}): Promise<SnapshotFixture> {
    const fixture = new SnapshotFixture(options);
    const { answers } = await fixture.harness.path.commit([{ kind: 'create', ticket: 1, schema: schemaNamed('c') }]);
    assert.equal(answers[0].error, null);
    for (const id of ids) await fixture.index(id);
    return fixture;
  }

  index(id: string, title = 'words'): Promise<void> {
    return this.indexAll([id], title);
  }

  /** Indexes documents into one segment. */
  async indexAll(ids: readonly string[], title = 'words'): Promise<void> {
    const body = new Uint8Array(Buffer.from(JSON.stringify(ids.map((id) => ({ id, title })))));
    const { answers } = await this.harness.path.commit([
      { kind: 'index', ticket: 1, collectionId: ID, body, format: 'json' },
    ]);
    assert.equal(answers[0].error, null);
    this.harness.snapshots.noteWrite();
  }

  async delete(documentId: string): Promise<void> {
    const { answers } = await this.harness.path.commit([{ kind: 'delete', ticket: 1, collectionId: ID, documentId }]);
    assert.equal(answers[0].error, null);
    this.harness.snapshots.noteWrite();
  }

  merge(from: number, to: number): void {
    const { collections, memory, path, generation, snapshots } = this.harness;
    const state = collections.find(ID);
    assert.ok(state !== null);
    const job = new MergeJob(state, state.segments.slice(from, to), memory);
    job.finish(job.liveCount === 0 ? null : job.run(), generation);
    path.publishMerge(state);
    snapshots.noteMerge();
  }

  get ids(): string[] {
    return idsOf(this.harness);
  }

  /** What a process finds that begins on the disk as it is. */
  reopened(): WriteHarness {
    return new WriteHarness(this.directory.crash({ mode: 'kill' }), true, true);
  }

  /** Names of the files of snapshots on the disk, without the log. */
  get files(): string[] {
    return this.directory
      .list()
      .filter((name) => !name.startsWith('wal-'))
      .sort();
  }

  /** Names of the files that `work` created or replaced, without the log. */
  async written(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.directory.operations.length;
    await work();
    const made = this.directory.operations.slice(before).filter(({ kind }) => kind === 'create');
    return made.map(({ name }) => name).filter((name) => !name.startsWith('wal-'));
  }

  /** Starts a snapshot whose files wait for letGo(). */
  async begin(): Promise<void> {
    this.runner.holds = true;
    await this.harness.snapshots.start();
  }

  async end(): Promise<void> {
    this.runner.letGo();
    await this.harness.snapshots.idle();
  }
}

/** Ids of the live documents, in order. */
export const idsOf = (harness: WriteHarness): string[] =>
  (harness.documents(ID) ?? []).map((text) => String((JSON.parse(text) as { id: unknown }).id));

/** Whether an error is an EngineError of `code`. */
export const isCode =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof EngineError && error.code === code;
