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
