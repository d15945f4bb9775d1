/**
 * Messages of the log, and writes that come in parts: all of one or nothing, decided alike by who reads from the beginning and who
 * restarts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeMessage,
  decodeRecords,
  encodeJoin,
  encodePart,
  encodeRecords,
  encodeWrites,
  type LogMessage,
} from '../../src/cluster/envelope.js';
import { PARTS_DISTANCE_MAX, PartSets } from '../../src/cluster/part-sets.js';

const ORIGINS = ['0000000000000001', '0000000000000002', '00000000000000ff'];
const JOIN = { life: 'x', bucket: 'y', revision: 1, leaseMs: 2000 };
const sender = (which: number, counter = 1) => ({ node: `n${which % 2}`, origin: ORIGINS[which] ?? '', counter });

test('a message is read as it was written, and a newer or damaged one is refused', () => {
  const records = [new Uint8Array([1, 2, 3]), new Uint8Array(), new Uint8Array([4])];
  const bytes = encodeWrites(sender(2, 7), records);
  const message = decodeMessage(bytes);
  assert.deepEqual(message.sender, sender(2, 7));
  assert.ok(message.kind === 'writes');
  assert.deepEqual(
    decodeRecords(message.payload).map((record) => [...record]),
    [[1, 2, 3], [], [4]],
  );
  const join = decodeMessage(encodeJoin(sender(0), JOIN));
  assert.ok(join.kind === 'join');
  assert.deepEqual(join.join, JOIN);
  const newer = bytes.slice();
  newer[4] = 2;
  assert.throws(() => decodeMessage(newer), /version 2, and this node knows 1: a newer Sabre wrote it; upgrade/);
  const unknown = bytes.slice();
  unknown[5] = 9;
  assert.throws(() => decodeMessage(unknown), /unknown kind 9/);
  assert.throws(() => decodeMessage(bytes.subarray(0, 20)), /20 bytes/);
  assert.throws(() => decodeRecords(message.payload.subarray(0, message.payload.length - 1)), /records have/);
});

type Step = { readonly which: number; readonly what: 'part' | 'begin' | 'writes' | 'join' };

/** The messages of a log in which each origin has sets of three parts, which other things may break off. */
function messagesOf(steps: readonly Step[]): LogMessage[] {
  const state = ORIGINS.map(() => ({ counter: 0, set: 0, index: 3 }));
  return steps.map(({ which, what }) => {
    const own = state[which];
    assert.ok(own !== undefined);
    own.counter += 1;
    const by = sender(which, own.counter);
    if (what === 'join') return decodeMessage(encodeJoin(by, JOIN));
    if (what === 'writes') return decodeMessage(encodeWrites(by, []));
    if (what === 'begin' || own.index > 2) [own.set, own.index] = [own.counter, 0];
    const bytes = encodeRecords([new TextEncoder().encode(`${which}/${own.set}`)]);
    const cut = bytes.subarray(own.index * 4, own.index === 2 ? bytes.length : own.index * 4 + 4);
    return decodeMessage(encodePart(by, { set: own.set, index: own.index++, count: 3, bytes: cut }));
  });
}

/** The naive oracle: the message `i` and the two before it of its origin are a set, and nobody has joined as its node since it began. */
function isCompleted(messages: readonly LogMessage[], i: number): boolean {
  const last = messages[i];
  const own = [...messages.keys()]
    .filter((j) => j <= i && messages[j]?.sender.origin === last?.sender.origin)
    .slice(-3);
  const isSet =
    own.length === 3 &&
    own.every((j, index) => {
      const message = messages[j];
      return message?.kind === 'part' && message.part.index === index;
    });
  return (
    isSet &&
    !messages.slice(own[0], i).some(({ kind, sender: { node } }) => kind === 'join' && node === last?.sender.node)
  );
}

const stepsArbitrary = fc.array(
  fc.record({
    which: fc.nat(2),
    what: fc.constantFrom<Step['what']>('part', 'part', 'part', 'part', 'begin', 'writes', 'join'),
  }),
  { maxLength: 60 },
);

test('a set is complete, or void for ever, alike for all who read from where they are told to', () => {
  fc.assert(
    fc.property(stepsArbitrary, fc.nat(60), (steps, cut) => {
      const messages = messagesOf(steps);
      const run = (sets: PartSets, from: number, to: number) =>
        messages.slice(from - 1, to).map((message, i) => sets.add(from + i, message));
      const whole = new PartSets();
      const completed = run(whole, 1, messages.length);
      for (const [i, payload] of completed.entries()) {
        assert.equal(payload !== null, isCompleted(messages, i), `message ${i}`);
        if (payload !== null) assert.equal(decodeRecords(payload).length, 1);
      }
      const at = Math.min(cut, messages.length);
      const first = new PartSets();
      run(first, 1, at);
      const from = first.replayFrom(at);
      assert.ok(from <= at + 1);
      const again = run(new PartSets(), from, messages.length);
      assert.deepEqual(again.slice(at - from + 1), completed.slice(at));
    }),
  );
});

test('a set that stretches over too many messages is void', () => {
  const part = (index: number): LogMessage =>
    decodeMessage(encodePart(sender(0, index + 1), { set: 1, index, count: 2, bytes: new Uint8Array(4) }));
  const near = new PartSets();
  near.add(1, part(0));
  assert.equal(near.replayFrom(5), 1);
  assert.notEqual(near.add(1 + PARTS_DISTANCE_MAX, part(1)), null);
  const far = new PartSets();
  far.add(1, part(0));
  assert.equal(far.add(2 + PARTS_DISTANCE_MAX, part(1)), null);
  assert.equal(far.replayFrom(9), 10);
});
