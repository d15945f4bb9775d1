/**
 * Nodes of a cluster on three real NATS servers, which lose their quorum and get it back, and one of which is killed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { clusterOptions, isReady, startNode, type TestNode, until } from './test-node.js';

const QUORUM_MS = 40_000;
const END = 'the lease of this node of the cluster has ended';

const leaseLines = ({ lines }: TestNode): string[] =>
  lines.filter(({ msg }) => / lease /.test(msg)).map(({ level, msg }) => `${level} ${msg}`);

async function stop(nats: NatsServers, nodes: readonly TestNode[]): Promise<void> {
  await Promise.all(nodes.map(({ node }) => node.leave().then(() => node.close())));
  await nats.close();
}

test('without a quorum nothing is written or read, and it goes on by itself', needingNats(), async () => {
  const nats = await NatsServers.start({ servers: 3 });
  const strict = await startNode(clusterOptions(nats.urls, 'strict'));
  const lenient = await startNode(clusterOptions(nats.urls, 'lenient', { readsWithoutQuorum: true }));
  const nodes = [strict, lenient];
  try {
    await until(() => nodes.every(isReady), 'both ready', QUORUM_MS);
    await strict.replica.write('before');
    await Promise.all([nats.kill(0), nats.kill(1)]);
    await until(() => !isReady(strict), 'no more reads');
    assert.equal(strict.node.admitsRead()?.code, 'overloaded');
    for (const { node } of nodes) {
      await until(() => node.admitsWrite() !== null, 'no more writes');
      assert.equal(node.admitsWrite()?.code, 'overloaded');
      assert.equal(node.admitsWrite()?.retryAfterS, 1);
    }
    assert.equal(lenient.node.admitsRead(), null, 'it reads without a quorum');
    await until(() => leaseLines(strict).length > 0 && leaseLines(lenient).length > 0, 'the end of the leases is told');
    assert.deepEqual(leaseLines(strict), [`40 ${END}: it answers no reads and takes no writes`]);
    assert.deepEqual(leaseLines(lenient), [`40 ${END}: it takes no writes`]);
    for (const { node } of nodes) {
      const states = () => node.state().nodes.map(({ state }) => state);
      await until(() => states().join() === 'unknown,unknown', 'nobody is known to hold a lease');
    }
    await Promise.all([nats.restart(0), nats.restart(1)]);
    await until(
      () => nodes.every(({ node }) => node.admitsRead() === null && node.admitsWrite() === null),
      'back',
      QUORUM_MS,
    );
    await strict.replica.write('after');
    await until(() => nodes.every((one) => leaseLines(one).length === 2), 'that they are back is told');
    for (const one of nodes) assert.equal(leaseLines(one)[1], '30 this node of the cluster holds its lease again');
    for (const { replica, fatal } of nodes) {
      assert.deepEqual(replica.records, ['before', 'after']);
      assert.deepEqual(fatal, []);
    }
  } finally {
    await stop(nats, nodes);
  }
});

test('a server that is killed under writes loses none that was acknowledged', needingNats(), async () => {
  const nats = await NatsServers.start({ servers: 3 });
  const nodes = await Promise.all(
    ['a', 'b'].map((name) => startNode(clusterOptions(nats.urls, name, { replicas: 3 }))),
  );
  try {
    await until(() => nodes.every(isReady), 'both ready', QUORUM_MS);
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = nodes.map(async ({ node, replica }, i) => {
      for (let j = 0; !isOver; j++) {
        await until(() => node.admitsWrite() === null, 'writes', QUORUM_MS);
        const text = `${i}-${j}`;
        await replica.write(text).then(
          () => acknowledged.push(text),
          () => {},
        );
      }
    });
    await until(() => acknowledged.length > 20, 'some writes');
    await nats.kill(0);
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 20, 'more writes', QUORUM_MS);
    isOver = true;
    await Promise.all(writers);
    await until(() => nodes.every(isReady), 'both ready', QUORUM_MS);
    const [first, second] = nodes.map(({ replica }) => replica.records);
    assert.ok(first !== undefined && second !== undefined);
    for (const text of acknowledged) assert.equal(first.filter((other) => other === text).length, 1, text);
    const length = Math.min(first.length, second.length);
    assert.deepEqual(second.slice(0, length), first.slice(0, length));
  } finally {
    await stop(nats, nodes);
  }
});
