/**
 * Explanations over collections with synonyms and stop words, where words are split and joined: parts that add up to the
 * score to the last bit, and reasons that agree with what is found.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextRuleSet } from '../../engine/text/text-rule-set.js';
import type { OracleSchema } from '../oracle/collection.js';
import { InProcessCollection } from '../support/engine-collection.js';
import { addUp } from '../support/explanations.js';
import type { Explained } from '../support/wire.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text, boost: 2 },
    { name: 'body', ...text, boost: null, stem: 'english' },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

const WORDS = ['tv', 'television', 'flat', 'screen', 'flatscreen', 'screens', 'the', 'of', 'set', 'phone', 'phones'];
const word = fc.constantFrom(...WORDS);
const sentence = fc.array(word, { maxLength: 7 }).map((words) => words.join(' '));
const meaning = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const rules = fc.record({
  synonyms: fc.array(fc.array(meaning, { minLength: 2, maxLength: 3 }), { maxLength: 4 }),
  words: fc.subarray(['the', 'of', 'set', 'tv'], { minLength: 1 }),
});
const batch = fc.array(fc.record({ title: sentence, body: sentence }), { minLength: 1, maxLength: 8 });
const typed = fc.oneof(
  { weight: 9, arbitrary: word },
  { weight: 2, arbitrary: fc.constantFrom('flat screen', 'flatscreen', 'phones', 'televison') },
  { weight: 2, arbitrary: fc.constantFrom('"the tv"', '-of', '-"flat screen"', 'televison', 'thetv', 'nothing') },
);
const query = fc.record({
  q: fc.array(typed, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  prefix: fc.boolean(),
  typo_tolerance: fc.boolean(),
  typo_threshold: fc.constantFrom(0, 2, 10_000),
  match_mode: fc.constantFrom('all', 'any'),
  query_by: fc.constantFrom('title', 'title,body'),
  ranking: fc.constantFrom('best', 'bm25'),
});

test('with synonyms and stop words, parts add up to the score and documents are explained as the hits they are', async () => {
  const kinds = new Set<string>();
  const queries = fc.array(query, { minLength: 10, maxLength: 10 });
  const property = fc.asyncProperty(
    rules,
    fc.array(batch, { minLength: 1, maxLength: 3 }),
    queries,
    async ({ synonyms, words }, batches, asked) => {
      const collection = new InProcessCollection(SCHEMA);
      const set = new TextRuleSet();
      for (const [i, each] of synonyms.entries())
        set.apply({ kind: 'synonym', id: `s${i}`, rule: { root: null, synonyms: each } });
      set.apply({ kind: 'stop-words', stopWords: { language: null, words } });
      collection.rules = set;
      let count = 0;
      for (const documents of batches)
        collection.index(documents.map((document) => ({ id: `d${count++}`, ...document })));
      for (const params of asked) {
        const answer = (await collection.search('', { ...params, limit: 250, explain: true })) as Explained;
        for (const { token, reason } of answer.explain.dropped) {
          assert.equal(reason, 'stop_word');
          assert.ok(words.includes(token));
        }
        for (const { explain, text_match } of answer.hits) {
          assert.equal(addUp(explain), Math.fround(text_match), params.q);
          for (const { fields = [], phrases = [] } of explain.parts)
            for (const { kind } of [...fields.flatMap(({ terms }) => terms), ...phrases]) kinds.add(kind);
        }
        const ids = answer.hits.map(({ document }) => document.id);
        for (let i = 0; i < count; i++) {
          const single = (await collection.search('', { ...params, limit: 0, explain_id: `d${i}` })) as Explained;
          const rank = ids.indexOf(`d${i}`);
          const { document } = single.explain;
          assert.deepEqual([document?.is_hit, document?.rank], [rank >= 0, rank < 0 ? null : rank + 1], params.q);
          if (rank >= 0) assert.deepEqual(document?.explain, answer.hits[rank].explain);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 30 });
  for (const kind of ['typed', 'completion', 'correction', 'stem', 'synonym'])
    assert.ok(kinds.has(kind), `${kind} was met`);
});
