/**
 * The small decisions of the keeper: who uploads when, what is told of a store that is down, and how many things happen at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachAtOnce } from '../../src/cluster/store/each-at-once.js';
import { FailureNotes } from '../../src/cluster/store/failure-notes.js';
import { isUploadDue } from '../../src/cluster/store/upload-due.js';
import { RecordedLog } from './memory-store.js';

test('an upload is due when the newest is old and this node has more; who uploaded last comes first', () => {
  const last = { sequence: 10, node: 'a', storedAt: 1_000_000 };
  const due = (node: string, sequence: number, ageMs: number): boolean =>
    isUploadDue(node, sequence, last, 60_000, last.storedAt + ageMs);
  assert.ok(!isUploadDue('a', 0, null, 60_000, 0));
  assert.ok(isUploadDue('a', 1, null, 60_000, 0));
  assert.ok(!due('a', 10, 1e9));
  assert.ok(!due('a', 11, 59_999));
  assert.ok(due('a', 11, 60_000));
  assert.ok(!due('b', 11, 89_999));
  assert.ok(due('b', 11, 90_000));
  // The clock of another node was ahead.
  assert.ok(due('b', 11, -90_000));
});

test('a failure is told once, another one anew, and the end of it; tries become rarer', () => {
  const log = new RecordedLog();
  const notes = new FailureNotes(log, 'nothing is uploaded');
  let now = 1000;
  const waits: number[] = [];
  for (const reason of ['down', 'down', 'down', 'full', ...Array.from({ length: 10 }, () => 'down')]) {
    notes.failed(new Error(reason), now);
    const start = now;
    while (!notes.mayTry(now)) now += 500;
    waits.push(now - start);
  }
  assert.deepEqual(waits.slice(0, 3), [5000, 10_000, 20_000]);
  assert.equal(waits.at(-1), 300_000);
  assert.equal(log.lines.length, 3);
  notes.succeeded();
  notes.succeeded();
  assert.ok(notes.mayTry(now));
  assert.equal(log.lines.length, 4);
  assert.match(log.lines[3] ?? '', /info .*works again/);
});

test('each thing is done once, no more than allowed at once, and after an error no other is begun', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(30), fc.integer({ min: 1, max: 5 }), fc.nat(40), async (count, atOnce, failing) => {
      const done: number[] = [];
      let active = 0;
      let failed = false;
      const act = async (item: number): Promise<void> => {
        assert.ok(!failed);
        assert.ok(++active <= atOnce);
        await new Promise(setImmediate);
        active--;
        if (item === failing) {
          failed = true;
          throw new Error('item fails');
        }
        done.push(item);
      };
      const items = Array.from({ length: count }, (_, index) => index);
      if (failing < count) await assert.rejects(eachAtOnce(items, atOnce, act), /item fails/);
      else {
        await eachAtOnce(items, atOnce, act);
        assert.deepEqual(
          done.sort((a, b) => a - b),
          items,
        );
      }
      assert.equal(active, 0);
    }),
  );
});
