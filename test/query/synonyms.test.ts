/**
 * Synonyms and stop words in searches: against the oracle, and by example.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextRuleSet } from '../../engine/text/text-rule-set.js';
import { compareSearch, type Loaded, paramsOf } from '../engine/harness.js';
import { OracleCollection, type OracleDocument, type OracleSchema } from '../oracle/collection.js';
import type { OracleQuery } from '../oracle/search.js';
import { OracleRules } from '../oracle/synonyms.js';
import type { Client, Params } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text, boost: 2 },
    { name: 'body', ...text, boost: null },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

interface Rules {
  readonly synonyms: readonly { readonly root: string | null; readonly synonyms: readonly string[] }[];
  readonly stopWords: readonly string[];
}

const word = fc.constantFrom('tv', 'television', 'flat', 'screen', 'flatscreen', 'the', 'of', 'set', 'phone', 'phones');
const sentence = fc.array(word, { maxLength: 7 }).map((words) => words.join(' '));
const meaning = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const rules: fc.Arbitrary<Rules> = fc.record({
  synonyms: fc.array(
    fc.record({
      root: fc.oneof(fc.constant(null), meaning),
      synonyms: fc.array(meaning, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 5 },
  ),
  stopWords: fc.subarray(['the', 'of', 'set', 'tv']),
});

const query: fc.Arbitrary<OracleQuery> = fc.record(
  {
    q: fc
      .array(
        fc.oneof(
          { weight: 9, arbitrary: word },
          { weight: 2, arbitrary: fc.constantFrom('"the tv"', '-of', '-"flat screen"', 'televison', 'nothing') },
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((words) => words.join(' ')),
    prefix: fc.boolean(),
    typo_tolerance: fc.boolean(),
    typo_threshold: fc.constantFrom(0, 2, 10_000),
    match_mode: fc.constantFrom('all' as const, 'any' as const),
    query_by: fc.constantFrom(['title'], ['title', 'body']),
  },
  { requiredKeys: ['q'] },
);

function setRules(collection: InProcessCollection, oracle: OracleCollection, { synonyms, stopWords }: Rules): void {
  const set = new TextRuleSet();
  const naive = new OracleRules();
  synonyms.forEach((rule, i) => {
    const id = `s${i}`;
    set.apply({ kind: 'synonym', id, rule });
    naive.synonyms.set(id, { id, ...rule });
  });
  set.apply({ kind: 'stop-words', stopWords: { language: null, words: stopWords } });
  naive.stopWords = stopWords;
  collection.rules = set;
  oracle.rules = naive;
}

test('synonyms and stop words are read as the exhaustive definition says, whatever segments documents lie in', async () => {
  const batches = fc.array(fc.array(fc.record({ title: sentence, body: sentence }), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 4,
  });
  const queries = fc.array(query, { minLength: 12, maxLength: 12 });
  const property = fc.asyncProperty(rules, batches, queries, async (set, all, asked) => {
    resetRegions();
    const collection = new InProcessCollection(SCHEMA);
    const oracle = new OracleCollection(SCHEMA);
    let id = 0;
    for (const batch of all) {
      const documents = batch.map((fields): OracleDocument => ({ id: `d${id++}`, ...fields }));
      collection.index(documents);
      for (const document of documents) oracle.upsert(document);
    }
    setRules(collection, oracle, set);
    const merged = new InProcessCollection(SCHEMA);
    merged.segments = [...collection.segments];
    merged.merge(0, merged.segments.length);
    merged.rules = collection.rules;
    const loaded: Loaded = { name: 'test', client: collection as unknown as Client, oracle };
    for (const each of asked) {
      const { hits } = await compareSearch(loaded, each);
      const again = await merged.search('', { ...paramsOf(each), limit: 250 });
      assert.deepEqual(again.hits, hits, 'the same to the last bit in one segment');
    }
  });
  await fc.assert(property, { numRuns: 60 });
});

/** A search of titles, each a segment, with `rules`. */
function titles(set: Rules, ...all: string[]): (q: string, params?: Params) => Promise<string[]> {
  resetRegions();
  const collection = new InProcessCollection(SCHEMA);
  for (const title of all) collection.index([{ id: title, title }]);
  setRules(collection, new OracleCollection(SCHEMA), set);
  return async (q, params = {}) => {
    const { hits } = await collection.search('', { q, prefix: false, typo_tolerance: false, ...params });
    return hits.map(({ document }) => String(document['id']));
  };
}

const TV: Rules = { synonyms: [{ root: null, synonyms: ['tv', 'television', 'flat screen'] }], stopWords: [] };

test('a synonym is found after what was typed, one of several words as a phrase', async () => {
  const search = titles(TV, 'television', 'flat screen', 'tv', 'screen flat', 'flat');
  assert.equal((await search('tv'))[0], 'tv');
  assert.deepEqual((await search('tv')).sort(), ['flat screen', 'television', 'tv']);
  assert.deepEqual(await search('"tv"'), ['tv'], 'not in a phrase');
  assert.deepEqual((await search('flat -tv')).sort(), ['flat', 'flat screen', 'screen flat'], 'nor what is excluded');
});

test('what covers several typed words stands for all of them together', async () => {
  const search = titles(TV, 'tv stand', 'flat screen stand', 'flat stand', 'screen stand', 'television');
  assert.deepEqual((await search('flat screen stand')).sort(), ['flat screen stand', 'tv stand']);
  assert.deepEqual(await search('screen flat stand'), ['flat screen stand'], 'only in the order of the source');
  assert.deepEqual(await search('"flat" screen stand'), ['flat screen stand'], 'not across a quote');
});

test('synonyms of synonyms do not count, and a root is none of its own', async () => {
  const synonyms = [
    { root: 'a', synonyms: ['b'] },
    { root: 'b', synonyms: ['c'] },
  ];
  const search = titles({ synonyms, stopWords: [] }, 'a', 'b', 'c');
  assert.deepEqual(await search('a'), ['a', 'b']);
  assert.deepEqual(await search('b'), ['b', 'c']);
  assert.deepEqual(await search('c'), ['c']);
});

test('stop words are dropped where others are left, but not from what has synonyms', async () => {
  const synonyms = [{ root: 'the who', synonyms: ['band'] }];
  const search = titles({ synonyms, stopWords: ['the', 'of'] }, 'history', 'the who', 'who', 'band', 'the', 'of the');
  assert.deepEqual(await search('the history of'), ['history']);
  assert.deepEqual((await search('the who')).sort(), ['band', 'the who']);
  assert.deepEqual((await search('who the')).sort(), ['the who', 'who']);
  assert.deepEqual((await search('of the')).sort(), ['of the'], 'of stop words alone none is dropped');
  assert.deepEqual(await search('"the who" the'), ['the who']);
  const alone = titles({ synonyms: [{ root: null, synonyms: ['The'] }], stopWords: ['the'] }, 'history');
  assert.deepEqual(await alone('the history'), ['history'], 'a word that stands for nothing else');
});

test('a last word that was typed before has the synonyms and joined words of both places, completed or not', async () => {
  const found = titles(TV, 'tv wall', 'the flat screen wall', 'wall screen');
  for (const prefix of [true, false]) {
    const ids = await found('screen wall flat screen', { prefix });
    assert.deepEqual(ids.sort(), ['the flat screen wall', 'tv wall'], `${prefix}`);
  }
  const joined = titles({ synonyms: [], stopWords: [] }, 'big spiderman');
  for (const prefix of [true, false])
    assert.deepEqual(await joined('man big spider man', { prefix, typo_tolerance: true }), ['big spiderman']);
});

test('a phrase that a token stands for in two ways counts once', async () => {
  resetRegions();
  const collection = new InProcessCollection(SCHEMA);
  const oracle = new OracleCollection(SCHEMA);
  const document = { id: '1', title: 'tv set' };
  collection.index([document]);
  oracle.upsert(document);
  const synonyms = [
    { root: 'flat screen', synonyms: ['tv set'] },
    { root: 'screen', synonyms: ['tv set'] },
  ];
  setRules(collection, oracle, { synonyms, stopWords: [] });
  await compareSearch({ name: 'test', client: collection as unknown as Client, oracle }, { q: 'flat screen' });
});
