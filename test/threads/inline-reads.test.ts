/**
 * Reads that the calling thread answers itself, in the whole engine: as the readers answer them, of the newest generation, and
 * none that takes long.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Engine,
  EngineError,
  openEngine,
  type ReaderStats,
  type SearchRequest,
  type SuggestRequest,
} from '../../engine/index.js';
import { engineOptions } from '../support/engine-options.js';
import { ALL_FIELDS, SEARCH_DEFAULTS } from '../support/search-request.js';

const DOCUMENTS = 500;

async function open(context: TestContext): Promise<Engine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'inline-'));
  const engine = await openEngine(engineOptions(dataDir));
  context.after(async () => {
    await engine.close(0);
    rmSync(dataDir, { recursive: true });
  });
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'brand', type: 'keyword', facet: true, filter: true },
    { name: 'price', type: 'int', sort: true, filter: true },
  ];
  await engine.createCollection({ name: 'c', fields });
  return engine;
}

async function index(engine: Engine, documents: readonly object[]): Promise<void> {
  const body = new Uint8Array(Buffer.from(JSON.stringify(documents)));
  assert.equal((await engine.indexDocuments('c', body, 'json')).numFailed, 0);
}

const statsHere = (engine: Engine): ReaderStats => engine.stats().inlineReaders[0];

const documentOf = (i: number, round = 0): object => ({
  id: `d${i}`,
  title: `common word${i % 50} rare${i} round${round}`,
  brand: `b${i % 7}`,
  price: i,
});

const fill = (engine: Engine): Promise<void> =>
  index(
    engine,
    Array.from({ length: DOCUMENTS }, (_, i) => documentOf(i)),
  );

const request = (changes: Partial<SearchRequest>): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  ...{ collection: 'c', prefix: false, typoTolerance: false },
  ...changes,
});

/** How a read ended, without its time, and whether within the call. */
interface Ended {
  readonly answer: string;
  readonly isInline: boolean;
}

function ask(start: (done: Parameters<Engine['search']>[1]) => void): Promise<Ended> {
  return new Promise((resolve) => {
    let isInline = true;
    start((error, result) => {
      const text = result === null ? `${error?.code}: ${error?.message}` : Buffer.from(result.body.slice()).toString();
      resolve({ answer: text.replace(/"search_time_ms":[\d.]+/, ''), isInline });
    });
    isInline = false;
  });
}

const search = (engine: Engine, what: SearchRequest): Promise<Ended> => ask((done) => engine.search(what, done));
const fetch = (engine: Engine, id: string): Promise<Ended> =>
  ask((done) => engine.fetchDocument({ collection: 'c', id, format: 'json', ...ALL_FIELDS }, done));

const suggest = (engine: Engine, what: SuggestRequest): Promise<Ended> => ask((done) => engine.suggest(what, done));
const suggestion = (changes: Partial<SuggestRequest>): SuggestRequest => ({
  ...{ collection: 'c', q: '', queryBy: null, limit: 5, typoTolerance: null, format: 'json' as const },
  ...changes,
});

/** What `asked` asks for, by a reader: what is asked while an answer is being taken is not answered here. */
async function away(engine: Engine, asked: () => Promise<Ended>): Promise<Ended> {
  for (;;) {
    const ended = await new Promise<Ended>((resolve) => {
      engine.fetchDocument({ collection: 'c', id: 'd0', format: 'json', ...ALL_FIELDS }, () => resolve(asked()));
    });
    // The fetch itself may have been a reader's.
    if (!ended.isInline) return ended;
  }
}

const searchAway = (engine: Engine, what: SearchRequest): Promise<Ended> => away(engine, () => search(engine, what));

/** Asks until the calling thread answers itself, which a busy machine may keep from that. */
async function untilHere(asked: () => Promise<Ended>, what: object): Promise<Ended> {
  for (let attempt = 0; ; attempt++) {
    const ended = await asked();
    if (ended.isInline) return ended;
    assert.ok(attempt < 500, `the calling thread answers itself: ${JSON.stringify(what)}`);
    await sleep(20);
  }
}

const searchHere = (engine: Engine, what: SearchRequest): Promise<Ended> => untilHere(() => search(engine, what), what);

test('a fetch and a cheap search are answered within the call, as the readers answer them', async (context) => {
  const engine = await open(context);
  await fill(engine);
  for (const changes of [
    { q: 'rare17' },
    { q: 'common', ranking: 'bm25' as const },
    { q: 'word7', limit: 3 },
    { q: 'rare17 common' },
    { q: '"word3 rare53"' },
    { q: 'rare1 rare2 rare3', matchMode: 'any' as const },
    { q: 'common', filter: 'price:<10', sort: 'price:desc' },
    { q: 'common', ranking: 'bm25' as const, limit: 40, offset: 30 },
    { q: 'nothing' },
    { q: 'common', format: 'msgpack' as const, limit: 0 },
    { q: 'common', sort: 'title:up' },
  ]) {
    const here = await searchHere(engine, request(changes));
    const theirs = await searchAway(engine, request(changes));
    // The time is a number of a length of its own in MessagePack.
    if (changes.format !== 'msgpack') assert.equal(here.answer, theirs.answer, JSON.stringify(changes));
  }
  assert.equal((await fetch(engine, 'd3')).answer, JSON.stringify(documentOf(3)));
  assert.match((await fetch(engine, 'none')).answer, /^document_not_found/);
  const { readers } = engine.stats();
  assert.ok(statsHere(engine).queries > 10);
  assert.ok(readers.reduce((sum, { queries }) => sum + queries, 0) >= 10);
});

test('what is acknowledged is seen by the next read here', async (context) => {
  const engine = await open(context);
  await fill(engine);
  for (let round = 1; round <= 100; round++) {
    await index(engine, [documentOf(round % 5, round)]);
    const fetched = await fetch(engine, `d${round % 5}`);
    assert.equal(fetched.answer, JSON.stringify(documentOf(round % 5, round)));
    const { answer } = await search(engine, request({ q: `round${round}` }));
    assert.match(answer, /^\{"found":1,/);
  }
  await engine.deleteDocument('c', 'd1');
  assert.match((await fetch(engine, 'd1')).answer, /^document_not_found/);
  await engine.dropCollection('c');
  assert.match((await fetch(engine, 'd2')).answer, /^collection_not_found/);
  assert.ok(statsHere(engine).queries > 0);
});

test('a thread that reads now and then holds no generation back', async (context) => {
  const engine = await open(context);
  await fill(engine);
  await fetch(engine, 'd0');
  const before = engine.stats().arenaBytesUsed;
  for (let round = 1; round <= 60; round++) {
    await index(
      engine,
      Array.from({ length: DOCUMENTS }, (_, i) => documentOf(i, round)),
    );
    if (round % 20 === 0) await fetch(engine, 'd0');
  }
  const deadlineMs = performance.now() + 20_000;
  // Sixty copies would be there had none been freed; twenty are far fewer than that, and more than a merge takes.
  while (engine.stats().arenaBytesUsed > 20 * before && performance.now() < deadlineMs) {
    await sleep(100);
    await index(engine, [documentOf(0)]);
  }
  assert.ok(engine.stats().arenaBytesUsed <= 20 * before);
});

test('walks of a dictionary, many terms, many postings and long answers are left to the readers', async (context) => {
  const engine = await open(context);
  await fill(engine);
  const many = Array.from({ length: 60_000 }, (_, i) => ({
    id: `m${i}`,
    title: `often seldom${i} ${'x '.repeat(20)}`,
    brand: `n${i}`,
  }));
  await index(engine, many);
  await searchHere(engine, request({ q: 'rare17' }));
  const readsBefore = statsHere(engine).queries;
  for (const changes of [
    { q: 'rare1x', typoTolerance: null },
    { q: 's', prefix: true },
    { q: '', facet: 'brand' },
    { q: 'often', facet: 'brand' },
    { q: 'often x', filter: 'price:>=0', matchMode: 'any' as const },
  ]) {
    const { isInline, answer } = await search(engine, request(changes));
    assert.equal(isInline, false, JSON.stringify(changes));
    assert.match(answer, /^\{"found":/);
  }
  for (const what of [suggestion({ q: 's' }), suggestion({ q: 'rare1x' })])
    assert.equal((await suggest(engine, what)).isInline, false, JSON.stringify(what));
  assert.equal(statsHere(engine).queries, readsBefore);
  assert.ok(statsHere(engine).givenUp > 0);
});

test('a search that is corrected is answered within the call once it has come again, as the readers answer it', async (context) => {
  const engine = await open(context);
  await fill(engine);
  for (const q of ['rare1x', 'wrd7', 'rare17 comon', 'rare']) {
    const what = request({ q, typoTolerance: null, prefix: q === 'rare' });
    const theirs = await searchAway(engine, what);
    assert.equal((await searchHere(engine, what)).answer, theirs.answer, q);
    assert.equal((await searchHere(engine, what)).answer, theirs.answer, `${q}, known`);
  }
  assert.ok(statsHere(engine).givenUp > 0);
  await index(engine, [documentOf(1, 1)]);
  const what = request({ q: 'rund1', typoTolerance: null });
  const theirs = await searchAway(engine, what);
  assert.match(theirs.answer, /^\{"found":1,/);
  assert.equal((await searchHere(engine, what)).answer, theirs.answer);
});

test('a suggestion of few terms is answered within the call, as the readers answer it', async (context) => {
  const engine = await open(context);
  await fill(engine);
  for (const changes of [
    { q: 'rare17' },
    { q: 'word1' },
    { q: 'none', typoTolerance: false },
    { q: '' },
    { q: 'w', limit: 1 },
  ]) {
    const what = suggestion({ limit: 1, ...changes });
    const here = await untilHere(() => suggest(engine, what), what);
    const theirs = await away(engine, () => suggest(engine, what));
    assert.equal(theirs.answer, here.answer, JSON.stringify(changes));
  }
});

test('a closing engine refuses here, too', async (context) => {
  const engine = await open(context);
  await fill(engine);
  const closed = engine.close(0);
  await assert.rejects(
    new Promise((resolve, reject) => {
      engine.fetchDocument({ collection: 'c', id: 'd0', format: 'json', ...ALL_FIELDS }, (error, result) =>
        error === null ? resolve(result) : reject(error),
      );
    }),
    (error) => error instanceof EngineError && error.code === 'overloaded',
  );
  await closed;
});

test('a thread that has given back memory answers as before', async (context) => {
  const engine = await open(context);
  await fill(engine);
  const asked = [
    request({ q: 'rare7' }),
    request({ q: 'common word3', matchMode: 'any' }),
    request({ q: '"common word3"' }),
    request({ q: 'comon', typoTolerance: null }),
  ];
  /** It is asked again where this thread has read enough for now, or has to learn first what a misspelt word stands for. */
  const answerHere = async (one: SearchRequest): Promise<string> => {
    for (;;) {
      const { answer, isInline } = await ask((done) => engine.search(one, done));
      if (isInline) return answer;
      await sleep(5);
    }
  };
  const answers = async (): Promise<string[]> => {
    const given: string[] = [];
    for (const one of asked) given.push(await answerHere(one));
    return given;
  };
  const expected = await answers();
  engine.rest();
  assert.deepEqual(await answers(), expected);
});
