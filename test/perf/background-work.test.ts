/**
 * Which queries count as asked during a merge, from what the server said of its merges now and then.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, askedDuringMerges, type Reading } from '../../perf/background-work.js';

/** Readings at 0, 100, 200, … ms, each answered after 10. */
const readingsOf = (...merging: readonly boolean[]): Reading[] =>
  merging.map((isMerging, at) => ({ askedAtMs: 100 * at, answeredAtMs: 100 * at + 10, isMerging, merges: at }));

const query = (fromMs: number, toMs: number): Asked => ({
  serverMs: toMs - fromMs,
  clientMs: toMs - fromMs,
  endedAtMs: toMs,
});

test('a query counts when every reading around it, and those in it, met a merge', () => {
  const readings = readingsOf(false, true, true, true, false, true, true);
  const during = [query(120, 180), query(150, 250), query(205, 230), query(520, 590)];
  const others = [
    query(20, 80), // begins before the first merge is seen
    query(50, 150), // meets the first reading of it
    query(320, 380), // ends after the last one is seen
    query(150, 350), // as this, having begun within
    query(250, 550), // meets the pause
    query(105, 150), // begins before the reading is answered
    query(610, 650), // no reading follows
  ];
  const asked = [...others, ...during].sort((a, b) => a.endedAtMs - b.endedAtMs);
  assert.deepEqual(new Set(askedDuringMerges(asked, readings)), new Set(during));
});

test('without a merge, or without readings, nothing counts', () => {
  const asked = [query(120, 180)];
  assert.deepEqual(askedDuringMerges(asked, readingsOf(false, false, false)), []);
  assert.deepEqual(askedDuringMerges(asked, []), []);
});
