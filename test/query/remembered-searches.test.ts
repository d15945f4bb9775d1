/** What a search was read as is remembered for that search alone, in bounds, and answers it as it was answered at first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import type { SearchRequest } from '../../engine/core/requests.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { type ReadSearch, RememberedSearches } from '../../engine/query/remembered-searches.js';
import { Searcher, type SearchTarget } from '../../engine/query/searcher.js';
import type { OracleSchema } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import { buildSegment, engineSchema, freshTarget } from '../support/engine-collection.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const NOTHING_READ = { search: {}, stages: { first: null, wider: null } } as unknown as ReadSearch;
const WORDS: SearchRequest = { ...SEARCH_DEFAULTS, q: 'two words' };
/** Not of searches without highlights, and what the answer is written in. */
const UNREAD: readonly string[] = ['collection', 'format', 'highlightOpen', 'highlightClose', 'snippetTokens'];

/** A value of `key` that WORDS has not. */
function otherValue(key: string, value: unknown): unknown {
  if (key === 'matchMode') return 'any';
  if (key === 'ranking') return 'bm25';
  if (key === 'q') return 'two word';
  return typeof value === 'boolean'
    ? !value
    : typeof value === 'number'
      ? value + 1
      : value === null
        ? 'x'
        : `${value}x`;
}

test('every parameter that tells searches apart does', () => {
  for (const [key, value] of Object.entries(WORDS)) {
    const other = { ...WORDS, [key]: key === 'typoTolerance' ? false : otherValue(key, value) };
    const searches = new RememberedSearches(new CacheBudget(1 << 20));
    searches.keep(WORDS, NOTHING_READ);
    assert.equal(searches.get({ ...WORDS })?.search, NOTHING_READ.search);
    assert.equal(searches.get(other) !== undefined, UNREAD.includes(key), key);
    searches.keep(other, { ...NOTHING_READ });
    const isOfWords = searches.get(other) !== undefined;
    assert.equal(isOfWords, !['filter', 'facet', 'highlight', 'explain', 'explainId'].includes(key), key);
  }
});

test('nothing is remembered beyond the budget, nor once it was released', () => {
  const searches = new RememberedSearches(new CacheBudget(1 << 15));
  for (let i = 0; i < 100; i++) searches.keep({ ...WORDS, q: `${i}` }, NOTHING_READ);
  const left = Array.from({ length: 100 }, (_, i) => searches.get({ ...WORDS, q: `${i}` })).filter(Boolean);
  assert.ok(left.length > 0 && left.length < 20);
  searches.release();
  searches.keep(WORDS, NOTHING_READ);
  assert.equal(searches.get(WORDS), undefined);
});

const schema: OracleSchema = {
  fields: [
    { name: 'title', type: 'text', boost: null, index: true, facet: false, filter: false, sort: false },
    { name: 'body', type: 'text', boost: 2, index: true, facet: false, filter: false, sort: false },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 3, two_typo_min_len: 6, max_typos: 2 },
  default_sorting_field: null,
};
const collection = engineSchema(schema);
const word = fc.constantFrom('rose', 'roses', 'rosewood', 'wood', 'name', 'nmae', 'the', 'rosw', 'wooden', 'rosename');
const text = fc.array(word, { minLength: 0, maxLength: 4 }).map((words) => words.join(' '));
const query = fc.array(
  fc.oneof(
    word,
    text.map((words) => `"${words}"`),
    word.map((one) => `-${one}`),
  ),
  { maxLength: 3 },
);
const request = fc.record({
  q: query.map((parts) => parts.join(' ')),
  queryBy: fc.constantFrom(null, 'title', 'title,body'),
  prefix: fc.boolean(),
  typoTolerance: fc.constantFrom(null, false, true),
  matchMode: fc.constantFrom<SearchRequest['matchMode'][]>('all', 'any'),
  ranking: fc.constantFrom<SearchRequest['ranking'][]>('best', 'bm25'),
  typoThreshold: fc.constantFrom(0, 1, 10),
  limit: fc.constantFrom(0, 1, 10),
});

const searcher = new Searcher(NO_LIMIT);
const buffer = new Uint8Array(1 << 16);
const decoder = new TextDecoder();

function answer(asked: SearchRequest, target: SearchTarget): string {
  const out = new JsonWriter(buffer, buffer.length);
  searcher.search(asked, target, out);
  return decoder.decode(out.bytes()).replace(/"search_time_ms":[\d.]+/, '');
}

test('searches that are asked again, among others, are answered as at first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ title: text, body: text }), { minLength: 1, maxLength: 8 }),
      fc.array(request, { minLength: 1, maxLength: 6 }),
      (texts, requests) => {
        resetRegions();
        const documents = texts.map((each, i) => ({ id: `${i}`, ...each }));
        const half = documents.length >> 1;
        const parts = [documents.slice(0, half), documents.slice(half)].filter((part) => part.length > 0);
        const segments = parts.map((part) => buildSegment(collection, part));
        const target = freshTarget(collection, segments);
        for (let round = 0; round < 3; round++)
          for (const each of requests) {
            const asked = { ...SEARCH_DEFAULTS, ...each };
            assert.equal(answer(asked, target), answer(asked, freshTarget(collection, segments)));
          }
      },
    ),
  );
});
