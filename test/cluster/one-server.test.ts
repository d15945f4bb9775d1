/**
 * Nodes of a cluster on one real NATS server.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { clusterOptions, isReady, startNode, until } from './test-node.js';

test('every node has what was acknowledged by any, in the same order', needingNats(), async () => {
  const nats = await NatsServers.start();
  const nodes = await Promise.all(['a', 'b', 'c'].map((name) => startNode(clusterOptions(nats.urls, name))));
  try {
    await until(() => nodes.every(isReady), 'all ready');
    const began = performance.now();
    await Promise.all(
      nodes.map(async ({ replica }, i) => {
        for (let j = 0; j < 50; j++) {
          const sequence = await replica.write(`${i}-${j}`);
          for (const other of nodes) assert.ok(other.replica.appliedSequence >= sequence);
        }
      }),
    );
    if (process.env['NODE_LOG']) console.log('per write', (performance.now() - began) / 50);
    const [first] = nodes;
    assert.equal(first?.replica.records.length, 150);
    for (const { replica } of nodes) assert.deepEqual(replica.records, first?.replica.records);
  } finally {
    await Promise.all(nodes.map(({ node }) => node.leave().then(() => node.close())));
    await nats.close();
  }
});

test(
  'a write that is bigger than a message goes in parts, and is seen at once or not at all',
  needingNats(),
  async () => {
    const nats = await NatsServers.start({ maxPayload: '128KB' });
    const nodes = await Promise.all(['a', 'b'].map((name) => startNode(clusterOptions(nats.urls, name))));
    try {
      await until(() => nodes.every(isReady), 'both ready');
      const [a, b] = nodes;
      assert.ok(a !== undefined && b !== undefined);
      const writes = [a.replica.write('big', 1_000_000), b.replica.write('small'), b.replica.write('other', 500_000)];
      const sequences = await Promise.all(writes);
      assert.ok(Math.max(...sequences) >= 12, 'they came in parts');
      assert.deepEqual([...a.replica.records].sort(), ['big', 'other', 'small']);
      assert.deepEqual(b.replica.records, a.replica.records);
    } finally {
      await Promise.all(nodes.map(({ node }) => node.leave().then(() => node.close())));
      await nats.close();
    }
  },
);

test(
  'a node whose NATS server is down waits for it, and goes on where it was when it comes back',
  needingNats(),
  async () => {
    const nats = await NatsServers.start();
    await nats.kill(0);
    const starting = startNode(clusterOptions(nats.urls, 'a'));
    await nats.restart(0);
    const one = await starting;
    try {
      await until(() => isReady(one), 'ready');
      await one.replica.write('before');
      await nats.kill(0);
      await until(() => one.node.admitsWrite() !== null && one.node.admitsRead() !== null, 'its lease ends');
      assert.match(one.node.admitsRead()?.message ?? '', /no NATS server is connected/);
      await nats.restart(0);
      await until(() => isReady(one) && one.node.admitsWrite() === null, 'ready again');
      await one.replica.write('after');
      assert.deepEqual(one.replica.records, ['before', 'after']);
      assert.deepEqual(one.fatal, []);
    } finally {
      await one.node.leave().then(() => one.node.close());
      await nats.close();
    }
  },
);
