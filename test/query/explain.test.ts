/**
 * Explanations against the answers that they explain: parts that add up to the score to the last bit, and reasons that
 * agree with what is found.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as arbitrary from '../engine/arbitraries.js';
import { fitToSchema, paramsOf } from '../engine/harness.js';
import { analyze } from '../oracle/analyze.js';
import { OracleCollection, type OracleDocument, type OracleField } from '../oracle/collection.js';
import type { TokenClause } from '../oracle/query.js';
import { readToken } from '../oracle/readings.js';
import { answerOracle, type OracleQuery } from '../oracle/search.js';
import { vocabularyOf } from '../oracle/statistics.js';
import { randomNumbers } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';
import { addUp } from '../support/explanations.js';
import type { Explained } from '../support/wire.js';

const ALL = 250;

const explained = async (collection: InProcessCollection, params: object): Promise<Explained> =>
  (await collection.search('', { limit: ALL, ...params, explain: true })) as Explained;

function checkHits({ hits }: Explained): void {
  for (const { text_match, explain } of hits) {
    assert.equal(addUp(explain), Math.fround(text_match));
    assert.equal(Math.fround(explain.text_match), Math.fround(text_match));
  }
}

test('the parts of a score add up to it, to the last bit, over any history, and nothing else of the response changes', async () => {
  const asked = fc.array(arbitrary.request, { minLength: 20, maxLength: 20 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.operations,
    asked,
    async (schema, operations, requests) => {
      const collection = new InProcessCollection(schema);
      for (const operation of operations)
        if (operation.kind === 'delete') collection.delete(operation.id);
        else collection.index(operation.documents);
      for (const request of requests) {
        const params = paramsOf(fitToSchema(request, schema));
        const { explain, ...response } = await explained(collection, params);
        checkHits({ explain, ...response });
        const plain = await collection.search('', { limit: ALL, ...params });
        const hits = response.hits.map(({ explain: _, ...hit }) => hit);
        assert.deepEqual({ ...response, hits, search_time_ms: 0 }, { ...plain, search_time_ms: 0 });
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

test('a document is explained as the hit that it is or is not', async () => {
  const asked = fc.array(arbitrary.request, { minLength: 8, maxLength: 8 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.distinctBatches,
    asked,
    async (schema, batches, requests) => {
      const collection = new InProcessCollection(schema);
      for (const batch of batches) collection.index(batch);
      for (const request of requests) {
        const params = paramsOf(fitToSchema(request, schema));
        const { hits } = await explained(collection, params);
        const ids = hits.map(({ document }) => document.id);
        for (const id of [...batches.flat().map((document) => document.id), 'none']) {
          const answer = await collection.search('', { ...params, limit: 0, explain_id: id });
          const { document } = (answer as Explained).explain;
          assert.ok(document !== undefined);
          assert.deepEqual([document.exists, document.id], [id !== 'none', id]);
          const rank = ids.indexOf(id);
          assert.deepEqual([document.is_hit, document.rank], [rank >= 0, rank < 0 ? null : rank + 1]);
          if (rank >= 0) assert.deepEqual(document.explain, hits[rank].explain);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 15 });
});

const random = randomNumbers(9);
const SYLLABLES = ['wa', 'wi', 'we', 'wor', 'ta', 'té', '東', 'w'];

/** A word of thousands, the frequent ones at low numbers, now and then one of two that many documents hold. */
function word(): string {
  if (random(3) === 0) return random(4) === 0 ? 'common' : 'often';
  const number = random(1 + random(900));
  return `${SYLLABLES[random(SYLLABLES.length)]}${number < 3 ? '' : number.toString(36)}`;
}

const words = (count: number): string => Array.from({ length: count }, word).join(' ');

test('parts add up where prefix postings, dense chunks and single lists are read', async () => {
  const text = (name: string, boost: number | null): OracleField => ({
    ...{ name, type: 'text', boost, index: true },
    ...{ facet: false, filter: false, sort: false },
  });
  const large = new InProcessCollection({
    fields: [text('title', 2.5), text('body', null)],
    typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
    default_sorting_field: null,
  });
  for (const size of [66_000, 300])
    large.index(
      Array.from({ length: size }, (_, i): OracleDocument => {
        const title = words(1 + random(random(30) + 1));
        return i % 3 === 0 ? { id: `${size}/${i}`, title, body: words(random(9)) } : { id: `${size}/${i}`, title };
      }),
    );
  assert.ok(large.segments[0].reader.prefixPostings.count >= 3);
  const queries = [
    'w',
    'wa',
    't',
    'té',
    '東',
    'common',
    'often',
    'often often',
    'common w',
    'w often',
    'comon',
    'ofte w',
  ];
  for (const q of [...queries, '"often common" w', '"wa w"', 'often -common'])
    for (const query_by of ['title,body', 'title'])
      for (const match_mode of ['all', 'any'])
        for (const prefix of [true, false]) {
          const answer = await explained(large, { q, query_by, match_mode, prefix, limit: 12 });
          assert.ok(answer.found > 0 || q === 'ofte w', `${q} finds something`);
          checkHits(answer);
          if (answer.hits.length > 0) assert.ok(answer.hits[0].text_match > 0);
        }
});

/** Terms by weight, rounded: how many, and the documents of the five most frequent. */
type Groups = ReadonlyMap<string, { readonly count: number; readonly documents: readonly number[] }>;

/** `isFirst`: the second stage would have read the same as the first, or was not needed. */
function naiveGroups(oracle: OracleCollection, query: OracleQuery, clause: TokenClause, isFirst: boolean): Groups {
  const answer = answerOracle(oracle, query);
  const { corpus } = answer;
  const { weightIn } = readToken(clause, { ...answer, stage: isFirst ? 1 : answer.stage });
  const found = new Map<string, number[]>();
  for (const term of vocabularyOf(corpus)) {
    const holders = corpus.statistics.filter(({ df }) => df.has(term));
    const weights = holders.map(({ field }) => weightIn(field.name, term));
    const weight = Math.max(...weights);
    const documents = Math.max(...holders.map(({ df }, i) => (weights[i] === weight ? (df.get(term) ?? 0) : 0)));
    if (weight > 0) found.set(weight.toFixed(4), [...(found.get(weight.toFixed(4)) ?? []), documents]);
  }
  const best = (documents: number[]): number[] => documents.sort((a, b) => b - a).slice(0, 5);
  return new Map([...found].map(([weight, all]) => [weight, { count: all.length, documents: best(all) }]));
}

test('the terms that stand for a token are counted and named as by brute force, deleted documents left out', async () => {
  const asked = fc.array(arbitrary.textQuery, { minLength: 12, maxLength: 12 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.operations,
    asked,
    async (schema, operations, queries) => {
      const collection = new InProcessCollection(schema);
      const oracle = new OracleCollection(schema);
      for (const operation of operations)
        if (operation.kind === 'delete') {
          collection.delete(operation.id);
          oracle.delete(operation.id);
        } else {
          collection.index(operation.documents);
          for (const document of operation.documents) oracle.upsert(document);
        }
      for (const each of queries) {
        const query = fitToSchema(each, schema);
        const { explain } = await explained(collection, paramsOf(query));
        const isFirst = explain.stages.findLast(({ answered }) => answered)?.stage !== 2;
        for (const { text, completed, terms } of explain.parts) {
          if (terms === undefined || completed === undefined) continue;
          const typed = { kind: 'token', token: analyze(text)[0] ?? '', isCompleted: completed } as const;
          const groups = new Map<string, { count: number; documents: number[] }>();
          for (const { weight, count, most_frequent } of terms) {
            const before = groups.get(weight.toFixed(4)) ?? { count: 0, documents: [] };
            const documents = [...before.documents, ...most_frequent.map((term) => term.documents)];
            const most = documents.sort((a, b) => b - a).slice(0, 5);
            groups.set(weight.toFixed(4), { count: before.count + count, documents: most });
          }
          assert.deepEqual(groups, naiveGroups(oracle, query, typed, isFirst), `${query.q}: ${text}`);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
