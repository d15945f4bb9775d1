/**
 * Sweeps that count facets, against the same searches with one more facet, of 64-bit values, which look at each match: same count,
 * same hits, same facets.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { COLLECTIONS, WORDS } from './swept-collections.js';

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS, 'wab', 'w1') },
  fc.constantFrom(
    'com',
    'comon',
    'hlaf',
    '"common half"',
    '"half w wa"',
    '"half"',
    '-tenth',
    '-half',
    '-"common half"',
  ),
);
const exact = { prefix: false, typo_tolerance: false };
const request = fc
  .record({
    words: fc.array(word, { minLength: 1, maxLength: 4 }),
    how: fc.constantFrom(exact, exact, { prefix: true, typo_tolerance: true }, { ...exact, prefix: true }),
    query_by: fc.constantFrom('title', 'title', 'body', 'title,body'),
    match_mode: fc.constantFrom('all', 'any'),
    ranking: fc.constantFrom('bm25', 'best'),
    limit: fc.constantFrom(0, 1, 10, 250),
    sort: fc.constantFrom('_text_match:desc', '_text_match:desc,rank:asc'),
    filter: fc.option(fc.constantFrom('rank:>=0', 'rank:>24', 'rank:7', 'rank:>60')),
    facet: fc.constantFrom('kind', 'tags', 'name', 'rank', 'kind,tags', 'kind,name,rank,tags'),
  })
  .map(({ words, how, filter, ...more }) => ({
    ...more,
    ...how,
    q: words.join(' '),
    ...(filter === null ? {} : { filter }),
  }));

for (const [name, searched] of Object.entries(COLLECTIONS))
  test(`a sweep counts facets as the general way does: segments ${name}`, async () => {
    const property = fc.asyncProperty(request, async (params) => {
      const swept = await searched.search('', params);
      const general = await searched.search('', { ...params, facet: `${params.facet},weight` });
      assert.equal(swept.found, general.found);
      assert.deepEqual(swept.hits, general.hits);
      const { weight, ...facets } = general.facets ?? {};
      assert.notEqual(weight, undefined);
      assert.equal(JSON.stringify(swept.facets), JSON.stringify(facets));
    });
    await fc.assert(property, { numRuns: 200 });
  });
