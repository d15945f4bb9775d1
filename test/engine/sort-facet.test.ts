/**
 * The server against the oracle: sort orders, pages, facets and all of it at once.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../support/server.js';
import * as arbitrary from './arbitraries.js';
import { checkHistories, comparePage, compareSearch } from './harness.js';

const server = await startServer();
after(() => server.dispose());

const facets = fc.subarray(arbitrary.VALUE_FIELDS.map(({ name }) => name));
const page = fc.record({ offset: fc.nat({ max: 60 }), limit: fc.nat({ max: 20 }) });

test('hits come in the demanded order, pages cut it without gap or repeat, facets count every match', async () => {
  const query = fc
    .record({ text: arbitrary.textQuery, sort: arbitrary.sort, facet: facets, page })
    .map(({ text, ...rest }) => ({ ...text, ...rest }));
  await checkHistories(server, { query, queries: 15 }, async (loaded, { page: part, ...whole }) => {
    await comparePage(loaded, whole, await compareSearch(loaded, whole), part);
  });
});

test('filter, sort, facets and text together answer as each alone says', async () => {
  const query = fc
    .record({
      q: fc.constantFrom('', 'a', 'wire mouse', 'b'),
      filter: arbitrary.filter,
      sort: arbitrary.sort,
      facet: facets,
    })
    .map((fields) => ({ ...fields, match_mode: 'any' as const }));
  await checkHistories(server, { query, queries: 15, runs: 20 }, (loaded, each) => compareSearch(loaded, each));
});
