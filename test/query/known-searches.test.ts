/**
 * A request that is kept and asked again is answered as one that is new, whatever the collection became meanwhile.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { RESPONSE_BYTES_MAX } from '../../engine/core/limits.js';
import { RequestNote, type SearchRequest } from '../../engine/core/requests.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { KnownSearch } from '../../engine/query/known-searches.js';
import { NO_LIMIT, type ReadBudget } from '../../engine/query/read-budget.js';
import { Searcher, type SearchTarget } from '../../engine/query/searcher.js';
import { TextRuleSet } from '../../engine/text/text-rule-set.js';
import type { OracleSchema } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import { freshTarget, InProcessCollection } from '../support/engine-collection.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
    { name: 'year', type: 'int', index: true, facet: true, filter: true, sort: true, boost: null },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};
const SHOP: OracleSchema = {
  ...SCHEMA,
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
    { name: 'brand', type: 'keyword', index: true, facet: false, filter: true, sort: true, boost: null },
  ],
};
const DOCUMENTS = [
  { id: 'a', title: 'wars of roses', body: 'a spider man', year: 1 },
  { id: 'b', title: 'was here', body: 'roses of wars, and wars again', year: 2 },
  { id: 'c', title: 'spiderman', body: 'here', year: 2 },
  { id: 'd', title: 'rose', body: 'warsaw was red', year: 3 },
];
const ASKED: readonly Partial<SearchRequest>[] = [
  { q: 'wars' },
  { q: 'wars roses', matchMode: 'any' },
  { q: 'wars roses', typoTolerance: false, prefix: false, ranking: 'bm25' },
  { q: 'wars of', limit: 0 },
  { q: '"of roses" wars' },
  { q: 'spiderman' },
  { q: 'wrsa rsoe', matchMode: 'any', sort: 'year:desc' },
  { q: 'here -roses' },
  { q: 'wars', filter: 'year:>1' },
  { q: 'was', facet: 'year', explain: true },
  { q: 'rose', highlight: 'title,body' },
  { q: 'nothing of that kind' },
  { q: '*' },
];

let collection = new InProcessCollection(SCHEMA);

beforeEach(() => {
  resetRegions();
  collection = new InProcessCollection(SCHEMA);
});

const targetOf = ({ schema, segments }: InProcessCollection): SearchTarget => freshTarget(schema, segments);

function answer(searcher: Searcher, target: SearchTarget, request: SearchRequest): string {
  const out = new JsonWriter(new Uint8Array(4096), RESPONSE_BYTES_MAX);
  searcher.search(request, target, out);
  return Buffer.from(out.bytes())
    .toString()
    .replace(/"search_time_ms":[^}]*/, '');
}

const kept = (asked: Partial<SearchRequest>): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  ...asked,
  note: new RequestNote(),
});

test('a search that is asked again, with others in between, is answered as a new one', () => {
  const searcher = new Searcher(NO_LIMIT);
  const requests = ASKED.map(kept);
  const check = (target: SearchTarget): void => {
    for (let time = 0; time < 4; time++) {
      for (const request of requests) {
        const fresh = answer(new Searcher(NO_LIMIT), target, { ...request, note: null });
        assert.equal(answer(searcher, target, request), fresh, `${request.q}, asked ${time} times before`);
      }
    }
  };
  collection.index(DOCUMENTS.slice(0, 2));
  check(targetOf(collection));
  collection.index(DOCUMENTS.slice(2));
  check(targetOf(collection));
  collection.delete('b');
  check(targetOf(collection));
});

test('what was read of a search is kept from the second time on, and used in its own generation by its own request', () => {
  collection.index(DOCUMENTS);
  const target = targetOf(collection);
  const request = kept({ q: 'wars roses' });
  const searcher = new Searcher(NO_LIMIT);
  answer(searcher, target, request);
  assert.equal(request.note?.reading, null);
  answer(searcher, target, request);
  const { note } = request;
  assert.ok(note?.reading instanceof KnownSearch);
  const { reading } = note;
  answer(searcher, target, request);
  assert.equal(note.reading, reading);
  answer(searcher, target, { ...request, q: 'here' });
  assert.notEqual(note.reading, reading, 'another request with the same note');
  answer(searcher, targetOf(collection), request);
  assert.ok(note.reading instanceof KnownSearch);
  assert.notEqual(note.reading.expansions, target.expansions);
  assert.equal(JSON.stringify({ request }), JSON.stringify({ request: { ...request, note: undefined } }));
});

test('a search that was given up in its second stage runs both when it is asked again', () => {
  collection.index(DOCUMENTS);
  const target = targetOf(collection);
  const request = kept({ q: 'wars' });
  let stages = 0;
  let stagesMax = Number.POSITIVE_INFINITY;
  const budget: ReadBudget = {
    ...NO_LIMIT,
    expectCost: () => {
      if (++stages > stagesMax) throw new Error('too many');
    },
  };
  const searcher = new Searcher(budget);
  const fresh = answer(new Searcher(NO_LIMIT), target, { ...request, note: null });
  for (const most of [2, 2, 1, 2]) {
    stages = 0;
    stagesMax = most;
    if (most === 1) assert.throws(() => answer(searcher, target, request), /too many/);
    else assert.equal(answer(searcher, target, request), fresh);
    assert.equal(stages, 2);
  }
});

test('a word with a synonym, in an order that no kernel keeps, is ranked as at first however often it is asked', () => {
  const shop = new InProcessCollection(SHOP);
  shop.index(
    Array.from({ length: 6000 }, (_, i) => ({
      id: `d${i}`,
      title: i < 15 ? 'television' : i < 30 ? `television set ${i}` : `what is said of a tv in text number ${i % 50}`,
      body: `some words ${i % 11} of a tv`,
      brand: `b${i % 13}`,
    })),
  );
  const rules = new TextRuleSet();
  rules.apply({ kind: 'synonym', id: 's', rule: { root: null, synonyms: ['tv', 'television'] } });
  const target: SearchTarget = { ...targetOf(shop), rules };
  const request = kept({ q: 'tv', sort: '_text_match:desc,brand:asc', limit: 40 });
  const fresh = answer(new Searcher(NO_LIMIT), target, { ...request, note: null });
  const searcher = new Searcher(NO_LIMIT);
  const other = kept({ q: 'old' });
  for (let times = 0; times < 12; times++) {
    answer(searcher, target, other);
    assert.equal(answer(searcher, target, request), fresh, `asked ${times + 1} times`);
  }
});
