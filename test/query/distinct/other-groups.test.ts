/**
 * Groups whose documents all lie behind those that are put in order at first: any order, several segments, and more matches than are
 * ever in order at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleDocument } from '../../oracle/collection.js';
import { groupsOf } from '../../oracle/distinct.js';
import type { Params } from '../../support/client.js';
import { InProcessCollection } from '../../support/engine-collection.js';
import type { Hit } from '../../support/wire.js';
import { randomNumbers } from '../sort/segments.js';

const flags = { index: true, facet: true, filter: true, sort: true, boost: null };
const SCHEMA = {
  fields: [
    { ...flags, name: 'title', type: 'text' as const },
    { ...flags, name: 'brand', type: 'keyword' as const },
    { ...flags, name: 'maker', type: 'int' as const },
    { ...flags, name: 'n', type: 'int' as const },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** Few documents of nearly all groups come behind many of one. */
function makeDocuments(count: number, from: number, random: (bound: number) => number): OracleDocument[] {
  return Array.from({ length: count }, (_, i) => {
    const group = random(10) < 9 ? 0 : random(60);
    const words = `common ${group === 0 ? 'common rare' : 'other words'} w${random(50)}`;
    const hasGroup = random(200) > 0;
    return {
      ...{ id: `${from + i}`, title: words, n: random(1000) },
      ...(hasGroup && { brand: random(50) === 0 ? [`b${group}`, 'z'] : `b${group}`, maker: 2 ** 40 * group - 7 }),
    };
  });
}

const random = randomNumbers(7);
const collection = new InProcessCollection(SCHEMA);
for (let s = 0; s < 3; s++) collection.index(makeDocuments(4000, 4000 * s, random));
for (let i = 0; i < 200; i++) collection.delete(`${random(12_000)}`);

const search = (params: Params) => collection.search('test', { limit: 250, ...params });

/** All hits in order, as far as pages go. */
async function allHits(params: Params): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (let offset = 0; offset < 10_000; offset += 250) hits.push(...(await search({ ...params, offset })).hits);
  return hits;
}

const first = (value: unknown): string | null =>
  value === undefined ? null : String(Array.isArray(value) ? value[0] : value);

for (const params of [
  { q: '', filter: 'n:<700' },
  { q: '', sort: 'brand:asc', filter: 'n:<800' },
  { q: '', sort: 'maker:desc,n:asc', filter: 'n:<800' },
  { q: 'rare common', match_mode: 'any', filter: 'n:>=200' },
  { q: 'common', ranking: 'bm25', filter: 'n:<800', facet: 'n' },
  { q: 'common', filter: 'n:<800' },
  { q: 'common w7', match_mode: 'any', sort: 'n:asc,_text_match:desc', filter: 'n:<800' },
] as Params[]) {
  test(`every group is found on its page: ${JSON.stringify(params)}`, async () => {
    const hits = await allHits(params);
    const plain = await search({ ...params, limit: 0 });
    assert.equal(hits.length, plain.found, 'all of them are seen');
    for (const distinct of ['brand', 'maker']) {
      const groups = groupsOf(hits, ({ document }) => first(document[distinct]));
      const expected = groups.map(({ hit, count }) => ({ ...hit, distinct_count: count }));
      for (const [offset, limit] of [
        [0, 10],
        [0, 250],
        [5, 40],
        [40, 30],
      ] as const) {
        const response = await search({ ...params, distinct, offset, limit });
        assert.equal(response.found, expected.length, distinct);
        assert.deepEqual(response.hits, expected.slice(offset, offset + limit), `${distinct} ${offset}`);
        assert.deepEqual(response.facets, plain.facets);
      }
    }
  });
}

test('more matches than are ever in order at once hide no group', async () => {
  for (const params of [{ q: '' }, { q: 'common' }, { q: '', sort: 'brand:asc' }] as Params[]) {
    const { facets, found: documents } = await search({ ...params, facet: 'maker', facet_limit: 1000, limit: 0 });
    assert.ok(documents > 10_000);
    const counts = facets?.['maker'] ?? {};
    const { hits, found } = await search({ ...params, distinct: 'maker' });
    assert.equal(hits.length, Math.min(250, found));
    const without = documents - Object.values(counts).reduce((sum, count) => sum + count, 0);
    assert.equal(found, Object.keys(counts).length + without);
    const shown = hits.filter(({ document }) => document['maker'] !== undefined);
    assert.equal(new Set(shown.map(({ document }) => document['maker'])).size, shown.length);
    for (const hit of shown as (Hit & { distinct_count: number })[])
      assert.equal(hit.distinct_count, counts[String(hit.document['maker'])]);
    if (found <= 250) assert.equal(shown.length, Object.keys(counts).length);
  }
});
