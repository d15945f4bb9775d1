/**
 * Scores after any history of writes and merges, against those of the same documents indexed afresh: equal to the last
 * bit, as nothing but the live documents counts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as arbitrary from '../engine/arbitraries.js';
import { fitToSchema, paramsOf } from '../engine/harness.js';
import { OracleCollection, type OracleDocument } from '../oracle/collection.js';
import { searchOracle } from '../oracle/search.js';
import type { Params } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

type Step = arbitrary.Operation | { readonly kind: 'merge'; readonly from: number; readonly count: number };

const merge: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('merge' as const),
  from: fc.nat({ max: 9 }),
  count: fc.integer({ min: 1, max: 4 }),
});
const history: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof({ weight: 2, arbitrary: arbitrary.operations }, { weight: 1, arbitrary: merge.map((one) => [one]) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((steps) => steps.flat());

/** Applies `step` to the collection and to the model of what it holds. */
function apply(step: Step, collection: InProcessCollection, model: OracleCollection): void {
  if (step.kind === 'index') {
    collection.index(step.documents);
    for (const document of step.documents) model.upsert(document);
  } else if (step.kind === 'delete') {
    assert.equal(collection.delete(step.id), model.delete(step.id));
  } else if (step.from < collection.segments.length) {
    collection.merge(step.from, Math.min(step.from + step.count, collection.segments.length));
  }
}

/** The live documents in segments of `size` documents each. */
function afresh(model: OracleCollection, size: number): InProcessCollection {
  const collection = new InProcessCollection(model.schema);
  const documents = model.documents.map(({ document }): OracleDocument => document);
  for (let from = 0; from < documents.length; from += size) collection.index(documents.slice(from, from + size));
  return collection;
}

async function hitsOf(collection: InProcessCollection, params: Params): Promise<unknown> {
  const { found, hits } = await collection.search('', params);
  return { found, hits };
}

test('scores are those of the live documents indexed afresh, at every step of any history', async () => {
  const queries = fc.array(arbitrary.textQuery, { minLength: 12, maxLength: 12 });
  const size = fc.constantFrom(1, 3, 1000);
  const property = fc.asyncProperty(arbitrary.schema, history, queries, size, async (schema, steps, asked, each) => {
    resetRegions();
    const collection = new InProcessCollection(schema);
    const model = new OracleCollection(schema);
    for (const [i, step] of steps.entries()) {
      apply(step, collection, model);
      const fresh = afresh(model, each);
      const count = i === steps.length - 1 ? asked.length : 2;
      for (let q = 0; q < count; q++) {
        const query = fitToSchema(asked[(i + q) % asked.length], schema);
        const params = { ...paramsOf(query), limit: 250 };
        const got = await hitsOf(collection, params);
        assert.deepEqual(got, await hitsOf(fresh, params), `step ${i}, ${JSON.stringify(params)}`);
        assert.equal((got as { found: number }).found, searchOracle(model, query).length);
      }
    }
  });
  await fc.assert(property, { numRuns: 60 });
});
