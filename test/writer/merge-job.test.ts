/**
 * Merges that run beside commits: no deletion is lost, whenever it came, and what a reader holds stays as it was.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Region } from '../../engine/memory/arena.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { MergeJob, runMergeOrder } from '../../engine/writer/merge/merge-job.js';
import type { CollectionState } from '../../engine/writer/state/collection-state.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { liveDocuments, storedText } from '../support/engine-collection.js';
import { WriteHarness } from '../support/engine-writes.js';

const SCHEMA = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });

/** Ids written and deleted together. */
interface Change {
  readonly upserts: readonly number[];
  readonly deletes: readonly number[];
}

const id = fc.nat({ max: 15 });
const change: fc.Arbitrary<Change> = fc.record({
  upserts: fc.array(id, { maxLength: 6 }),
  deletes: fc.array(id, { maxLength: 4 }),
});

const harness = new WriteHarness(new MemoryDirectory());
let serial = 0;

/** A collection and what it ought to hold: id to document, in order of insertion. */
class Subject {
  readonly state: CollectionState;
  readonly number: number;
  model = new Map<string, string>();

  constructor() {
    this.number = harness.collections.nextId;
    harness.collections.create(this.number, SCHEMA, 0);
    harness.path.publish();
    const state = [...harness.collections.all()].find((one) => one.id === this.number);
    assert.ok(state);
    this.state = state;
  }

  /** Stages a change and returns what the collection holds once it is published. */
  stage({ upserts, deletes }: Change): Map<string, string> {
    const after = new Map(this.model);
    for (const key of upserts) {
      const document = JSON.stringify({ id: String(key), title: `text ${serial++}` });
      harness.collections.collect(this.number, new Uint8Array(Buffer.from(document)), 'json');
      after.delete(String(key));
      after.set(String(key), document);
    }
    for (const key of deletes) {
      const gone = harness.collections.deleteDocument(this.number, new Uint8Array(Buffer.from(String(key))));
      assert.equal(gone, after.delete(String(key)));
    }
    harness.collections.stage();
    return after;
  }

  commit(change: Change): void {
    this.model = this.stage(change);
    harness.path.publish();
    this.check();
  }

  check(): void {
    assert.deepEqual(harness.documents(this.number), [...this.model.values()]);
    assert.equal(this.state.documentCount, this.model.size);
    for (const segment of this.state.segments) assert.ok(segment.liveCount > 0 || segment.merging);
  }

  drop(): void {
    harness.collections.drop(this.number);
    harness.path.publish();
  }
}

const chooseJob = ({ state }: Subject, from: number, count: number): MergeJob | null => {
  const first = from % Math.max(state.segments.length, 1);
  const sources = state.segments.slice(first, first + count);
  return sources.length === 0 ? null : new MergeJob(state, sources, harness.memory);
};

/** Runs the job as the writer would, or as the maintenance thread would: from regions alone. */
function run(job: MergeJob, elsewhere: boolean): Region {
  if (!elsewhere) return job.run();
  const order = job.order(1);
  const view = (region: Region) => harness.memory.view(region);
  const { bytes } = runMergeOrder(order, view);
  assert.ok(bytes !== null, 'the estimate holds');
  return harness.memory.shrink(order.target, bytes);
}

test('a merge loses no deletion made before, while and just as it ends', () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 6 });
  const how = fc.record({
    from: fc.nat({ max: 9 }),
    count: fc.integer({ min: 1, max: 8 }),
    elsewhere: fc.boolean(),
    late: fc.boolean(),
    discards: fc.boolean(),
  });
  fc.assert(
    fc.property(changes, changes, change, how, (before, during, last, { from, count, elsewhere, late, discards }) => {
      const subject = new Subject();
      for (const one of before) subject.commit(one);
      const job = chooseJob(subject, from, count);
      if (job === null || job.liveCount === 0) {
        subject.drop();
        return;
      }
      // A merge elsewhere holds its generation, as a reader does.
      harness.heldGeneration = harness.generation;
      const early = late ? null : run(job, elsewhere);
      for (const one of during) subject.commit(one);
      const region = early ?? run(job, elsewhere);
      harness.heldGeneration = null;
      const staged = subject.stage(last);
      job.finish(region, harness.generation);
      harness.path.publishMerge(subject.state);
      subject.check();
      if (discards) harness.collections.discard();
      else {
        subject.model = staged;
        harness.path.publish();
      }
      subject.check();
      for (const one of during) subject.commit(one);
      subject.drop();
    }),
    { numRuns: 300 },
  );
});

test('a generation stays readable, byte for byte, until the last reader has let it go', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 2, maxLength: 12 }), fc.nat({ max: 11 }), (changes, hold) => {
      const subject = new Subject();
      let read = (): string[] => [];
      let expected: string[] = [];
      changes.forEach((one, i) => {
        subject.commit(one);
        if (i === hold) {
          harness.heldGeneration = harness.generation;
          const target = harness.target(subject.number);
          expected = [...subject.model.values()];
          read = () =>
            target?.segments.flatMap((segment) => liveDocuments(segment).map((doc) => storedText(segment, doc))) ?? [];
        }
        const job = chooseJob(subject, i, 3);
        if (job === null) return;
        job.finish(job.liveCount === 0 ? null : job.run(), harness.generation);
        harness.path.publishMerge(subject.state);
        subject.check();
        assert.deepEqual(read(), expected);
      });
      subject.drop();
      assert.deepEqual(read(), expected);
      harness.heldGeneration = null;
    }),
    { numRuns: 150 },
  );
});

test('what is dropped, replaced and merged away is freed once nobody reads it', () => {
  harness.path.reclaim();
  const before = harness.memory.usedBytes;
  const subject = new Subject();
  for (let i = 0; i < 30; i++) {
    subject.commit({ upserts: [i % 5, i % 3], deletes: [] });
    const job = chooseJob(subject, i, 4);
    if (job === null) continue;
    job.finish(job.run(), harness.generation);
    harness.path.publishMerge(subject.state);
  }
  assert.ok(harness.memory.usedBytes > before);
  subject.drop();
  harness.path.reclaim();
  assert.equal(harness.memory.usedBytes, before);
});
