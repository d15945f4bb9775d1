/**
 * A collection gives back pages in which only a few objects are left.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage } from '../../engine/memory/collect-garbage.js';

/** Bytes that objects lie in which have lived for a while. */
const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.physical_space_size ?? 0;

/** Of so many objects one stays. */
const APART = 20;

test('what is left of many objects is moved together', () => {
  collectGarbage();
  const before = oldBytes();
  let all: number[][] | null = Array.from({ length: 200_000 }, (_, i) => [i, i, i, i]);
  collectGarbage();
  const full = oldBytes() - before;
  const kept = all.filter((_, i) => i % APART === 0);
  all = null;
  collectGarbage();
  const left = oldBytes() - before;
  assert.ok(left < full / 4, `${left} bytes of ${full} for ${kept.length} of ${APART * kept.length} objects`);
});
