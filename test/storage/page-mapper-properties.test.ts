/**
 * Mapped = read: whatever is loaded, replaced and released where, both mappers leave the same bytes in the arena.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openPageMapper } from '../../engine/storage/mapping/open-page-mapper.js';
import { type Fixture, patternOf, testMapping, withFixture } from './mapped-arena.js';

const PAGE = 4096;
const SLOTS = 6;
const SLOT_BYTES = 6 * 1024 * 1024;
const FILE_BYTES = 5 * 1024 * 1024 + 77;

const bytes = fc.oneof(
  fc.integer({ min: 1, max: FILE_BYTES }),
  fc.integer({ min: 15, max: 20 }).map((pages) => pages * PAGE),
  fc.integer({ min: 64 * 1024 - 3, max: 64 * 1024 + 3 }),
);

const steps = fc.array(
  fc.record({ slot: fc.nat(SLOTS - 1), action: fc.constantFrom('load', 'build', 'release'), bytes, seed: fc.nat(3) }),
  { maxLength: 25 },
);

const places = fc.record({ base: fc.integer({ min: 256, max: 900_000 }), steps });

type Drawn = typeof places extends fc.Arbitrary<infer T> ? T : never;

/** Does what was drawn; calls `look` with what each occupied slot holds, after each step. */
function play({ mapper, target, file }: Fixture, drawn: Drawn, look: (held: Map<number, Uint8Array>) => void): void {
  const held = new Map<number, Uint8Array>();
  const content = [0, 1, 2, 3].map((seed) => patternOf(FILE_BYTES, seed * 1000));
  for (const { slot, action, bytes, seed } of drawn.steps) {
    const before = held.get(slot);
    if (before !== undefined) mapper.release(before);
    held.delete(slot);
    if (action !== 'release') {
      const view = target(drawn.base * PAGE + slot * SLOT_BYTES, bytes);
      if (action === 'load') mapper.load(file(content[seed]), view);
      else {
        view.set(content[seed].subarray(0, bytes));
        mapper.remap(file(content[seed]), view);
      }
      assert.equal(Buffer.compare(view, content[seed].subarray(0, bytes)), 0);
      held.set(slot, view);
    }
    look(held);
  }
  for (const view of held.values()) mapper.release(view);
  assert.equal(mapper.mappedBytes, 0);
}

testMapping('whatever is loaded, replaced and released, mapped memory holds what read memory holds', async () => {
  await fc.assert(
    fc.asyncProperty(places, async (drawn) => {
      const seen: Buffer[] = [];
      const keep = (held: Map<number, Uint8Array>): void => {
        for (const view of held.values()) seen.push(Buffer.from(view.slice(0, 70_000)));
      };
      await withFixture(openPageMapper(false).mapper, (fixture) => play(fixture, drawn, keep));
      let index = 0;
      await withFixture(openPageMapper(true).mapper, (fixture) =>
        play(fixture, drawn, (held) => {
          for (const view of held.values()) assert.ok(seen[index++].equals(view.subarray(0, 70_000)));
        }),
      );
      assert.equal(index, seen.length);
    }),
    { numRuns: 12 },
  );
});
