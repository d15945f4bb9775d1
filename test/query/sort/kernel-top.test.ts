/**
 * The best documents by score, and by a column behind it, which kernels keep, against sorting every match: any sizes, many
 * ties, segments in several arenas, new scores for the first ones, near ties. Other orders: top-docs.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SEARCH_WINDOW_MAX } from '../../../engine/core/limits.js';
import { WINDOW_PLACES, WINDOW_SCORES } from '../../../engine/layout/bonus-window.js';
import { TOP_KEY_BYTES, TOP_KEYS } from '../../../engine/layout/score-top.js';
import { SCRATCH_HEAP, SCRATCH_SCORE_TOP } from '../../../engine/layout/scratch.js';
import { BonusWindow } from '../../../engine/query/bonuses/bonus-window.js';
import { BONUS_WINDOW } from '../../../engine/query/bonuses/bonuses.js';
import { type SortSpec, TEXT_MATCH } from '../../../engine/query/sort/parse-sort.js';
import type { SortSource } from '../../../engine/query/sort/sort-source.js';
import { TopDocs } from '../../../engine/query/sort/top-docs.js';
import { eachChunk, makeSegment, offerChunk, randomNumbers, shuffle } from './segments.js';

interface Found {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
  /** Of the column; null: none. */
  readonly value: bigint | null;
}

interface Segment {
  readonly source: SortSource;
  readonly matches: number[];
  readonly scores: number[] | null;
  /** By document; null: no document has the field. */
  readonly values: (bigint | null)[] | null;
}

type Random = (bound: number) => number;

const SCORE = { field: TEXT_MATCH, descending: true, keyword: false };
const BY_SCORE: SortSpec = { keys: [SCORE] };
const orders = fc.constantFrom(
  BY_SCORE,
  { keys: [SCORE, { field: 0, descending: true, keyword: false }] },
  { keys: [SCORE, { field: 0, descending: false, keyword: false }] },
);
const top = new TopDocs();

/** Negative when the order's second key puts `a` before `b`. */
function compareValues({ keys }: SortSpec, a: Found, b: Found): number {
  if (keys.length === 1 || a.value === b.value) return 0;
  if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
  return a.value < b.value === keys[1].descending ? 1 : -1;
}

const inOrder =
  (spec: SortSpec) =>
  (a: Found, b: Found): number =>
    b.score - a.score || compareValues(spec, a, b) || a.segment - b.segment || a.doc - b.doc;

/** As the API says of near ties: groups of scores within a share of their best one, in order of the second key. */
function groupNearTies(spec: SortSpec, found: readonly Found[], share: number): Found[] {
  const grouped: Found[] = [];
  while (grouped.length < found.length) {
    const left = found.slice(grouped.length);
    const end = left.findIndex(({ score }) => score < share * left[0].score);
    const group = left.slice(0, end < 0 ? left.length : end);
    grouped.push(...group.sort((a, b) => compareValues(spec, a, b) || inOrder(spec)(a, b)));
  }
  return grouped;
}

function randomValue(range: number, random: Random): bigint | null {
  if (random(10) === 0) return null;
  return random(50) === 0 ? (random(2) === 0 ? 2n ** 63n - 1n : -(2n ** 63n)) : BigInt(random(range)) - 20n;
}

function randomSegments(docsMax: number, random: Random): Segment[] {
  const scoreRange = [1, 2, 40, 1e6][random(4)];
  const valueRange = [2, 300, 1e6][random(3)];
  const isScored = random(5) > 0;
  return Array.from({ length: 1 + random(20) }, (_, index) => {
    const maxDoc = 1 + random(docsMax);
    const share = 1 + random(10);
    const matches = Array.from({ length: maxDoc }, (_, doc) => doc).filter(() => random(10) < share);
    const rising = random(3) === 0;
    const scores = Array.from({ length: maxDoc }, (_, doc) =>
      Math.fround((rising ? doc % scoreRange : random(scoreRange)) / 7),
    );
    if (random(3) === 0) shuffle(matches, random);
    const values = random(4) === 0 ? null : Array.from({ length: maxDoc }, () => randomValue(valueRange, random));
    const field = values?.map((value) => (value === null ? [] : [value])) ?? null;
    return { source: makeSegment(index, maxDoc, [field]), matches, scores: isScored ? scores : null, values };
  });
}

/** Every match, best first. */
function sortAll(spec: SortSpec, segments: readonly Segment[]): Found[] {
  const found = segments.flatMap(({ matches, scores, values }, segment) =>
    matches.map((doc) => ({ segment, doc, score: scores?.[doc] ?? 0, value: values?.[doc] ?? null })),
  );
  return found.sort(inOrder(spec));
}

/** Offers every match; segments without one are not even begun. `check` runs after each list. */
function collect(spec: SortSpec, segments: readonly Segment[], size: number, check: (offered: number) => void): void {
  top.begin(spec, size);
  let offered = 0;
  segments.forEach(({ source, matches, scores }, index) => {
    if (matches.length === 0) return;
    top.beginSegment(source, index);
    eachChunk(source, matches, scores, (base, list, count, acc) => {
      offerChunk(top, source, base, list, count, acc);
      offered += count;
      check(offered);
    });
    top.endSegment();
  });
}

const kept = (count: number, segments: readonly Segment[], from = 0): Found[] =>
  Array.from({ length: Math.max(0, count - from) }, (_, i) => {
    const rank = from + i;
    const [segment, doc] = [top.segments[rank], top.docs[rank]];
    return { segment, doc, score: top.scores[rank], value: segments[segment].values?.[doc] ?? null };
  });

/** The first `count` documents as the bonuses get them. */
function placed(count: number, segments: readonly Segment[]): Found[] {
  const { binding } = top;
  if (binding === null || count === 0) return [];
  const { heap, scratch } = binding;
  heap.reset();
  const use = { count, first: count, end: count, margin: 1, ordersTies: false, hasPairs: false };
  const window = new BonusWindow(binding, use);
  top.placeWindow(window, count);
  const places = (window.ptr - scratch.ptr + WINDOW_PLACES) >> 2;
  const scores = (window.ptr - scratch.ptr + WINDOW_SCORES) >> 2;
  return Array.from({ length: count }, (_, rank) => {
    const [doc, segment] = scratch.u32.subarray(places + 2 * rank);
    return { segment, doc, score: scratch.f32[scores + rank], value: segments[segment].values?.[doc] ?? null };
  });
}

const sizes = fc.oneof(
  fc.constantFrom(1, 2, 10, 63, 64, 65, 250, SEARCH_WINDOW_MAX),
  fc.integer({ min: 1, max: 1000 }),
);
const docsMaxima = fc.constantFrom(3, 100, 1500);
const counts = fc.integer({ min: 1, max: BONUS_WINDOW });

test('the documents kept are the first by score, then by the column, then by insertion', () => {
  const property = fc.property(fc.nat(), orders, sizes, docsMaxima, (seed, spec, size, docsMax) => {
    const segments = randomSegments(docsMax, randomNumbers(seed));
    collect(spec, segments, size, () => undefined);
    assert.deepEqual(kept(top.finish(), segments), sortAll(spec, segments).slice(0, size));
  });
  fc.assert(property, { numRuns: 300 });
});

test('in no order they are the same documents', () => {
  const property = fc.property(fc.nat(), orders, sizes, docsMaxima, (seed, spec, size, docsMax) => {
    const segments = randomSegments(docsMax, randomNumbers(seed));
    collect(spec, segments, size, () => undefined);
    const found = kept(top.finishUnordered(), segments);
    assert.deepEqual(found.sort(inOrder(spec)), sortAll(spec, segments).slice(0, size));
  });
  fc.assert(property, { numRuns: 100 });
});

test('the threshold is known once enough were offered, and no document below it would be kept', () => {
  const property = fc.property(fc.nat(), orders, sizes, docsMaxima, (seed, spec, size, docsMax) => {
    const segments = randomSegments(docsMax, randomNumbers(seed));
    const worst = sortAll(spec, segments).at(size - 1)?.score ?? -1;
    collect(spec, segments, size, (offered) => {
      assert.equal(top.threshold() < 0, offered < size);
      assert.ok(top.threshold() <= worst);
    });
  });
  fc.assert(property, { numRuns: 100 });
});

test('a window is the best documents, and new scores order it again', () => {
  const property = fc.property(
    fc.nat(),
    orders,
    sizes,
    docsMaxima,
    fc.tuple(counts, counts, counts),
    (seed, spec, size, docsMax, [window, best, sorted]) => {
      const random = randomNumbers(seed);
      const segments = randomSegments(docsMax, random);
      const order = inOrder(spec);
      const expected = sortAll(spec, segments).slice(0, size);
      collect(spec, segments, size, () => undefined);
      assert.equal(top.finishWindow(window, best), expected.length);
      const found = placed(Math.min(window, expected.length), segments);
      assert.deepEqual(found.slice(0, best).sort(order).slice(0, window), expected.slice(0, Math.min(best, window)));
      assert.deepEqual(found.slice(0, window).sort(order), expected.slice(0, window));
      assert.deepEqual(kept(expected.length, segments, window), expected.slice(window));
      const first = found.map((one) => ({ ...one, score: Math.fround(one.score * (1 + random(4))) }));
      top.rescore(
        Float32Array.from(first, ({ score }) => score),
        sorted,
      );
      first.sort(order);
      assert.deepEqual(kept(Math.min(sorted, first.length), segments), first.slice(0, sorted));
      assert.deepEqual(kept(expected.length, segments, window), expected.slice(window));
      if (spec === BY_SCORE || sorted < first.length) return;
      top.breakNearTies(first.length, 0.7);
      assert.deepEqual(kept(first.length, segments), groupNearTies(spec, first, 0.7));
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('when none is wanted, none is kept', () => {
  const property = fc.property(fc.nat(), orders, (seed, spec) => {
    const segments = randomSegments(1500, randomNumbers(seed));
    collect(spec, segments, 0, () => assert.equal(top.threshold(), Number.POSITIVE_INFINITY));
    assert.equal(top.finish(), 0);
  });
  fc.assert(property, { numRuns: 20 });
});

test('as many as may be wanted have room', () => {
  assert.ok(SCRATCH_SCORE_TOP + TOP_KEYS + 2 * SEARCH_WINDOW_MAX * TOP_KEY_BYTES <= SCRATCH_HEAP);
});
