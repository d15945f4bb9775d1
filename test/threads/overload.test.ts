/**
 * The engine with more to read than it can: who waits for whom, what is refused, and that what was given up in its middle
 * leaves nothing behind.
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
  type EngineOptions,
  openEngine,
  type ReadResult,
  type SearchRequest,
} from '../../engine/index.js';
import { engineOptions } from '../support/engine-options.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const WORDS = Array.from({ length: 60 }, (_, i) => `word${i}`);
const DOCUMENTS = 20_000;
const decoder = new TextDecoder();

const request = (changes: Partial<SearchRequest>): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  ...{ collection: 'c', prefix: false, typoTolerance: false, matchMode: 'any' },
  ...changes,
});

/** Reads every posting of every word of every document. */
const DEAR = request({ q: WORDS.join(' '), facet: 'brand' });
const QUICK = request({ q: 'rare7' });

async function open(context: TestContext, options: Partial<EngineOptions>): Promise<Engine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'overload-'));
  const engine = await openEngine({ ...engineOptions(dataDir), ...options });
  context.after(async () => {
    await engine.close(0);
    rmSync(dataDir, { recursive: true });
  });
  return engine;
}

async function fill(engine: Engine): Promise<void> {
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'brand', type: 'keyword', facet: true },
  ];
  await engine.createCollection({ name: 'c', fields });
  const text = WORDS.join(' ');
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({
    id: `d${i}`,
    title: `${text} rare${i}`,
    brand: `b${i}`,
  }));
  const body = new Uint8Array(Buffer.from(JSON.stringify(documents)));
  assert.equal((await engine.indexDocuments('c', body, 'json')).numFailed, 0);
}

interface Hits {
  readonly found: number;
  readonly hits: readonly unknown[];
  readonly facets: unknown;
}

/** The answer without its time. */
function answerOf({ body }: ReadResult): Hits {
  const { found, hits, facets } = JSON.parse(decoder.decode(body.slice())) as Hits;
  return { found, hits, facets };
}

/** Asks the readers: the calling thread would answer cheap reads itself, without a lane or room for answers. */
function search(engine: Engine, what: SearchRequest, client = ''): Promise<Hits> {
  return new Promise((resolve, reject) => {
    engine.search(
      what,
      (error, result) => {
        if (result === null) {
          reject(error);
          return;
        }
        resolve(answerOf(result));
        engine.releaseAnswer(result.heldBytes);
      },
      { client, place: 'readers' },
    );
  });
}

/** Asks until it is answered: on a busy machine one read alone may take longer than its time. */
async function searchAtLast(engine: Engine, what: SearchRequest): Promise<Hits> {
  for (;;) {
    try {
      return await search(engine, what);
    } catch (error) {
      const code = error instanceof EngineError ? error.code : String(error);
      assert.ok(code === 'query_timeout' || code === 'overloaded', code);
      await sleep(1);
    }
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1);
}

test('quick reads do not wait for dear ones that were asked before them', async (context) => {
  const engine = await open(context, {});
  await fill(engine);
  let dearLeft = 40;
  const dear = Array.from({ length: dearLeft }, () => search(engine, DEAR, 'a').then(() => dearLeft--));
  const left = await Promise.all(
    Array.from({ length: 20 }, async () => {
      assert.equal((await search(engine, QUICK, 'b')).found, 1);
      return dearLeft;
    }),
  );
  // The estimate is known after the words are expanded: none of the quick ones waits for a dear one to end.
  assert.ok(Math.min(...left) >= 20, `the quick reads were answered with ${left} dear ones left`);
  await Promise.all(dear);
});

test('a client with one dear read does not wait for all of a client with many', async (context) => {
  const engine = await open(context, {});
  await fill(engine);
  let floodLeft = 30;
  const flood = Array.from({ length: floodLeft }, () => search(engine, DEAR, 'flood').then(() => floodLeft--));
  await until(() => floodLeft < 30);
  await search(engine, DEAR, 'other');
  assert.ok(floodLeft >= 15, `${floodLeft} of the flood are left`);
  await Promise.all(flood);
});

test('a read whose time is over is refused, and leaves nothing behind for the next', async (context) => {
  const engine = await open(context, { queryTimeoutMs: 150 });
  await fill(engine);
  const [dear, quick] = [await searchAtLast(engine, DEAR), await searchAtLast(engine, QUICK)];
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => search(engine, DEAR)));
    const codes = new Set<string>();
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') assert.deepEqual(outcome.value, dear);
      else {
        assert.ok(outcome.reason instanceof EngineError);
        assert.ok((outcome.reason.retryAfterS ?? 0) >= 1, 'it is told when to come again');
        codes.add(outcome.reason.code);
      }
    }
    assert.ok(codes.has('query_timeout') || codes.has('overloaded'), [...codes].join());
    for (const code of codes) assert.ok(code === 'query_timeout' || code === 'overloaded', code);
    await until(() => engine.stats().readQueueDepth === 0);
    assert.deepEqual(await searchAtLast(engine, QUICK), quick);
    assert.deepEqual(await searchAtLast(engine, DEAR), dear);
  }
  const { readTimeouts, readsShed } = engine.stats();
  assert.ok(readTimeouts + readsShed > 0);
});

test('reads that nobody waits for are given up, those under way too, and their callbacks are not called', async (context) => {
  const engine = await open(context, {});
  await fill(engine);
  const dear = await search(engine, DEAR);
  let called = 0;
  const handles = Array.from({ length: 300 }, () => engine.search(DEAR, () => called++));
  // One is under way.
  await until(() => engine.stats().readers.some(({ queries }) => queries > 2));
  const before = called;
  for (const handle of handles) engine.cancelRead(handle);
  await until(() => engine.stats().readQueueDepth === 0);
  assert.equal(called, before);
  assert.equal(engine.stats().readsAbandoned + called, 300);
  assert.deepEqual(await search(engine, DEAR), dear);
  // The handles are of no meaning any more: they must not reach the reads that got their slots.
  const next = search(engine, DEAR);
  for (const handle of handles) engine.cancelRead(handle);
  assert.deepEqual(await next, dear);
});

test('answers that outgrow their slots wait for those that were not sent yet', async (context) => {
  const engine = await open(context, { answerBytesMax: 1 << 20 });
  await engine.createCollection({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
  const pad = 'p'.repeat(100_000);
  const documents = Array.from({ length: 8 }, (_, i) => ({ id: `d${i}`, title: 'large', pad }));
  await engine.indexDocuments('c', new Uint8Array(Buffer.from(JSON.stringify(documents))), 'json');
  const held: number[] = [];
  const answers = Array.from({ length: 6 }, () =>
    engine.search(request({ q: 'large' }), (error, result) => {
      assert.equal(error, null);
      assert.ok(result !== null && answerOf(result).hits.length === 8);
      assert.ok(result.heldBytes >= 800_000);
      held.push(result.heldBytes);
    }),
  );
  for (let sent = 0; sent < answers.length; sent++) {
    await until(() => held.length === sent + 1);
    assert.ok(engine.stats().answerBytes <= 1 << 20);
    // Small answers have room all the time.
    assert.equal((await search(engine, request({ q: 'nothing' }))).found, 0);
    assert.equal(held.length, sent + 1, 'the next waits');
    engine.releaseAnswer(held[sent] as number);
  }
  assert.equal(engine.stats().answerBytes, 0);
});

test('an answer that is longer than one may be is refused before it waits for room', async (context) => {
  const engine = await open(context, { answerBytesMax: 1 << 20, responseBytesMax: 1 << 20 });
  await engine.createCollection({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
  const documents = [
    { id: 'held', title: 'fits', pad: 'p'.repeat(1_000_000) },
    { id: 'long', title: 'long', pad: 'p'.repeat(1_100_000), brief: 'b' },
  ];
  await engine.indexDocuments('c', new Uint8Array(Buffer.from(JSON.stringify(documents))), 'json');
  const heldBytes = await new Promise<number>((resolve) => {
    engine.search(request({ q: 'fits' }), (_, result) => resolve(result?.heldBytes ?? 0));
  });
  assert.ok(heldBytes >= 1_000_000, 'the room is taken');
  const tooLarge = {
    code: 'payload_too_large',
    message: 'the response exceeds 1048576 bytes: ask for fewer hits or fields',
  };
  for (const changes of [{}, { includeFields: 'pad' }, { format: 'msgpack' as const }])
    await assert.rejects(search(engine, request({ q: 'long', ...changes })), tooLarge);
  assert.equal((await search(engine, request({ q: 'long', includeFields: 'brief' }))).found, 1);
  engine.releaseAnswer(heldBytes);
  assert.equal(engine.stats().answerBytes, 0);
});

test('an answer larger than all the room is given when it is the only one', async (context) => {
  const engine = await open(context, { answerBytesMax: 1 << 20 });
  await engine.createCollection({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
  const documents = [{ id: 'd', title: 'huge', pad: 'p'.repeat(3_000_000) }];
  await engine.indexDocuments('c', new Uint8Array(Buffer.from(JSON.stringify(documents))), 'json');
  const both = await Promise.all([search(engine, request({ q: 'huge' })), search(engine, request({ q: 'huge' }))]);
  for (const { hits } of both) assert.equal(hits.length, 1);
});
