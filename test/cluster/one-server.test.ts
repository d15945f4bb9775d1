/**
 * Nodes of a cluster on one real NATS server.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { walFileName } from '../../engine/storage/log/wal-format.js';
import { ClusterNode } from '../../src/cluster/cluster-node.js';
import { NatsLink } from '../../src/cluster/nats-link.js';
import { clusterNames } from '../../src/cluster/nats-names.js';
import { findStream } from '../../src/cluster/nats-setup.js';
import { NatsStream } from '../../src/cluster/nats-stream.js';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { clusterOptions, isReady, type LogLine, startNode, type TestNode, until } from './test-node.js';

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

const warningsOf = ({ lines }: TestNode): string[] => lines.filter(({ level }) => level === 40).map(({ msg }) => msg);

test('a password that is changed under a node is told once, with the reason', needingNats(), async () => {
  const nats = await NatsServers.start({ extra: 'authorization { user: sabre, password: "s3cret" }' });
  const { access } = clusterOptions(nats.urls, 'a');
  const options = { access: { ...access, user: 'sabre', password: 's3cret' } };
  const one = await startNode(clusterOptions(nats.urls, 'a', options));
  try {
    await until(() => isReady(one), 'ready');
    nats.reconfigure(0, 'authorization { user: sabre, password: "other" }');
    await until(() => one.node.admitsRead() !== null && warningsOf(one).length >= 3, 'its lease ends');
    await sleep(1500);
    const reason = 'Authorization Violation (of the user sabre)';
    assert.deepEqual(warningsOf(one), [
      'the connection to NATS is lost',
      `the NATS servers do not let this node in again: ${reason}`,
      'the lease of this node of the cluster has ended: it answers no reads and takes no writes',
    ]);
    assert.equal(
      one.node.admitsRead()?.message,
      `this node of the cluster takes no reads now: no NATS server is connected: ${reason}`,
    );
    nats.reconfigure(0, 'authorization { user: sabre, password: "s3cret" }');
    await until(() => one.node.admitsRead() === null, 'reads again');
    await until(() => one.lines.at(-1)?.msg === 'this node of the cluster holds its lease again', 'it is told');
  } finally {
    await one.node.leave().then(() => one.node.close());
    await nats.close();
  }
  assert.equal(warningsOf(one).length, 3, 'none of the end of the node');
});

test('a server that is not as many as are asked for is told by what it lacks', needingNats(), async () => {
  const nats = await NatsServers.start();
  const lines: string[] = [];
  const write = (text: string): void => {
    lines.push((JSON.parse(text) as { msg: string }).msg);
  };
  const options = clusterOptions(nats.urls, 'a', { replicas: 3 });
  const node = new ClusterNode(options, '/nowhere', { logger: pino({}, { write }), onFatal: () => {} });
  try {
    await until(() => lines.length > 0, 'a line');
    assert.match(lines[0] ?? '', /SABRE_test cannot have 3 replicas \(--cluster-replicas\): /);
    assert.match(node.admitsRead()?.message ?? '', /now: connecting: SABRE_test cannot have 3 replicas/);
  } finally {
    await node.close();
    await nats.close();
  }
});

test('a log that is gone is told once, and a node whose log is another one ends', needingNats(), async () => {
  const nats = await NatsServers.start();
  const options = clusterOptions(nats.urls, 'a', { readsWithoutQuorum: true });
  const one = await startNode(options);
  const link = await NatsLink.connect({ servers: nats.urls, access: options.access, name: 'test' });
  const names = clusterNames('test');
  const gone = 'NATS no longer has the log of this cluster: nothing can be written';
  const folder = mkdtempSync(join(tmpdir(), 'sabre-late-'));
  const lines: string[] = [];
  try {
    await until(() => isReady(one) && one.node.state().stream !== null, 'ready');
    await link.manager.streams.delete(names.stream);
    await until(() => warningsOf(one).includes(gone), 'it is told');
    await until(() => one.node.state().stream === null, 'nothing is known of it');
    await sleep(3000);
    assert.deepEqual([warningsOf(one), one.fatal], [[gone], []]);
    // Who has a folder already makes no empty log in the place of its own.
    writeFileSync(join(folder, walFileName(1)), '');
    const write = (text: string): void => void lines.push((JSON.parse(text) as LogLine).msg);
    const late = new ClusterNode({ ...options, nodeName: 'late' }, folder, {
      ...{ logger: pino({ level: 'warn' }, { write }), onFatal: () => {} },
    });
    void late.connect();
    await until(() => lines.some((line) => line.includes('NATS no longer has the stream SABRE_test')), 'it waits');
    await late.close();
    assert.equal(await findStream(link, names.stream), null);
    const { id } = await NatsStream.open(link, names, null);
    await until(() => one.fatal.length > 0, 'the node ends');
    assert.match(one.fatal[0]?.message ?? '', /SABRE_test of NATS: expected the log \w+, which this node follows, got/);
    assert.match(one.fatal[0]?.message ?? '', new RegExp(`got the log ${id}$`));
  } finally {
    await one.node.close();
    await link.close();
    await nats.close();
    rmSync(folder, { recursive: true });
  }
});
