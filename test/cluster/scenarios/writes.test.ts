/**
 * Writes to a real cluster that nothing disturbs: every node takes them, each is done once, and what was acknowledged is seen by all
 * that is asked of any node afterwards.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Cluster } from '../../support/cluster.js';
import { needingNats } from '../../support/nats-server.js';
import { eventually, exportOf, foundOn, post, schemaOf, versionOn } from './asked-cluster.js';

const CREATIONS = 10;
const WRITES = 100;
const MAX_PAYLOAD = 100 * 1024;
/** Together far beyond MAX_PAYLOAD. */
const LARGE_DOCUMENTS = 2000;
const LARGE_ROUNDS = 5;

describe('a cluster that nothing disturbs', needingNats(), () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await Cluster.start({ maxPayload: MAX_PAYLOAD });
  });
  after(() => cluster.dispose());

  test('of two creations of one collection at once, at two nodes, one succeeds and one is told so', async () => {
    for (let round = 0; round < CREATIONS; round++) {
      const nodes = [cluster.node(round % 3), cluster.node((round + 1) % 3)];
      const replies = await Promise.all(
        nodes.map((node) => node.client.post('/collections', schemaOf(`created-${round}`))),
      );
      assert.deepEqual(
        replies.map(({ status }) => status).sort(),
        [201, 409],
        replies.map(({ text }) => text).join('\n'),
      );
    }
  });

  test('a write that one node has acknowledged is found at once on every other', async () => {
    await cluster.node(0).client.create(schemaOf('seen'));
    for (let version = 0; version < WRITES; version++) {
      const reply = await post(cluster.node(version % 3), 'seen', { id: '1', title: `title ${version}`, version });
      assert.equal(reply.status, 200, reply.text);
      const versions = await Promise.all(cluster.nodes.map((node) => versionOn(node, 'seen', '1')));
      assert.deepEqual(versions, [version, version, version]);
      const found = await Promise.all(
        cluster.nodes.map((node) => node.client.search('seen', { q: 'title', filter: `version:=${version}` })),
      );
      assert.deepEqual(
        found.map((each) => each.found),
        [1, 1, 1],
      );
    }
  });

  test('a collection that is created, and one that is dropped, is so on every node at once', async () => {
    for (let round = 0; round < CREATIONS; round++) {
      await cluster.node(round % 3).client.create(schemaOf('moody'));
      for (const { client } of cluster.nodes) assert.equal((await client.view('moody')).num_documents, 0);
      await cluster.node((round + 1) % 3).client.drop('moody');
      for (const { client } of cluster.nodes) assert.equal((await client.get('/collections/moody')).status, 404);
    }
  });

  test('synonyms, stop words and aliases are the same on every node at once', async () => {
    await cluster.node(0).client.create(schemaOf('ruled'));
    const put = async (node: number, path: string, body: unknown): Promise<void> => {
      const reply = await cluster.node(node).client.request('PUT', path, { body: JSON.stringify(body) });
      assert.equal(reply.status, 200, reply.text);
    };
    await put(1, '/collections/ruled/synonyms/screens', { synonyms: ['monitor', 'display'] });
    await put(2, '/collections/ruled/stop-words', { words: ['the'] });
    await put(0, '/aliases/current', { collection: 'ruled' });
    for (const path of ['/collections/ruled/synonyms', '/collections/ruled/stop-words', '/aliases/current']) {
      const replies = await Promise.all(cluster.nodes.map(({ client }) => client.get(path)));
      for (const { status, text } of replies) assert.deepEqual([status, text], [200, replies[0]?.text]);
    }
  });

  test('a body larger than a message of the log is applied as one, on every node', async () => {
    await cluster.node(0).client.create(schemaOf('large'));
    for (let version = 0; version < LARGE_ROUNDS; version++) {
      const documents = Array.from({ length: LARGE_DOCUMENTS }, (_, id) => ({
        id: `${id}`,
        title: `a title of some words ${id} `.repeat(4),
        version,
      }));
      let isOver = false;
      const writing = post(cluster.node(version % 3), 'large', documents).finally(() => {
        isOver = true;
      });
      const watching = cluster.nodes.map(async ({ client }) => {
        while (!isOver) {
          const { found } = await client.search('large', { q: '*', filter: `version:=${version}`, limit: 0 });
          assert.ok(found === 0 || found === LARGE_DOCUMENTS, `${found} documents are seen`);
        }
      });
      const reply = await writing;
      assert.equal(reply.status, 200, reply.text.slice(0, 300));
      await Promise.all(watching);
      for (const node of cluster.nodes) assert.equal(await foundOn(node, 'large'), LARGE_DOCUMENTS);
    }
  });

  test('a repeat of a write changes nothing', async () => {
    await cluster.node(0).client.create(schemaOf('repeated'));
    for (const node of cluster.nodes) await post(node, 'repeated', { id: '1', title: 'one', version: 1 });
    for (const node of cluster.nodes) assert.equal(await foundOn(node, 'repeated'), 1);
  });

  test('all nodes hold the same documents', async () => {
    for (const collection of ['seen', 'large', 'repeated']) {
      const [first, ...others] = await Promise.all(cluster.nodes.map((node) => exportOf(node, collection)));
      for (const other of others) assert.ok(other === first, `${collection} differs`);
    }
  });

  test('a node that is killed and started again has what was written meanwhile before it serves', async () => {
    const node = cluster.node(2);
    await cluster.node(0).client.create(schemaOf('missed'));
    await node.kill();
    for (let version = 0; version < 20; version++)
      assert.equal(
        (await post(cluster.node(version % 2), 'missed', { id: `${version}`, title: 'x', version })).status,
        200,
      );
    await node.start();
    assert.equal(await foundOn(node, 'missed'), 20);
    await eventually('the first node serves, too', 5000, () => cluster.node(0).isReady());
  });
});
