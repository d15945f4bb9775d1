/**
 * How documents arrived does not show: one batch, many batches or a restart in between give the same answers.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { closeTo } from '../support/expect.js';
import { startServer } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';
import * as arbitrary from './arbitraries.js';
import {
  applyBoth,
  compareSearch,
  createBoth,
  fitToSchema,
  indexBoth,
  type Loaded,
  paramsOf,
  type Request,
} from './harness.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const request: fc.Arbitrary<Request> = fc
  .record({
    text: arbitrary.textQuery,
    sort: arbitrary.sort,
    facet: fc.constantFrom(['kw', 'num'], ['day', 'flag', 'ratio']),
  })
  .map(({ text, ...rest }) => ({ ...text, ...rest }));

function assertSameAnswer(actual: SearchResponse, expected: SearchResponse): void {
  assert.equal(actual.found, expected.found);
  assert.deepEqual(actual.facets, expected.facets);
  assert.deepEqual(
    actual.hits.map(({ document }) => document),
    expected.hits.map(({ document }) => document),
  );
  actual.hits.forEach(({ text_match }, i) => {
    assert.ok(closeTo(text_match, expected.hits[i]?.text_match ?? NaN, 1e-5), `text_match of hit ${i}`);
  });
}

const answer = (loaded: Loaded, query: Request): Promise<SearchResponse> =>
  client.search(loaded.name, { ...paramsOf(fitToSchema(query, loaded.oracle.schema)), limit: 250 });

test('one batch, one request a document and any split between answer alike', async () => {
  const queries = fc.array(request, { minLength: 10, maxLength: 10 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.distinctBatches,
    queries,
    async (schema, batches, all) => {
      const variants = [[batches.flat()], batches.flat().map((document) => [document]), batches];
      const loaded: Loaded[] = [];
      for (const variant of variants) {
        const collection = await createBoth(client, schema);
        for (const batch of variant) await indexBoth(collection, batch);
        loaded.push(collection);
      }
      const [reference, ...others] = loaded;
      assert.ok(reference);
      for (const query of all) {
        const expected = await answer(reference, query);
        for (const other of others) assertSameAnswer(await answer(other, query), expected);
      }
      for (const { name } of loaded) await client.drop(name);
    },
  );
  await fc.assert(
    property.beforeEach(() => server.revive()),
    { numRuns: 10 },
  );
});

test('a restart changes no answer', async () => {
  const collections = fc.array(fc.tuple(arbitrary.schema, arbitrary.operations), { minLength: 6, maxLength: 6 });
  const queries = fc.array(request, { minLength: 10, maxLength: 10 });
  const property = fc.asyncProperty(collections, queries, async (inputs, all) => {
    const loaded: Loaded[] = [];
    for (const [schema, operations] of inputs) {
      const collection = await createBoth(client, schema);
      await applyBoth(collection, operations);
      loaded.push(collection);
    }
    await server.restart();
    for (const collection of loaded) {
      for (const query of all) {
        await compareSearch(collection, fitToSchema(query, collection.oracle.schema));
      }
      await client.drop(collection.name);
    }
  });
  await fc.assert(
    property.beforeEach(() => server.revive()),
    { numRuns: 2, endOnFailure: true },
  );
});
