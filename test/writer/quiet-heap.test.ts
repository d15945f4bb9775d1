/**
 * What the writing threads have freed is given back in pauses: garbage once after much was written, memory of the C library in each.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuietHeap } from '../../engine/writer/quiet-heap.js';

const MIB = 1 << 20;

/**
 * A heap, and what was done to it: < pools made tight, > made loose, c collected, t trimmed, r a thread told to end, a dot for each
 * tick.
 */
function watched() {
  let done = '';
  /** There is a thread, and it merges. */
  const thread = { runs: true, merges: false };
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
    restRunner: () => {
      if (!thread.runs || thread.merges) return false;
      thread.runs = false;
      done += 'r';
      return true;
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
  return { heap, thread, tick, pass };
}

test('after a large import pools are made tight and garbage is collected, later once more, and memory goes back each time', () => {
  const { pass } = watched();
  assert.equal(pass(8, 100 * MIB), '>...<c..t...');
  assert.equal(pass(40, 100 * MIB), `${'.'.repeat(11)}rc..t.${'.'.repeat(17)}t${'.'.repeat(9)}`);
});

test('in a long pause the thread that merges is ended once it has merged, and memory goes back when it is gone', () => {
  const { heap, thread, pass } = watched();
  thread.merges = true;
  assert.equal(pass(30, MIB), `...<..t${'.'.repeat(25)}`);
  thread.merges = false;
  assert.equal(pass(12, MIB), `r..t${'.'.repeat(7)}t...`);
  heap.stir();
  thread.runs = true;
  assert.equal(pass(19, MIB), `.....t${'.'.repeat(14)}`, 'a pause begins anew');
  assert.equal(pass(4, MIB), 'r..t..');
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
