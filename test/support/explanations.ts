/**
 * Checks explanations as a client would: by adding up what they say.
 */
import assert from 'node:assert/strict';
import type { Explanation } from './wire.js';

/** The score that the parts add up to, in 32-bit floats, with bonuses. */
export function addUp({ parts, nearness, exactness, bm25 }: Explanation): number {
  let sum = 0;
  for (const { adds } of parts) for (const score of adds) sum = Math.fround(sum + Math.fround(score));
  assert.equal(sum, Math.fround(bm25));
  return Math.fround(sum * ((nearness ?? 1) * (exactness ?? 1)));
}
