/**
 * The merge scheduler with a runner in the test's hands: what runs where, what goes on meanwhile, and what becomes of it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { SEGMENTS_WANTED } from '../../engine/writer/merge/merge-policy.js';
import { SEGMENTS_MAX } from '../../engine/writer/merge/merge-scheduler.js';
import { drain, MergeFixture, PADDING } from './merge-fixture.js';

/** More than a segment of this file has that is not merged, and less than one that is. */
const MERGE_TARGET_BYTES = 3 << 20;

test('large merges run elsewhere, one at a time, while small ones go on here', async () => {
  const fixture = new MergeFixture();
  fixture.fill();
  for (let i = 0; i < 60; i++) {
    fixture.index([`small${i}`], '');
    if (i % 9 === 0) fixture.delete(`small${i}`);
  }
  assert.equal(fixture.waiting.length, 1, 'no second merge is handed over');
  assert.ok(fixture.merged > 0, 'small merges were done');
  assert.ok(fixture.segments < 3 * SEGMENTS_WANTED);
  fixture.delete('big0-0');
  await fixture.carryOut();
  await drain(fixture);
  assert.ok(fixture.segments <= SEGMENTS_WANTED + 1);
});

test('however long a merge takes elsewhere, a search sees few segments, and what is written stays in order', async () => {
  const fixture = new MergeFixture();
  fixture.fill();
  for (let i = 0; i < 6 * SEGMENTS_MAX; i++) {
    await fixture.scheduler.throttle();
    assert.ok(fixture.segments <= SEGMENTS_MAX);
    fixture.index(
      [0, 1, 2, 3, 4].map((k) => `more${i}-${k}`),
      PADDING,
    );
    if (i % 9 === 0) fixture.delete(`more${i}-3`);
  }
  assert.equal(fixture.waiting.length, 1, 'the merge is still under way');
  await drain(fixture);
  assert.ok(fixture.segments <= SEGMENTS_WANTED + 1);
});

test('at rest few segments are merged, too, and what is written meanwhile stays in order', async () => {
  const fixture = new MergeFixture();
  for (let i = 0; i < 4; i++)
    fixture.index(
      [0, 1, 2, 3, 4].map((k) => `${i}-${k}`),
      PADDING,
    );
  assert.equal(fixture.waiting.length, 0, 'nothing is due');
  fixture.scheduler.rest();
  assert.equal(fixture.waiting.length, 1);
  fixture.scheduler.rest();
  assert.equal(fixture.waiting.length, 1, 'one at a time');
  fixture.delete('1-3');
  fixture.index(['2-2', 'new'], '');
  await fixture.carryOut();
  assert.equal(fixture.segments, 2);
  fixture.scheduler.rest();
  assert.equal(fixture.waiting.length, 0, 'the large one is not written again for the small one');
});

test('at rest everything becomes one segment, once, and again when a third has come', async () => {
  const fixture = new MergeFixture();
  const add = (name: string, documents: number): void =>
    fixture.index(
      Array.from({ length: documents }, (_, i) => `${name}-${i}`),
      PADDING,
    );
  const rest = async (): Promise<number> => {
    fixture.scheduler.rest();
    while (fixture.waiting.length > 0) {
      await fixture.carryOut();
      fixture.scheduler.rest();
    }
    return fixture.segments;
  };
  add('large', 40);
  add('small', 6);
  assert.equal(await rest(), 1, 'though the large one is written again for little');
  add('later', 6);
  assert.equal(await rest(), 2, 'so little has come');
  add('last', 20);
  assert.equal(await rest(), 1);
});

test('while memory is short, what all could be merged into is not written again and again', async () => {
  const fixture = new MergeFixture();
  const add = (name: string, documents: number): void =>
    fixture.index(
      Array.from({ length: documents }, (_, i) => `${name}-${i}`),
      PADDING,
    );
  add('large', 44);
  add('second', 40);
  Object.defineProperty(fixture.harness.memory.budget, 'mergeRoomBytes', { get: () => 30_000_000 });
  let merges = 0;
  for (let i = 0; i < 20; i++) {
    fixture.index([`little-${i}`], '');
    fixture.scheduler.rest();
    while (fixture.waiting.length > 0) {
      merges++;
      await fixture.carryOut();
      fixture.scheduler.rest();
    }
  }
  assert.ok(merges <= 1, `${merges} merges`);
});

test('a merge that there is no memory for is not tried again at once', () => {
  const fixture = new MergeFixture();
  fixture.index(['a', 'b'], '');
  fixture.index(['c', 'd'], '');
  let tried = 0;
  const writeRegion = (): never => {
    tried++;
    throw new EngineError('memory_full', 'there is no address space');
  };
  Object.assign(fixture.harness.memory, { writeRegion });
  fixture.scheduler.rest();
  assert.equal(tried, 1);
  fixture.scheduler.rest();
  assert.equal(fixture.segments, 2);
});

test('a merge for another thread that there is no address space for waits for the next look', async () => {
  const fixture = new MergeFixture();
  const { memory } = fixture.harness;
  let tried = 0;
  let isFull = true;
  const allocate = memory.allocate.bind(memory);
  fixture.fill();
  await fixture.carryOut();
  assert.equal(fixture.waiting.length, 0);
  Object.assign(memory, {
    allocate: (bytes: number) => {
      if (!isFull || bytes < MERGE_TARGET_BYTES) return allocate(bytes);
      tried++;
      throw new EngineError('memory_full', 'there is no address space');
    },
  });
  for (let i = 0; tried === 0; i++) {
    assert.ok(i < 30, 'a merge is due');
    fixture.index(
      [0, 1, 2, 3, 4].map((k) => `more${i}-${k}`),
      PADDING,
    );
  }
  await new Promise((resolve) => setImmediate(resolve));
  fixture.scheduler.schedule();
  assert.deepEqual([tried, fixture.scheduler.isRunning], [1, false]);
  fixture.scheduler.retry();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(tried, 2, 'once a look');
  isFull = false;
  fixture.scheduler.retry();
  assert.equal(fixture.waiting.length, 1);
  await drain(fixture);
  fixture.check();
});

test('a commit waits when nothing can be merged meanwhile', async () => {
  const fixture = new MergeFixture();
  fixture.fill();
  while (fixture.segments <= SEGMENTS_MAX)
    fixture.index(
      [0, 1, 2, 3, 4].map((k) => `${fixture.segments}-${k}`),
      PADDING,
    );
  for (const segment of fixture.harness.collections.find(fixture.id)?.segments ?? []) segment.merging = true;
  let isFree = false;
  const throttled = fixture.scheduler.throttle().then(() => {
    isFree = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isFree, false);
  await fixture.carryOut();
  await throttled;
});

test('a segment full of deletions waits while a merge runs elsewhere', async () => {
  const fixture = new MergeFixture();
  fixture.fill();
  for (let i = 0; i < 20; i++) fixture.index([`small${i}`], '');
  // What is left of a large segment would be small, but it is not read on the writer's thread for that.
  const [last] = [...fixture.model].filter((key) => key.startsWith('big')).slice(-1);
  for (let k = 0; k < 4; k++) fixture.delete(last.replace(/\d$/, String(k)));
  assert.equal(fixture.waiting.length, 1);
  await drain(fixture);
});

test('what came due while a merge ran elsewhere is merged once that has ended, without another commit', async () => {
  const fixture = new MergeFixture();
  fixture.fill();
  const another = fixture.fillAnother();
  assert.equal(fixture.waiting.length, 1, 'one at a time');
  await drain(fixture);
  const segments = fixture.harness.target(another)?.segments.length ?? 0;
  assert.ok(segments <= SEGMENTS_WANTED + 1, `at most ${SEGMENTS_WANTED + 1} segments expected, got ${segments}`);
});

test('a target that was too small is asked for again, with what was deleted meanwhile', async () => {
  const fixture = new MergeFixture();
  fixture.fill();
  const first = fixture.waiting[0].order.target;
  fixture.delete('big0-1');
  await fixture.carryOut(true);
  assert.equal(fixture.waiting.length, 1);
  assert.ok(fixture.waiting[0].order.target.bytes > first.bytes);
  fixture.delete('big1-1');
  await drain(fixture);
});

test('a merge whose documents are all deleted meanwhile leaves nothing behind', async () => {
  const fixture = new MergeFixture();
  fixture.fill();
  for (const key of [...fixture.model]) fixture.delete(key);
  await drain(fixture);
  assert.equal(fixture.segments, 0);
});

test('dropping a collection frees what a merge still held', async () => {
  const fixture = new MergeFixture();
  fixture.harness.path.reclaim();
  const before = fixture.harness.memory.usedBytes;
  fixture.fill();
  fixture.harness.collections.drop(fixture.id);
  fixture.harness.path.publish();
  assert.ok(fixture.harness.memory.usedBytes > before);
  await fixture.carryOut();
  fixture.harness.path.reclaim();
  assert.equal(fixture.harness.memory.usedBytes, before);
});
