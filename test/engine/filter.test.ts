/**
 * The server against the oracle: filters of every kind, alone and together with text.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../support/server.js';
import * as arbitrary from './arbitraries.js';
import { checkHistories, compareSearch } from './harness.js';

const server = await startServer();
after(() => server.dispose());

test('a filter passes exactly the documents its definition says, whatever the quotes', async () => {
  const quoting = fc.constantFrom('bare' as const, 'single' as const, 'double' as const);
  const query = fc.record({ q: fc.constantFrom('', '', 'wire', 'a b'), filter: arbitrary.filter, quoting });
  await checkHistories(server, { query, queries: 25 }, (loaded, each) => compareSearch(loaded, each));
});
