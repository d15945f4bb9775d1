/**
 * Pages of a search by relevance with bonuses: they never skip or repeat a document, within the window of those that get
 * bonuses, behind it and across its end, however the documents lie in segments; and near ties go by the sorting field.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleDocument, OracleSchema } from '../../oracle/collection.js';
import { OracleCollection } from '../../oracle/collection.js';
import { orderOf } from '../../oracle/order.js';
import { putInOrder } from '../../oracle/ranking.js';
import { searchOracle } from '../../oracle/search.js';
import { randomNumbers, resetRegions } from '../../support/engine-arena.js';
import { InProcessCollection } from '../../support/engine-collection.js';
import { closeTo } from '../../support/expect.js';

type Query = Record<string, string | boolean>;

const flags = { index: true, facet: false, filter: false, sort: false, boost: null };
const schema = (extra: Partial<OracleSchema> = {}): OracleSchema => ({
  fields: [
    { ...flags, name: 'title', type: 'text' },
    { ...flags, name: 'body', type: 'text' },
    { ...flags, name: 'rank', type: 'int', filter: true, sort: true },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: 'rank',
  ...extra,
});

const random = randomNumbers(5);
const WORDS = ['star', 'star', 'wars', 'wars', 'new', 'old', 'far'];
const words = (count: number): string => Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(' ');
const DOCUMENTS = Array.from({ length: 700 }, (_, i): OracleDocument => {
  // At most four words, so that no term frequency is rounded.
  const title = random(5) === 0 ? [words(1 + random(2)), words(1 + random(2))] : words(1 + random(4));
  return { id: `d${i}`, title, body: random(2) === 0 ? words(random(5)) : '', rank: random(40) };
});

function collect(
  extra: Partial<OracleSchema>,
  batches: number,
  documents: readonly OracleDocument[] = DOCUMENTS,
  deleted = 40,
): InProcessCollection {
  resetRegions();
  const collection = new InProcessCollection(schema(extra));
  const size = Math.ceil(documents.length / batches);
  for (let from = 0; from < documents.length; from += size) collection.index(documents.slice(from, from + size));
  for (const { id } of documents.slice(0, deleted)) collection.delete(id);
  return collection;
}

async function idsOf(collection: InProcessCollection, params: Query, size: number, end: number): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; offset < end; offset += size) {
    const limit = Math.min(size, end - offset);
    const { hits } = await collection.search('', { ...params, limit, offset });
    ids.push(...hits.map(({ document }) => String(document.id)));
  }
  return ids;
}

const QUERIES: Query[] = [
  { q: 'star' },
  { q: 'star wars' },
  { q: 'star wars', match_mode: 'any' },
  { q: 'wars new star', match_mode: 'any', filter: 'rank:<35' },
  { q: '"star wars" old', match_mode: 'any', query_by: 'title' },
  { q: 'star wars', match_mode: 'any', ranking: 'bm25' },
  { q: 'star war', match_mode: 'any', sort: '_text_match:desc,rank:asc' },
];

test('small pages, one after another, are the large ones, in whatever segments the documents lie', async () => {
  for (const nearTies of [false, true]) {
    const extra = nearTies ? { near_ties: true } : {};
    for (const params of QUERIES) {
      const whole = await idsOf(collect(extra, 1), params, 250, 600);
      assert.ok(whole.length > 260, `${whole.length} hits of ${params['q']}: too few to tell`);
      assert.equal(new Set(whole).size, whole.length, 'no document twice');
      const pages = collect(extra, 9);
      assert.deepEqual(await idsOf(pages, params, 7, 600), whole, JSON.stringify({ ...params, nearTies }));
      assert.deepEqual(await idsOf(pages, params, 49, 600), whole);
    }
  }
});

const ALIKE = ['star', 'stars', 'start', 'stark', 'wars', 'war', 'was', 'far', 's', 'st', 'other', 'another'];

/** Single values of up to thirty words, so that few documents come near the first ones; and words that begin alike. */
function singleValued(count: number, seed: number, vocabulary = ALIKE): OracleDocument[] {
  const next = randomNumbers(seed);
  const text = (most: number): string =>
    Array.from({ length: 1 + next(1 + next(most)) }, () => vocabulary[next(vocabulary.length)]).join(' ');
  return Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    title: text(next(3) === 0 ? 3 : 30),
    body: next(3) === 0 ? text(10) : '',
    rank: next(40),
  }));
}

const BOUNDED: Query[] = [
  ...['star', 'stars', 's', 'st', 'sta', 'stxr', 'wrs', 'anothr', 'xother'].map((q) => ({ q })),
  ...['star', 's', 'stxr', 'xother'].map((q) => ({ q, query_by: 'title' })),
  { q: 'star', prefix: false, typo_tolerance: false },
  { q: 'war', query_by: 'title', prefix: false, filter: 'rank:<30' },
  { q: 'star', sort: '_text_match:desc,rank:asc' },
  { q: 'other war', match_mode: 'any' },
];

test('what need not be kept for a page is not on it: single values, one word, completions and corrections', async () => {
  for (const [seed, nearTies, deleted, stem] of [
    [1, false, 0, undefined],
    [2, true, 30, undefined],
    [3, false, 300, 'english'],
  ] as const) {
    const { fields } = schema();
    const extra = {
      fields: fields.map((field) => (field.type === 'text' && stem !== undefined ? { ...field, stem } : field)),
      ...(nearTies ? { near_ties: true } : {}),
    };
    // "xother" is written as one of two words that no document has side by side.
    const documents = [...singleValued(1500, seed), { id: 'x', title: 'x', rank: 1 }];
    await comparePages(collect(extra, 5, documents, deleted), BOUNDED);
  }
});

/** Small pages of `collection` are the beginning of the whole window, of which all documents are kept. */
async function comparePages(collection: InProcessCollection, queries: readonly Query[]): Promise<void> {
  for (const params of queries) {
    const whole = await collection.search('', { ...params, limit: 250 });
    const all = whole.hits.map(({ document, text_match }) => [document.id, text_match]);
    for (const limit of [1, 3, 10, 40]) {
      const page = await collection.search('', { ...params, limit });
      const hits = page.hits.map(({ document, text_match }) => [document.id, text_match]);
      assert.deepEqual(hits, all.slice(0, limit), JSON.stringify({ ...params, limit }));
      assert.equal(page.found, whole.found);
    }
    const later = await collection.search('', { ...params, limit: 7, offset: 12 });
    assert.deepEqual(
      later.hits.map(({ document }) => document.id),
      all.slice(12, 19).map(([id]) => id),
    );
  }
}

test('nor where lists have bits and ranks, and a prefix has postings of its own', async () => {
  const completed = Array.from({ length: 80 }, (_, i) => `u${i.toString(36)}x`);
  const frequent = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'star' : 's'));
  const vocabulary = [...ALIKE, ...frequent, ...completed, 'rare'];
  const { fields } = schema();
  for (const [seed, nearTies, deleted] of [
    [11, false, 0],
    [12, true, 0],
    [13, false, 900],
  ] as const) {
    const documents = singleValued(16000, seed, vocabulary);
    // A completion stands there more often than what was typed, and scores higher.
    for (let i = 0; i < 64; i++) {
      const often = `${completed[i]} `.repeat(2 + (i % 4)).trim();
      documents[40 * i + 900] = { id: `o${i}`, title: i % 2 === 0 ? `u ${often}` : `${often} u`, body: '', rank: i };
    }
    const titleOnly = fields.map((field) => (field.name === 'body' ? { ...field, index: false } : field));
    for (const extra of [{}, { fields: titleOnly }]) {
      const ties = nearTies ? { near_ties: true } : {};
      await comparePages(collect({ ...extra, ...ties }, 1, documents, deleted), [
        ...['star', 's', 'u', 'rare', 'war'].map((q) => ({ q })),
        ...['star', 's', 'rare'].map((q) => ({ q, prefix: false, typo_tolerance: false })),
        ...['star', 's', 'u'].map((q) => ({ q, query_by: 'title', sort: '_text_match:desc' })),
      ]);
    }
  }
});

test('only the best 250 by BM25 get bonuses, and stay above the others', async () => {
  const oracle = new OracleCollection(schema());
  for (const document of DOCUMENTS) oracle.upsert(document);
  for (const { id } of DOCUMENTS.slice(0, 40)) oracle.delete(id);
  const collection = collect({}, 4);
  const request = { q: 'star wars', match_mode: 'any' } as const;
  const expected = new Map(searchOracle(oracle, request).map((match) => [match.stored.document.id, match]));
  const plain = [...searchOracle(oracle, { ...request, ranking: 'bm25' })].sort(orderOf(oracle, []));
  const pages = await Promise.all(
    [0, 250, 500].map((offset) => collection.search('', { ...request, limit: 250, offset })),
  );
  const hits = pages.flatMap((page) => page.hits);
  assert.equal(hits.length, expected.size);
  for (const { document, text_match } of hits) {
    const { text_match: score = NaN, orElse = NaN } = expected.get(String(document.id)) ?? {};
    assert.ok(closeTo(text_match, score, 1e-5) || closeTo(text_match, orElse, 1e-5), `${document.id}: ${text_match}`);
  }
  const behind = plain.slice(300).map(({ stored }) => stored.document.id);
  assert.deepEqual(
    hits.slice(300).map(({ document }) => document.id),
    behind,
    'BM25 order behind the window',
  );
  const scores = hits.map(({ text_match }) => text_match);
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  );
});

test('scores within 2 % of the better one are ties for the default sorting field, if the collection says so', async () => {
  const oracle = new OracleCollection(schema({ near_ties: true }));
  for (const document of DOCUMENTS) oracle.upsert(document);
  const collection = collect({ near_ties: true }, 3);
  const { hits } = await collection.search('', { q: 'star wars', limit: 250 });
  const ranked = hits.map(({ document, text_match }) => {
    const stored = oracle.stored.get(String(document.id));
    assert.ok(stored);
    return { stored, text_match };
  });
  assert.deepEqual(ranked, putInOrder(oracle, {}, ranked, true));
  const byScore = [...ranked].sort(orderOf(oracle, []));
  assert.notDeepEqual(ranked, byScore, 'some near tie is broken');
  const plain = await collection.search('', { q: 'star wars', limit: 250, ranking: 'bm25' });
  const scores = plain.hits.map(({ text_match }) => text_match);
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
    'not with ranking=bm25',
  );
});
