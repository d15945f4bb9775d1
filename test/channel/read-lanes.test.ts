/**
 * What goes to the readers when, and what is refused: the policy alone, without threads.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEAR_LANE, QUICK_LANE, ReadLanes } from '../../engine/channel/read-lanes.js';

const SECOND_US = 1e6;
const always = (): boolean => true;
const never = (): boolean => false;

test('dear reads at hand are few, so that order stays a decision', () => {
  const lanes = new ReadLanes(1, 1, 100 * SECOND_US);
  for (let slot = 0; slot < 50; slot++) assert.equal(lanes.addDear(slot, 'a', 1000, 0), null);
  assert.deepEqual(
    [0, 1, 2].map(() => lanes.nextDear(always)),
    [0, 1, -1],
  );
  lanes.handedBack(0, DEAR_LANE, 1000, true);
  assert.equal(lanes.nextDear(always), 2);
});

test('quick reads at hand are as many as take a moment, by what they have taken', () => {
  const lanes = new ReadLanes(1, 1, 100 * SECOND_US);
  for (let slot = 0; slot < 200; slot++) lanes.add(slot, 'a');
  const takeAll = (): number[] => {
    const taken: number[] = [];
    for (let slot = lanes.nextQuick(); slot >= 0; slot = lanes.nextQuick()) taken.push(slot);
    return taken;
  };
  const first = takeAll();
  assert.equal(first.length, 128);
  for (const slot of first) lanes.handedBack(slot, QUICK_LANE, 5000, true);
  const second = takeAll();
  assert.equal(second.length, 2, 'slow ones');
  for (let round = 0; round < 100; round++) {
    lanes.add(200, 'b');
    for (const slot of round === 0 ? second : takeAll()) lanes.handedBack(slot, QUICK_LANE, 10, true);
  }
  for (let slot = 300; slot < 440; slot++) lanes.add(slot, 'a');
  assert.equal(takeAll().length, 128, 'quick ones again');
});

test('a new read goes to the readers at once while none waits and they have room, and counts as theirs', () => {
  const lanes = new ReadLanes(1, 1, 100 * SECOND_US);
  for (let read = 0; read < 128; read++) assert.equal(lanes.admitQuick(), true);
  assert.equal(lanes.admitQuick(), false, 'they have enough');
  lanes.add(140, 'a');
  lanes.handedBack(0, QUICK_LANE, 10, true);
  assert.equal(lanes.admitQuick(), false, 'one waits');
  assert.equal(lanes.nextQuick(), 140);
  lanes.handedBack(1, QUICK_LANE, 10, true);
  assert.equal(lanes.admitQuick(), true);
});

test('a dear read of another client overtakes those of a flood', () => {
  const lanes = new ReadLanes(1, 1, 100 * SECOND_US);
  for (let slot = 0; slot < 50; slot++) lanes.addDear(slot, 'flood', 1000, 0);
  assert.equal(lanes.nextDear(always), 0);
  lanes.addDear(50, 'other', 1000, 0);
  assert.equal(lanes.nextDear(always), 1);
  lanes.handedBack(0, DEAR_LANE, 1000, true);
  assert.equal(lanes.nextDear(always), 50);
});

test('beyond the backlog the last read of the client with the most is refused, and told when to come again', () => {
  const lanes = new ReadLanes(1, 2, SECOND_US);
  for (let slot = 0; slot < 4; slot++) assert.equal(lanes.addDear(slot, 'flood', SECOND_US / 2, 0), null);
  assert.equal(lanes.backlogUs, SECOND_US);
  assert.equal(lanes.addDear(4, 'flood', SECOND_US / 2, 0), null, 'it waits no longer than the bound');
  assert.deepEqual(lanes.addDear(5, 'other', SECOND_US / 2, 0), { slot: 4, retryAfterS: 2 });
  assert.equal(lanes.backlogUs, 1.25 * SECOND_US, 'what was refused does not count');
});

test('a read that nothing is ahead of is not refused, whatever others have taken before', () => {
  const lanes = new ReadLanes(1, 1, SECOND_US);
  for (let slot = 0; slot < 100; slot++) {
    assert.equal(lanes.addDear(slot, 'a', 1000, 0), null);
    assert.equal(lanes.nextDear(always), slot);
    lanes.handedBack(slot, DEAR_LANE, 90_000, true);
  }
  assert.equal(lanes.addDear(0, 'a', 50_000, 0), null);
  assert.ok(lanes.backlogUs > 4 * SECOND_US, 'what comes after it would wait long');
  assert.equal(lanes.nextDear(always), 0);
  assert.equal(lanes.addDear(1, 'b', 1000, 0)?.slot, 1);
});

test('reads that were not estimated count by what such reads have taken, and tell nothing of others', () => {
  const lanes = new ReadLanes(1, 1, SECOND_US);
  for (let slot = 0; slot < 100; slot++) {
    assert.equal(lanes.addDear(slot, 'a', 0, 0), null);
    assert.equal(lanes.nextDear(always), slot);
    lanes.handedBack(slot, DEAR_LANE, 500_000, true);
  }
  lanes.addDear(0, 'a', 1000, 0);
  assert.equal(lanes.backlogUs, 1000);
  lanes.addDear(1, 'a', 0, 0);
  assert.ok(lanes.backlogUs > 490_000 && lanes.backlogUs < 502_000, String(lanes.backlogUs));
});

test('the backlog is measured: reads that take longer than expected make it longer', () => {
  const lanes = new ReadLanes(1, 1, 1000 * SECOND_US);
  for (let slot = 0; slot < 100; slot++) {
    lanes.addDear(slot, 'a', 1000, 0);
    assert.equal(lanes.nextDear(always), slot);
    lanes.handedBack(slot, DEAR_LANE, 4000, true);
  }
  lanes.addDear(0, 'a', 1000, 0);
  assert.ok(lanes.backlogUs > 3900 && lanes.backlogUs <= 4000, String(lanes.backlogUs));
});

test('reads that are ended tell what they have taken where that is longer than expected, and nothing else', () => {
  for (const [what, costUs] of [
    ['estimated', 50_000],
    ['not estimated', 0],
  ] as const) {
    const lanes = new ReadLanes(1, 1, 1000 * SECOND_US);
    const end = (elapsedUs: number, isAnswered: boolean): void => {
      assert.equal(lanes.addDear(0, 'a', costUs, 0), null);
      assert.equal(lanes.nextDear(always), 0);
      lanes.handedBack(0, DEAR_LANE, elapsedUs, isAnswered);
    };
    const expectedUs = (): number => {
      lanes.addDear(1, 'a', costUs, 0);
      const { backlogUs } = lanes;
      lanes.remove(1, 'a');
      return backlogUs;
    };
    for (let i = 0; i < 200; i++) end(50_000, true);
    const before = expectedUs();
    for (let i = 0; i < 200; i++) end(10, false);
    assert.equal(expectedUs(), before, `${what}: who left soon`);
    for (let i = 0; i < 200; i++) end(10 * SECOND_US, false);
    assert.ok(expectedUs() > 5 * before, `${what}: ${expectedUs()}`);
  }
});

test('a read that needs room for its answer waits for it, and others do not wait for it', () => {
  const lanes = new ReadLanes(1, 2, 100 * SECOND_US);
  lanes.addDear(0, 'a', 1000, 500);
  lanes.addDear(1, 'b', 1000, 0);
  lanes.addDear(2, 'c', 1000, 0);
  assert.equal(lanes.nextDear(never), 1);
  assert.equal(
    lanes.nextDear((kib) => kib <= 500),
    0,
  );
  assert.equal(lanes.nextDear(always), 2);
});

test('reads with large answers and other dear ones take turns, so that a flood of neither starves the other', () => {
  const lanes = new ReadLanes(1, 1, 1000 * SECOND_US);
  for (let slot = 0; slot < 20; slot++) lanes.addDear(slot, 'flood', 1000, 500);
  for (let slot = 20; slot < 24; slot++) lanes.addDear(slot, 'other', 1000, 0);
  const order: number[] = [];
  for (let slot = lanes.nextDear(always); slot >= 0; slot = lanes.nextDear(always)) {
    order.push(slot);
    lanes.handedBack(slot, DEAR_LANE, 1000, true);
  }
  assert.deepEqual(order.slice(0, 8), [0, 20, 1, 21, 2, 22, 3, 23]);
  assert.equal(order.length, 24);
});

test('when there is no slot left dear reads give way first, then those of the client with the most', () => {
  const lanes = new ReadLanes(1, 1, 100 * SECOND_US);
  for (let slot = 0; slot < 5; slot++) lanes.add(slot, 'flood');
  assert.equal(lanes.shedFor('flood'), null, 'nobody gives way to who has as many');
  assert.equal(lanes.shedFor('other')?.slot, 4);
  lanes.addDear(10, 'other', 1000, 0);
  assert.equal(lanes.shedFor('flood')?.slot, 10);
});

type Step = { readonly kind: 'add' | 'dear' | 'next' | 'nextDear' | 'back' | 'remove'; readonly pick: number };

test('every read leaves once: to a reader, by a refusal or taken out, and what is at hand stays bounded', () => {
  const steps = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom('add', 'dear', 'next', 'nextDear', 'back', 'remove'),
      pick: fc.nat(1000),
    }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, (history) => {
      const lanes = new ReadLanes(1, 2, 20_000);
      const waiting = new Set<number>();
      const atHand: { readonly slot: number; readonly lane: number }[] = [];
      const clientOf = (slot: number): string => `c${slot % 3}`;
      let next = 0;
      for (const { kind, pick } of history) {
        if (kind === 'add') {
          lanes.add(next, clientOf(next));
          waiting.add(next++);
        } else if (kind === 'dear') {
          waiting.add(next);
          const shed = lanes.addDear(next, clientOf(next), pick, pick % 3);
          next++;
          if (shed !== null) assert.ok(waiting.delete(shed.slot), 'a read is refused once');
        } else if (kind === 'next' || kind === 'nextDear') {
          const isQuick = kind === 'next';
          const slot = isQuick ? lanes.nextQuick() : lanes.nextDear((kib) => kib < 2);
          if (slot < 0) continue;
          assert.ok(waiting.delete(slot), 'a read is handed over once');
          atHand.push({ slot, lane: isQuick ? QUICK_LANE : DEAR_LANE });
        } else if (kind === 'back' && atHand.length > 0) {
          const [{ slot, lane }] = atHand.splice(pick % atHand.length, 1) as [{ slot: number; lane: number }];
          lanes.handedBack(slot, lane, pick, pick % 2 === 0);
        } else if (kind === 'remove' && waiting.size > 0) {
          const slot = [...waiting][pick % waiting.size] as number;
          assert.ok(lanes.remove(slot, clientOf(slot)));
          waiting.delete(slot);
          assert.equal(lanes.remove(slot, clientOf(slot)), false);
        }
        assert.equal(lanes.waiting, waiting.size);
        assert.ok(atHand.filter(({ lane }) => lane === DEAR_LANE).length <= 3);
        assert.ok(atHand.filter(({ lane }) => lane === QUICK_LANE).length <= 128);
      }
    }),
  );
});
