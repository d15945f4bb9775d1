/**
 * What a node says of its log: nothing any more when nobody has answered for five seconds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
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
