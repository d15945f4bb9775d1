/**
 * A cluster whose log has lost its quorum: writes are refused, reads end with the leases or go on as the node was told, and all is
 * back without a restart.
 */
import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, ClusterNode } from '../../support/cluster.js';
import { needingNats } from '../../support/nats-server.js';
import { answered, eventually, post, schemaOf, startCluster, versionOn } from './asked-cluster.js';

const LEASE_MS = 1000;
const WRITE_TIMEOUT_MS = 2000;
/** A read may be answered until the lease ends, and a busy machine is late. */
const READS_END_WITHIN_MS = 3 * LEASE_MS;
/** Raft's elections take some seconds. */
const BACK_WITHIN_MS = 45_000;
const ARGS = ['--cluster-lease-ms', `${LEASE_MS}`, '--cluster-write-timeout-ms', `${WRITE_TIMEOUT_MS}`];
/** Longer than anything here but the lease's end. */
const GOES_ON_MS = 4 * LEASE_MS;

/** Longer than any request to NATS waits for its answer. */
const STARTS_FOR_MS = 12_000;

async function loseQuorum(cluster: Cluster): Promise<void> {
  await Promise.all(cluster.servers.slice(1).map((server) => server.kill()));
}

/** Address of the NATS server that `node` is connected to. */
async function serverOf(node: ClusterNode): Promise<string> {
  const { text } = await node.client.get('/ready');
  return (JSON.parse(text) as { cluster: { server: string } }).cluster.server;
}

const pidsOf = ({ nodes }: Cluster): number[] => nodes.map(({ pid }) => pid);

/** A write is tried on every node until none knows of a quorum: then it is refused, and says when to come again. */
async function writesAreRefused(cluster: Cluster): Promise<void> {
  for (const node of cluster.nodes) {
    let last = '';
    await eventually(`${node.name} refuses writes: ${last}`, 30_000, async () => {
      const { status, headers, text } = await post(node, 'titles', { id: 'refused', title: 'x', version: -1 });
      last = `${status} ${text}`;
      // The first may have been under way when the quorum was lost.
      assert.ok([503, 504].includes(status), last);
      if (status !== 503) return false;
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
      assert.match(text, /"overloaded"/);
      return true;
    });
  }
}

async function takesWrites(cluster: Cluster): Promise<void> {
  cluster.heal();
  await cluster.waitReady(BACK_WITHIN_MS);
  await eventually('writes are taken', BACK_WITHIN_MS, async () => {
    const { status } = await post(cluster.node(1), 'titles', { id: '1', title: 'back', version: 2 });
    return status === 200;
  });
}

/** Who answers at all after the acknowledgement has what was acknowledged. */
async function comesBack(cluster: Cluster, pids: readonly number[]): Promise<void> {
  await takesWrites(cluster);
  for (const { client } of cluster.nodes)
    assert.match((await answered(() => client.get('/collections/titles/documents/1'))).text, /"version":2/);
  assert.deepEqual(pidsOf(cluster), pids, 'no process was started again');
}

/** As comesBack(), where reads go on without a lease: whoever has not got it back yet may answer with what it had. */
async function catchesUp(cluster: Cluster, pids: readonly number[]): Promise<void> {
  await takesWrites(cluster);
  for (const node of cluster.nodes)
    await eventually(`${node.name} has the write`, BACK_WITHIN_MS, async () => {
      const { text } = await answered(() => node.client.get('/collections/titles/documents/1'));
      assert.match(text, /"version":[12]/);
      return text.includes('"version":2');
    });
  assert.deepEqual(pidsOf(cluster), pids, 'no process was started again');
}

describe('a cluster without a quorum of NATS servers', needingNats(), () => {
  test('refuses writes with Retry-After, ends reads with the leases, and is back without a restart', async (context) => {
    const cluster = await startCluster(context, { args: ARGS });
    await cluster.node(0).client.create(schemaOf('titles'));
    assert.equal((await post(cluster.node(0), 'titles', { id: '1', title: 'x', version: 1 })).status, 200);
    const pids = pidsOf(cluster);
    await loseQuorum(cluster);
    await Promise.all([
      writesAreRefused(cluster),
      ...cluster.nodes.map((node) =>
        eventually(`${node.name} ends reads`, READS_END_WITHIN_MS + LEASE_MS, async () => {
          const { status, headers } = await node.client.get('/collections/titles/documents/1');
          if (status === 503) assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
          else assert.equal(status, 200);
          return status === 503 && !(await node.isReady());
        }),
      ),
    ]);
    await comesBack(cluster, pids);
  });

  test('goes on with reads where it was told to, and refuses writes', async (context) => {
    const cluster = await startCluster(context, { args: [...ARGS, '--cluster-reads-without-quorum', 'true'] });
    await cluster.node(0).client.create(schemaOf('titles'));
    assert.equal((await post(cluster.node(0), 'titles', { id: '1', title: 'x', version: 1 })).status, 200);
    const pids = pidsOf(cluster);
    await loseQuorum(cluster);
    const untilMs = performance.now() + GOES_ON_MS;
    const reading = cluster.nodes.map(async (node) => {
      while (performance.now() < untilMs) {
        assert.equal(await versionOn(node, 'titles', '1'), 1);
        await sleep(50);
      }
    });
    await Promise.all([...reading, writesAreRefused(cluster)]);
    await catchesUp(cluster, pids);
  });

  test('is waited for by a node that starts, whether it has data or not', async (context) => {
    const cluster = await startCluster(context, { args: ARGS });
    await cluster.node(0).client.create(schemaOf('titles'));
    assert.equal((await post(cluster.node(0), 'titles', { id: '1', title: 'x', version: 1 })).status, 200);
    const [old, fresh] = [cluster.node(1), cluster.node(2)];
    await old.stop();
    await fresh.kill();
    await rm(fresh.dataDir, { recursive: true });
    await mkdir(fresh.dataDir);
    await loseQuorum(cluster);
    for (const node of [old, fresh]) node.run();
    await sleep(STARTS_FOR_MS);
    for (const node of [old, fresh]) {
      assert.ok(node.isRunning, `${node.name} has ended:\n${node.log.slice(-2000)}`);
      assert.ok(!(await node.isReady()));
    }
    cluster.heal();
    await cluster.waitReady(BACK_WITHIN_MS);
    for (const node of cluster.nodes) assert.equal(await versionOn(node, 'titles', '1'), 1);
  });

  test('is left by a node that is connected to a server of the smaller part', async (context) => {
    const cluster = await startCluster(context, { args: ARGS });
    if (!cluster.network.canCut) return context.skip('hosts cannot be parted here');
    const node = cluster.node(0);
    await node.client.create(schemaOf('titles'));
    const before = await serverOf(node);
    const parted = cluster.servers.find(({ host }) => before.includes(host.address));
    assert.ok(parted !== undefined, before);
    const pids = pidsOf(cluster);
    parted.host.part(cluster.servers.filter((server) => server !== parted).map(({ host }) => host));
    await eventually('the node ends reads', READS_END_WITHIN_MS + LEASE_MS, async () => !(await node.isReady()));
    await eventually('the node is ready again', BACK_WITHIN_MS, () => node.isReady());
    await eventually('it tells of another server', BACK_WITHIN_MS, async () => (await serverOf(node)) !== before);
    await eventually('writes are taken', BACK_WITHIN_MS, async () => {
      const { status } = await post(node, 'titles', { id: '1', title: 'parted', version: 1 });
      return status === 200;
    });
    for (const { client } of cluster.nodes)
      assert.match((await answered(() => client.get('/collections/titles/documents/1'))).text, /parted/);
    await comesBack(cluster, pids);
  });
});
