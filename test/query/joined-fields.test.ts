/**
 * Exact words in several fields, of which lists are ranked, sparse and short: what a sweep joins, against the same searches with a
 * facet of 64-bit values, which go the general way. Same count, same hits, same scores to the last bit, for collections drawn at random.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BLOCK_POSTINGS, RANKED_COUNT_MIN } from '../../engine/layout/postings.js';
import type { OracleDocument, OracleField, OracleSchema } from '../oracle/collection.js';
import { randomNumbers, resetRegions } from '../support/engine-arena.js';
import { buildSegment, engineSchema, InProcessCollection, withoutDocuments } from '../support/engine-collection.js';

const FIELDS = ['title', 'body', 'notes'];
const WORDS = ['ash', 'beech', 'cedar', 'elm', 'fir', 'oak'];

const textField = (name: string, boost: number | null): OracleField => ({
  ...{ name, type: 'text', boost, index: true },
  ...{ facet: false, filter: false, sort: false },
});
const schemaOf = (titleBoost: number): OracleSchema => ({
  fields: [
    ...[textField('title', titleBoost), textField('body', null), textField('notes', 0.7)],
    { name: 'wide', type: 'float', boost: null, index: true, facet: true, filter: false, sort: false },
    { name: 'rank', type: 'int', boost: null, index: true, facet: false, filter: false, sort: true },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
});

/** Of 1000 documents, how many have a word in a field: never, in short lists, in sparse ones, in ranked ones, in all. */
const permille = fc.constantFrom(0, 1, 40, 150, 420, 700, 1000);
const shape = fc.record({
  seed: fc.nat(),
  sizes: fc.array(fc.constantFrom(RANKED_COUNT_MIN, 2900, 7000, 9000, 300), { minLength: 1, maxLength: 3 }),
  /** By word and field. */
  permilles: fc.array(permille, { minLength: WORDS.length * FIELDS.length, maxLength: WORDS.length * FIELDS.length }),
  /** A word occurs up to so often: with 1, scores of many documents are alike. */
  timesMax: fc.constantFrom(1, 1, 3, 9),
  /** Beside a great one what other fields add is little more than what is rounded. */
  titleBoost: fc.constantFrom(2, 2, 50, 1000, 100_000),
  /** Every so many documents one is deleted; 0: none is. */
  deletedStep: fc.constantFrom(0, 0, 2, 7),
  /** The words of so many neighbouring documents are alike, so that bounds of blocks differ. */
  run: fc.constantFrom(1, 1, 200),
});

const query = fc.record({
  q: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
  query_by: fc.constantFrom('title,body,notes', 'title,body,notes', 'body,title', 'notes,body', 'body'),
  match_mode: fc.constantFrom('all', 'any'),
  ranking: fc.constantFrom('bm25', 'bm25', 'best'),
  limit: fc.constantFrom(0, 1, 10, 10, 100),
  offset: fc.constantFrom(0, 0, 7),
  sort: fc.constantFrom('_text_match:desc', '_text_match:desc', '_text_match:desc,rank:asc'),
});

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

function* makeDocuments({ seed, permilles, timesMax, run }: Shape): Generator<OracleDocument> {
  const random = randomNumbers(seed);
  for (let id = 0; ; ) {
    const texts: Record<string, string> = {};
    FIELDS.forEach((field, f) => {
      const chosen: string[] = [];
      WORDS.forEach((word, w) => {
        if (random(1000) >= permilles[w * FIELDS.length + f]) return;
        for (let times = 1 + random(timesMax); times > 0; times--) chosen.push(word);
      });
      if (chosen.length > 0) texts[field] = chosen.join(' ');
    });
    for (let i = 0; i < run; i++) yield { id: `d${id}`, wide: Math.sqrt(id++ + 2), rank: random(20), ...texts };
  }
}

function collectionOf(drawn: Shape): InProcessCollection {
  resetRegions();
  const documents = makeDocuments(drawn);
  const schema = schemaOf(drawn.titleBoost);
  const made = new InProcessCollection(schema);
  const { deletedStep } = drawn;
  made.segments = drawn.sizes.map((size) => {
    const own = Array.from({ length: size }, () => documents.next().value as OracleDocument);
    const deleted = own.map((_, doc) => doc).filter((doc) => deletedStep > 0 && doc % deletedStep === 1);
    return withoutDocuments(buildSegment(engineSchema(schema), own), deleted);
  });
  return made;
}

test('words are joined over several fields as the general way matches them', async () => {
  const property = fc.asyncProperty(
    shape,
    fc.array(query, { minLength: 12, maxLength: 24 }),
    async (drawn, queries) => {
      const collection = collectionOf(drawn);
      for (const params of queries) {
        const exact = { ...params, prefix: false, typo_tolerance: false };
        const swept = await collection.search('', exact);
        const general = await collection.search('', { ...exact, facet: 'wide' });
        assert.equal(swept.found, general.found, JSON.stringify(params));
        assert.deepEqual(swept.hits, general.hits, JSON.stringify(params));
      }
    },
  );
  await fc.assert(property, { numRuns: 24 });
});

test('a title that weighs far more than all else hides no document of its block that has none', async () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    resetRegions();
    const random = randomNumbers(seed);
    const wordsOf = (word: string, timesMax: number): string => `${word} `.repeat(1 + random(timesMax));
    // All of a block alike, so that what it scores without titles at most is scored.
    const bodies = Array.from({ length: (4 * RANKED_COUNT_MIN) / BLOCK_POSTINGS }, () =>
      random(10) < 5 ? wordsOf('oak', 20) : wordsOf('ash', 3) + wordsOf('beech', 3) + wordsOf('fir', 20),
    );
    const documents = Array.from({ length: 4 * RANKED_COUNT_MIN }, (_, id): OracleDocument => {
      const body = bodies[Math.floor(id / BLOCK_POSTINGS)] ?? '';
      const title = id % BLOCK_POSTINGS === 5 && { title: 'ash' };
      return { id: `d${id}`, wide: Math.sqrt(id + 2), rank: id, body, ...title };
    });
    for (const titleBoost of [20, 100, 1000]) {
      const made = new InProcessCollection(schemaOf(titleBoost));
      made.segments = [buildSegment(engineSchema(schemaOf(titleBoost)), documents)];
      for (const sort of ['_text_match:desc', '_text_match:desc,rank:desc'])
        for (const limit of [40, 70, 100, 250]) {
          const params = { q: 'ash beech', query_by: 'title,body', ranking: 'bm25', limit, sort };
          const exact = { ...params, prefix: false, typo_tolerance: false };
          const swept = await made.search('', exact);
          const general = await made.search('', { ...exact, facet: 'wide' });
          assert.deepEqual(swept.hits, general.hits, `${seed} ${titleBoost} ${sort} ${limit}`);
        }
    }
  }
});
