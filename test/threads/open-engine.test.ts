/**
 * The engine's edges as its caller meets them: messages of any length, closing.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Engine, EngineError, openEngine } from '../../engine/index.js';
import { engineOptions } from '../support/engine-options.js';
import { ALL_FIELDS } from '../support/search-request.js';

const SCHEMA = { name: 'c', fields: [{ name: 'title', type: 'text' }] };

function open(dataDir: string, syncIntervalMs = 0): Promise<Engine> {
  return openEngine({ ...engineOptions(dataDir), syncIntervalMs });
}

function folder(context: TestContext): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'engine-'));
  context.after(() => rmSync(dataDir, { recursive: true }));
  return dataDir;
}

const bodyOf = (document: object): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(JSON.stringify(document)));

test('an error whose message would outgrow a slot arrives, cut', async (context) => {
  const engine = await open(folder(context));
  await engine.createCollection(SCHEMA);
  const id = '\u0001'.repeat(60_000);
  const error = await new Promise((resolve) => {
    engine.fetchDocument({ collection: 'c', id, format: 'json', ...ALL_FIELDS }, resolve);
  });
  assert.ok(error instanceof EngineError && error.code === 'document_not_found');
  assert.ok(error.message.length < id.length);
  await engine.close(10_000);
});

test('closing waits for the writes under way, may be repeated, and leaves the folder to the next', async (context) => {
  const dataDir = folder(context);
  const engine = await open(dataDir, 60_000);
  await engine.createCollection(SCHEMA);
  const writes = Array.from({ length: 20 }, (_, i) => engine.indexDocuments('c', bodyOf({ id: `d${i}` }), 'ndjson'));
  await Promise.all([engine.close(10_000), engine.close(10_000), ...writes]);
  await engine.close(10_000);
  await assert.rejects(engine.indexDocuments('c', bodyOf({ id: 'late' }), 'ndjson'), /stopping/);
  const next = await open(dataDir);
  assert.equal(next.getCollection('c')?.num_documents, 20);
  await next.close(10_000);
});

test('writes of many clients at once are answered in order, all of them before the engine is closed', async (context) => {
  const engine = await open(folder(context));
  await engine.createCollection(SCHEMA);
  const answered: number[] = [];
  const numbers = Array.from({ length: 500 }, (_, i) => i);
  for (const i of numbers) {
    void engine.indexDocuments('c', bodyOf({ id: `d${i}` }), 'json').then(({ numIndexed }) => {
      assert.equal(numIndexed, 1);
      answered.push(i);
    });
  }
  await engine.close(10_000);
  assert.deepEqual(answered, numbers);
});
