/**
 * Searches that several reader threads share, in the whole engine: answered as by one thread, also while documents are written.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SharedWords } from '../../engine/channel/atomic-words.js';
import { WORD } from '../../engine/channel/control-words.js';
import { TASK_DONE, TASK_STATES } from '../../engine/channel/share-task.js';
import { ANYWHERE } from '../../engine/channel/wake-apart.js';
import { type Engine, openEngine, type SearchRequest } from '../../engine/index.js';
import { createThreadAffinity } from '../../engine/threads/thread-affinity.js';
import { engineOptions } from '../support/engine-options.js';
import { processorsOf } from '../support/processors.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';
import type { SearchResponse } from '../support/wire.js';

const DOCUMENTS = 24_000;
const BATCHES = 6;
const ROUNDS = 12;

/** `helpers` 0: nothing is shared; else everything that may be. */
async function open(context: TestContext, readerThreads: number, helpers: number): Promise<Engine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shared-'));
  // A second HTTP thread may have a seat, which nobody takes here: the words that threads share are in it.
  const sharing = { readerThreads, searchHelpers: helpers, shareAboveUs: 0, httpThreads: 2 };
  const engine = await openEngine({ ...engineOptions(dataDir), ...sharing });
  context.after(async () => {
    await engine.close(0);
    rmSync(dataDir, { recursive: true });
  });
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'brand', type: 'keyword', facet: true, filter: true, sort: true },
    { name: 'price', type: 'int', sort: true, filter: true, facet: true },
    { name: 'version', type: 'int', facet: true, sort: true },
  ];
  await engine.createCollection({ name: 'c', fields });
  return engine;
}

const documentOf = (i: number, version: number): object => ({
  id: `d${i}`,
  title: `common word${i % 50} rare${i}`,
  brand: `b${(i * 7) % 900}`,
  price: i % 40,
  version,
});

/** Documents [first, end), all of one version. */
async function index(engine: Engine, first: number, end: number, version: number): Promise<void> {
  const documents = Array.from({ length: end - first }, (_, i) => documentOf(first + i, version));
  const body = new Uint8Array(Buffer.from(JSON.stringify(documents)));
  assert.equal((await engine.indexDocuments('c', body, 'json')).numFailed, 0);
}

async function fill(engine: Engine): Promise<void> {
  const size = DOCUMENTS / BATCHES;
  for (let batch = 0; batch < BATCHES; batch++) await index(engine, batch * size, (batch + 1) * size, 0);
}

/** Asks the readers: the calling thread would answer cheap searches alone. */
function search(engine: Engine, changes: Partial<SearchRequest>): Promise<SearchResponse> {
  const request = { ...SEARCH_DEFAULTS, collection: 'c', typoTolerance: false, ...changes };
  return new Promise((resolve, reject) => {
    engine.search(
      request,
      (error, result) => {
        if (result === null) reject(error);
        else resolve(JSON.parse(Buffer.from(result.body.slice()).toString()) as SearchResponse);
      },
      { client: '', place: 'readers' },
    );
  });
}

const ASKED: readonly Partial<SearchRequest>[] = [
  { q: '', facet: 'brand,price', sort: 'price:desc', limit: 30 },
  { q: '', facet: 'brand', sort: 'brand:asc,price:desc', limit: 50 },
  { q: 'common', facet: 'brand,price', limit: 20 },
  { q: 'common word7', matchMode: 'any', facet: 'price', sort: 'brand:desc' },
  { q: 'common -word3', filter: 'price:>20', facet: 'brand', ranking: 'bm25' },
  { q: 'comon word9', typoTolerance: true, facet: 'brand', sort: 'price:asc' },
];

for (const readerThreads of [1, 3]) {
  test(`${readerThreads + 1} readers that share searches answer as one does`, async (context) => {
    const shared = await open(context, readerThreads, 3);
    const alone = await open(context, readerThreads, 0);
    await Promise.all([fill(shared), fill(alone)]);
    const expected = await Promise.all(ASKED.map((request) => search(alone, request)));
    for (let round = 0; round < ROUNDS; round++) {
      // One at a time, so that others are free to help; then all at once, so that they have reads of their own.
      const answers: SearchResponse[] = [];
      if (round % 2 === 0) for (const request of ASKED) answers.push(await search(shared, request));
      else answers.push(...(await Promise.all(ASKED.map((request) => search(shared, request)))));
      for (const [i, answer] of answers.entries())
        assert.deepEqual({ ...answer, search_time_ms: 0 }, { ...expected[i], search_time_ms: 0 });
    }
    const helped = shared.stats().readers.map(({ helped: count }) => count);
    assert.ok(
      helped.some((count) => count > 0),
      `parts by reader: ${helped.join()}`,
    );
    assert.ok(alone.stats().readers.every(({ helped: count }) => count === 0));
  });
}

test('a shared search sees one generation, whoever takes part in it', async (context) => {
  const engine = await open(context, 2, 2);
  await fill(engine);
  // Those from here on are of one version at a time, the others stay as they are.
  const size = 2000;
  const first = DOCUMENTS - size;
  let version = 1;
  await index(engine, first, DOCUMENTS, version);
  let isReading = true;
  const write = async (): Promise<void> => {
    while (isReading) {
      await index(engine, first, DOCUMENTS, ++version);
      await sleep(5);
    }
  };
  const read = async (): Promise<void> => {
    for (let i = 0; i < 150; i++) {
      const q = i % 2 === 0 ? '' : 'common';
      const { found, facets, hits } = await search(engine, {
        q,
        facet: 'version,brand',
        sort: 'version:desc',
        limit: 100,
      });
      assert.equal(found, DOCUMENTS, 'a replaced document is never missing and never twice');
      const counts = Object.entries(facets?.['version'] ?? {});
      const [, changed] = counts;
      assert.ok(changed !== undefined);
      assert.deepEqual(
        counts,
        [
          ['0', first],
          [changed[0], size],
        ],
        'a batch is seen whole or not at all',
      );
      for (const { document } of hits) assert.equal(String(document['version']), changed[0]);
    }
  };
  const writing = write();
  await Promise.all([read(), read()]).finally(() => {
    isReading = false;
  });
  await writing;
  assert.ok(version > 3);
  assert.ok(engine.stats().readers.some(({ helped }) => helped > 0));
});

const affinity = createThreadAffinity();
const processors = affinity === ANYWHERE ? [] : processorsOf(process.pid);
const skip = processors.length > 1 ? false : 'there is one processor, or threads cannot be moved here';

test('a reader is woken to help off the processor of its waker', { skip }, async (context) => {
  const engine = await open(context, 1, 3);
  await fill(engine);
  const [seat] = engine.readSeats;
  assert.ok(seat !== undefined);
  const words = new SharedWords(seat.words);
  const ask = (): Promise<unknown> => search(engine, ASKED[0] as Partial<SearchRequest>);
  const untilMs = performance.now() + 30_000;
  const untilOne = async (isSo: (thread: number) => boolean, what: string): Promise<void> => {
    while (![0, 1].some((reader) => isSo(words.load(WORD.SYSTEM_THREAD + reader)))) {
      await ask();
      assert.ok(performance.now() < untilMs, what);
    }
  };
  await untilOne((thread) => thread !== 0, 'no reader says which thread it is');
  // Whoever is woken off another's processor may run wherever the process may afterwards.
  const threads = [0, 1].map((reader) => words.load(WORD.SYSTEM_THREAD + reader)).filter((thread) => thread !== 0);
  for (const thread of threads) assert.ok(affinity.keepOff(thread, processors[0] as number));
  await untilOne((thread) => thread !== 0 && processorsOf(thread).length === processors.length, 'none is let back');
});

/** More than two chunks of one segment. */
const LARGE = 140_000;

test('a helper adds up what it and the starter have counted of one segment', { skip }, async (context) => {
  const [shared, alone] = await Promise.all([open(context, 1, 3), open(context, 1, 0)]);
  for (const engine of [shared, alone]) {
    for (let first = 0; first < LARGE; first += LARGE / 7) await index(engine, first, first + LARGE / 7, 0);
    const untilMs = performance.now() + 60_000;
    while (engine.getCollection('c')?.num_segments !== 1) {
      assert.ok(performance.now() < untilMs, `${engine.getCollection('c')?.num_segments} segments`);
      await sleep(50);
    }
  }
  const asked: readonly Partial<SearchRequest>[] = [
    { q: '', facet: 'brand,price', sort: 'price:desc' },
    { q: 'common word7', matchMode: 'any', facet: 'price,brand', facetLimit: 7 },
  ];
  const [seat] = shared.readSeats;
  assert.ok(seat !== undefined);
  const words = new SharedWords(seat.words);
  for (const request of asked) {
    const expected = await search(alone, request);
    const untilMs = performance.now() + 60_000;
    // What the last one has come to stands there until the next.
    for (let task = 0; task % TASK_STATES !== TASK_DONE; task = words.load(WORD.SHARE_TASK)) {
      assert.ok(performance.now() < untilMs, 'no search had its counts added up by a helper');
      assert.deepEqual({ ...(await search(shared, request)), search_time_ms: 0 }, { ...expected, search_time_ms: 0 });
    }
  }
});
