/**
 * The whole engine in process, threads and files included: reads beside writes, answers that outgrow their slot, refusals,
 * and what a second opening finds.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Engine, EngineError, openEngine, type SearchRequest } from '../../engine/index.js';
import { engineOptions } from '../support/engine-options.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';
import type { SearchResponse } from '../support/wire.js';

const decoder = new TextDecoder();
const dataDir = mkdtempSync(join(tmpdir(), 'engine-'));
const open = (): Promise<Engine> => openEngine({ ...engineOptions(dataDir), readerThreads: 2 });

let engine = await open();
after(async () => {
  await engine.close(10_000);
  rmSync(dataDir, { recursive: true });
});

const SCHEMA = {
  name: 'c',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'round', type: 'int', sort: true },
  ],
};
const DOCUMENTS = 60;
const ids = Array.from({ length: DOCUMENTS }, (_, i) => `d${i}`);

const request = (changes: Partial<SearchRequest>): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  ...{ collection: 'c', limit: 250 },
  ...changes,
});

function search(changes: Partial<SearchRequest>): Promise<SearchResponse> {
  return new Promise((resolve, reject) => {
    engine.search(request(changes), (error, result) => {
      // The body lies in shared memory, and only until this returns.
      if (result === null) reject(error);
      else resolve(JSON.parse(decoder.decode(result.body.slice())) as SearchResponse);
    });
  });
}

const bodyOf = (documents: readonly object[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(JSON.stringify(documents)));

async function index(documents: readonly object[]): Promise<void> {
  const { numFailed } = await engine.indexDocuments('c', bodyOf(documents), 'json');
  assert.equal(numFailed, 0);
}

const hasCode =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof EngineError && error.code === code;

test('a search beside upserts sees every document once, and a batch whole or not at all', async () => {
  await engine.createCollection(SCHEMA);
  await index(ids.map((id) => ({ id, title: 'common first', round: 0 })));
  let writing = true;
  const readers = [0, 1, 2, 3].map(async (reader) => {
    while (writing) {
      const { found, hits } = await search({ q: reader % 2 === 0 ? '' : 'common' });
      assert.equal(found, DOCUMENTS);
      assert.equal(new Set(hits.map(({ document }) => document.id)).size, DOCUMENTS);
      for (let start = 0; start < DOCUMENTS; start += 20) {
        const batch = hits.filter(
          ({ document }) => Math.floor(Number(String(document.id).slice(1)) / 20) * 20 === start,
        );
        const rounds = new Set(batch.map(({ document }) => document['round']));
        assert.equal(rounds.size, 1, 'documents of a batch change together');
      }
    }
  });
  for (let round = 1; round <= 30; round++) {
    const start = (round % 3) * 20;
    await index(ids.slice(start, start + 20).map((id) => ({ id, title: `common round${round}`, round })));
    const { found } = await search({ q: `round${round}`, prefix: false, typoTolerance: false });
    assert.equal(found, 20, 'what was acknowledged is seen by the next search');
  }
  writing = false;
  await Promise.all(readers);
});

test('answers larger than a slot and small ones go to whoever asked, many at once', async () => {
  const pad = 'p'.repeat(30_000);
  await index(ids.slice(0, 20).map((id) => ({ id, title: 'large', round: 1, pad })));
  const all = Array.from({ length: 300 }, async (_, i) => {
    const isLarge = i % 3 === 0;
    const { hits } = await search({ q: 'large', limit: isLarge ? 20 : 1 + (i % 2) });
    assert.equal(hits.length, isLarge ? 20 : 1 + (i % 2));
    assert.ok(hits.every(({ document }) => document['pad'] === pad));
  });
  await Promise.all(all);
});

test('every read is answered once: answered, or refused when there are too many', async () => {
  let answered = 0;
  let refused = 0;
  const all = Array.from({ length: 3000 }, () =>
    search({ q: 'common', limit: 1 }).then(
      () => answered++,
      (error) => {
        assert.ok(hasCode('overloaded')(error));
        refused++;
      },
    ),
  );
  await Promise.all(all);
  assert.equal(answered + refused, 3000);
  assert.ok(answered > 0);
  assert.ok(refused > 0);
  assert.equal(engine.stats().readQueueDepth, 0);
});

test('errors come from where the mistake is found, with their codes', async () => {
  await assert.rejects(search({ collection: 'nobody' }), hasCode('collection_not_found'));
  await assert.rejects(search({ filter: 'nothing:=1' }), hasCode('invalid_query'));
  await assert.rejects(engine.createCollection(SCHEMA), hasCode('collection_exists'));
  await assert.rejects(engine.createCollection({ name: 'x' }), hasCode('invalid_schema'));
  await assert.rejects(engine.deleteDocument('c', 'nobody'), hasCode('document_not_found'));
  await assert.rejects(engine.indexDocuments('c', bodyOf([]).subarray(0, 1), 'json'), hasCode('invalid_json'));
  await assert.rejects(engine.dropCollection('nobody'), hasCode('collection_not_found'));
});

test('what was acknowledged is there when the engine is opened again', async () => {
  await engine.deleteDocument('c', 'd7');
  await engine.createCollection({ ...SCHEMA, name: 'gone' });
  await engine.dropCollection('gone');
  const before = await search({});
  const { created_at } = engine.getCollection('c') ?? {};
  await engine.close(10_000);
  engine = await open();
  const view = engine.getCollection('c');
  assert.equal(view?.num_documents, DOCUMENTS - 1);
  assert.equal(view?.created_at, created_at);
  assert.equal(engine.getCollection('gone'), null);
  assert.deepEqual((await search({})).hits, before.hits);
});
