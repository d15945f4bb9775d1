/**
 * The server against the oracle: what a text query matches, how it scores and in which order hits come.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../../support/server.js';
import * as arbitrary from './arbitraries.js';
import { applyBoth, compareSearch, createBoth, fitToSchema, indexBoth } from './harness.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

test('text queries match and score as the exhaustive definition says, over any number of batches', async () => {
  const queries = fc.array(arbitrary.textQuery, { minLength: 25, maxLength: 25 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.distinctBatches,
    queries,
    async (schema, batches, all) => {
      const loaded = await createBoth(client, schema);
      for (const batch of batches) await indexBoth(loaded, batch);
      for (const query of all) await compareSearch(loaded, fitToSchema(query, schema), true);
      await client.drop(loaded.name);
    },
  );
  await fc.assert(
    property.beforeEach(() => server.revive()),
    { numRuns: 25 },
  );
});

test('text queries see neither deleted nor replaced documents', async () => {
  const queries = fc.array(arbitrary.textQuery, { minLength: 15, maxLength: 15 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.operations,
    queries,
    async (schema, operations, all) => {
      const loaded = await createBoth(client, schema);
      await applyBoth(loaded, operations);
      for (const query of all) await compareSearch(loaded, fitToSchema(query, schema), false);
      await client.drop(loaded.name);
    },
  );
  await fc.assert(
    property.beforeEach(() => server.revive()),
    { numRuns: 25 },
  );
});
