/**
 * Names of nodes that are no more: which are forgotten, when, and what is left of them in a real bucket.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForgottenNodes } from '../../src/cluster/forgotten-nodes.js';
import type { LeaseEntry, LeaseOutcome, LeaseValue } from '../../src/cluster/lease-port.js';
import type { Key } from '../../src/cluster/membership.js';
import { NatsLeases } from '../../src/cluster/nats-leases.js';
import { NatsLink } from '../../src/cluster/nats-link.js';
import { clusterNames } from '../../src/cluster/nats-names.js';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { clusterOptions, until } from './test-node.js';

const FORGET_AFTER_MS = 1000;

const leaseOf = (state: LeaseValue['state']): LeaseValue => ({
  ...{ origin: 'o', life: 'l', state, leaseMs: 100, renewal: 1, applied: 5, isShort: false, url: null },
  ...{ version: '1', over: null },
});
const keyOf = (state: LeaseValue['state'] | null, revision: number, at: number): Key => ({
  ...{ revision, value: state === null ? null : leaseOf(state), at, lifeAt: at },
});

test('the keys of leases that ended long ago are emptied, one after the other', async () => {
  const asked: [string, number][] = [];
  let answer: (outcome: LeaseOutcome) => void = () => {};
  const bucket = {
    id: 'b',
    opened: 0,
    put: (node: string, value: LeaseValue | null, revision: number): Promise<LeaseOutcome> => {
      assert.equal(value, null);
      asked.push([node, revision]);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    watch: () => ({ stop() {} }),
  };
  const forgotten = new ForgottenNodes(bucket, { node: 'self', forgetAfterMs: FORGET_AFTER_MS, timeoutMs: 100 });
  const keys = new Map([
    ['self', keyOf('left', 1, 0)],
    ['holder', keyOf('held', 2, 0)],
    ['emptied', keyOf(null, 3, 0)],
    ['young', keyOf('left', 4, 500)],
    ['gone', keyOf('left', 5, 0)],
    ['evicted', keyOf('evicted', 6, 0)],
  ]);
  forgotten.tick(FORGET_AFTER_MS - 1, keys);
  assert.deepEqual(asked, []);
  forgotten.tick(FORGET_AFTER_MS, keys);
  forgotten.tick(FORGET_AFTER_MS, keys);
  assert.deepEqual(asked, [['gone', 5]], 'one at a time');
  answer({ kind: 'unknown' });
  await Promise.resolve();
  forgotten.tick(FORGET_AFTER_MS, keys);
  assert.deepEqual(asked.slice(1), [['gone', 5]], 'again, as nothing was heard of it');
  answer({ kind: 'stored', revision: 7 });
  await Promise.resolve();
  keys.set('gone', keyOf(null, 7, FORGET_AFTER_MS));
  forgotten.tick(FORGET_AFTER_MS, keys);
  assert.deepEqual(asked.slice(2), [['evicted', 6]]);
});

test('of a key that is emptied one short message is left, and its node may come back', needingNats(), async () => {
  const nats = await NatsServers.start();
  const { servers, access } = clusterOptions(nats.urls, 'a');
  const link = await NatsLink.connect({ servers, access, name: 'test' });
  try {
    const names = clusterNames('test');
    const bucket = await NatsLeases.open(link, names, 1);
    let revision = 0;
    const put = async (value: LeaseValue | null): Promise<void> => {
      const outcome = await bucket.put('gone', value, revision, 5000);
      assert.equal(outcome.kind, 'stored');
      if (outcome.kind === 'stored') revision = outcome.revision;
    };
    for (let i = 0; i < 20; i++) await put(leaseOf('held'));
    await put(leaseOf('left'));
    assert.deepEqual(await bucket.put('gone', null, revision - 1, 5000), { kind: 'conflict' }, 'of another revision');
    await put(null);
    const seen: LeaseEntry[] = [];
    const watch = bucket.watch((entry) => seen.push(entry));
    await until(() => seen.length > 0, 'the key is told of');
    assert.deepEqual(seen, [{ node: 'gone', revision, value: null }]);
    await put(leaseOf('held'));
    await until(() => seen.length > 1, 'the node is back');
    assert.deepEqual(seen.slice(1), [{ node: 'gone', revision, value: leaseOf('held') }]);
    watch.stop();
  } finally {
    await link.close();
    await nats.close();
  }
});
