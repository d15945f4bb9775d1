/**
 * What is lent of a heap stays as it is until it is let go, and is lent only where other reads have enough beside it.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { isLent, readLent } from '../../../engine/query/facets/lent-counts.js';
import { SegmentCounts } from '../../../engine/query/facets/segment-counts.js';
import { ValueRun } from '../../../engine/query/facets/value-run.js';
import { CHECK_EVERY, NO_LIMIT } from '../../../engine/query/read-budget.js';
import { Searcher } from '../../../engine/query/searcher.js';
import { parseSchema } from '../../../engine/schema/parse-schema.js';
import { binding, resetRegions } from '../../support/engine-arena.js';
import { buildSegment, engineSchema, freshTarget, searchTarget } from '../../support/engine-collection.js';

const KEYWORD = { type: 'keyword' as const, index: true, facet: true, filter: true, sort: true, boost: null };
const schema = engineSchema({
  fields: [{ name: 'brand', ...KEYWORD }],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
});
const { heap, kernels, scratch } = binding;

beforeEach(() => {
  resetRegions();
  heap.letGo();
  heap.reset();
});

const segmentOf = (count: number) =>
  buildSegment(
    schema,
    Array.from({ length: count }, (_, i) => ({ id: `d${i}`, brand: `b${i % 10}` })),
  );

test('a heap that holds something goes on behind it, until that is let go', () => {
  const first = heap.allocate(64);
  assert.equal(heap.isHeld, false);
  heap.hold();
  assert.equal(heap.isHeld, true);
  heap.reset();
  const second = heap.allocate(64);
  assert.equal(second, first + 64);
  assert.equal(heap.used, 128);
  heap.letGo();
  heap.reset();
  assert.equal(heap.allocate(64), first);
});

test('counters that are lent are read as they were counted, whatever the heap is used for meanwhile', () => {
  const segment = segmentOf(300);
  const column = segment.column(0);
  assert.ok(column !== null);
  const counts = new SegmentCounts(NO_LIMIT);
  counts.begin(column, binding, 5);
  const list = heap.allocate(2 * 300);
  for (let i = 0; i < 300; i++) scratch.u16[(list - scratch.ptr) / 2 + i] = i;
  counts.collect(0, list, 300);
  assert.ok(counts.isLendable);
  const words = new Uint32Array(16);
  assert.equal(counts.writeLent(words, 3), 8);
  assert.ok(isLent(words, 3));
  heap.reset();
  const other = heap.allocate(1 << 16);
  kernels.clearCounts(other, 1 << 16);
  const run = new ValueRun();
  assert.equal(readLent(words, 3, run, column, binding), 8);
  assert.equal(run.segment, 5);
  assert.equal(run.size, 10);
  assert.deepEqual([...run.counts.subarray(0, 10)], new Array(10).fill(30));
});

test('nothing is lent of a heap that is much used', () => {
  const counts = new SegmentCounts(NO_LIMIT);
  counts.begin(segmentOf(20).column(0), binding, 0);
  assert.ok(counts.isLendable);
  assert.ok(heap.allocate(4 << 20) > 0);
  assert.ok(!counts.isLendable);
});

test('the budget is asked among the values of a document, of which there may be any number', () => {
  const schema = parseSchema({
    name: 'test',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'ratio', type: 'float', facet: true },
    ],
  });
  const segment = buildSegment(schema, [
    { id: '1', ratio: Array.from({ length: 20 * CHECK_EVERY }, (_, i) => i + 0.5) },
    { id: '2', ratio: [1.5, 1.5, 2] },
  ]);
  let looks = 0;
  const searcher = new Searcher({ ...NO_LIMIT, check: () => void looks++ });
  const { facets } = searchTarget(freshTarget(schema, [segment]), { q: '*', facet: 'ratio', facet_limit: 1 }, searcher);
  assert.deepEqual(facets?.['ratio'], { 1.5: 2 });
  assert.ok(looks > 20, `${looks} looks`);
});
