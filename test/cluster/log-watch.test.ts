/**
 * What a node says of its log: nothing any more when nobody has answered for five seconds. And when it has it followed anew.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Follower } from '../../src/cluster/follower.js';
import { LogWatch } from '../../src/cluster/log-watch.js';
import type { LogInfo, LogStream } from '../../src/cluster/stream-port.js';

test('the figures of a log that nobody tells of are not known after five seconds', async () => {
  const seen: LogInfo = { first: 1, last: 9, bytes: 100 };
  let now = 0;
  let isDown = false;
  let looks = 0;
  const info = async (): Promise<LogInfo> => {
    looks += 1;
    if (isDown) throw new Error('nobody answers');
    return seen;
  };
  const clock = { now: () => now, sleep: async () => {} };
  const host = { fail: () => assert.fail('it is the same log'), tell: () => assert.fail('it is there') };
  const watch = new LogWatch({ info } as LogStream, clock, 1000, host, () => {});
  const tickAt = async (ms: number): Promise<void> => {
    now = ms;
    watch.tick(false);
    await turn();
  };
  assert.equal(watch.info, null);
  await tickAt(10);
  assert.deepEqual([watch.info, looks], [seen, 1]);
  await tickAt(1000);
  assert.equal(looks, 1);
  isDown = true;
  await tickAt(5000);
  assert.deepEqual([watch.info, looks], [seen, 2]);
  await tickAt(5011);
  assert.equal(watch.info, null);
  assert.equal(watch.last, 9);
  isDown = false;
  await tickAt(6000);
  assert.deepEqual(watch.info, seen);
});

test('a follower that gets nothing is begun anew, each time after twice as long, until something comes', () => {
  let now = 0;
  const clock = { now: () => now, sleep: async () => {} };
  const host = { fail: () => assert.fail('nothing is asked'), tell: () => assert.fail('nothing is asked') };
  const watch = new LogWatch({} as LogStream, clock, 1000, host, () => {});
  const renewals: number[] = [];
  const follower = { isHeld: false, delivered: 5, renew: () => void renewals.push(now) };
  const runTo = (ms: number): void => {
    for (; now < ms; now += 100) watch.check(follower as unknown as Follower, 9);
  };
  runTo(10_000);
  assert.deepEqual(renewals.splice(0), [1100, 3200, 7300]);
  follower.delivered = 6;
  runTo(14_000);
  assert.deepEqual(renewals.splice(0), [11_100, 13_200]);
  // What is held back here is not waited for.
  follower.isHeld = true;
  runTo(20_000);
  follower.isHeld = false;
  runTo(500_000);
  const gaps = renewals.map((at, i) => at - (renewals[i - 1] ?? 20_000));
  assert.deepEqual([gaps[0], gaps.at(-1)], [1100, 60_100]);
});
