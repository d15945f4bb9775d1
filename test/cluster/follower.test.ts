/**
 * The follower over a log that gives what a test lets it give: what comes again must be what has come.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery, EngineError } from '../../engine/index.js';
import { encodeJoin, encodeWrites } from '../../src/cluster/envelope.js';
import { Follower } from '../../src/cluster/follower.js';
import type { LogStream, StoredMessage } from '../../src/cluster/stream-port.js';

const ORIGINS = ['0000000000000001', '0000000000000002'];
const sender = (origin: number, counter: number) => ({ node: 'n', origin: ORIGINS[origin] ?? '', counter });
const writes = (origin: number, counter: number): Uint8Array =>
  encodeWrites(sender(origin, counter), [new Uint8Array(40)]);
const JOIN = encodeJoin(sender(1, 2), { life: 'l', bucket: 'b', revision: 1, leaseMs: 1000 });

/** A follower behind `applied`, and what it has done. */
function follow(applied: number) {
  const froms: number[] = [];
  const delivered: number[] = [];
  const failures: EngineError[] = [];
  let receive: (message: StoredMessage) => void = () => {};
  const stream = {
    follow: (from: number, next: typeof receive) => {
      froms.push(from);
      receive = next;
      return { stop() {}, renew() {} };
    },
  } as unknown as LogStream;
  const follower = new Follower(stream, applied, applied + 1, {
    origin: 'own',
    deliver: (deliveries: readonly Delivery[]) => void delivered.push(...deliveries.map(({ sequence }) => sequence)),
    onJoin() {},
    onMessage() {},
    fail: (error) => void failures.push(error),
  });
  follower.start();
  const give = async (sequence: number, bytes: Uint8Array): Promise<void> => {
    receive({ sequence, bytes });
    await Promise.resolve();
  };
  return { follower, froms, delivered, failures, give };
}

test('what comes again is left out, of the last message too', async () => {
  const { delivered, failures, give, follower } = follow(4);
  await give(4, writes(1, 9));
  await give(5, writes(0, 1));
  await give(6, JOIN);
  for (const [sequence, bytes] of [
    [6, JOIN],
    [5, writes(0, 1)],
    [6, JOIN],
  ] as const)
    await give(sequence, bytes);
  await give(7, writes(0, 2));
  assert.deepEqual([delivered, failures, follower.delivered], [[5, 6, 7], [], 7]);
});

for (const [what, other] of [
  ['of another process', writes(0, 2)],
  ['another of the same process', writes(1, 3)],
] as const)
  test(`a message ${what} at the place of the last one ends it`, async () => {
    const { delivered, failures, give } = follow(0);
    await give(1, writes(0, 1));
    await give(2, writes(1, 2));
    await give(2, other);
    await give(3, writes(0, 3));
    assert.deepEqual(delivered, [1, 2]);
    assert.deepEqual(
      failures.map(({ code }) => code),
      ['corrupt_data'],
    );
    assert.match(
      failures[0]?.message ?? '',
      /^sequence 2 of the cluster's log: expected message 2 of n \(0{15}2\), which this node has read there, got message \d of n \(0{15}\d\): NATS has lost the end of the log/,
    );
  });

test('after the engine has kept it waiting it begins with the last message again', async () => {
  const { froms, give, follower } = follow(0);
  const record = new Uint8Array(1 << 20);
  for (let sequence = 1; !follower.isHeld; sequence++)
    await give(sequence, encodeWrites(sender(0, sequence), [record]));
  const { delivered } = follower;
  follower.note({ bytes: delivered * record.length });
  assert.deepEqual(froms, [1, delivered]);
});
