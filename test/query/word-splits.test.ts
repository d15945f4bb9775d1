/**
 * Words written as one that are two, and as two that are one: against the oracle over a vocabulary that is full of them,
 * and by example.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareSearch, type Loaded, paramsOf } from '../engine/harness.js';
import { OracleCollection, type OracleDocument, type OracleSchema } from '../oracle/collection.js';
import type { OracleQuery } from '../oracle/search.js';
import type { Client, Params } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text, boost: 3 },
    { name: 'body', ...text, boost: null },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** Words that make words, cut in many ways. */
const PARTS = [
  'a',
  'a',
  'aa',
  'aaa',
  'aaaa',
  'b',
  'ba',
  'spider',
  'man',
  'smart',
  'phone',
  'x',
  'men',
  '20',
  '24',
  'é',
  '東',
];
const part = fc.constantFrom(...PARTS);
const written = fc.oneof(
  { weight: 3, arbitrary: part },
  { weight: 2, arbitrary: fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('')) },
);
const sentence = fc.array(written, { maxLength: 6 }).map((words) => words.join(' '));
const content = fc.record({ title: sentence, body: fc.array(sentence, { maxLength: 3 }) });

/** Batches of documents with few ids, so that some replace others; after each, some are deleted. */
const history = fc.array(
  fc.record({
    documents: fc.array(fc.record({ id: fc.nat({ max: 19 }), content }), { minLength: 1, maxLength: 8 }),
    deleted: fc.array(fc.nat({ max: 19 }), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const query: fc.Arbitrary<OracleQuery> = fc.record(
  {
    q: fc
      .array(
        fc.oneof(
          { weight: 9, arbitrary: written },
          { weight: 1, arbitrary: fc.constantFrom('"men"', '"x men"', '-x') },
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      )
      .map((words) => words.join(' ')),
    prefix: fc.boolean(),
    typo_tolerance: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    typo_threshold: fc.constantFrom(0, 2, 10_000),
    match_mode: fc.constantFrom('all' as const, 'any' as const),
    query_by: fc.constantFrom(['title'], ['body'], ['title', 'body']),
  },
  { requiredKeys: ['q'] },
);

test('words are split and joined as the exhaustive definition says, whatever segments documents lie in', async () => {
  const queries = fc.array(query, { minLength: 12, maxLength: 12 });
  const property = fc.asyncProperty(history, queries, async (batches, asked) => {
    resetRegions();
    const collection = new InProcessCollection(SCHEMA);
    const oracle = new OracleCollection(SCHEMA);
    for (const { documents, deleted } of batches) {
      const batch = documents.map(({ id, content: fields }): OracleDocument => ({ id: `d${id}`, ...fields }));
      collection.index(batch);
      for (const document of batch) oracle.upsert(document);
      for (const id of deleted) assert.equal(collection.delete(`d${id}`), oracle.delete(`d${id}`));
    }
    const merged = new InProcessCollection(SCHEMA);
    merged.segments = [...collection.segments];
    if (merged.segments.length > 0) merged.merge(0, merged.segments.length);
    const loaded: Loaded = { name: 'test', client: collection as unknown as Client, oracle };
    for (const each of asked) {
      const { hits } = await compareSearch(loaded, each);
      const again = await merged.search('', { ...paramsOf(each), limit: 250 });
      assert.deepEqual(again.hits, hits, 'the same to the last bit in one segment');
    }
  });
  await fc.assert(property, { numRuns: 60 });
});

/** A collection of these titles, each a segment, and a search of it. */
function titles(...all: string[]): (q: string, params?: Params) => Promise<string[]> {
  return titlesOf(SCHEMA, all);
}

function titlesOf(schema: OracleSchema, all: readonly string[]): (q: string, params?: Params) => Promise<string[]> {
  resetRegions();
  const collection = new InProcessCollection(schema);
  for (const title of all) collection.index([{ id: title, title }]);
  return async (q, params = {}) => {
    const { hits } = await collection.search('', { q, ...params });
    return hits.map(({ document }) => String(document['id']));
  };
}

test('a word that is no term is split where both parts are, and found as that phrase', async () => {
  const search = titles('spider man', 'man spider', 'spider woman', 'spider-man returns');
  assert.deepEqual(await search('spiderman', { typo_threshold: 0 }), ['spider man', 'spider-man returns']);
  assert.deepEqual(await search('spiderman', { typo_tolerance: false }), []);
  assert.deepEqual(await search('spidermann', { typo_threshold: 0 }), []);
});

test('a word that is a term is split when few documents are found', async () => {
  const search = titles('smartphone', 'smart phone', 'phone smart');
  assert.deepEqual(await search('smartphone', { typo_threshold: 0 }), ['smartphone']);
  assert.deepEqual((await search('smartphone')).sort(), ['smart phone', 'smartphone']);
});

test('neighbours are joined when few documents are found, and count for both of them', async () => {
  const search = titles('xmen', 'x men', 'x', 'men', 'xmen apocalypse');
  assert.deepEqual(await search('x men', { typo_threshold: 0, prefix: false }), ['x men']);
  assert.deepEqual((await search('x men', { prefix: false })).sort(), ['x men', 'xmen', 'xmen apocalypse']);
  assert.deepEqual((await search('x men apocalypse', { prefix: false })).sort(), ['xmen apocalypse']);
  const either = await search('"x" men', { prefix: false, match_mode: 'any' });
  assert.deepEqual(either.sort(), ['men', 'x', 'x men'], 'not across a quote');
});

test('numbers are not split, and a part must be live', async () => {
  const search = titles('20 24', '2 024');
  assert.deepEqual(await search('2024'), []);
  resetRegions();
  const collection = new InProcessCollection(SCHEMA);
  collection.index([
    { id: '1', title: 'spider' },
    { id: '2', title: 'man' },
    { id: '3', title: 'spider man' },
    { id: '4', title: 'spid erman' },
  ]);
  collection.delete('4');
  assert.deepEqual(
    (await collection.search('', { q: 'spiderman' })).hits.map(({ document }) => document['id']),
    ['3'],
  );
});

test('of many cuts those into the most frequent parts are searched for, and of equal ones the leftmost', async () => {
  const schema = { ...SCHEMA, typo_tolerance: { ...SCHEMA.typo_tolerance, max_typos: 0 } };
  const cuts = ['a bcde', 'ab cde', 'abc de', 'abcd e'];
  const found = async (...others: string[]): Promise<string[]> =>
    (await titlesOf(schema, [...cuts, ...others])('abcde', { prefix: false })).sort();
  assert.deepEqual(await found(), ['a bcde', 'ab cde', 'abc de'], 'all parts in one document: the leftmost');
  assert.deepEqual(await found('ab', 'abc', 'e x', 'e y'), ['ab cde', 'abc de', 'abcd e'], 'the larger sum');
  const others = ['a 1', 'a 2', 'a 3', 'a 4', 'ab cde 1', 'abc de 1', 'abcd 1', 'e 1'];
  assert.ok(!(await found(...others)).includes('a bcde'), 'the more frequent rarer part, though the sum is smaller');
});

test('a token of 64 code points is joined with nothing', async () => {
  const long = 'a'.repeat(64);
  const search = titles(long, `${'a'.repeat(63)}b`);
  assert.deepEqual(await search(`${'a'.repeat(62)} aa`, { typo_threshold: 10_000, prefix: false }), [long]);
  assert.deepEqual(await search(`${long} a`, { typo_threshold: 10_000, prefix: false }), []);
});
