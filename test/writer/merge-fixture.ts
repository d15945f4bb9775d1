/**
 * A merge scheduler over a real write path, whose merges on another thread the test carries out when it likes. Used by
 * merge-scheduler.test.ts.
 */
import assert from 'node:assert/strict';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { type MergeOrder, type MergeOutcome, runMergeOrder } from '../../engine/writer/merge/merge-job.js';
import { SEGMENTS_WANTED } from '../../engine/writer/merge/merge-policy.js';
import { MergeScheduler } from '../../engine/writer/merge/merge-scheduler.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { liveDocuments } from '../support/engine-collection.js';
import { WriteHarness } from '../support/engine-writes.js';

const SCHEMA = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
const decoder = new TextDecoder();
/** Five of them are more than the scheduler merges on the writer's thread. */
export const PADDING = 'x'.repeat(250_000);

/** An order that waits for the test to carry it out. */
interface Waiting {
  readonly order: MergeOrder;
  readonly finish: (outcome: MergeOutcome) => void;
}

export class MergeFixture {
  readonly harness = new WriteHarness(new MemoryDirectory());
  readonly waiting: Waiting[] = [];
  readonly scheduler: MergeScheduler;
  /** Ids in order of insertion. */
  readonly model = new Set<string>();
  readonly id: number;
  merged = 0;

  constructor() {
    const { harness } = this;
    const run = (order: MergeOrder): Promise<MergeOutcome> =>
      new Promise((finish) => {
        harness.heldGeneration = harness.generation;
        this.waiting.push({ order, finish });
      });
    const heard = (): void => {
      this.merged++;
    };
    this.scheduler = new MergeScheduler(harness.path, harness.memory, harness, { run }, heard);
    this.id = harness.collections.nextId;
    harness.collections.create(this.id, SCHEMA, 0);
    harness.path.publish();
  }

  get segments(): number {
    return this.harness.target(this.id)?.segments.length ?? 0;
  }

  index(ids: readonly string[], pad: string): void {
    for (const key of ids) {
      const document = JSON.stringify({ id: key, title: 'words', pad });
      this.harness.collections.collect(this.id, new Uint8Array(Buffer.from(document)), 'json');
      this.model.delete(key);
      this.model.add(key);
    }
    this.#commit();
  }

  delete(key: string): void {
    assert.equal(
      this.harness.collections.deleteDocument(this.id, new Uint8Array(Buffer.from(key))),
      this.model.delete(key),
    );
    this.#commit();
  }

  #commit(): void {
    this.harness.collections.stage();
    this.harness.path.publish();
    this.scheduler.schedule();
    this.check();
  }

  /** Fills the collection until a merge is handed over. */
  fill(): void {
    for (let i = 0; this.waiting.length === 0; i++) {
      assert.ok(i < 30, 'a merge is due');
      this.index(
        [0, 1, 2, 3, 4].map((k) => `big${i}-${k}`),
        PADDING,
      );
    }
  }

  /** Adds a collection of which much is to be merged, and returns its number. */
  fillAnother(): number {
    const { collections, path } = this.harness;
    const id = collections.nextId;
    collections.create(id, parseSchema({ name: 'another', fields: [{ name: 'title', type: 'text' }] }), 0);
    for (let i = 0; i < 3 * SEGMENTS_WANTED; i++) {
      const lines = [0, 1, 2, 3, 4].map((k) => JSON.stringify({ id: `${i}-${k}`, pad: PADDING }));
      collections.collect(id, new Uint8Array(Buffer.from(lines.join('\n'))), 'ndjson');
      collections.stage();
      path.publish();
      this.scheduler.schedule();
    }
    return id;
  }

  /** Carries the waiting order out; `tooSmall`: says that the target was. */
  async carryOut(tooSmall = false): Promise<void> {
    const next = this.waiting.shift();
    assert.ok(next);
    const { order, finish } = next;
    const view = this.harness.memory.view.bind(this.harness.memory);
    const outcome = tooSmall ? { bytes: null, damage: null } : runMergeOrder(order, view);
    this.harness.heldGeneration = null;
    finish(outcome);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.harness.target(this.id) !== null) this.check();
  }

  check(): void {
    const segments = this.harness.target(this.id)?.segments ?? [];
    const ids = segments.flatMap((segment) => {
      const { ids, views } = segment.reader;
      return liveDocuments(segment).map((doc) => decoder.decode(views.u8.slice(ids.idStart(doc), ids.idEnd(doc))));
    });
    assert.deepEqual(ids, [...this.model]);
  }
}

/** Carries out whatever waits, and what becomes due by that. */
export async function drain(fixture: MergeFixture): Promise<void> {
  for (let i = 0; fixture.waiting.length > 0; i++) {
    assert.ok(i < 20, 'merging ends');
    await fixture.carryOut();
  }
}
