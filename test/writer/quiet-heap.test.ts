/**
 * What the writing threads have freed is given back in pauses: garbage once after much was written, memory of the C library in each.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuietHeap } from '../../engine/writer/quiet-heap.js';

const MIB = 1 << 20;

/** A heap, and what was done to it: < pools made tight, > made loose, c collected, t trimmed, a dot for each tick. */
function watched() {
  let done = '';
  const heap = new QuietHeap({
    collectGarbage: () => {
      done += 'c';
    },
    trimHeap: () => {
      done += 't';
    },
    boundPools: (areTight) => {
      done += areTight ? '<' : '>';
    },
  });
  const tick = (logBytes: number, isBusy = false): void => {
    heap.tick(logBytes, isBusy);
    done += '.';
  };
  const pass = (ticks: number, logBytes: number): string => {
    done = '';
    for (let i = 0; i < ticks; i++) tick(logBytes);
    return done;
  };
  return { heap, tick, pass };
}

test('after a large import pools are made tight and garbage is collected twice, and memory goes back behind that and later', () => {
  const { pass } = watched();
  assert.equal(pass(8, 100 * MIB), '>...<c..t...');
  assert.equal(pass(40, 100 * MIB), `${'.'.repeat(11)}c..t${'.'.repeat(18)}t${'.'.repeat(9)}`);
});

test('a second collection that a write comes before is made in the next long pause', () => {
  const { heap, pass } = watched();
  assert.equal(pass(8, 100 * MIB), '>...<c..t...');
  heap.stir();
  assert.equal(pass(24, 100 * MIB), `.....t${'.'.repeat(14)}c..t...`);
});

test('a pause after little was written collects nothing, until it was enough together', () => {
  const { heap, pass } = watched();
  assert.equal(pass(8, 3 * MIB), '...<..t...');
  heap.stir();
  assert.equal(pass(8, 4 * MIB), '>...<c..t...');
  heap.stir();
  assert.equal(pass(8, 4 * MIB), '.....t...', 'what was written before is collected already');
});

test('a log that is cut is not written backwards', () => {
  const { heap, pass } = watched();
  pass(8, 100 * MIB);
  heap.stir();
  assert.equal(pass(8, MIB), '.....t...');
  heap.stir();
  assert.equal(pass(8, 6 * MIB), '>...<c..t...');
});

test('while there is something to do nothing is given back', () => {
  const { tick, pass } = watched();
  for (let i = 0; i < 50; i++) tick(100 * MIB, true);
  assert.equal(pass(6, 100 * MIB), '...<c..t.');
});
