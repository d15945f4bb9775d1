/**
 * Queries of more tokens than are matched, in process against the oracle: the rarest of the live documents stay.
 */
import { test } from 'node:test';
import fc from 'fast-check';
import { compareSearch } from '../engine/harness.js';
import { OracleCollection, type OracleDocument, type OracleSchema } from '../oracle/collection.js';
import type { Client } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** Words of which the first are frequent and the last unknown. */
const word = fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 })).map(([a, b]) => `w${Math.min(a, b)}`);
const document = fc.record({ title: fc.array(word, { maxLength: 12 }), body: fc.array(word, { maxLength: 12 }) });
const segments = fc.array(fc.array(document, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 4 });

const tokens = fc.shuffledSubarray(
  Array.from({ length: 110 }, (_, i) => `w${i}`),
  { minLength: 60, maxLength: 100 },
);
const query = fc.record({
  tokens,
  again: fc.nat({ max: 20 }),
  more: fc.constantFrom('', ' "w1 w2"', ' -w3', ' w5'),
  query_by: fc.constantFrom(undefined, ['title'], ['body']),
  prefix: fc.boolean(),
  typo_threshold: fc.constantFrom(0, 10),
});

test('of too many tokens those match that the fewest live documents hold, over any number of segments', async () => {
  const queries = fc.array(query, { minLength: 4, maxLength: 4 });
  const gone = fc.array(fc.nat({ max: 39 }), { maxLength: 8 });
  const property = fc.asyncProperty(segments, gone, queries, async (batches, deleted, all) => {
    resetRegions();
    const collection = new InProcessCollection(SCHEMA);
    const oracle = new OracleCollection(SCHEMA);
    let id = 0;
    for (const batch of batches) {
      const documents = batch.map(
        ({ title, body }): OracleDocument => ({ id: `d${id++}`, title: title.join(' '), body: body.join(' ') }),
      );
      collection.index(documents);
      for (const each of documents) oracle.upsert(each);
    }
    for (const each of deleted) if (oracle.delete(`d${each}`)) collection.delete(`d${each}`);
    const loaded = { name: 'test', client: collection as unknown as Client, oracle };
    for (const { tokens: typed, again, more, ...rest } of all) {
      const q = `${typed.join(' ')} ${typed.slice(0, again).join(' ')}${more}`;
      await compareSearch(loaded, { q, match_mode: 'any', ...rest });
    }
  });
  await fc.assert(property, { numRuns: 40 });
});
