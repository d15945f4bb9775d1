/**
 * A search whose chunks several threads collect is answered as by one: to the last bit, in the same order, whoever takes which.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ReadStopped } from '../../../engine/core/read-stopped.js';
import { NO_LIMIT } from '../../../engine/query/read-budget.js';
import { Searcher, type SearchTarget } from '../../../engine/query/searcher.js';
import type { SearchableSegment } from '../../../engine/segment/searchable-segment.js';
import * as arbitrary from '../../engine/arbitraries.js';
import { fitToSchema, paramsOf } from '../../engine/harness.js';
import type { OracleDocument, OracleSchema } from '../../oracle/collection.js';
import type { Params } from '../../support/client.js';
import { randomNumbers, resetRegions } from '../../support/engine-arena.js';
import { InProcessCollection, searchRequest, searchTarget } from '../../support/engine-collection.js';
import type { SearchResponse } from '../../support/wire.js';
import { Turns } from './turns.js';

const RUNS = Number(process.env['SHARED_SEARCH_RUNS'] ?? 100);
function answer(target: SearchTarget, params: Params, turns: Turns | null): Partial<SearchResponse> {
  turns?.ask(searchRequest(params), target);
  const by = turns === null ? undefined : new Searcher(NO_LIMIT, turns);
  const { search_time_ms: _, ...rest } = searchTarget(target, params, by);
  return rest;
}

test('no answer tells which thread took which chunk', async () => {
  const queries = fc.array(arbitrary.request, { minLength: 8, maxLength: 8 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.operations,
    queries,
    fc.integer({ min: 1, max: 3 }),
    fc.infiniteStream(fc.nat(0xffff)),
    async (schema, operations, asked, helpers, draws) => {
      resetRegions();
      const collection = new InProcessCollection(schema);
      for (const operation of operations) {
        if (operation.kind === 'delete') collection.delete(operation.id);
        else for (const document of operation.documents) collection.index([document]);
      }
      if (collection.segments.length === 0) return;
      const turns = new Turns(helpers, (below) => (draws.next().value as number) % below);
      for (const [i, request] of asked.entries()) {
        const plain = paramsOf(fitToSchema(request, schema));
        const params = { ...plain, explain: true, highlight: 'title' };
        const { target } = collection;
        assert.deepEqual(answer(target, params, turns), answer(target, params, null));
        const distinct = arbitrary.VALUE_FIELDS[i % arbitrary.VALUE_FIELDS.length]?.name ?? '';
        const grouped = { ...plain, distinct, facet_stats: true, facet_sort: i % 2 === 0 ? 'value' : 'count' };
        assert.deepEqual(answer(target, grouped, turns), answer(target, grouped, null));
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

const field = { index: true, facet: true, filter: true, sort: true, boost: null };
const SHOP: OracleSchema = {
  fields: [
    { ...field, name: 'title', type: 'text', facet: false, filter: false, sort: false },
    { ...field, name: 'brand', type: 'keyword' },
    { ...field, name: 'tags', type: 'keyword' },
    { ...field, name: 'price', type: 'int' },
    { ...field, name: 'rating', type: 'float' },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

function shopDocuments(first: number, count: number): OracleDocument[] {
  const random = randomNumbers(first + 1);
  return Array.from({ length: count }, (_, i) => ({
    id: `d${first + i}`,
    title: `common word${random(20)} term${random(3000)}`,
    brand: `brand ${random(1 + random(400))}`,
    tags: [`tag${random(30)}`, `tag${random(30)}`],
    price: random(50),
    rating: random(40) / 8,
  })) as unknown as OracleDocument[];
}

/** Ties in all of them: few prices, few ratings, and equal scores. */
const ASKED: readonly Params[] = [
  { sort: 'price:desc', facet: 'brand,tags', limit: 50 },
  { sort: 'brand:asc,rating:desc', facet: 'rating,price', limit: 30, offset: 5 },
  { sort: 'tags:desc', filter: 'price:>10 && rating:<4', limit: 40 },
  { q: 'common', facet: 'brand', limit: 20 },
  { q: 'common word3', facet: 'brand,tags', match_mode: 'any', ranking: 'bm25' },
  { q: 'common word5', facet: 'brand,rating', limit: 3 },
  { q: 'word1', facet: 'brand,tags,price', sort: '_text_match:desc,brand:asc', limit: 30 },
  { q: 'common word7 word1', facet: 'tags', filter: 'price:<21', match_mode: 'any' },
  { q: '"common word5"', facet: 'brand', exclude_fields: 'tags' },
  { q: 'common', query_by: 'title', facet: 'brand', ranking: 'bm25', prefix: false },
  { q: 'word3', query_by: 'title', facet: 'brand,tags', filter: 'price:<22', prefix: false },
  { q: 'comon word3', filter: 'price:<20', ranking: 'bm25' },
  { q: 'common word7', match_mode: 'any', sort: 'brand:desc', facet: 'price' },
  { q: 'common -word3', facet: 'tags', sort: 'rating:asc,_text_match:desc', limit: 250 },
  { q: '"common word5"', filter: 'brand:="brand 3"', sort: '_text_match:asc' },
  { filter: 'price:=7', limit: 0 },
  { limit: 250 },
];

test('chunks of large segments are taken by several, ties and deleted documents among them', () => {
  resetRegions();
  const collection = new InProcessCollection(SHOP);
  collection.segments = [];
  let first = 0;
  for (const count of [150_000, 70_000, 3, 65_536, 500]) {
    collection.index(shopDocuments(first, count));
    first += count;
  }
  for (let i = 0; i < 40; i++) collection.delete(`d${i * 7001}`);
  const { target } = collection;
  const turns = new Turns(2, randomNumbers(3));
  for (const params of ASKED) assert.deepEqual(answer(target, params, turns), answer(target, params, null));
  assert.equal(turns.shared, ASKED.length, 'all were shared');
});

test('of one segment the few values that are shown are those of all chunks, whoever counted them', () => {
  resetRegions();
  const collection = new InProcessCollection(SHOP);
  collection.segments = [];
  collection.index(shopDocuments(0, 200_000));
  assert.equal(collection.segments.length, 1);
  const { target } = collection;
  const turns = new Turns(2, randomNumbers(11));
  const searches: Params[] = [
    { sort: 'price:desc' },
    { q: 'common word3', match_mode: 'any' },
    { q: 'common', filter: 'price:<40' },
  ];
  const ways: Params[] = [
    {},
    { facet_stats: true },
    { facet_query: 'brand:brand 1' },
    { facet_sort: 'value' },
    { distinct: 'brand' },
  ];
  // Ratings are not counted by code.
  for (const facet of ['brand,tags,price,rating', 'tags,brand,price', 'brand'])
    for (const facet_limit of [1, 3, 20])
      for (const way of ways)
        for (const search of searches) {
          const params = { ...search, ...way, facet, facet_limit, limit: 5 };
          assert.deepEqual(answer(target, params, turns), answer(target, params, null));
        }
  assert.equal(turns.shared, 135, 'all were shared');
  assert.ok(turns.lent > 90, 'counters are lent');
  assert.ok(turns.totalled > 5, `helpers add up for ${turns.totalled}`);
});

test('counts of a stage that another one follows are not added up for it', () => {
  resetRegions();
  const collection = new InProcessCollection(SHOP);
  collection.segments = [];
  // Found by what was typed: two; one letter apart: all others.
  const rare = shopDocuments(200_000, 2).map((document) => ({ ...document, title: 'comnon' }));
  collection.index([...shopDocuments(0, 200_000), ...rare] as OracleDocument[]);
  const { target } = collection;
  const turns = new Turns(2, randomNumbers(17));
  for (let limit = 1; limit <= 12; limit++) {
    const params = { q: 'comnon', facet: 'brand,tags', facet_limit: limit, limit };
    assert.deepEqual(answer(target, params, turns), answer(target, params, null));
  }
  assert.equal(turns.shared, 24, 'both stages were shared');
  assert.ok(turns.totalled > 0 && turns.totalled <= 12, `helpers add up for ${turns.totalled}`);
});

test('what a starter has lent itself stays lent while others add up for it', () => {
  resetRegions();
  const collection = new InProcessCollection(SHOP);
  collection.segments = [];
  collection.index(shopDocuments(0, 200_000));
  const { target } = collection;
  const { heap, scratch } = (target.segments[0] as SearchableSegment).binding;
  heap.reset();
  const lent = (heap.allocate(64) - scratch.ptr) / 4;
  scratch.u32.fill(0x5eed, lent, lent + 16);
  heap.hold();
  const turns = new Turns(1, randomNumbers(4));
  const params: Params = { q: 'common word3', match_mode: 'any', facet: 'brand,tags', facet_limit: 7, limit: 5 };
  for (let round = 0; round < 12; round++) answer(target, params, turns);
  assert.ok(turns.totalled > 0, 'helpers add up');
  assert.ok(heap.isHeld);
  heap.reset();
  assert.equal(heap.used, 64, 'that is held, and nothing else');
  for (const word of scratch.u32.subarray(lent, lent + 16)) assert.equal(word, 0x5eed);
  heap.letGo();
});

test('a search that is stopped while others add up for it leaves nothing behind', () => {
  resetRegions();
  const collection = new InProcessCollection(SHOP);
  collection.segments = [];
  collection.index(shopDocuments(0, 200_000));
  const { target } = collection;
  const params: Params = { q: 'common word3', match_mode: 'any', facet: 'brand,tags', facet_limit: 7, limit: 5 };
  const alone = answer(target, params, null);
  let stopped = 0;
  for (let checks = 0; checks < 200; checks++) {
    let left = checks;
    const stop = (): void => {
      if (left-- === 0) throw new ReadStopped('interrupted');
    };
    const turns = new Turns(1, randomNumbers(checks));
    const searcher = new Searcher({ ...NO_LIMIT, check: stop }, turns);
    turns.ask(searchRequest(params), target);
    try {
      searchTarget(target, params, searcher);
    } catch (error) {
      assert.ok(error instanceof ReadStopped);
      if (turns.totalled > 0) stopped++;
    }
    assert.equal(turns.isAsked, false, 'nobody adds up any more');
    assert.equal(target.segments[0]?.binding.heap.isHeld, false, 'nothing is held');
    left = Number.POSITIVE_INFINITY;
    const { search_time_ms: _, ...again } = searchTarget(target, params, searcher);
    assert.deepEqual(again, alone);
  }
  assert.ok(stopped > 0, 'some are stopped meanwhile');
});

test('a search of which parts are lost is answered alone', () => {
  resetRegions();
  const collection = new InProcessCollection(SHOP);
  for (const first of [0, 1000, 2000]) collection.index(shopDocuments(first, 1000));
  const turns = new Turns(1, randomNumbers(5));
  turns.losesParts = true;
  for (const params of ASKED)
    assert.deepEqual(answer(collection.target, params, turns), answer(collection.target, params, null));
  assert.equal(turns.shared, ASKED.length);
});
