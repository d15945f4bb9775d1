/**
 * A node of a cluster that leaves, dies, stands still, has a full disk or meets what it does not know: what becomes of it, and of the
 * others.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Cluster, type ClusterNode } from '../../support/cluster.js';
import { needingNats } from '../../support/nats-server.js';
import { mountSmallDisk } from '../../support/small-disk.js';
import { eventually, exportOf, foundOn, post, schemaOf, startCluster } from './asked-cluster.js';

const LEASE_MS = 4000;
/** What a write takes on a busy machine where it waits for nobody that is not there. */
const WRITE_MS_MAX = LEASE_MS / 2;
const STOPPED_MS = 5000;
const STOPPED_ROUNDS = 2;
const DISK_BYTES = 8 * 1024 * 1024;
/** Far more than the disk takes. */
const DISK_DOCUMENTS = 40_000;
const BATCH_DOCUMENTS = 2000;
/** Of a message of the log, see src/cluster/envelope.ts. */
const VERSION_OFFSET = 4;

/** Writes one document after the other to `node` until `isOver`, and returns the longest that one took, in milliseconds. */
async function longestWrite(node: ClusterNode, collection: string, isOver: () => boolean): Promise<number> {
  let longest = 0;
  for (let version = 0; !isOver(); version++) {
    const startMs = performance.now();
    const { status, text } = await post(node, collection, { id: `${version % 50}`, title: 'x', version });
    assert.equal(status, 200, text);
    longest = Math.max(longest, performance.now() - startMs);
  }
  return longest;
}

describe('a node of a cluster', needingNats(), () => {
  test('that is asked to end gives its lease back: no write waits for it; for one that is killed at most one lease', async (context) => {
    const cluster = await startCluster(context, { args: ['--cluster-lease-ms', `${LEASE_MS}`] });
    await cluster.node(0).client.create(schemaOf('titles'));
    let isOver = false;
    const leaving = longestWrite(cluster.node(0), 'titles', () => isOver);
    await sleep(300);
    const { code } = await cluster.node(2).stop();
    await sleep(LEASE_MS);
    isOver = true;
    const afterLeave = await leaving;
    assert.equal(code, 0);
    assert.ok(afterLeave < WRITE_MS_MAX, `a write took ${afterLeave} ms`);

    isOver = false;
    const dying = longestWrite(cluster.node(0), 'titles', () => isOver);
    await sleep(300);
    await cluster.node(1).kill();
    await sleep(2 * LEASE_MS);
    isOver = true;
    const afterKill = await dying;
    assert.ok(afterKill < LEASE_MS + WRITE_MS_MAX, `a write took ${afterKill} ms`);
    await cluster.startNodes();
    const [first, ...others] = await Promise.all(cluster.nodes.map((node) => exportOf(node, 'titles')));
    for (const other of others) assert.ok(other === first);
  });

  test('that stood still never answers a read from before', async (context) => {
    const cluster = await startCluster(context, { args: ['--cluster-lease-ms', '1000'] });
    const [writer, node] = [cluster.node(0), cluster.node(2)];
    await writer.client.create(schemaOf('titles'));
    let version = 0;
    let acknowledged = 0;
    const write = async (): Promise<void> => {
      const own = ++version;
      const { status, text } = await post(writer, 'titles', { id: '1', title: 'x', version: own });
      assert.equal(status, 200, text);
      acknowledged = own;
    };
    await write();
    for (let round = 0; round < STOPPED_ROUNDS; round++) {
      const reads: Promise<void>[] = [];
      let served = 0;
      const read = async (): Promise<void> => {
        const atLeast = acknowledged;
        const { status, text } = await node.client.get('/collections/titles/documents/1');
        if (status === 503) return;
        assert.equal(status, 200, text);
        const seen = (JSON.parse(text) as { version: number }).version;
        assert.ok(seen >= atLeast, `${seen} is seen, though ${atLeast} was acknowledged before`);
        served++;
      };
      node.pause();
      const untilMs = performance.now() + STOPPED_MS;
      while (performance.now() < untilMs) {
        await write();
        // They wait in its sockets, and are what it sees first.
        for (let each = 0; each < 4; each++) reads.push(read());
        await sleep(100);
      }
      node.resume();
      const readyBy = performance.now() + 20_000;
      while (served < 20 && performance.now() < readyBy) await Promise.all([write(), read(), read()]);
      await Promise.all(reads);
      assert.ok(served >= 20, 'it serves again');
    }
  });

  test('whose disk is full leaves, and the others go on', async (context) => {
    const disk = mountSmallDisk(DISK_BYTES);
    if ('reason' in disk) {
      process.stderr.write(`nodes.test.ts did not fill a disk: ${disk.reason}\n`);
      context.skip(disk.reason);
      return;
    }
    let cluster: Cluster | null = null;
    try {
      cluster = await Cluster.start({ dataDir: (index) => (index === 2 ? disk.path : undefined) });
      const [writer, other, full] = [cluster.node(0), cluster.node(1), cluster.node(2)];
      await writer.client.create(schemaOf('titles'));
      for (let from = 0; from < DISK_DOCUMENTS; from += BATCH_DOCUMENTS) {
        const documents = Array.from({ length: BATCH_DOCUMENTS }, (_, index) => ({
          id: `${from + index}`,
          title: `title ${(from + index).toString(36)} ${'abcdefgh '.repeat(20)}${Math.random()}`,
          version: from,
        }));
        const { status, text } = await post(writer, 'titles', documents);
        assert.equal(status, 200, text.slice(0, 300));
      }
      // What it holds goes to the disk with a snapshot.
      await full.client.post('/snapshot', '').catch(() => null);
      await eventually('it serves no more', 30_000, async () => !full.isRunning || !(await full.isReady()));
      const { status, text } = await post(writer, 'titles', { id: 'last', title: 'x', version: 1 });
      assert.equal(status, 200, text);
      assert.equal(await foundOn(other, 'titles'), DISK_DOCUMENTS + 1);
      assert.match(full.log, /disk|space/i);
    } finally {
      await cluster?.dispose();
      disk.dispose();
    }
  });

  test('that meets a message of a newer version says so, and does not go on without it', async (context) => {
    const cluster = await startCluster(context);
    const node = cluster.node(0);
    await node.client.create(schemaOf('titles'));
    const nats = await connect({ servers: cluster.servers.map(({ url }) => url) });
    try {
      const manager = await jetstreamManager(nats);
      const { state } = await manager.streams.info('SABRE_test');
      const stored = await manager.streams.getMessage('SABRE_test', { seq: state.last_seq });
      assert.ok(stored !== null);
      const newer = stored.data.slice();
      newer[VERSION_OFFSET] = (newer[VERSION_OFFSET] ?? 0) + 1;
      await jetstream(nats).publish(stored.subject, newer);
    } finally {
      await nats.close();
    }
    for (const each of cluster.nodes) {
      await eventually(`${each.name} has ended or serves no more`, 20_000, async () => {
        return !each.isRunning || !(await each.isReady());
      });
      assert.match(each.log, /version 2, and this node knows 1/);
      await sleep(500);
      assert.ok(!each.isRunning || !(await each.isReady()), `${each.name} goes on without it`);
    }
  });
});
