/**
 * The best documents by score, which kernels keep, against sorting every match: any sizes, many ties, segments in several
 * arenas, new scores for the first ones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SEARCH_WINDOW_MAX } from '../../../engine/core/limits.js';
import { TOP_KEY_BYTES, TOP_KEYS } from '../../../engine/layout/score-top.js';
import { SCRATCH_HEAP, SCRATCH_SCORE_TOP } from '../../../engine/layout/scratch.js';
import { TEXT_MATCH } from '../../../engine/query/sort/parse-sort.js';
import type { SortSource } from '../../../engine/query/sort/sort-source.js';
import { TopDocs } from '../../../engine/query/sort/top-docs.js';
import { eachChunk, makeSegment, randomNumbers, shuffle } from './segments.js';

interface Found {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
}

interface Segment {
  readonly source: SortSource;
  readonly matches: number[];
  readonly scores: number[] | null;
}

type Random = (bound: number) => number;

const BY_SCORE = { keys: [{ field: TEXT_MATCH, descending: true, keyword: false }] };
const top = new TopDocs();

const inOrder = (a: Found, b: Found): number => b.score - a.score || a.segment - b.segment || a.doc - b.doc;

function randomSegments(docsMax: number, random: Random): Segment[] {
  const scoreRange = [1, 2, 40, 1e6][random(4)];
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
    return { source: makeSegment(index, maxDoc, []), matches, scores: isScored ? scores : null };
  });
}

/** Every match, best first. */
function sortAll(segments: readonly Segment[]): Found[] {
  const found = segments.flatMap(({ matches, scores }, segment) =>
    matches.map((doc) => ({ segment, doc, score: scores === null ? 0 : scores[doc] })),
  );
  return found.sort(inOrder);
}

/** Offers every match; segments without one are not even begun. `check` runs after each list. */
function collect(segments: readonly Segment[], size: number, check: (offered: number) => void): void {
  top.begin(BY_SCORE, size);
  let offered = 0;
  segments.forEach(({ source, matches, scores }, index) => {
    if (matches.length === 0) return;
    top.beginSegment(source, index);
    eachChunk(source, matches, scores, (base, list, count, acc) => {
      top.collectChunk(base, list, count, acc);
      offered += count;
      check(offered);
    });
    top.endSegment();
  });
}

const kept = (count: number): Found[] =>
  Array.from({ length: count }, (_, rank) => ({
    segment: top.segments[rank],
    doc: top.docs[rank],
    score: top.scores[rank],
  }));

const sizes = fc.oneof(
  fc.constantFrom(1, 2, 10, 63, 64, 65, 250, SEARCH_WINDOW_MAX),
  fc.integer({ min: 1, max: 1000 }),
);
const docsMaxima = fc.constantFrom(3, 100, 1500);

test('the documents kept are the first by score, then by insertion', () => {
  const property = fc.property(fc.nat(), sizes, docsMaxima, (seed, size, docsMax) => {
    const segments = randomSegments(docsMax, randomNumbers(seed));
    collect(segments, size, () => undefined);
    assert.deepEqual(kept(top.finish()), sortAll(segments).slice(0, size));
  });
  fc.assert(property, { numRuns: 300 });
});

test('the threshold is known once enough were offered, and no document below it would be kept', () => {
  const property = fc.property(fc.nat(), sizes, docsMaxima, (seed, size, docsMax) => {
    const segments = randomSegments(docsMax, randomNumbers(seed));
    const worst = sortAll(segments).at(size - 1)?.score ?? -1;
    collect(segments, size, (offered) => {
      assert.equal(top.threshold() < 0, offered < size);
      assert.ok(top.threshold() <= worst);
    });
  });
  fc.assert(property, { numRuns: 100 });
});

test('a window is the best documents, and new scores order it again', () => {
  const property = fc.property(
    fc.nat(),
    sizes,
    docsMaxima,
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 300 }),
    (seed, size, docsMax, window, best, sorted) => {
      const random = randomNumbers(seed);
      const segments = randomSegments(docsMax, random);
      const expected = sortAll(segments).slice(0, size);
      collect(segments, size, () => undefined);
      assert.equal(top.finishWindow(window, best), expected.length);
      const found = kept(expected.length);
      assert.deepEqual(found.slice(0, best).sort(inOrder).slice(0, window), expected.slice(0, Math.min(best, window)));
      assert.deepEqual(found.slice(0, window).sort(inOrder), expected.slice(0, window));
      assert.deepEqual(found.slice(window), expected.slice(window));
      const first = found.slice(0, window).map((one) => ({ ...one, score: Math.fround(one.score * (1 + random(4))) }));
      top.rescore(
        Float32Array.from(first, ({ score }) => score),
        sorted,
      );
      assert.deepEqual(kept(Math.min(sorted, first.length)), first.sort(inOrder).slice(0, sorted));
      assert.deepEqual(kept(expected.length).slice(window), expected.slice(window));
    },
  );
  fc.assert(property, { numRuns: 200 });
});

test('when none is wanted, none is kept', () => {
  const segments = randomSegments(1500, randomNumbers(3));
  collect(segments, 0, () => assert.equal(top.threshold(), Number.POSITIVE_INFINITY));
  assert.equal(top.finish(), 0);
});

test('as many as may be wanted have room', () => {
  assert.ok(SCRATCH_SCORE_TOP + TOP_KEYS + 2 * SEARCH_WINDOW_MAX * TOP_KEY_BYTES <= SCRATCH_HEAP);
});
