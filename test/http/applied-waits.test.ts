/**
 * Reads that wait for a place of the log: they go on when it is applied, and no client keeps the others from waiting.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppliedWaits } from '../../src/applied-waits.js';

const FAR = Number.MAX_SAFE_INTEGER;
const nothing = (): void => {};

/** Lets `count` requests of `client` wait for a place that does not come; returns how each is forgotten, and how many were refused. */
function waitFar(waits: AppliedWaits, client: string, count: number): { forget: (() => void)[]; refused: number } {
  let refused = 0;
  const forget = Array.from({ length: count }, () => waits.add(FAR, client, nothing, () => refused++));
  return { forget, refused };
}

test('one client takes a quarter of the places, and what it gives back it can take again', () => {
  const waits = new AppliedWaits();
  const greedy = waitFar(waits, 'greedy', 2000);
  assert.equal(greedy.refused, 2000 - 256);
  const other = waitFar(waits, 'other', 1);
  assert.equal(other.refused, 0);
  for (const forget of [...greedy.forget, ...greedy.forget]) forget();
  const again = waitFar(waits, 'greedy', 257);
  assert.equal(again.refused, 1);
  for (const forget of [...again.forget, ...other.forget]) forget();
});

test('what waits goes on when its place is applied, once, and leaves room for others', () => {
  const waits = new AppliedWaits();
  const ran: number[] = [];
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 256; i++) waits.add(5, 'a', () => ran.push(round), assert.fail);
    waits.admit(4);
    assert.equal(ran.length, 256 * round);
    waits.admit(5);
    assert.equal(ran.length, 256 * (round + 1));
  }
});
