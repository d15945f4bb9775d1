/**
 * Text queries that one kernel call runs, against the same searches with a facet, which go the general way: same count, same
 * hits, same scores to the last bit, whatever the segments, their deletions and their arenas.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RESPONSE_BYTES_MAX } from '../../engine/core/limits.js';
import { ReadStopped } from '../../engine/core/read-stopped.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { createArena, type RegionViews, viewRegion } from '../../engine/memory/arena.js';
import { bindArena, clearScratch, regionsStart } from '../../engine/memory/kernel-instance.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { Searcher } from '../../engine/query/searcher.js';
import { OpenSegment, SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { OracleDocument, OracleField, OracleSchema } from '../oracle/collection.js';
import { randomNumbers } from '../support/engine-arena.js';
import {
  buildSegment,
  cacheBudget,
  engineSchema,
  freshTarget,
  InProcessCollection,
  withoutDocuments,
} from '../support/engine-collection.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const field = (name: string, type: OracleField['type'], boost: number | null): OracleField => ({
  ...{ name, type, boost, index: true },
  ...{ facet: type === 'keyword', filter: false, sort: type === 'int' },
});
const schema: OracleSchema = {
  fields: [
    field('title', 'text', 2.5),
    field('body', 'text', null),
    field('kind', 'keyword', null),
    field('rank', 'int', null),
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 3, two_typo_min_len: 6, max_typos: 2 },
  default_sorting_field: null,
};

/** From words of nearly every document to words of one, with beginnings and near misses in common. */
const WORDS = ['common', 'commons', 'comet', 'half', 'halves', 'tenth', 'tents', 'rare', 'rarely', 'w', 'wa', 'once'];
const PERMILLE = [700, 60, 3, 500, 9, 100, 30, 3, 1, 400, 20, 0];

const random = randomNumbers(7);

function words(): string {
  const chosen: string[] = [];
  WORDS.forEach((word, i) => {
    if (random(1000) < PERMILLE[i]) for (let times = 1 + random(random(5) + 1); times > 0; times--) chosen.push(word);
  });
  // Thousands of words with short beginnings in common: they get prefix postings.
  for (let more = random(4); more > 0; more--) chosen.push(`w${random(900).toString(36)}`);
  return chosen.join(' ');
}

let nextId = 0;
function document(): OracleDocument {
  const id = `d${nextId++}`;
  const title = id === 'd70000' ? `once ${words()}` : words();
  const rank: Record<string, number> = random(10) === 0 ? {} : { rank: random(50) };
  return random(3) === 0 ? { id, title, body: words(), kind: 'all', ...rank } : { id, title, kind: 'all', ...rank };
}

/** Two chunks with dense lists and prefix postings, then segments of some chunks' worth of nothing. */
const SIZES = [67_000, 5000, 300, 1, 40, 2000];
const collection = engineSchema(schema);
const whole = SIZES.map((size) => buildSegment(collection, Array.from({ length: size }, document)));

const other = createArena(1);
const otherBinding = bindArena(other, 0);
let otherPtr = regionsStart(1);

function moveViews({ u8 }: RegionViews): RegionViews {
  const views = viewRegion(other, { arena: 1, ptr: otherPtr, bytes: u8.length });
  views.u8.set(u8);
  otherPtr += Math.ceil(u8.length / 4096) * 4096;
  return views;
}

/** The segment in another arena. */
function moved({ reader, liveDocs, liveCount }: SearchableSegment): SearchableSegment {
  const open = new OpenSegment(moveViews(reader.views), otherBinding, cacheBudget);
  return new SearchableSegment(open, liveDocs === null ? null : moveViews(liveDocs), liveCount);
}

const sparse = (segment: SearchableSegment, step: number): SearchableSegment =>
  withoutDocuments(
    segment,
    Array.from({ length: segment.maxDoc }, (_, doc) => doc).filter((doc) => doc % step === step - 1),
  );

assert.ok(whole[0].reader.prefixPostings.count > 0);

function collectionOf(segments: SearchableSegment[]): InProcessCollection {
  const made = new InProcessCollection(schema);
  made.segments = segments;
  return made;
}

const COLLECTIONS = {
  whole: collectionOf(whole),
  deleted: collectionOf(whole.map((segment, i) => (i === 1 || i === 3 ? segment : sparse(segment, 2 + i)))),
  scattered: collectionOf(whole.map((segment, i) => (i === 1 || i === 2 || i === 5 ? moved(segment) : segment))),
  both: collectionOf(whole.map((segment, i) => (i % 2 === 0 ? moved(sparse(segment, 3)) : segment))),
};

const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom('com', 'wab', 'w1', 'comon', 'hlaf', 'tenht', 'nothing', 'ww', 'x'),
  fc.constantFrom('"common half"', '"half w wa"', '"common common half"', '"tents rare"', '"once common"', '"half"'),
);
const query = fc.record({
  q: fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(' ')),
  query_by: fc.constantFrom('title', 'body', 'title,body'),
  match_mode: fc.constantFrom('all', 'any'),
  prefix: fc.boolean(),
  typo_tolerance: fc.boolean(),
  ranking: fc.constantFrom('bm25', 'best'),
  limit: fc.constantFrom(0, 1, 10, 250),
  offset: fc.constantFrom(0, 0, 3, 9000),
  sort: fc.constantFrom('_text_match:desc', '_text_match:desc,rank:desc', '_text_match:desc,rank:asc'),
});

for (const [name, searched] of Object.entries(COLLECTIONS))
  test(`a sweep answers as the general way does: segments ${name}`, async () => {
    const property = fc.asyncProperty(query, async (params) => {
      const swept = await searched.search('', params);
      const general = await searched.search('', { ...params, facet: 'kind' });
      assert.equal(swept.found, general.found);
      assert.deepEqual(swept.hits, general.hits);
    });
    await fc.assert(property, { numRuns: 120 });
  });

/** Each token is one list of a field, which is short, sparse or ranked: counted apart from scoring. */
const exactQuery = fc.record({
  q: fc.array(fc.constantFrom(...WORDS, 'wab', 'w1'), { minLength: 1, maxLength: 5 }).map((all) => all.join(' ')),
  query_by: fc.constantFrom('title', 'title', 'body', 'title,body'),
  match_mode: fc.constantFrom('all', 'any'),
  ranking: fc.constantFrom('bm25', 'best'),
  limit: fc.constantFrom(0, 1, 10, 10, 250),
  offset: fc.constantFrom(0, 0, 3, 9000),
  sort: fc.constantFrom('_text_match:desc', '_text_match:desc,rank:desc', '_text_match:desc,rank:asc'),
});

for (const [name, searched] of Object.entries(COLLECTIONS))
  test(`exact tokens are joined as the general way matches them: segments ${name}`, async () => {
    const property = fc.asyncProperty(exactQuery, async (params) => {
      const exact = { ...params, prefix: false, typo_tolerance: false };
      const swept = await searched.search('', exact);
      const general = await searched.search('', { ...exact, facet: 'kind' });
      assert.equal(swept.found, general.found);
      assert.deepEqual(swept.hits, general.hits);
    });
    await fc.assert(property, { numRuns: 250 });
  });

test('how segments lie in arenas never shows', async () => {
  const property = fc.asyncProperty(query, async (params) => {
    const { found, hits } = await COLLECTIONS.whole.search('', params);
    const scattered = await COLLECTIONS.scattered.search('', params);
    assert.equal(scattered.found, found);
    assert.deepEqual(scattered.hits, hits);
  });
  await fc.assert(property, { numRuns: 40 });
});

test('a sweep asks again and again whether it is to go on, and one that was stopped leaves nothing behind', () => {
  const { segments } = COLLECTIONS.both;
  const search = { ...SEARCH_DEFAULTS, q: 'w common half tenth', matchMode: 'any', typoTolerance: false } as const;
  const run = (searcher: Searcher): string => {
    const out = new JsonWriter(new Uint8Array(4096), RESPONSE_BYTES_MAX);
    searcher.search(search, freshTarget(collection, segments), out);
    return new TextDecoder().decode(out.bytes()).replace(/"search_time_ms":[\d.]+/, '');
  };
  let looks = 0;
  let stopAt = Number.POSITIVE_INFINITY;
  const check = (): void => {
    if (++looks === stopAt) throw new ReadStopped('interrupted');
  };
  const stopped = new Searcher({ ...NO_LIMIT, check });
  const answer = run(stopped);
  const all = looks;
  assert.ok(all > 20, `${all} looks`);
  for (stopAt = 1; stopAt <= all; stopAt += 1 + (stopAt >> 2)) {
    looks = 0;
    assert.throws(() => run(stopped), ReadStopped);
    // As whoever began the read does.
    for (const { binding } of segments) clearScratch(binding.scratch);
    assert.equal(run(new Searcher(NO_LIMIT)), answer);
  }
});
