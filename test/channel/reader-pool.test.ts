import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS, RING_SLOTS } from '../../engine/channel/control-words.js';
import { createMailbox } from '../../engine/channel/read-mailbox.js';
import { ReaderPool } from '../../engine/channel/reader-pool.js';
import { DEAR_RING, QUICK_RING, RequestRing } from '../../engine/channel/request-ring.js';
import { QUICK_COST_US_MAX } from '../../engine/channel/slot-budget.js';
import { OPERATION_SEARCH, type Read } from '../../engine/core/requests.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const READ: Read = { operation: OPERATION_SEARCH, request: { ...SEARCH_DEFAULTS, collection: 'c', q: 'a' } };
const ANSWER_BYTES_MAX = 1 << 20;

/** A pool without readers, whose HTTP thread gives every read up with an estimate of `costUs`. */
function poolOf(costUs: number) {
  const words = new SharedWords(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
  const inline = { answer: () => false, costUs, idle() {}, close() {} };
  const options = { readers: 3, timeoutMs: 60_000, answerBytesMax: ANSWER_BYTES_MAX, inline, httpThreads: 1 };
  const pool = new ReaderPool(words, createMailbox(), options);
  return { pool, quick: new RequestRing(words, QUICK_RING), dear: new RequestRing(words, DEAR_RING) };
}

for (const [what, costUs, isDear] of [
  ['not estimated', 0, false],
  ['estimated as a quick reader takes it', QUICK_COST_US_MAX, false],
  ['estimated above that', QUICK_COST_US_MAX + 1, true],
] as const) {
  test(`a read that was ${what} goes to the readers for ${isDear ? 'dear' : 'quick'} ones`, () => {
    const { pool, quick, dear } = poolOf(costUs);
    assert.ok(pool.submit(READ, 1, { client: 'x' }, () => assert.fail('nobody answers')) >= 0);
    assert.deepEqual([quick.isEmpty, dear.isEmpty], isDear ? [true, false] : [false, true]);
  });
}

test('what no inline reader has looked at goes to the readers for quick ones, whatever the last read was estimated at', () => {
  const { pool, quick, dear } = poolOf(QUICK_COST_US_MAX + 1);
  pool.submit(READ, 1, { client: 'x', place: 'readers' }, () => assert.fail('nobody answers'));
  assert.deepEqual([quick.isEmpty, dear.isEmpty], [false, true]);
});

test('the handle of a read that was answered takes nothing back of what has its slot now', () => {
  const { pool } = poolOf(0);
  let answered = 0;
  const handle = pool.submit(READ, 1, { client: 'x' }, () => {
    answered++;
  });
  const slot = handle % RING_SLOTS;
  pool.receivePosted(slot, new Uint8Array(2));
  pool.submitDear(
    READ,
    1,
    { client: 'x' },
    () => {
      answered++;
    },
    () => {},
  );
  pool.cancel(handle);
  pool.receivePosted(slot, new Uint8Array(2));
  assert.equal(answered, 2);
});
