/**
 * Which searches of a set the calling thread answers itself.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { placeSearches } from '../../src/routes/place-searches.js';

const place = (...lastUs: number[]) =>
  placeSearches(Float64Array.from(lastUs))?.map(({ index, place: where }) => `${index} ${where}`);

test('what is not known is not placed', () => {
  assert.equal(place(10, Number.NaN, 10), undefined);
});

test('cheap searches are answered here in their order', () => {
  assert.deepEqual(place(10, 30, 20), ['0 here', '1 here', '2 here']);
});

test('what takes longer than to hand it over goes to the readers first', () => {
  assert.deepEqual(place(10, 600, 300, 5000), ['3 readers', '1 readers', '0 here', '2 here']);
});

test('beyond the time that this thread plans, nothing is said of where', () => {
  assert.deepEqual(place(300, 200, 100), ['0 here', '1 here', '2 unknown']);
});

test('each search is placed once, and this thread has no more than its share', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 2000 }), { minLength: 1, maxLength: 50 }), (us) => {
      const placed = placeSearches(Float64Array.from(us)) ?? [];
      const indexes = placed.map(({ index }) => index).sort((a, b) => a - b);
      assert.deepEqual(indexes, Array.from(us.keys()));
      const here = placed.filter(({ place: where }) => where === 'here');
      assert.ok(here.reduce((sum, { index }) => sum + us[index], 0) <= 500);
      for (const { index, place: where } of placed) assert.equal(where === 'readers', us[index] > 400 && !isCheap(us));
    }),
  );
});

const isCheap = (us: readonly number[]): boolean => us.reduce((sum, each) => sum + each, 0) <= 500;
