/**
 * A word that may be cut in two finds and scores the same however the documents lie in segments: those that hold the two words side by
 * side are collected in another way than the others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { randomNumbers, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection, searchTarget } from '../support/engine-collection.js';

const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', type: 'text', index: true, facet: false, filter: false, sort: false, boost: null },
    { name: 'body', type: 'text', index: true, facet: false, filter: false, sort: false, boost: 0.7 },
    { name: 'n', type: 'int', index: false, facet: true, filter: true, sort: true, boost: null },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

const WORDS = ['star', 'stars', 'start', 'wars', 'war', 'ward', 'fish', 'fishy', 'fist', 'a', 'the'];

/** "star wars" and "fish war" stand in some documents, near each other, in one each only now and then. */
function makeDocuments(count: number, random: (bound: number) => number): OracleDocument[] {
  const near = random(count);
  return Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: 1 + random(7) }, () => `${WORDS[random(WORDS.length)]}`).join(' the ');
    const isNear = i >= near && i < near + 200 && random(20) === 0;
    const pair = ['star wars', 'fish war', 'star wars star wars'][random(3)];
    const body = Array.from({ length: random(4) * random(12) }, () => WORDS[random(WORDS.length)]).join(' the ');
    return {
      id: `d${i}`,
      n: i % 9,
      body,
      title: isNear ? [pair, `${pair} ${words}`, `${words} ${pair}`][random(3)] : words,
    };
  });
}

function collect(documents: readonly OracleDocument[], batches: number): InProcessCollection {
  const collection = new InProcessCollection(SCHEMA);
  const size = Math.ceil(documents.length / batches);
  for (let from = 0; from < documents.length; from += size) collection.index(documents.slice(from, from + size));
  for (let i = 0; i < documents.length; i += 17) collection.delete(`d${i}`);
  return collection;
}

function answerOf({ target }: InProcessCollection, params: Params): unknown {
  const { found, hits } = searchTarget(target, params);
  return { found, hits: hits.map(({ document, text_match }) => [document['id'], text_match]) };
}

const asked = fc.record({
  q: fc.constantFrom('starwars', 'starwar', 'fishwar', 'fishwarr', 'starwrs', 'afish', 'astar', 'thestar', 'fishy'),
  query_by: fc.constantFrom('title', 'title,body'),
  ranking: fc.constantFrom('best', 'bm25'),
  limit: fc.constantFrom(1, 10, 250),
  offset: fc.constantFrom(0, 5),
  prefix: fc.boolean(),
  sort: fc.constantFrom('_text_match:desc', '_text_match:desc,n:asc', 'n:desc'),
  typo_threshold: fc.constantFrom(0, 10, 10_000),
});

test('words that may be cut in two are found alike in few segments and in many', () => {
  const property = fc.property(fc.nat(), fc.array(asked, { minLength: 4, maxLength: 12 }), (seed, requests) => {
    resetRegions();
    const documents = makeDocuments(1200, randomNumbers(seed + 1));
    const [whole, parted] = [1, 8].map((batches) => collect(documents, batches));
    for (const params of requests) {
      // What is counted of each match has all segments collected the general way.
      const expected = answerOf(whole, { ...params, facet: 'n' });
      for (let times = 0; times < 3; times++) {
        assert.deepEqual(answerOf(parted, params), expected, JSON.stringify(params));
        assert.deepEqual(answerOf(whole, params), expected);
      }
    }
    for (const { segments } of [whole, parted]) for (const { open } of segments) open.release();
  });
  fc.assert(property, { numRuns: 30 });
});
