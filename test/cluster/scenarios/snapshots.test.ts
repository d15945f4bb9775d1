/**
 * Snapshots outside of the nodes, and reads that ask for a place of the log, with real nodes: a node that was away for too long begins with
 * a snapshot; a store that is down stops neither reads nor writes; where a write is acknowledged by one node, the others are waited for by
 * whoever asks.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Cluster, ClusterNode } from '../../support/cluster.js';
import { needingNats } from '../../support/nats-server.js';
import { needingS3, startS3 } from '../../support/s3-server.js';
import { answered, eventually, exportOf, foundOn, post, schemaOf, startCluster, versionOn } from './asked-cluster.js';

const WITHIN_MS = 60_000;
const UPLOAD_SOON = ['--cluster-upload-interval-s', '5'];
const BUCKET = 'sabre';
const WRITES = 60;

interface Told {
  readonly applied: number;
  readonly stream: { readonly first: number; readonly last: number } | null;
  readonly snapshot: { readonly sequence: number } | null;
}

async function toldBy(node: ClusterNode): Promise<Told> {
  const { text } = await node.client.get('/ready');
  return (JSON.parse(text) as { cluster: Told }).cluster;
}

/** Writes a document and a snapshot, again and again, until `isSo` on what `node` tells. */
async function writeUntil(what: string, node: ClusterNode, isSo: (told: Told) => boolean): Promise<void> {
  let version = 0;
  await eventually(what, WITHIN_MS, async () => {
    assert.equal((await post(node, 'titles', { id: 'moving', title: 'x', version: ++version })).status, 200);
    assert.equal((await node.client.post('/snapshot', '')).status, 200);
    return isSo(await toldBy(node));
  });
}

async function areEqual(cluster: Cluster): Promise<void> {
  const [first = '', ...others] = await Promise.all(cluster.nodes.map((node) => exportOf(node, 'titles')));
  assert.notEqual(first, '');
  for (const other of others) assert.equal(other, first);
}

/** The options of a node that keeps snapshots in a bucket at `endpoint`. */
const storeAt = (endpoint: string): string[] => [
  ...['--cluster-store', `s3://${BUCKET}/snapshots`, '--cluster-store-endpoint', endpoint],
  ...[
    '--cluster-store-access-key',
    'access',
    '--cluster-store-secret-key',
    'secret',
    '--cluster-store-region',
    'us-east-1',
  ],
];

describe('snapshots of a cluster', () => {
  test('are what a node begins with whose place in the log is gone', needingNats(), async (context) => {
    const cluster = await startCluster(context, { args: UPLOAD_SOON });
    const [first, , away] = [cluster.node(0), cluster.node(1), cluster.node(2)];
    await first.client.create(schemaOf('titles'));
    assert.equal((await post(first, 'titles', { id: 'before', title: 'x', version: 1 })).status, 200);
    await away.stop();
    const { applied } = await toldBy(first);
    await writeUntil('the log is trimmed', first, ({ stream }) => (stream?.first ?? 0) > applied + 1);
    await away.start();
    assert.match(away.log, /begins with a snapshot of the store/);
    assert.equal(await versionOn(away, 'titles', 'before'), 1);
    await areEqual(cluster);
  });

  const needs = { ...needingNats(), ...needingS3() };
  test(
    'are missed by nobody while their store is down, and come when it is back',
    needs,
    async (context: TestContext) => {
      const cluster = await startCluster(context, { nodes: 2, args: UPLOAD_SOON }, true);
      let store = await startS3(BUCKET, cluster.network.ownAddress);
      context.after(() => store.close());
      const { port } = new URL(store.endpoint);
      await Promise.all(cluster.nodes.map((node) => node.start(storeAt(store.endpoint))));
      const first = cluster.node(0);
      await first.client.create(schemaOf('titles'));
      await writeUntil('a snapshot is uploaded', first, ({ snapshot }) => snapshot !== null);
      await store.close();
      await eventually('it says that the store is down', WITHIN_MS, async () => {
        await writeUntil('a write is taken', first, () => true);
        return cluster.nodes.some(({ log }) => /store|upload|snapshot/.test(log) && /"level":40/.test(log));
      });
      const { stream, snapshot } = await toldBy(first);
      for (const node of cluster.nodes) {
        assert.ok(await node.isReady());
        assert.equal(await foundOn(node, 'titles'), 1);
      }
      store = await startS3(BUCKET, cluster.network.ownAddress, Number(port));
      await writeUntil(
        'a newer snapshot is uploaded',
        first,
        (told) => (told.snapshot?.sequence ?? 0) > (stream?.last ?? 0),
      );
      assert.ok((snapshot?.sequence ?? 0) > 0);
      await areEqual(cluster);
    },
  );
});

describe('writes that one node acknowledges', needingNats(), () => {
  test('are waited for by reads that name their place', async (context) => {
    const cluster = await startCluster(context, { args: ['--cluster-acknowledge', 'local'] });
    const created = await cluster.node(0).client.post('/collections', schemaOf('titles'));
    assert.equal(created.status, 201, created.text);
    // One node acknowledges a creation, too: the others need not know of it yet.
    const place = { 'x-sabre-sequence': String(created.headers['x-sabre-sequence']) };
    await Promise.all(cluster.nodes.map(({ client }) => answered(() => client.get('/collections/titles', place))));
    for (let version = 1; version <= WRITES; version++) {
      const writer = cluster.node(version % 3);
      const written = await answered(() => post(writer, 'titles', { id: '1', title: 'x', version }));
      const sequence = String(written.headers['x-sabre-sequence']);
      assert.match(sequence, /^[1-9]\d*$/);
      const reads = cluster.nodes.map(async ({ client }) => {
        const ask = { 'x-sabre-sequence': sequence };
        const { text } = await answered(() => client.get('/collections/titles/documents/1', ask));
        assert.equal((JSON.parse(text) as { version: number }).version, version);
      });
      await Promise.all(reads);
    }
  });
});
