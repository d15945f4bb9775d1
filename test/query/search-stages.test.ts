/**
 * When the second stage of a search runs, and which tokens are known.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import { RESPONSE_BYTES_MAX } from '../../engine/core/limits.js';
import type { SearchRequest } from '../../engine/core/requests.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { ExpansionCache } from '../../engine/query/expand/expansion-cache.js';
import { NO_LIMIT, type ReadBudget } from '../../engine/query/read-budget.js';
import { Searcher, type SearchTarget } from '../../engine/query/searcher.js';
import type { OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { cacheBudget, freshTarget, InProcessCollection } from '../support/engine-collection.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

let collection = new InProcessCollection(SCHEMA);

beforeEach(() => {
  resetRegions();
  collection = new InProcessCollection(SCHEMA);
});

/** Ids of the hits, of known tokens uncorrected. */
async function first(q: string, more: Params = {}): Promise<string> {
  const { hits } = await collection.search('', { q, typo_threshold: 0, ...more });
  return hits
    .map(({ document }) => document.id)
    .sort()
    .join(' ');
}

/** How often the segments were gone through to answer `q`. */
function stagesOf(q: string, typoThreshold: number, target = targetOf(collection)): number {
  let stages = 0;
  const budget: ReadBudget = {
    ...NO_LIMIT,
    expectCost: () => {
      stages++;
    },
  };
  answer(new Searcher(budget), target, { q, typoThreshold });
  return stages;
}

const targetOf = ({ schema, segments }: InProcessCollection): SearchTarget => freshTarget(schema, segments);

function answer(searcher: Searcher, target: SearchTarget, request: Partial<SearchRequest>): void {
  const out = new JsonWriter(new Uint8Array(4096), RESPONSE_BYTES_MAX);
  searcher.search({ ...SEARCH_DEFAULTS, collection: '', q: '', ...request }, target, out);
}

test('a token is known by live documents of the queried fields alone', async () => {
  collection.index([
    { id: 'a', title: 'house', body: 'mouse' },
    { id: 'b', title: 'horse' },
    { id: 'c', body: 'houses' },
  ]);
  assert.equal(await first('mouse', { prefix: false }), 'a');
  assert.equal(await first('mouse', { prefix: false, query_by: 'title' }), 'a', 'corrected to house, in another field');
  assert.equal(await first('hoase', { prefix: false }), 'a b');
  assert.equal(await first('house', { prefix: false }), 'a');
  assert.ok(collection.delete('a'));
  assert.equal(await first('house', { prefix: false }), 'b c', 'once nothing holds it, it is corrected');
  assert.equal(await first('house'), 'c', 'but not while it is completed to something');
  assert.equal(await first('house', { query_by: 'title' }), 'b');
});

test('only the completed token is known by what it begins', async () => {
  collection.index([
    { id: 'a', title: 'wirelessly' },
    { id: 'b', title: 'wires' },
  ]);
  assert.equal(await first('wirel'), 'a');
  assert.equal(await first('wirel', { prefix: false }), 'b');
  assert.equal(await first('wirel wires', { match_mode: 'any' }), 'b');
  assert.equal(await first('wires wirel', { match_mode: 'any' }), 'a b');
});

test('the second stage runs when less is found than the threshold and it reads something else', () => {
  collection.index([
    { id: 'a', title: 'wars' },
    { id: 'b', title: 'was here' },
  ]);
  assert.equal(stagesOf('wars', 0), 1);
  assert.equal(stagesOf('wars', 1), 1);
  assert.equal(stagesOf('wars', 2), 2);
  assert.equal(stagesOf('wars here', 1), 2);
  assert.equal(stagesOf('wasr', 10), 1, 'an unknown token has been corrected already');
  assert.equal(stagesOf('here', 10), 1, 'nothing is near it');
  assert.equal(stagesOf('"wars"', 10), 1, 'a phrase is never corrected');
  assert.equal(stagesOf('wars -was', 10), 2);
});

test('what both stages read is remembered', () => {
  collection.index([
    { id: 'a', title: 'wars of roses' },
    { id: 'b', title: 'was here' },
  ]);
  const searcher = new Searcher(NO_LIMIT);
  const target = targetOf(collection);
  const run = (): number => {
    const { misses } = cacheBudget.counts;
    answer(searcher, target, { q: '"of roses" wars hree -here', matchMode: 'any', typoThreshold: 10 });
    return cacheBudget.counts.misses - misses;
  };
  assert.ok(run() > 0);
  assert.equal(run(), 0);
});

test('a second stage that would read the same is told, though what the first read was forgotten and made anew', () => {
  collection.index([{ id: '1', title: 'zebra' }]);
  const target = { ...targetOf(collection), expansions: new ExpansionCache(new CacheBudget(0)) };
  assert.equal(stagesOf('zebra', 10, target), 1);
  assert.equal(stagesOf('zebra', 10, target), 1);
});

test('words of other fields than the queried ones are no reason for a second stage', () => {
  collection.index([{ id: 'a', title: 'star wars', body: 'it was' }]);
  const target = targetOf(collection);
  const stages = (queryBy: string): number => {
    let count = 0;
    const searcher = new Searcher({ ...NO_LIMIT, expectCost: () => void count++ });
    answer(searcher, target, { q: 'wars', typoThreshold: 10, queryBy });
    return count;
  };
  assert.deepEqual([stages('title'), stages('title,body')], [1, 2]);
});
