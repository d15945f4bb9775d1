/**
 * The server against the oracle: suggestions.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../support/server.js';
import * as arbitrary from './arbitraries.js';
import { checkHistories, compareSuggest } from './harness.js';

const server = await startServer();
after(() => server.dispose());

test('suggestions are the completions and corrections of the last token, counted and ordered', async () => {
  const query = fc
    .tuple(arbitrary.textQuery, fc.integer({ min: 1, max: 50 }))
    .map(([{ q, query_by, typo_tolerance }, limit]) => ({
      q: q.replaceAll('"', ' '),
      query_by,
      typo_tolerance,
      limit,
    }));
  await checkHistories(server, { query, queries: 20 }, (loaded, { limit, ...each }) =>
    compareSuggest(loaded, each, limit),
  );
});
