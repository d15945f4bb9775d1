/**
 * The server against the oracle: filters of every kind, alone and together with text.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../../support/server.js';
import * as arbitrary from './arbitraries.js';
import { applyBoth, compareSearch, createBoth } from './harness.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

test('a filter passes exactly the documents its definition says, whatever the quotes', async () => {
  const quoting = fc.constantFrom('bare' as const, 'single' as const, 'double' as const);
  const queries = fc.array(
    fc.record({ q: fc.constantFrom('', '', 'wire', 'a b'), filter: arbitrary.filter, quoting }),
    {
      minLength: 25,
      maxLength: 25,
    },
  );
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.operations,
    queries,
    async (schema, operations, all) => {
      const loaded = await createBoth(client, schema);
      await applyBoth(loaded, operations);
      for (const query of all) await compareSearch(loaded, query, false);
      await client.drop(loaded.name);
    },
  );
  await fc.assert(
    property.beforeEach(() => server.revive()),
    { numRuns: 25 },
  );
});
