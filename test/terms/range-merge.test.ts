/**
 * Walking ranges of several dictionaries at once, against sorted sets.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RangeMerge } from '../../engine/terms/range-merge.js';
import { makeDictionary, randomWord, sortTerms } from './random-terms.js';

const vocabulary = fc.array(randomWord(6), { maxLength: 60 }).map(sortTerms);
const bounds = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 12 })), { maxLength: 5 });

test('a walk over ranges of dictionaries meets each term once, in order, with its ordinals', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(vocabulary, bounds), { maxLength: 6 }), (sources) => {
      const ranges = sources.map(([sorted, pairs]) =>
        pairs.flatMap(([from, size]) => [Math.min(from, sorted.length), Math.min(from + size, sorted.length)]),
      );
      const expected = new Map<string, Map<number, number>>();
      sources.forEach(([sorted], number) => {
        for (let i = 0; i < ranges[number].length; i += 2)
          for (let ord = ranges[number][i]; ord < ranges[number][i + 1]; ord++)
            expected.set(sorted[ord], (expected.get(sorted[ord]) ?? new Map()).set(number, ord));
      });
      const merge = new RangeMerge(
        sources.map(([sorted]) => makeDictionary(sorted)),
        ranges,
      );
      for (const term of sortTerms(expected.keys())) {
        assert.ok(merge.next());
        assert.equal(Buffer.from(merge.bytes.subarray(0, merge.length)).toString(), term);
        const held = Array.from({ length: merge.holderCount }, (_, i) => [merge.holders[i], merge.ords[i]] as const);
        assert.deepEqual(
          new Map(held.sort(([a], [b]) => a - b)),
          new Map([...(expected.get(term) ?? [])].sort(([a], [b]) => a - b)),
        );
      }
      assert.equal(merge.next(), false);
    }),
    { numRuns: 300 },
  );
});
