/**
 * The publisher over a log that has other messages of it than it had stored: it goes on behind them only where the log was trimmed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeWrites } from '../../src/cluster/envelope.js';
import { Publisher } from '../../src/cluster/publisher.js';
import type { LogInfo, LogStream, StoredMessage } from '../../src/cluster/stream-port.js';

const ORIGIN = '0000000000000001';
const stored = (sequence: number): StoredMessage => ({
  sequence,
  bytes: encodeWrites({ node: 'n', origin: ORIGIN, counter: sequence }, [new Uint8Array(1)]),
});

/** Has one message stored as the seventh, then asks a log whose last of the origin is `last` to store another; behind what that was tried. */
async function triedBehind(last: StoredMessage | null, info: LogInfo | null): Promise<[readonly number[], string[]]> {
  const previous: number[] = [];
  const refused: string[] = [];
  const stream = {
    payloadMax: 1000,
    publish: async (message: { readonly previous: number }) => {
      previous.push(message.previous);
      if (previous.length === 1) return { kind: 'stored', sequence: 7 };
      return message.previous === (last?.sequence ?? 0) ? { kind: 'stored', sequence: 20 } : { kind: 'overtaken' };
    },
    lastOf: async () => last,
    info: async () => info,
  } as unknown as LogStream;
  let settled = 0;
  const publisher = new Publisher(stream, {
    ...{ node: 'n', origin: ORIGIN, writeTimeoutMs: 250 },
    clock: { now: () => performance.now(), sleep: (ms: number) => sleep(ms) },
    onSettled: (counter) => {
      settled = counter;
    },
    onDone() {},
    onRefused: (_, { code, message }) => void refused.push(`${code} ${message}`),
  });
  for (const number of [1, 2]) {
    publisher.propose([{ number, record: new Uint8Array(1) }]);
    while (settled < number) await sleep(5);
  }
  publisher.close();
  return [[...new Set(previous)], refused];
}

test('where the log was trimmed it begins anew', async () => {
  assert.deepEqual(await triedBehind(null, { first: 9, last: 12, bytes: 1 }), [[0, 7], []]);
});

test('a message that was stored late is what the next stands behind', async () => {
  assert.deepEqual(await triedBehind(stored(9), { first: 1, last: 9, bytes: 1 }), [[0, 7, 9], []]);
});

for (const [what, last, info] of [
  ['an earlier message is the last', stored(3), { first: 1, last: 3, bytes: 1 }],
  ['none of its messages is there, though none was trimmed', null, { first: 1, last: 3, bytes: 1 }],
  ['there is no log', null, null],
] as const)
  test(`where ${what} nothing is stored, and the write is refused`, async () => {
    const [previous, refused] = await triedBehind(last, info);
    assert.deepEqual(previous, [0, 7]);
    assert.deepEqual(refused, [
      "overloaded the cluster's log has not taken the write: what it holds of this node is not what was stored",
    ]);
  });
