/**
 * Whatever kind of write was made, a snapshot of it is due once it is old enough.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, openEngine } from '../../engine/index.js';
import { engineOptions } from '../support/engine-options.js';

const WAIT_MS = 20_000;
const DOCUMENT = new Uint8Array(Buffer.from('{"id":"a","title":"one"}'));
const SORTED = { fields: [{ name: 'size', type: 'int', sort: true }] };

/** In an order in which each can be done. */
const WRITES: readonly (readonly [string, (engine: Engine) => Promise<unknown>])[] = [
  ['a collection', (engine) => engine.createCollection({ name: 'c', fields: [{ name: 'title', type: 'text' }] })],
  ['a document', (engine) => engine.indexDocuments('c', DOCUMENT, 'ndjson')],
  ['a setting', (engine) => engine.changeCollection('c', { typo_tolerance: { max_typos: 1 } })],
  ['a field', (engine) => engine.changeCollection('c', SORTED)],
  ['an alias', (engine) => engine.aliases.put('other', 'c')],
  ['stop words', (engine) => engine.textRules.putStopWords('c', { words: ['the'], language: null })],
  ['an alias less', (engine) => engine.aliases.delete('other')],
  ['a document less', (engine) => engine.deleteDocument('c', 'a')],
  ['a collection less', (engine) => engine.dropCollection('c')],
];

test('a snapshot of every kind of write is due by its age', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'due-'));
  context.after(() => rmSync(dataDir, { recursive: true }));
  const engine = await openEngine({ ...engineOptions(dataDir), snapshotIntervalMs: 1 });
  context.after(() => engine.close(0));
  for (const [what, write] of WRITES) {
    const { sequence } = engine.stats().snapshots;
    await write(engine);
    const endMs = performance.now() + WAIT_MS;
    while (engine.stats().snapshots.sequence === sequence) {
      assert.ok(performance.now() < endMs, `no snapshot of ${what} within ${WAIT_MS} ms`);
      await sleep(20);
    }
  }
});
