/**
 * The most frequent completions of a large vocabulary, exactly: several segments, two fields, deletions, few wanted.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OracleCollection, type OracleDocument, type OracleSchema } from '../oracle/collection.js';
import { suggestOracle } from '../oracle/suggest.js';
import { randomNumbers, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 3, two_typo_min_len: 6, max_typos: 2 },
  default_sorting_field: null,
};

function load(seed: number): { collection: InProcessCollection; oracle: OracleCollection } {
  resetRegions();
  const random = randomNumbers(seed);
  const collection = new InProcessCollection(SCHEMA);
  const oracle = new OracleCollection(SCHEMA);
  // Few words are frequent and many rare; which ones shifts from segment to segment.
  const word = (shift: number): string => `w${(random(1 + random(1 + random(900))) + shift) % 900}`;
  const words = (shift: number): string => Array.from({ length: 1 + random(6) }, () => word(shift)).join(' ');
  let id = 0;
  for (const [count, shift] of [
    [300, 0],
    [40, 450],
    [150, 20],
    [1, 3],
  ]) {
    const batch = Array.from(
      { length: count },
      (): OracleDocument => ({ id: `d${id++}`, title: words(shift), body: words(shift) }),
    );
    collection.index(batch);
    for (const document of batch) oracle.upsert(document);
  }
  for (let i = 0; i < 120; i++) {
    const gone = `d${random(id)}`;
    assert.equal(collection.delete(gone), oracle.delete(gone));
  }
  return { collection, oracle };
}

for (const seed of [1, 2, 3]) {
  test(`the best completions and corrections are found and counted, corpus ${seed}`, async () => {
    const { collection, oracle } = load(seed);
    for (const q of ['w', 'w1', 'w12', 'w123', 'x12', 'w88', 'ww455', '5']) {
      for (const query_by of [['title'], ['body', 'title']]) {
        const expected = suggestOracle(oracle, { q, query_by });
        for (const limit of [1, 2, 7, 50]) {
          const { suggestions } = await collection.suggest('', { q, query_by: query_by.join(','), limit });
          assert.deepEqual(suggestions, expected.slice(0, limit), `${q} in ${query_by}, ${limit} wanted`);
        }
      }
    }
  });
}

test('among many terms that are about as frequent, the best are found and counted', async () => {
  resetRegions();
  const random = randomNumbers(7);
  const collection = new InProcessCollection(SCHEMA);
  const oracle = new OracleCollection(SCHEMA);
  let id = 0;
  for (const count of [500, 700, 40, 300]) {
    const batch = Array.from(
      { length: count },
      (): OracleDocument => ({ id: `d${id++}`, title: `n${random(4000)}`, body: `n${random(60)} é${random(2000)}` }),
    );
    collection.index(batch);
    for (const document of batch) oracle.upsert(document);
  }
  for (let i = 0; i < 300; i++) {
    const gone = `d${random(id)}`;
    assert.equal(collection.delete(gone), oracle.delete(gone));
  }
  for (const q of ['n', 'n1', 'e', 'e1', 'nn23', 'q123']) {
    for (const query_by of [['title'], ['body', 'title']]) {
      const expected = suggestOracle(oracle, { q, query_by });
      for (const limit of [1, 3, 50]) {
        const { suggestions } = await collection.suggest('', { q, query_by: query_by.join(','), limit });
        assert.deepEqual(suggestions, expected.slice(0, limit), `${q} in ${query_by}, ${limit} wanted`);
      }
    }
  }
});

test('names that about as many documents have are found and counted, in one segment and in several', async () => {
  // By segment, how many documents hold each name: what leads in all of them together may lead in none.
  const segmentsOf = (names: number): fc.Arbitrary<number[][]> => {
    const held = fc.array(fc.constantFrom(0, 0, 1, 2, 3, 4, 5), { minLength: names, maxLength: names });
    return fc.array(held, { minLength: 1, maxLength: 4 });
  };
  const segments = fc.constantFrom(4, 8, 60).chain(segmentsOf);
  const asked = fc.record({
    q: fc.constantFrom('n', 'n', 'n1', 'nn12'),
    fields: fc.constantFrom(['title'], ['title', 'body']),
    limit: fc.constantFrom(1, 1, 2, 5, 50),
  });
  const isGone = fc.func(fc.integer({ min: 0, max: 4 }).map((fate) => fate === 0));
  await fc.assert(
    fc.asyncProperty(segments, isGone, asked, async (given, gone, { q, fields, limit }) => {
      resetRegions();
      const collection = new InProcessCollection(SCHEMA);
      const oracle = new OracleCollection(SCHEMA);
      let id = 0;
      for (const held of given) {
        const names = held.flatMap((count, name) => Array.from({ length: count }, () => `n${name}`));
        const bodyOf = (i: number): string => (names.length % 3 === 0 ? names[(i * 7) % names.length] : names[i]);
        const batch = names.map((title, i): OracleDocument => ({ id: `d${id++}`, title, body: bodyOf(i) }));
        if (batch.length === 0) continue;
        collection.index(batch);
        for (const document of batch) oracle.upsert(document);
      }
      for (let i = 0; i < id; i++) if (gone(i)) assert.equal(collection.delete(`d${i}`), oracle.delete(`d${i}`));
      const { suggestions } = await collection.suggest('', { q, query_by: fields.join(','), limit });
      assert.deepEqual(suggestions, suggestOracle(oracle, { q, query_by: fields }).slice(0, limit));
    }),
    { numRuns: 1500 },
  );
});
