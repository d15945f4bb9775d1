/**
 * The server against the oracle: suggestions.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../../support/server.js';
import * as arbitrary from './arbitraries.js';
import { applyBoth, compareSuggest, createBoth, fitToSchema } from './harness.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

test('suggestions are the completions and corrections of the last token, counted and ordered', async () => {
  const request = arbitrary.textQuery.map(({ q, query_by, typo_tolerance }) => ({
    q: q.replaceAll('"', ' '),
    query_by,
    typo_tolerance,
  }));
  const queries = fc.array(fc.tuple(request, fc.integer({ min: 1, max: 50 })), { minLength: 20, maxLength: 20 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.operations,
    queries,
    async (schema, operations, all) => {
      const loaded = await createBoth(client, schema);
      await applyBoth(loaded, operations);
      for (const [query, limit] of all) await compareSuggest(loaded, fitToSchema(query, schema), limit);
      await client.drop(loaded.name);
    },
  );
  await fc.assert(
    property.beforeEach(() => server.revive()),
    { numRuns: 25 },
  );
});
