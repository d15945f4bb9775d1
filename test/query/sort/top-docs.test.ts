/**
 * The best documents against sorting every match: any columns, any keys, any number of segments.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSort, TEXT_MATCH } from '../../../engine/query/sort/parse-sort.js';
import type { SortSource } from '../../../engine/query/sort/sort-source.js';
import { TopDocs } from '../../../engine/query/sort/top-docs.js';
import type { FieldType } from '../../../engine/schema/collection-schema.js';
import {
  eachChunk,
  makeSegment,
  offerChunk,
  randomNumbers,
  type SegmentValues,
  schemaOf,
  shuffle,
  type Value,
} from './segments.js';

interface Segment {
  readonly source: SortSource;
  readonly fields: SegmentValues;
  readonly matches: number[];
  readonly scores: number[] | null;
}

interface Found {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
}

const TYPES: FieldType[] = ['int', 'keyword', 'float', 'bool', 'keyword', 'int'];
const topDocs = new TopDocs();

const compareValues = (a: Value, b: Value): number =>
  a instanceof Buffer && b instanceof Buffer ? Buffer.compare(a, b) : a < b ? -1 : a > b ? 1 : 0;

/** The document's value for a key, or null. */
function valueFor(values: readonly Value[], descending: boolean): Value | null {
  const sorted = [...values].sort(compareValues);
  return (descending ? sorted.at(-1) : sorted[0]) ?? null;
}

function oracle(segments: readonly Segment[], sort: string | null, fallback: string | null, size: number): Found[] {
  const { keys } = parseSort(sort, schemaOf(TYPES, fallback));
  const rows = segments.flatMap(({ fields, matches, scores }, segment) =>
    matches.map((doc) => ({
      segment,
      doc,
      score: scores === null ? 0 : scores[doc],
      values: keys.map(({ field, descending }) =>
        field === TEXT_MATCH ? null : valueFor(fields[field]?.[doc] ?? [], descending),
      ),
    })),
  );
  rows.sort((a, b) => {
    for (let k = 0; k < keys.length; k++) {
      const sign = keys[k].descending ? -1 : 1;
      const [left, right] = [a.values[k], b.values[k]];
      let order = Number(left === null) - Number(right === null);
      if (keys[k].field === TEXT_MATCH) order = sign * (a.score - b.score);
      else if (left !== null && right !== null) order = sign * compareValues(left, right);
      if (order !== 0) return order;
    }
    return a.segment - b.segment || a.doc - b.doc;
  });
  return rows.slice(0, size).map(({ segment, doc, score }) => ({ segment, doc, score }));
}

function search(segments: readonly Segment[], sort: string | null, fallback: string | null, size: number): Found[] {
  topDocs.begin(parseSort(sort, schemaOf(TYPES, fallback)), size);
  segments.forEach(({ source, matches, scores }, index) => {
    source.binding.heap.reset();
    topDocs.beginSegment(source, index);
    eachChunk(source, matches, scores, (...chunk) => offerChunk(topDocs, source, ...chunk));
    topDocs.endSegment();
  });
  return kept(topDocs.finish());
}

const kept = (count: number): Found[] =>
  Array.from({ length: count }, (_, rank) => ({
    segment: topDocs.segments[rank],
    doc: topDocs.docs[rank],
    score: topDocs.scores[rank],
  }));

const EXTREMES = [-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, 2n ** 62n];

/** Values of one kind of field; `range` says how many distinct ones. */
function randomValue(type: FieldType, range: number, random: (bound: number) => number): Value {
  if (type === 'keyword') return Buffer.from(`v${random(range)}`);
  if (type === 'bool') return BigInt(random(2));
  if (random(20) === 0) return EXTREMES[random(EXTREMES.length)];
  return BigInt(random(range)) * (type === 'float' ? 0x100000001n : 1n) - 50n;
}

function randomField(type: FieldType, maxDoc: number, random: (bound: number) => number): Value[][] | null {
  if (random(6) === 0) return null;
  const range = [1, 3, 50, 300, 100_000][random(5)];
  const missing = random(2) === 0 ? 0 : 3;
  const several = random(3) === 0 ? 3 : 1;
  return Array.from({ length: maxDoc }, () =>
    random(10) < missing ? [] : Array.from({ length: 1 + random(several) }, () => randomValue(type, range, random)),
  );
}

function randomSegments(count: number, docsMax: number, random: (bound: number) => number): Segment[] {
  const scored = random(3) > 0;
  const scoreRange = [2, 40, 1e6][random(3)];
  return Array.from({ length: count }, (_, index) => {
    const maxDoc = 1 + random(docsMax);
    const fields = TYPES.map((type) => randomField(type, maxDoc, random));
    const share = 1 + random(10);
    const matches = Array.from({ length: maxDoc }, (_, doc) => doc).filter(() => random(10) < share);
    const scores = Array.from({ length: maxDoc }, () => Math.fround(random(scoreRange) / 7));
    return {
      source: makeSegment(index, maxDoc, fields),
      fields,
      matches: shuffle(matches, random),
      scores: scored ? scores : null,
    };
  });
}

const FIELD_NAMES = TYPES.map((_, i) => `f${i}`);

const sortOf = (names: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc
    .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength })
    .chain((chosen) => fc.tuple(...chosen.map((name) => fc.constantFrom(`${name}:asc`, `${name}:desc`))))
    .map((parts) => parts.join(','));

/** Every kind of order, and those that the kernels keep. */
const sortArbitrary = fc.option(
  fc.oneof(
    sortOf(['_text_match', ...FIELD_NAMES], 4),
    sortOf(['f0', 'f2', 'f3'], 1),
    sortOf(['f0', 'f2', 'f3'], 1).map((field) => `_text_match:desc,${field}`),
    sortOf(['f0', 'f2', 'f3'], 1).map((field) => `${field},_text_match:desc`),
  ),
);
const fallbackArbitrary = fc.constantFrom(null, 'f0', 'f1');

test('the documents kept are the first of all matches in sort order', () => {
  const property = fc.property(
    fc.nat(),
    sortArbitrary,
    fallbackArbitrary,
    fc.constantFrom(1, 2, 10, 100, 1000),
    fc.constantFrom(5, 100, 1500),
    (seed, sort, fallback, size, docsMax) => {
      const random = randomNumbers(seed);
      const segments = randomSegments(1 + random(4), docsMax, random);
      assert.deepEqual(search(segments, sort, fallback, size), oracle(segments, sort, fallback, size));
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('chunks of a large segment leave the same documents whatever the order of their lists', () => {
  const random = randomNumbers(77);
  const maxDoc = 70_000;
  const grow = (doc: number): Value[] => [BigInt(doc >> 1)];
  const fields: SegmentValues = [
    Array.from({ length: maxDoc }, (_, doc) => grow(doc)),
    Array.from({ length: maxDoc }, () => [Buffer.from(`k${random(40)}`)]),
    null,
    Array.from({ length: maxDoc }, (_, doc) => (doc % 5 === 0 ? [] : [BigInt(doc & 1)])),
    null,
    null,
  ];
  const matches = Array.from({ length: maxDoc }, (_, doc) => doc);
  const source = makeSegment(0, maxDoc, fields);
  const sorts = [
    'f0:desc',
    'f0:asc',
    'f1:asc,f0:desc',
    'f3:desc',
    'f3:asc,_text_match:desc',
    '_text_match:desc,f3:asc',
    'f2:asc,f3:asc',
    'f3:desc,f1:desc',
    null,
  ];
  const shuffled = shuffle([...matches], random);
  for (const sort of sorts) {
    const expected = oracle([{ source, fields, matches, scores: null }], sort, null, 30);
    for (const order of [matches, shuffled]) {
      assert.deepEqual(search([{ source, fields, matches: order, scores: null }], sort, null, 30), expected, `${sort}`);
    }
  }
});

/** How values follow the order of documents. */
const SHAPES: ((doc: number, random: (bound: number) => number) => number)[] = [
  (doc) => doc,
  (doc) => -doc,
  (doc, random) => doc - random(6000),
  (doc) => doc >> 13,
  () => 7,
  (_doc, random) => random(3),
  (_doc, random) => random(1e6),
];

test('zones are passed over only where none of their documents enters', () => {
  const shapes = fc.constantFrom(...SHAPES);
  const sizes = fc.constantFrom(4095, 4096, 4097, 9000, 66_000, 75_000);
  const sorts = fc.constantFrom('f0:desc', 'f0:asc', '_text_match:desc,f0:desc', 'f0:asc,_text_match:desc');
  const rows = fc.record({
    shape: shapes,
    maxDoc: sizes,
    missing: fc.constantFrom(0, 2, 10),
    several: fc.constantFrom(1, 3),
  });
  const segmentRows = fc.array(rows, { minLength: 1, maxLength: 3 });
  const property = fc.property(fc.nat(), segmentRows, sorts, fc.constantFrom(1, 10, 300), (seed, drawn, sort, size) => {
    const random = randomNumbers(seed);
    const segments = drawn.map(({ shape, maxDoc, missing, several }, index): Segment => {
      const documents = Array.from({ length: maxDoc }, (_, doc): Value[] =>
        random(10) < missing
          ? []
          : Array.from({ length: 1 + random(several) }, (): Value => BigInt(shape(doc, random))),
      );
      const fields: SegmentValues = [documents, null, null, null, null, null];
      const step = 1 + random(3);
      const matches = Array.from({ length: Math.ceil(maxDoc / step) }, (_, i) => i * step);
      return { source: makeSegment(index, maxDoc, fields), fields, matches, scores: null };
    });
    assert.deepEqual(search(segments, sort, null, size), oracle(segments, sort, null, size));
  });
  fc.assert(property, { numRuns: 20 });
});

test('a full heap changes nothing', () => {
  const random = randomNumbers(5);
  const segments = randomSegments(3, 500, random);
  const expected = search(segments, 'f1:asc,f0:desc', null, 20);
  topDocs.begin(parseSort('f1:asc,f0:desc', schemaOf(TYPES)), 20);
  segments.forEach(({ source, matches, scores }, index) => {
    const { heap } = source.binding;
    heap.reset();
    heap.allocate(heap.free);
    topDocs.beginSegment(source, index);
    eachChunk(source, matches, scores, (base, list, count, acc) => topDocs.collectChunk(base, list, count, acc));
    heap.reset();
  });
  assert.equal(topDocs.finish(), expected.length);
  assert.deepEqual(
    [...topDocs.docs.subarray(0, expected.length)],
    expected.map(({ doc }) => doc),
  );
});

test('no document below the threshold enters, and one above it does', () => {
  const random = randomNumbers(9);
  const [segment] = randomSegments(1, 2000, random).map((one) => ({ ...one, scores: one.matches.map(() => 0) }));
  const scores = Array.from({ length: segment.source.maxDoc }, () => Math.fround(random(1000) / 8));
  const order = [...segment.matches].sort((a, b) => a - b);
  topDocs.begin(parseSort(null, schemaOf(TYPES)), 10);
  assert.equal(topDocs.threshold(), -1);
  assert.equal(topDocs.tiesMayEnter, false);
  segment.source.binding.heap.reset();
  topDocs.beginSegment(segment.source, 0);
  eachChunk(segment.source, order, scores, (base, list, count, acc) => topDocs.collectChunk(base, list, count, acc));
  const threshold = topDocs.threshold();
  const count = topDocs.finish();
  assert.equal(count, 10);
  assert.ok(threshold >= 0);
  assert.ok(threshold <= topDocs.scores[count - 1]);
  topDocs.begin(parseSort('_text_match:desc,f0:asc', schemaOf(TYPES)), 10);
  assert.equal(topDocs.tiesMayEnter, true);
  topDocs.begin(parseSort(null, schemaOf(TYPES)), 0);
  assert.equal(topDocs.threshold(), Number.POSITIVE_INFINITY);
  assert.equal(topDocs.finish(), 0);
});
