/**
 * The room for the answer of a read: told again when it will be longer, and never held twice.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerRoom } from '../../engine/channel/answer-room.js';
import { SharedWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS } from '../../engine/channel/control-words.js';
import { RESPONSE_BYTES } from '../../engine/channel/read-mailbox.js';
import { SlotBudget } from '../../engine/channel/slot-budget.js';

const MIB = 1 << 20;
const KIB_OF_MIB = 1024;

function makeBudgets(roomBytes: number): [SlotBudget, SlotBudget, AnswerRoom] {
  const words = new SharedWords(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
  const room = new AnswerRoom(words, roomBytes);
  const [one, other] = [0, 1].map((slot) => {
    const budget = new SlotBudget(words, room);
    budget.begin(slot, false);
    return budget;
  });
  assert.ok(one !== undefined && other !== undefined);
  return [one, other, room];
}

const isDemoted = { why: 'demoted' };

test('a longer answer than was told has room for all of it, a shorter one takes none', () => {
  const [one, other] = makeBudgets(8 * MIB);
  one.expectBytes(RESPONSE_BYTES);
  assert.equal(one.reservedKib, 0);
  one.expectBytes(2 * MIB);
  one.expectBytes(MIB);
  assert.equal(one.reservedKib, 2 * KIB_OF_MIB);
  one.expectBytes(5 * MIB);
  assert.equal(one.reservedKib, 5 * KIB_OF_MIB);
  assert.throws(() => other.expectBytes(4 * MIB), isDemoted);
  assert.equal(other.wantedKib, 4 * KIB_OF_MIB);
  other.expectBytes(3 * MIB);
});

test('an answer that grows beyond the room gets it when nobody else has any, and holds none when it waits', () => {
  const [one, other, room] = makeBudgets(4 * MIB);
  one.expectBytes(MIB);
  other.expectBytes(MIB);
  assert.throws(() => one.expectBytes(6 * MIB), isDemoted);
  assert.deepEqual([one.reservedKib, one.wantedKib], [0, 6 * KIB_OF_MIB]);
  room.release(other.reservedKib);
  one.begin(0, false);
  one.expectBytes(MIB);
  one.expectBytes(6 * MIB);
  assert.equal(one.reservedKib, 6 * KIB_OF_MIB);
  room.release(one.reservedKib);
  other.begin(1, false);
  other.expectBytes(4 * MIB);
});
