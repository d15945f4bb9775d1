/**
 * The merge policy over random segments and streams of batches: what it may touch, how many segments it leaves, and how
 * often it has bytes written.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  chooseMerge,
  chooseRestMerge,
  chooseWholeMerge,
  FAN_IN,
  MERGED_BYTES_MAX,
  type MergeWindow,
  type PolicySegment,
  REST_FAN_IN,
  SEGMENTS_WANTED,
} from '../../engine/writer/merge/merge-policy.js';
import { randomNumbers } from '../support/engine-arena.js';

const RECLAIM_SHARE = 0.2;

const segment: fc.Arbitrary<PolicySegment> = fc
  .record({
    bytes: fc.oneof(fc.integer({ min: 1000, max: 5000 }), fc.integer({ min: 1000, max: 2 ** 31 })),
    maxDoc: fc.integer({ min: 1, max: 1000 }),
    live: fc.oneof({ weight: 3, arbitrary: fc.constant(1000) }, fc.integer({ min: 0, max: 1000 })),
    merging: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
  })
  .map(({ live, ...rest }) => ({ ...rest, liveCount: Math.ceil((rest.maxDoc * live) / 1000) }));

const liveBytes = ({ bytes, maxDoc, liveCount }: PolicySegment): number => (bytes * liveCount) / maxDoc;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function checkWindow(
  segments: readonly PolicySegment[],
  { from, to }: MergeWindow,
  bytesMax: number,
  fanIn = FAN_IN,
): void {
  assert.ok(from >= 0 && from < to && to <= segments.length && to - from <= fanIn);
  const window = segments.slice(from, to);
  assert.ok(
    window.every(({ merging }) => !merging),
    'a merge under way is neither touched nor merged across',
  );
  assert.ok(sum(window.map(liveBytes)) <= bytesMax, 'nothing above the limit is written');
  if (window.length > 1) return;
  const [{ maxDoc, liveCount }] = window;
  assert.ok(maxDoc - liveCount > maxDoc * RECLAIM_SHARE, 'a segment is rewritten alone only for its deletions');
}

const mergedOf = (window: readonly PolicySegment[]): PolicySegment => {
  const liveCount = sum(window.map((source) => source.liveCount));
  return { bytes: sum(window.map(liveBytes)), maxDoc: liveCount, liveCount, merging: false };
};

/** Merges all that is due by `choose`; returns the bytes written. */
function settle(
  segments: PolicySegment[],
  bytesMax: number,
  choose: typeof chooseRestMerge = (given, max) => chooseMerge(given, max),
): number {
  let written = 0;
  for (let merges = 0; ; merges++) {
    assert.ok(merges < 1000, 'merging ends');
    const window = choose(segments, bytesMax);
    if (window === null) return written;
    checkWindow(segments, window, bytesMax, REST_FAN_IN);
    const merged = mergedOf(segments.slice(window.from, window.to));
    written += merged.bytes;
    segments.splice(window.from, window.to - window.from, ...(merged.liveCount === 0 ? [] : [merged]));
  }
}

test('a chosen window is legal, whatever the segments', () => {
  fc.assert(
    fc.property(
      fc.array(segment, { maxLength: 40 }),
      fc.constantFrom(1 << 20, MERGED_BYTES_MAX),
      (segments, bytesMax) => {
        const window = chooseMerge(segments, bytesMax);
        if (window !== null) checkWindow(segments, window, bytesMax);
      },
    ),
    { numRuns: 2000 },
  );
});

test('merging ends, and leaves at most SEGMENTS_WANTED segments when all of them are small', () => {
  const small = segment.map((given) => ({ ...given, bytes: 1000 + (given.bytes % 1_000_000), merging: false }));
  fc.assert(
    fc.property(fc.array(small, { maxLength: 100 }), (segments) => {
      settle(segments, MERGED_BYTES_MAX);
      assert.ok(segments.length <= SEGMENTS_WANTED);
    }),
    { numRuns: 300 },
  );
});

test('at rest equal segments become one, whatever moves little stays, and merging ends', () => {
  const equal = (count: number, bytes: number): PolicySegment[] =>
    Array.from({ length: count }, () => ({ bytes, maxDoc: 10, liveCount: 10, merging: false }));
  const bulk = equal(SEGMENTS_WANTED, 20_000_000);
  settle(bulk, MERGED_BYTES_MAX, chooseRestMerge);
  assert.equal(bulk.length, 1);
  const beside = [...equal(1, 100_000_000), ...equal(3, 1_000_000)];
  assert.equal(settle(beside, MERGED_BYTES_MAX, chooseRestMerge), 3_000_000);
  assert.equal(beside.length, 2);

  fc.assert(
    fc.property(fc.array(segment, { maxLength: 40 }), (given) => {
      const segments = [...given];
      settle(segments, MERGED_BYTES_MAX, (among, bytesMax) => {
        const window = chooseRestMerge(among, bytesMax);
        if (window === null) return null;
        const bytes = among.slice(window.from, window.to).map(liveBytes);
        assert.ok(bytes.length > 1 && sum(bytes) <= 3 * (sum(bytes) - Math.max(...bytes)), 'it moves a third at least');
        return window;
      });
    }),
    { numRuns: 500 },
  );
});

test('what little is left beside a large segment is merged with it when enough has come', () => {
  const equal = (count: number, bytes: number): PolicySegment[] =>
    Array.from({ length: count }, () => ({ bytes, maxDoc: 10, liveCount: 10, merging: false }));
  const beside = [...equal(1, 100_000_000), ...equal(3, 1_000_000)];
  assert.equal(chooseRestMerge([...equal(1, 100_000_000), ...equal(1, 3_000_000)], MERGED_BYTES_MAX), null);
  assert.deepEqual(chooseWholeMerge(beside, MERGED_BYTES_MAX, 103_000_000), { from: 0, to: 4 });
  assert.deepEqual(chooseWholeMerge(beside, MERGED_BYTES_MAX, 34_400_000), { from: 0, to: 4 });
  assert.equal(chooseWholeMerge(beside, MERGED_BYTES_MAX, 34_000_000), null, 'not for a third');
  assert.deepEqual(chooseWholeMerge(beside, 101_500_000, 1e9), { from: 1, to: 4 }, 'as far as there is room');
  assert.equal(chooseWholeMerge(equal(1, 1000), MERGED_BYTES_MAX, 1e9), null, 'one is whole');
  assert.equal(chooseWholeMerge([], MERGED_BYTES_MAX, 1e9), null);
  const apart = [...equal(2, 1000), ...equal(1, 900 << 20), ...equal(3, 1000)];
  assert.deepEqual(chooseWholeMerge(apart, MERGED_BYTES_MAX, 1e9), { from: 3, to: 6 }, 'the longest');
});

/** Batch sizes of a stream, by the batch's number. */
const STREAMS: Record<string, (i: number, random: (bound: number) => number) => number> = {
  'equal batches': () => 1000,
  'a large batch now and then': (_, random) => (random(50) === 0 ? 500_000 : 1000),
  'sizes of all magnitudes': (_, random) => 1000 * 2 ** random(12),
  'growing batches': (i) => 1000 + 20 * i,
  'large and small batches in turn': (i) => (i % 2 === 0 ? 300_000 : 1000),
};

for (const [name, bytesOf] of Object.entries(STREAMS)) {
  test(`a stream of ${name} stays in few segments and is rewritten a few times only`, () => {
    const random = randomNumbers(3);
    const segments: PolicySegment[] = [];
    let total = 0;
    let written = 0;
    for (let i = 0; i < 20_000; i++) {
      const bytes = bytesOf(i, random);
      total += bytes;
      segments.push({ bytes, maxDoc: 10, liveCount: 10, merging: false });
      written += settle(segments, MERGED_BYTES_MAX);
      assert.ok(segments.length <= SEGMENTS_WANTED + total / 2 ** 29);
    }
    assert.ok(written < 10 * total, `each byte is written ${written / total} times`);
  });
}

for (const [name, bytesOf] of Object.entries(STREAMS)) {
  test(`a stream of ${name} with a rest after each is rewritten a few times more`, () => {
    const random = randomNumbers(5);
    const segments: PolicySegment[] = [];
    let total = 0;
    let written = 0;
    for (let i = 0; i < 5000; i++) {
      const bytes = bytesOf(i, random);
      total += bytes;
      segments.push({ bytes, maxDoc: 10, liveCount: 10, merging: false });
      written += settle(segments, MERGED_BYTES_MAX) + settle(segments, MERGED_BYTES_MAX, chooseRestMerge);
    }
    assert.ok(segments.length <= SEGMENTS_WANTED + total / 2 ** 29);
    assert.ok(written < 25 * total, `each byte is written ${written / total} times`);
  });
}

test('segments near the limit neither count nor grow, so that small batches do not drag them along', () => {
  const full: PolicySegment = { bytes: 900 << 20, maxDoc: 10, liveCount: 10, merging: false };
  const segments = new Array<PolicySegment>(30).fill(full);
  let written = 0;
  for (let i = 0; i < 2000; i++) {
    segments.push({ bytes: 1000, maxDoc: 10, liveCount: 10, merging: false });
    written += settle(segments, MERGED_BYTES_MAX);
  }
  assert.ok(segments.length <= 30 + SEGMENTS_WANTED);
  assert.ok(written < 10 * 2000 * 1000);
});
