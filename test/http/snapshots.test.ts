/**
 * Snapshots, their metrics and damaged collections as the HTTP layer shows them, over a real server and a fake engine.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/index.js';
import { buildOpenApi } from '../../src/api/openapi/document.js';
import { errorCode, withServer } from './test-server.js';

withServer('POST /snapshot answers the report of the engine, with or without a body', {}, async ({ send, engine }) => {
  const expected = {
    snapshot: 10,
    sequence: 77,
    collections: 1,
    segments: 4,
    files_written: 2,
    bytes_written: 5000,
    took_ms: 12.5,
  };
  for (const body of [undefined, '{"ignored":true}', 'x'.repeat(200_000)]) {
    const answer = await send('POST', '/snapshot', { body });
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.text), expected);
  }
  assert.equal(engine.snapshots, 3);
});

withServer('a snapshot that fails is answered by the usual table', {}, async ({ send, engine }) => {
  for (const [code, status] of [
    ['disk_full', 507],
    ['io_error', 500],
    ['overloaded', 503],
  ] as const) {
    engine.snapshotError = new EngineError(code, 'no snapshot was written');
    const answer = await send('POST', '/snapshot');
    assert.deepEqual([answer.status, errorCode(answer)], [status, code]);
  }
});

withServer(
  '/snapshot is for the admin key and for POST',
  { adminKey: 'a', searchKey: 's' },
  async ({ send, engine }) => {
    const post = (key?: string) =>
      send('POST', '/snapshot', key === undefined ? {} : { headers: { 'x-service-api-key': key } });
    assert.equal(errorCode(await post()), 'unauthorized');
    assert.equal(errorCode(await post('s')), 'forbidden');
    assert.equal((await post('a')).status, 200);
    assert.equal(engine.snapshots, 1);
    const got = await send('GET', '/snapshot', { headers: { 'x-service-api-key': 'a' } });
    assert.deepEqual([got.status, got.headers.allow], [405, 'POST']);
  },
);

withServer('a damaged collection is refused by every route but the list and the deletion', {}, async (server) => {
  const { send, engine } = server;
  engine.damagedCollection = 'books';
  for (const [method, path, body] of [
    ['GET', '/collections/books', undefined],
    ['GET', '/collections/books/search?q=a', undefined],
    ['GET', '/collections/books/suggest?q=a', undefined],
    ['GET', '/collections/books/documents/1', undefined],
    ['DELETE', '/collections/books/documents/1', undefined],
    ['POST', '/collections/books/documents', '{"id":"1"}'],
    ['POST', '/collections/books/documents', 'x'.repeat(90_000)],
  ] as const) {
    const answer = await send(method, path, { body });
    assert.deepEqual([answer.status, errorCode(answer)], [500, 'corrupt_data'], `${method} ${path}`);
    assert.match(answer.text, /segment-000001\.seg is damaged/, "the message is the engine's");
  }
  assert.equal(engine.batches.length, 0);
  assert.match((await server.get('/collections')).text, /"name":"books"/);
  assert.equal((await server.get('/health')).status, 200);
  assert.match((await server.get('/metrics')).text, /^sabre_damaged_collections 1$/m);
  assert.equal((await send('DELETE', '/collections/books')).status, 204);
});

withServer('metrics show snapshots, merges, mapping, verification and recovery', {}, async ({ get }) => {
  const { text } = await get('/metrics');
  for (const line of [
    'sabre_snapshots_total 2',
    'sabre_snapshot_failures_total 1',
    'sabre_merge_running 1',
    'sabre_snapshot_running 1',
    'sabre_snapshot_last_timestamp_seconds 1700000000.5',
    'sabre_snapshot_last_duration_seconds 0.25',
    'sabre_snapshot_bytes 5000',
    'sabre_mapped_bytes 4096',
    'sabre_file_mapping{kind="mmap"} 1',
    'sabre_verified_bytes_total 512',
    'sabre_damaged_collections 0',
    'sabre_recovery_duration_seconds 1.5',
  ]) {
    assert.ok(text.split('\n').includes(line), line);
  }
});

test('the description of /ready and /snapshot refers to schemas that exist', () => {
  const text = JSON.stringify(buildOpenApi('1.2.3'));
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, object> } };
  const named = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name);
  for (const name of ['Snapshot', 'NotReady', ...named]) assert.ok(name in components.schemas, name);
  for (const name of ['Snapshot', 'NotReady']) assert.ok(named.includes(name), name);
});
