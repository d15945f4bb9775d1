/** Ranges gathered in any order of segments, against lists by segment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasRanges, RangeLog, rangesIn } from '../../engine/query/expand/segment-ranges.js';
import { packRanges } from '../support/segment-ranges.js';

const range = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat({ max: 9 }));
const ranges = (maxLength: number) => fc.array(range, { maxLength, size: 'max' });

test('ranges are kept by segment, in the order in which they were added', () => {
  const log = new RangeLog();
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), ranges(600), ranges(20), (segments, first, more) => {
      const lists = Array.from({ length: segments }, (): number[] => []);
      const addAll = (added: typeof more): void => {
        for (const [at, ...numbers] of added) {
          const segment = at % segments;
          log.add(segment, ...numbers);
          lists[segment].push(...numbers);
        }
      };
      log.begin();
      addAll(first);
      const known = log.finish(lists.length);
      assert.deepEqual(known, packRanges(lists));
      lists.forEach((list, s) => {
        assert.deepEqual([...rangesIn(known, s)], list);
        assert.equal(hasRanges(known, s), list.length > 0);
      });
      log.begin();
      log.addAll(known);
      addAll(more);
      assert.deepEqual(log.finish(lists.length), packRanges(lists));
    }),
  );
});
