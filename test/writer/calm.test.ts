/**
 * When it is calm: soon after the last write, later beside a trickle, never while much is written.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Calm } from '../../engine/writer/calm.js';

/** Ticks until it is calm when the log grows by `bytes` in each; 1,000: never. */
function ticksUntilCalm(bytes: number, calm = new Calm(), logBytes = 1_000_000): number {
  calm.tick(logBytes);
  for (let ticks = 1; ticks < 1000; ticks++) if (calm.tick(logBytes + ticks * bytes)) return ticks;
  return 1000;
}

test('it is calm soon without writes, later with few, and not with many', () => {
  assert.equal(ticksUntilCalm(0), 4);
  const few = ticksUntilCalm(200);
  assert.ok(few >= 60 && few <= 61, `${few}`);
  assert.equal(ticksUntilCalm(100_000), 1000);
});

test('a large write ends the calm, the end of a log file does not', () => {
  const calm = new Calm();
  for (let tick = 0; tick < 10; tick++) calm.tick(5_000_000);
  assert.equal(calm.tick(10_000), true, 'cut behind a snapshot');
  assert.equal(calm.tick(1_000_000), false);
  assert.equal(calm.tick(1_000_000), false);
});
