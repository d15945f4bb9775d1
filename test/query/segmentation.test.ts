/**
 * How documents fall into segments, and what was deleted from these, shows in no answer: not in a bit of a score, in the
 * order, in a facet, a highlight or an explanation.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as arbitrary from '../engine/arbitraries.js';
import { fitToSchema, paramsOf } from '../engine/harness.js';
import type { OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';
import type { Explained, SearchResponse } from '../support/wire.js';

/** Tries of a run; more with SEGMENTATION_RUNS. */
const RUNS = Number(process.env['SEGMENTATION_RUNS'] ?? 60);
const QUERIES = 8;

const TITLES: OracleSchema = {
  fields: [{ name: 'title', type: 'text', index: true, facet: false, filter: false, sort: false, boost: null }],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

const answerOf = async (collection: InProcessCollection, params: Params): Promise<Partial<SearchResponse>> => {
  const { search_time_ms: _, ...answer } = await collection.search('', params);
  return answer;
};

test('no answer tells how documents fall into segments, or what was deleted', async () => {
  const queries = fc.array(arbitrary.request, { minLength: QUERIES, maxLength: QUERIES });
  const merged = fc.tuple(fc.nat(), fc.nat());
  const property = fc.asyncProperty(arbitrary.schema, arbitrary.operations, merged, queries, async (...drawn) => {
    const [schema, operations, [at, more], asked] = drawn;
    resetRegions();
    const written = new InProcessCollection(schema);
    for (const operation of operations) {
      if (operation.kind === 'delete') written.delete(operation.id);
      else for (const document of operation.documents) written.index([document]);
    }
    const count = written.segments.length;
    if (count === 0) return;
    const from = at % count;
    const ranges = [
      [from, from + 1 + (more % (count - from))],
      [0, count],
    ];
    const variants = ranges.map(([first = 0, end = 0]) => {
      const variant = new InProcessCollection(schema);
      variant.segments = [...written.segments];
      variant.merge(first, end);
      return variant;
    });
    for (const request of asked) {
      const shown = { limit: 250, explain: true, explain_id: 'd1', highlight: 'title' };
      const params = { ...paramsOf(fitToSchema(request, schema)), ...shown };
      const expected = await answerOf(written, params);
      for (const variant of variants) assert.deepEqual(await answerOf(variant, params), expected);
    }
  });
  await fc.assert(property, { numRuns: RUNS });
});

test('a second stage that adds nothing but words of deleted documents is none', async () => {
  resetRegions();
  const collection = new InProcessCollection(TITLES);
  collection.index([
    { id: 'a', title: 'house' },
    { id: 'b', title: 'mouse' },
    { id: 'c', title: 'houserent mouserats' },
  ]);
  collection.delete('b');
  collection.delete('c');
  const params = { q: 'house', explain: true };
  const expected = await answerOf(collection, params);
  const [, second] = (expected as Explained).explain.stages;
  assert.deepEqual(second, { stage: 2, found: null, answered: false });
  collection.merge(0, 1);
  assert.deepEqual(await answerOf(collection, params), expected);
});
