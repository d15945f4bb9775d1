/**
 * /health and /ready: alive and serving, and what they say.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { expectJson, expectStatus } from '../support/expect.js';
import { titleSchema } from '../support/fixtures.js';
import { PROJECT_ROOT } from '../support/project.js';
import { startServer } from '../support/server.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

interface Health {
  ok: boolean;
  version: string;
  uptime_seconds: number;
  num_collections: number;
}

test('/health says ok, the version of the package, the uptime and the collections', async () => {
  const { version } = JSON.parse(await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8')) as { version: string };
  const health = expectJson<Health>(await client.get('/health'));
  assert.deepEqual(Object.keys(health).sort(), ['num_collections', 'ok', 'uptime_seconds', 'version']);
  assert.equal(health.ok, true);
  assert.equal(health.version, version);
  assert.ok(Number.isInteger(health.uptime_seconds) && health.uptime_seconds >= 0);
  assert.equal(health.num_collections, 0);
  await client.create(titleSchema('one'));
  assert.equal(expectJson<Health>(await client.get('/health')).num_collections, 1);
});

test('/ready is 200 while serving', async () => {
  expectStatus(await client.get('/ready'), 200);
});

test('/openapi.json describes every documented endpoint', async () => {
  const description = expectJson<{ openapi: string; paths: Record<string, object> }>(await client.get('/openapi.json'));
  assert.match(description.openapi, /^3\./);
  const paths = Object.keys(description.paths);
  for (const path of [
    ...['/collections', '/collections/{name}', '/collections/{name}/documents', '/collections/{name}/documents/{id}'],
    ...['/collections/{name}/search', '/collections/{name}/suggest', '/health', '/ready', '/metrics'],
    ...['/snapshot'],
    ...['/analytics/top', '/analytics/zero-results', '/analytics/latency'],
  ]) {
    assert.ok(paths.includes(path), `${path} is missing`);
  }
});

test('/openapi.json that is known already is not sent again', async () => {
  const first = expectStatus(await client.get('/openapi.json'), 200);
  const tag = String(first.headers['etag']);
  const again = expectStatus(await client.get('/openapi.json', { 'if-none-match': tag }), 304);
  assert.equal(again.bytes.length, 0);
  assert.equal(again.headers['etag'], tag);
  const changed = expectStatus(await client.get('/openapi.json', { 'if-none-match': 'W/"another"' }), 200);
  assert.deepEqual(changed.bytes, first.bytes);
});

test('/docs is a page', async () => {
  const reply = expectStatus(await client.get('/docs'), 200);
  assert.match(String(reply.headers['content-type']), /text\/html/);
});
