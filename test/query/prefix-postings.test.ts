/**
 * Searches for short prefixes through prefix postings against the same searches over segments too small to have any.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleDocument, OracleField, OracleSchema } from '../oracle/collection.js';
import { randomNumbers } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = (name: string, boost: number | null): OracleField => ({
  ...{ name, type: 'text', boost, index: true },
  ...{ facet: false, filter: false, sort: false },
});
const schema: OracleSchema = {
  fields: [text('title', 2), text('body', null)],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

const SYLLABLES = ['wa', 'wi', 'we', 'wor', 'ta', 'té', 'ti', '東', 'w', 'b2'];
const random = randomNumbers(5);

/** Thousands of words, a few of them the prefixes themselves; frequent ones at low numbers. */
function word(): string {
  const first = SYLLABLES[random(SYLLABLES.length)];
  const number = random(1 + random(900));
  return number < 3 ? first : `${first}${number.toString(36)}`;
}

const words = (count: number): string => Array.from({ length: count }, word).join(' ');

const documents = Array.from({ length: 42_000 }, (_, i): OracleDocument => {
  const title = words(1 + random(6));
  return i % 3 === 0 ? { id: `d${i}`, title, body: words(random(9)) } : { id: `d${i}`, title };
});

const large = new InProcessCollection(schema);
large.index(documents);
const small = new InProcessCollection(schema);
for (let from = 0; from < documents.length; from += 300) small.index(documents.slice(from, from + 300));

test('a short prefix finds the same through prefix postings as through the lists of its terms', async () => {
  assert.ok(large.segments[0].reader.prefixPostings.count >= 3);
  assert.ok(small.segments.every(({ reader }) => reader.prefixPostings.count === 0));
  for (const q of ['w', 'wa', 'wo', 'wor', 't', 'te', 'té', '東', 'b', 'b2', 'ta w', 'w ta', 'x', '"wa" w'])
    for (const query_by of ['title,body', 'title', 'body'])
      for (const match_mode of ['all', 'any']) {
        const page = { limit: 30, offset: 0, highlight: 'title,body', snippet_tokens: 4 };
        const params = { q, query_by, match_mode, ...page, prefix: true, typo_tolerance: true };
        const through = await large.search('', params);
        const plain = await small.search('', params);
        assert.equal(through.found, plain.found, JSON.stringify(params));
        assert.deepEqual(through.hits, plain.hits, JSON.stringify(params));
      }
});
