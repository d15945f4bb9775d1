/**
 * What may go of a snapshot store and of the stream behind it, over random stores: nothing that a kept snapshot needs, nothing that an
 * upload relies on.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { streamLimits } from '../../src/cluster/store/stream-limits.js';
import {
  type KnownSnapshot,
  planTrim,
  reliablePieces,
  SNAPSHOTS_KEPT,
  type StoreContents,
  UNNAMED_KEPT_MS,
} from '../../src/cluster/store/trim.js';

const NOW = 1_800_000_000_000;
const HASHES = Array.from({ length: 12 }, (_, index) => `hash-${index}`);
const NO_LIMITS = { keptForSize: Number.MAX_SAFE_INTEGER, keptForAge: Number.MAX_SAFE_INTEGER };

const snapshots = fc.array(
  fc.record({ sequence: fc.nat(1000), back: fc.nat(20), node: fc.nat(3), pieces: fc.subarray(HASHES) }),
  { maxLength: 6 },
);

const contentsArbitrary: fc.Arbitrary<StoreContents> = fc
  .record({
    snapshots,
    hasOthers: fc.boolean(),
    stored: fc.uniqueArray(fc.tuple(fc.constantFrom(...HASHES), fc.nat(4 * UNNAMED_KEPT_MS)), {
      selector: ([hash]) => hash,
    }),
    damaged: fc.oneof(fc.constant([]), fc.subarray(HASHES, { maxLength: 3 })),
  })
  .map(({ snapshots, hasOthers, stored, damaged }) => {
    const named = new Map<string, KnownSnapshot>();
    for (const { sequence, back, node, pieces } of snapshots) {
      const name = `snapshots/${sequence}-${node}`;
      named.set(name, { name, sequence, replayFrom: Math.max(sequence + 1 - back, 1), pieces: new Set(pieces) });
    }
    const pieces = stored.map(([hash, age]) => ({ hash, storedAt: NOW - age }));
    return { snapshots: [...named.values()], hasOthers, pieces, damaged: new Set(damaged) };
  });

const isWhole = ({ pieces, damaged }: StoreContents, snapshot: KnownSnapshot): boolean =>
  [...snapshot.pieces].every((hash) => pieces.some((piece) => piece.hash === hash) && !damaged.has(hash));

test('what stays after a trim has all its pieces, and the stream from where it has to be read', () => {
  fc.assert(
    fc.property(contentsArbitrary, fc.nat(1000), fc.nat(1000), (contents, keptForSize, keptForAge) => {
      const plan = planTrim(contents, { keptForSize, keptForAge }, NOW);
      const stays = contents.snapshots.filter(({ name }) => !plan.snapshots.includes(name));
      const whole = stays.filter((snapshot) => isWhole(contents, snapshot));
      const wholeBefore = contents.snapshots.filter((snapshot) => isWhole(contents, snapshot));
      assert.equal(Math.min(whole.length, SNAPSHOTS_KEPT), Math.min(wholeBefore.length, SNAPSHOTS_KEPT));
      for (const { pieces } of stays) for (const hash of pieces) assert.ok(!plan.pieces.includes(hash));
      for (const name of plan.snapshots) {
        const gone = contents.snapshots.find((one) => one.name === name);
        const newer = whole.filter(({ sequence }) => sequence >= (gone?.sequence ?? 0));
        assert.ok(newer.length >= SNAPSHOTS_KEPT);
      }
      if (plan.purgeBefore === null) return assert.ok(wholeBefore.length < SNAPSHOTS_KEPT);
      assert.ok(plan.purgeBefore <= keptForSize && plan.purgeBefore <= keptForAge);
      const { purgeBefore } = plan;
      assert.ok(whole.filter(({ replayFrom }) => replayFrom >= purgeBefore).length >= SNAPSHOTS_KEPT);
    }),
    { numRuns: 2000 },
  );
});

test('a piece goes only when it is old, nobody names it, and every snapshot could be read', () => {
  fc.assert(
    fc.property(contentsArbitrary, (contents) => {
      const { pieces } = planTrim(contents, NO_LIMITS, NOW);
      for (const hash of pieces) {
        assert.ok(!contents.hasOthers);
        const piece = contents.pieces.find((one) => one.hash === hash);
        assert.ok(piece !== undefined && piece.storedAt < NOW - UNNAMED_KEPT_MS);
      }
    }),
    { numRuns: 1000 },
  );
});

test('what an upload relies on, or has put, is there when it has ended within half the time that unnamed pieces are kept', () => {
  fc.assert(
    fc.property(contentsArbitrary, fc.nat(UNNAMED_KEPT_MS / 2 - 1), fc.subarray(HASHES), (contents, took, wanted) => {
      const end = NOW + took;
      const reliable = reliablePieces(contents, NOW);
      for (const hash of reliable) assert.ok(!contents.damaged.has(hash));
      const put = wanted.filter((hash) => !reliable.has(hash)).map((hash) => ({ hash, storedAt: NOW }));
      const others = contents.pieces.filter(({ hash }) => !put.some((piece) => piece.hash === hash));
      const during = { ...contents, pieces: [...others, ...put] };
      // Of the pieces of snapshots: as long as those that name them stay.
      const gone = new Set(planTrim(during, NO_LIMITS, end).pieces);
      const stays = new Set(planTrim(during, NO_LIMITS, end).snapshots);
      const named = new Set(
        contents.snapshots.filter(({ name }) => stays.has(name)).flatMap(({ pieces }) => [...pieces]),
      );
      for (const hash of wanted) assert.ok(!gone.has(hash) || named.has(hash), hash);
    }),
    { numRuns: 1000 },
  );
});

test('the stream is kept as far back as its size and the age of its messages say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.nat(100), { maxLength: 60 }),
      fc.nat(7000),
      fc.nat(6000),
      async (first, gaps, keepBytes, keepMs) => {
        let time = 0;
        const times = gaps.map((gap) => (time += gap));
        const last = first + times.length - 1;
        const timeOf = async (sequence: number): Promise<number | null> => times[sequence - first] ?? null;
        const stream = { first, last, bytes: times.length * 100, timeOf };
        const limits = await streamLimits(stream, keepBytes, keepMs, time);
        const kept = (from: number): number => (last - from + 1) * 100;
        assert.ok(limits.keptForSize >= first && limits.keptForSize <= last + 1);
        assert.ok(limits.keptForSize === first || kept(limits.keptForSize) >= keepBytes);
        const young = times.findIndex((one) => one >= time - keepMs);
        assert.equal(limits.keptForAge, young < 0 ? last + 1 : first + young);
      },
    ),
    { numRuns: 300 },
  );
});
