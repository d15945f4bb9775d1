/**
 * What scenarios ask of a cluster: documents in and out of its nodes, and answers that come within a time. Used by the test files
 * beside it.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../../support/client.js';
import { Cluster, type ClusterNode, type ClusterOptions } from '../../support/cluster.js';

const POLL_EVERY_MS = 20;
const ANSWERED_WITHIN_MS = 30_000;

/** Starts a cluster that ends with the test; its nodes unless `areNodesLeft`. */
export async function startCluster(
  context: TestContext,
  options: ClusterOptions = {},
  areNodesLeft = false,
): Promise<Cluster> {
  const cluster = await Cluster.start(options, areNodesLeft);
  context.after(() => cluster.dispose());
  return cluster;
}

export const schemaOf = (name: string) => ({
  name,
  fields: [
    { name: 'title', type: 'text' as const },
    { name: 'version', type: 'int' as const, filter: true },
  ],
});

/** Sends documents to `node`, and hands the reply back as it came. */
export const post = (node: ClusterNode, collection: string, documents: unknown): Promise<Reply> =>
  node.client.post(`/collections/${collection}/documents`, documents);

/** The version of a document on `node`; null: it is not there. */
export async function versionOn(node: ClusterNode, collection: string, id: string): Promise<number | null> {
  const reply = await node.client.get(`/collections/${collection}/documents/${id}`);
  if (reply.status === 404) return null;
  assert.equal(reply.status, 200, reply.text);
  return (JSON.parse(reply.text) as { version: number }).version;
}

/** What `ask` is answered with 200, asked again while it is refused: on a busy machine a node may lose its lease at any time. */
export async function answered(ask: () => Promise<Reply>): Promise<Reply> {
  let reply = await ask();
  await eventually('it is answered', ANSWERED_WITHIN_MS, async () => {
    if (reply.status === 503) reply = await ask();
    return reply.status !== 503;
  });
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

/** How many documents a search without words finds on `node`. */
export async function foundOn(node: ClusterNode, collection: string): Promise<number> {
  return (await node.client.search(collection, { q: '*', limit: 0 })).found;
}

/** All documents of `node`, ordered by id. */
export async function exportOf(node: ClusterNode, collection: string): Promise<string> {
  const reply = await node.client.get(`/collections/${collection}/documents`);
  assert.equal(reply.status, 200, reply.text);
  return reply.text.split('\n').sort().join('\n');
}

/** Fails with `what` where `isSo` does not become true in time; returns how long it took. */
export async function eventually(what: string, withinMs: number, isSo: () => Promise<boolean>): Promise<number> {
  const startMs = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - startMs < withinMs, `not within ${withinMs} ms: ${what}`);
    await sleep(POLL_EVERY_MS);
  }
  return performance.now() - startMs;
}
