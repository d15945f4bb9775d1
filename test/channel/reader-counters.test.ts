/**
 * What threads count in words of 32 bits, read as sums that never fall.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SharedWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS, WORD } from '../../engine/channel/control-words.js';
import { ReaderCounters, ReaderTotals } from '../../engine/channel/reader-counters.js';

const caches = { bytes: 0, hits: 0, misses: 0, evictions: 0 };

test('a total goes on where its word begins anew, each by itself', () => {
  const steps = fc.array(
    fc.record({ reader: fc.integer({ min: 0, max: 2 }), by: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }),
  );
  fc.assert(
    fc.property(steps, (given) => {
      const words = new SharedWords(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
      const totals = new ReaderTotals(words);
      const expected = [0, 0, 0];
      for (const { reader, by } of given) {
        words.add(WORD.GIVEN_UP + reader, by | 0);
        expected[reader] += by;
        assert.deepEqual(
          [0, 1, 2].map((each) => totals.of(each).givenUp),
          expected,
        );
      }
    }),
  );
});

test('time passes 2^32 microseconds, and reads are told apart from those given up', () => {
  const words = new SharedWords(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
  const counters = new ReaderCounters(words, 1, caches);
  const totals = new ReaderTotals(words);
  for (let i = 0; i < 3; i++) counters.count(2 ** 31);
  counters.countGivenUp(5);
  const { queries, givenUp, busyUs } = totals.of(1);
  assert.deepEqual([queries, givenUp, busyUs], [3, 1, 3 * 2 ** 31 + 5]);
  assert.equal(totals.of(0).queries, 0);
});
