/**
 * Words that stand for many lists beside words of many documents: what all of them match is found by bits, and what cannot enter is left out by
 * the bounds of blocks before it is scored. Against the same searches with a facet of 64-bit values, which go the general way: same
 * count, same hits, same scores to the last bit, for collections drawn at random.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OracleDocument, OracleField, OracleSchema } from '../oracle/collection.js';
import { randomNumbers, resetRegions } from '../support/engine-arena.js';
import { buildSegment, engineSchema, InProcessCollection, withoutDocuments } from '../support/engine-collection.js';

const FIELDS = ['title', 'body'];
/** Words, of which some begin others, so that a token stands for lists of every kind. */
const WORDS = ['ash', 'beech', 'beeches', 'bee', 'cedar', 'cedars', 'elm'];
const SEGMENT_SIZES = [3000, 4500, 6000, 300];

const textField = (name: string, boost: number | null): OracleField => ({
  ...{ name, type: 'text', boost, index: true },
  ...{ facet: false, filter: false, sort: false },
});
const schema: OracleSchema = {
  fields: [
    ...[textField('title', 2), textField('body', null)],
    { name: 'rank', type: 'int', boost: null, index: true, facet: false, filter: true, sort: true },
    { name: 'weight', type: 'float', boost: null, index: true, facet: true, filter: false, sort: false },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 3, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** Of 1000 documents, how many have a word in a field. */
const permille = fc.constantFrom(0, 2, 40, 300, 600, 900);
const shape = fc.record({
  seed: fc.nat(),
  sizes: fc.array(fc.constantFrom(...SEGMENT_SIZES), { minLength: 1, maxLength: 3 }),
  /** By word and field. */
  permilles: fc.array(permille, { minLength: WORDS.length * FIELDS.length, maxLength: WORDS.length * FIELDS.length }),
  /** Of 1000 documents, how many have a word that begins with one of the others and hardly any document has. */
  rarePermille: fc.constantFrom(0, 30, 400),
  timesMax: fc.constantFrom(1, 3),
  /** Words that nobody asks for: the fewer there are, the better a document is. */
  othersMax: fc.constantFrom(1, 12),
  /** Every so many documents one is deleted; 0: none is. */
  deletedStep: fc.constantFrom(0, 0, 3),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

const word = fc.constantFrom(...WORDS);
const query = fc.record(
  {
    q: fc
      .tuple(
        fc.array(word, { minLength: 1, maxLength: 2 }),
        fc.oneof(word, fc.constantFrom('be', 'bee', 'c', 'ceda', 'el', 'a')),
      )
      .map(([first, last]) => [...first, last].join(' ')),
    query_by: fc.constantFrom('title', 'title', 'title,body', 'body'),
    match_mode: fc.constant('all'),
    typo_tolerance: fc.boolean(),
    ranking: fc.constantFrom('bm25', 'bm25', 'best'),
    limit: fc.constantFrom(0, 1, 10, 10, 100),
    filter: fc.constantFrom('rank:<10', 'rank:<1'),
    sort: fc.constantFrom('_text_match:desc', '_text_match:desc', '_text_match:desc,rank:asc'),
  },
  { requiredKeys: ['q', 'query_by', 'match_mode', 'typo_tolerance', 'ranking', 'limit', 'sort'] },
);

function* makeDocuments({ seed, permilles, rarePermille, timesMax, othersMax }: Shape): Generator<OracleDocument> {
  const random = randomNumbers(seed);
  for (let id = 0; ; id++) {
    const texts: Record<string, string> = {};
    FIELDS.forEach((field, f) => {
      const chosen: string[] = [];
      WORDS.forEach((each, w) => {
        if (random(1000) >= permilles[w * FIELDS.length + f]) return;
        for (let times = 1 + random(timesMax); times > 0; times--) chosen.push(each);
      });
      if (random(1000) < rarePermille) chosen.push(`${WORDS[random(WORDS.length)]}${random(2000).toString(36)}`);
      for (let others = random(othersMax + 1); others > 0; others--) chosen.push(`x${random(50)}`);
      if (chosen.length > 0) texts[field] = chosen.join(' ');
    });
    yield { id: `d${id}`, rank: random(20), weight: random(9) / 8, ...texts };
  }
}

function collectionOf(drawn: Shape): InProcessCollection {
  resetRegions();
  const documents = makeDocuments(drawn);
  const made = new InProcessCollection(schema);
  const { deletedStep } = drawn;
  made.segments = drawn.sizes.map((size) => {
    const own = Array.from({ length: size }, () => documents.next().value as OracleDocument);
    const deleted = own.map((_, doc) => doc).filter((doc) => deletedStep > 0 && doc % deletedStep === 1);
    return withoutDocuments(buildSegment(engineSchema(schema), own), deleted);
  });
  return made;
}

test('words that complete or correct others are met as the general way matches them', async () => {
  const property = fc.asyncProperty(
    shape,
    fc.array(query, { minLength: 12, maxLength: 24 }),
    async (drawn, queries) => {
      const collection = collectionOf(drawn);
      for (const params of queries) {
        const swept = await collection.search('', params);
        const general = await collection.search('', { ...params, facet: 'weight' });
        assert.equal(swept.found, general.found, JSON.stringify(params));
        assert.deepEqual(swept.hits, general.hits, JSON.stringify(params));
      }
    },
  );
  await fc.assert(property, { numRuns: 100 });
});
