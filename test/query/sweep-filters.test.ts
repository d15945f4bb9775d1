/**
 * Sweeps with filters and exclusions, against the same searches with a facet of 64-bit values, which look at each match: same count, same hits,
 * same scores to the last bit, whether the bits of a filter are kept or made for the search.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import { OpenSegment, SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection, searchTarget } from '../support/engine-collection.js';
import { COLLECTIONS, collectionOf, WORDS } from './swept-collections.js';

const field = { index: true, facet: false, filter: true, sort: false, boost: null };
const SHOP: OracleSchema = {
  fields: [
    { ...field, name: 'title', type: 'text', filter: false },
    { ...field, name: 'brand', type: 'keyword' },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** `rank` goes from 0 to 49, and a tenth of the documents have none. */
const filter = fc.oneof(
  fc.constantFrom('rank:>=0', 'rank:>24', 'rank:7', 'rank:!=7', 'rank:>60', 'rank:[3..5]'),
  // None of these comes twice.
  fc.nat({ max: 1 << 30 }).map((n) => `rank:[${n % 50}..${50 + n}]`),
);
const excluded = fc.constantFrom('', '', ' -half', ' -rare', ' -"common half"', ' -w -tenth', ' -nothing');
const more = {
  query_by: fc.constantFrom('title', 'title', 'body', 'title,body'),
  match_mode: fc.constantFrom('all', 'any'),
  ranking: fc.constantFrom('bm25', 'best'),
  limit: fc.constantFrom(0, 1, 10, 250),
  offset: fc.constantFrom(0, 0, 3, 9000),
  sort: fc.constantFrom('_text_match:desc', '_text_match:desc,rank:desc', '_text_match:desc,rank:asc'),
};
const word = fc.constantFrom(...WORDS, 'wab', 'w1');
const typed = fc.oneof(word, fc.constantFrom('com', 'w', 'comon', 'hlaf', '"common half"', '"half w wa"', '"half"'));

const requestOf = (words: fc.Arbitrary<string>, of: { prefix: boolean; typo_tolerance: boolean }[]) =>
  fc
    .record({
      words: fc.array(words, { minLength: 1, maxLength: 3 }),
      excluded,
      filter: fc.option(filter, { nil: 'rank:>=0', freq: 8 }),
      how: fc.constantFrom(...of),
      more: fc.record(more),
    })
    .map(({ words: all, how, ...one }) => ({
      ...one.more,
      ...how,
      q: all.join(' ') + one.excluded,
      filter: one.filter,
    }));

const exact = { prefix: false, typo_tolerance: false };
const REQUESTS = {
  'exact tokens': requestOf(word, [exact]),
  'all kinds of tokens': requestOf(typed, [exact, { prefix: true, typo_tolerance: true }, { ...exact, prefix: true }]),
};

for (const [name, searched] of Object.entries(COLLECTIONS))
  for (const [kind, request] of Object.entries(REQUESTS))
    test(`a sweep with a filter answers as the general way does: ${kind}, segments ${name}`, async () => {
      const property = fc.asyncProperty(request, async (params) => {
        const swept = await searched.search('', params);
        const general = await searched.search('', { ...params, facet: 'weight' });
        assert.equal(swept.found, general.found);
        assert.deepEqual(swept.hits, general.hits);
      });
      await fc.assert(property, { numRuns: 150 });
    });

/** The segments, with room to keep the bits of the filters of `chunks` chunks. */
function forgetful(segments: readonly SearchableSegment[], chunks: number): SearchableSegment[] {
  const budget = new CacheBudget(chunks * 9500);
  return segments.map(({ open, binding, liveDocs, liveCount }) => {
    const own = new OpenSegment(open.reader.views, binding, budget);
    return new SearchableSegment(own, liveDocs, liveCount);
  });
}

for (const chunks of [0, 1, 2, 3, 6])
  test(`bits that take the place of others never pass for them: room for ${chunks} chunks`, async () => {
    const { segments } = COLLECTIONS.deleted;
    const searched = collectionOf(forgetful(segments, chunks));
    const property = fc.asyncProperty(REQUESTS['exact tokens'], async (params) => {
      const expected = await COLLECTIONS.deleted.search('', { ...params, facet: 'weight' });
      for (let times = 0; times < 3; times++) {
        // Only the first segment has the word: its bits are kept, and have to go when those of others are.
        await searched.search('', { ...params, q: 'first', facet: 'weight' });
        const { found, hits } = await searched.search('', params);
        assert.equal(found, expected.found);
        assert.deepEqual(hits, expected.hits);
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });

test('a segment in which nothing passes does not tell what a document has to score', () => {
  resetRegions();
  const collection = new InProcessCollection(SHOP);
  collection.segments = [];
  const long = Array.from({ length: 20 }, (_, i) => `word${i}`).join(' ');
  for (const [brand, title] of [
    ['a', 'common'],
    ['b', `common ${long}`],
  ]) {
    const documents = Array.from({ length: 300 }, (_, i) => ({ id: `${brand}${i}`, title, brand }));
    collection.index(documents as unknown as OracleDocument[]);
  }
  for (const ranking of ['bm25', 'best']) {
    for (const prefix of [true, false]) {
      const params = { q: 'common', query_by: 'title', filter: 'brand:=b', limit: 10, typo_tolerance: false };
      const { found, hits } = searchTarget(collection.target, { ...params, ranking, prefix });
      assert.equal(found, 300);
      assert.equal(hits.length, 10, `${ranking}, ${prefix}`);
    }
  }
});
