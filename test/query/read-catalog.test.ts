/**
 * What a reader thread knows of collections, when updates come late, in heaps, or name memory that is gone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import { RESPONSE_BYTES_MAX } from '../../engine/core/limits.js';
import { ReadStopped } from '../../engine/core/read-stopped.js';
import type { SearchRequest } from '../../engine/core/requests.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import {
  SCRATCH_LUT,
  SCRATCH_MATCHED,
  SCRATCH_PHRASE_LEFT,
  SCRATCH_PHRASE_MATCHED,
  SCRATCH_TMP,
} from '../../engine/layout/scratch.js';
import { type ExpansionCache, KnownToken } from '../../engine/query/expand/expansion-cache.js';
import { NO_LIMIT, type ReadBudget } from '../../engine/query/read-budget.js';
import { ReadCatalog } from '../../engine/query/read-catalog.js';
import { Searcher } from '../../engine/query/searcher.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { CollectionDescriptor, ReaderUpdate, SegmentDescriptor } from '../../engine/segment/updates.js';
import { EditWalk } from '../../engine/terms/edit-walk.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import { analyzeTokens } from '../../engine/text/query-tokens.js';
import { arena, takeViews } from '../support/engine-arena.js';
import { buildSegment, cacheBudget, withoutDocuments } from '../support/engine-collection.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';
import { packRanges } from '../support/segment-ranges.js';

const schema = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });

const describe = (id: number, { reader, liveDocs, liveCount }: SearchableSegment): SegmentDescriptor => ({
  id,
  region: reader.views.region,
  liveDocs: liveDocs === null ? null : liveDocs.region,
  liveCount,
});

const collection = (...segments: SegmentDescriptor[]): CollectionDescriptor => ({ id: 1, schema, segments });

function newCatalog(budget = cacheBudget): ReadCatalog {
  const catalog = new ReadCatalog(0, budget);
  catalog.apply({ kind: 'arena', arena });
  return catalog;
}

/** Has `cache` remember something of the token `text`. */
function remember(cache: ExpansionCache, text: string): void {
  const [token] = analyzeTokens(text, new Analyzer());
  const known = new KnownToken(token);
  known.setExpansion(0, {
    ranges: packRanges([[1, 2, 0]]),
    df: 1,
    largestDf: 1,
    completions: null,
    isTerm: true,
    isKnown: true,
  });
  cache.keep(cache.tokensOf('0'), known);
}

test('an update whose memory is gone is never looked at when a later one follows', () => {
  const catalog = newCatalog();
  const garbage: SegmentDescriptor = { id: 1, region: takeViews(8192).region, liveDocs: null, liveCount: 3 };
  const segment = buildSegment(schema, [{ id: 'a' }]);
  catalog.apply({ kind: 'collection', collection: collection(garbage) });
  catalog.apply({ kind: 'collection', collection: collection(describe(2, segment)) });
  assert.equal(catalog.target(1, NO_LIMIT)?.segments.length, 1);
  assert.equal(catalog.target(1, NO_LIMIT)?.segments[0].maxDoc, 1);
  catalog.apply({ kind: 'collection', collection: collection(garbage) });
  catalog.apply({ kind: 'drop', collectionId: 1 });
  assert.equal(catalog.target(1, NO_LIMIT), null);
});

test('a segment is opened once and kept from generation to generation', () => {
  const catalog = newCatalog();
  const first = buildSegment(schema, [{ id: 'a' }, { id: 'b' }]);
  const second = buildSegment(schema, [{ id: 'c' }]);
  catalog.apply({ kind: 'collection', collection: collection(describe(1, first)) });
  const open = catalog.target(1, NO_LIMIT)?.segments[0].open;
  assert.equal(catalog.target(1, NO_LIMIT), catalog.target(1, NO_LIMIT), 'a generation is one object');
  const deleted = withoutDocuments(first, [0]);
  catalog.apply({ kind: 'collection', collection: collection(describe(1, deleted), describe(2, second)) });
  const target = catalog.target(1, NO_LIMIT);
  assert.equal(target?.segments[0].open, open);
  assert.equal(target?.segments[0].liveCount, 1);
  assert.equal(target?.segments[0].findDocument(new Uint8Array(Buffer.from('a'))), -1);
  assert.equal(target?.segments[0].findDocument(new Uint8Array(Buffer.from('b'))), 1);
  assert.equal(target?.segments[1].maxDoc, 1);
});

test('an unknown collection has no target', () => {
  assert.equal(newCatalog().target(1, NO_LIMIT), null);
});

const REQUEST: SearchRequest = { ...SEARCH_DEFAULTS, collection: 'c' };

test('thousands of collections that are searched stay within one budget, and answer as without any', () => {
  const COLLECTIONS = 3000;
  const budget = new CacheBudget(1 << 20);
  const catalog = newCatalog(budget);
  const words = ['wireless', 'keyboard', 'mouse', 'cable', 'wire', 'keys'];
  const segments = words.map((word, i) =>
    buildSegment(
      schema,
      words.map((other, j) => ({ id: `${i}-${j}`, title: `${word} ${other}` })),
    ),
  );
  for (let id = 1; id <= COLLECTIONS; id++) {
    const own = segments.slice(id % 5).map((segment, i) => describe(i + 1, segment));
    catalog.apply({ kind: 'collection', collection: { id, schema, segments: own } });
  }
  const searcher = new Searcher(NO_LIMIT);
  const answer = (id: number, q: string): string => {
    const target = catalog.target(id, NO_LIMIT);
    assert.ok(target);
    const out = new JsonWriter(new Uint8Array(1 << 16), RESPONSE_BYTES_MAX);
    searcher.search({ ...REQUEST, q }, target, out);
    return Buffer.from(out.bytes())
      .toString()
      .replace(/"search_time_ms":[0-9.]+/, '');
  };
  const expected = new Map<string, string>();
  let most = 0;
  for (let id = 1; id <= COLLECTIONS; id++) {
    for (const q of ['wireles', 'keybord mouse', 'cab']) {
      const found = answer(id, q);
      most = Math.max(most, budget.bytes);
      const key = `${id % 5} ${q}`;
      assert.equal(found, expected.get(key) ?? found);
      expected.set(key, found);
    }
  }
  assert.ok(most <= budget.bytesMax, `${most} bytes`);
  assert.ok(most > budget.bytesMax / 2, 'the budget is made use of');
  assert.ok(budget.evictions > COLLECTIONS, `${budget.evictions} evictions`);
  const { misses } = budget.counts;
  answer(COLLECTIONS, 'wireles');
  assert.equal(budget.counts.misses, misses, 'what was used last is still known');
  for (let id = 1; id <= COLLECTIONS; id++) catalog.apply({ kind: 'drop', collectionId: id });
  assert.equal(budget.bytes, 0, 'nothing is remembered of what is gone');
});

const tv = (synonym: string): ReaderUpdate => ({
  kind: 'rules',
  collectionId: 1,
  changes: [{ kind: 'synonym', id: 'x', rule: { root: 'tv', synonyms: [synonym] } }],
});

test('synonyms are those posted last, whether a query came in between or not, and end the generation', () => {
  const budget = new CacheBudget(1 << 20);
  const catalog = newCatalog(budget);
  const tokens = analyzeTokens('tv', new Analyzer());
  const targets = (): readonly string[] =>
    (catalog.target(1, NO_LIMIT)?.rules?.synonymsAt(tokens, 0) ?? []).flatMap((match) =>
      match.targets.map(([{ bytes }]) => Buffer.from(bytes).toString()),
    );
  const segment = buildSegment(schema, [{ id: 'a', title: 'wireless' }]);
  const published = (): void => catalog.apply({ kind: 'collection', collection: collection(describe(1, segment)) });
  published();
  assert.equal(catalog.target(1, NO_LIMIT)?.rules, null);
  const before = catalog.target(1, NO_LIMIT);
  assert.ok(before);
  remember(before.expansions, 'word');
  const remembered = budget.bytes;
  catalog.apply(tv('radio'));
  assert.ok(budget.bytes < remembered, 'expansions are forgotten');
  assert.deepEqual(targets(), ['radio']);
  assert.notEqual(catalog.target(1, NO_LIMIT), before);
  catalog.apply(tv('television'));
  catalog.apply(tv('telly'));
  published();
  assert.deepEqual(targets(), ['telly']);
  const rules = catalog.target(1, NO_LIMIT)?.rules;
  published();
  assert.equal(catalog.target(1, NO_LIMIT)?.rules, rules, 'documents change nothing of it');
  catalog.apply({ kind: 'rules', collectionId: 1, changes: [{ kind: 'synonym', id: 'x', rule: null }] });
  assert.equal(catalog.target(1, NO_LIMIT)?.rules, null);
  catalog.apply(tv('radio'));
  catalog.apply({ kind: 'drop', collectionId: 1 });
  published();
  assert.equal(catalog.target(1, NO_LIMIT)?.rules, null, 'what is gone has left nothing');
});

test('synonyms that take long are made ready piece by piece, and those that come and go while nobody asks leave nothing', () => {
  const catalog = newCatalog();
  const segment = buildSegment(schema, [{ id: 'a', title: 'wireless' }]);
  catalog.apply({ kind: 'collection', collection: collection(describe(1, segment)) });
  const post = (id: string, synonyms: string[] | null): void =>
    catalog.apply({
      kind: 'rules',
      collectionId: 1,
      changes: [{ kind: 'synonym', id, rule: synonyms === null ? null : { root: null, synonyms } }],
    });
  // Of these one alone takes more than is allowed at once.
  post(
    'long',
    Array.from({ length: 60 }, (_, i) => `a${i} synonym of several words that is long`),
  );
  for (let i = 0; i < 200; i++) post(`x${i}`, [`word${i}`, `other${i}`]);
  let toScan = 0;
  let scannedInAll = 0;
  const budget: ReadBudget = {
    ...NO_LIMIT,
    expectScan(bytes) {
      if (bytes > toScan) throw new ReadStopped('demoted');
      toScan -= bytes;
      scannedInAll += bytes;
    },
  };
  let tries = 0;
  for (let target = null; target === null; tries++) {
    toScan = 40_000;
    try {
      target = catalog.target(1, budget);
    } catch (error) {
      assert.ok(error instanceof ReadStopped);
    }
  }
  assert.ok(tries > 3 && tries < 20, `${tries} tries`);
  const tokens = analyzeTokens('word7', new Analyzer());
  assert.equal(catalog.target(1, NO_LIMIT)?.rules?.synonymsAt(tokens, 0).length, 1);
  const scanned = scannedInAll;
  for (let i = 0; i < 1000; i++) {
    post(`y${i}`, ['a', 'b']);
    post(`y${i}`, null);
  }
  post('x7', null);
  toScan = 40_000;
  assert.equal(catalog.target(1, budget)?.rules?.synonymsAt(tokens, 0).length, 0);
  assert.equal(scannedInAll, scanned, 'nothing was left of them');
});

test('a new generation forgets the expansions of the last, and keeps what belongs to its segments', () => {
  const budget = new CacheBudget(1 << 20);
  const catalog = newCatalog(budget);
  const segment = buildSegment(schema, [{ id: 'a', title: 'wireless' }]);
  catalog.apply({ kind: 'collection', collection: collection(describe(1, segment)) });
  const target = catalog.target(1, NO_LIMIT);
  assert.ok(target);
  const opened = budget.bytes;
  remember(target.expansions, 'word');
  assert.ok(budget.bytes > opened);
  const token = new Uint8Array(Buffer.from('wireles'));
  const remembered = budget.bytes;
  assert.equal(target.segments[0].corrections(new EditWalk(token, 1)).length, 2);
  const walk = budget.bytes - remembered;
  assert.ok(walk > 0);
  catalog.apply({ kind: 'collection', collection: collection(describe(1, segment)) });
  assert.equal(budget.bytes, opened + walk);
  assert.equal(
    catalog.target(1, NO_LIMIT)?.segments[0].corrections(new EditWalk(token, 1)),
    target.segments[0].corrections(new EditWalk(token, 1)),
  );
  remember(target.expansions, 'late');
  assert.equal(budget.bytes, opened + walk, 'nothing is added to a generation that is over');
  catalog.apply({ kind: 'collection', collection: collection() });
  catalog.target(1, NO_LIMIT);
  assert.equal(budget.bytes, 192, 'an empty collection');
});

/** What is all zero between chunks, by where it begins in a scratch area. */
const ZEROS: readonly (readonly [from: number, to: number])[] = [
  [SCRATCH_TMP, SCRATCH_MATCHED],
  [SCRATCH_MATCHED, SCRATCH_PHRASE_MATCHED],
  [SCRATCH_PHRASE_MATCHED, SCRATCH_PHRASE_LEFT],
];

/** Writes over what a query left behind in `unused`, a part of a scratch area. */
function spoil(unused: Uint8Array): void {
  unused.fill(0xa5);
  // It begins with as much that is not kept.
  if (unused.length === SCRATCH_LUT) for (const [from, to] of ZEROS) unused.fill(0, from, to);
}

test('what searches remember does not lie in scratch memory that is given back between them', () => {
  const catalog = newCatalog();
  const shelves = parseSchema({
    name: 'c',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'shelf', type: 'keyword', facet: true },
      { name: 'place', type: 'int', filter: true, sort: true },
    ],
  });
  const words = ['wireless', 'keyboard', 'mouse', 'cable', 'wire', 'keys', 'weir'];
  const documents = Array.from({ length: 6000 }, (_, i) => ({
    id: `${i}`,
    title: `${words[i % 7]} ${words[(i * 5 + (i >> 3)) % 7]} w${i % 900}`,
    shelf: `s${i % 40}`,
    place: i,
  }));
  const segments = [documents.slice(0, 5000), documents.slice(5000)].map((some) => buildSegment(shelves, some));
  const described = segments.map((segment, i) => describe(i + 1, segment));
  catalog.apply({ kind: 'collection', collection: { id: 1, schema: shelves, segments: described } });
  const searcher = new Searcher(NO_LIMIT);
  const answer = (request: Partial<SearchRequest>): string => {
    const target = catalog.target(1, NO_LIMIT);
    assert.ok(target);
    const out = new JsonWriter(new Uint8Array(1 << 16), RESPONSE_BYTES_MAX);
    searcher.search({ ...REQUEST, ...request }, target, out);
    return Buffer.from(out.bytes())
      .toString()
      .replace(/"search_time_ms":[0-9.]+/, '');
  };
  const requests: Partial<SearchRequest>[] = [
    { q: 'w' },
    { q: 'wireles keybord' },
    { q: 'mouse cable', matchMode: 'any', facet: 'shelf' },
    { q: '"wire mouse"' },
    { q: 'key', filter: 'place:>400 && shelf:=[s1, s2, s3]' },
    { q: '', facet: 'shelf', sort: 'place:desc', filter: 'place:<3000' },
  ];
  const expected = requests.map(answer);
  for (const [i, text] of expected.entries()) assert.ok(!text.includes('"found":0,'), JSON.stringify(requests[i]));
  for (let round = 0; round < 2; round++) {
    for (const [i, request] of requests.entries()) {
      catalog.releaseScratch(spoil);
      assert.equal(answer(request), expected[i], JSON.stringify(request));
    }
  }
});
