/**
 * The server against the oracle: sort orders, pages, facets and all of it at once.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../../support/server.js';
import * as arbitrary from './arbitraries.js';
import { applyBoth, comparePage, compareSearch, createBoth, fitToSchema } from './harness.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const facets = fc.subarray(arbitrary.VALUE_FIELDS.map(({ name }) => name));
const page = fc.record({ offset: fc.nat({ max: 60 }), limit: fc.nat({ max: 20 }) });

test('hits come in the demanded order, pages cut it without gap or repeat, facets count every match', async () => {
  const request = fc
    .record({ text: arbitrary.textQuery, sort: arbitrary.sort, facet: facets })
    .map(({ text, ...rest }) => ({ ...text, ...rest }));
  const queries = fc.array(fc.tuple(request, page), { minLength: 15, maxLength: 15 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.operations,
    queries,
    async (schema, operations, all) => {
      const loaded = await createBoth(client, schema);
      await applyBoth(loaded, operations);
      for (const [query, part] of all) {
        const fitted = fitToSchema(query, schema);
        const whole = await compareSearch(loaded, fitted, false);
        await comparePage(loaded, fitted, whole, part);
      }
      await client.drop(loaded.name);
    },
  );
  await fc.assert(
    property.beforeEach(() => server.revive()),
    { numRuns: 25 },
  );
});

test('filter, sort, facets and text together answer as each alone says', async () => {
  const request = fc
    .record({
      q: fc.constantFrom('', 'a', 'wire mouse', 'b'),
      filter: arbitrary.filter,
      sort: arbitrary.sort,
      facet: facets,
    })
    .map((fields) => ({ ...fields, match_mode: 'any' as const }));
  const queries = fc.array(request, { minLength: 15, maxLength: 15 });
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
    { numRuns: 20 },
  );
});
