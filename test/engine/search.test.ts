/**
 * The server against the oracle: what a text query matches, how it scores and in which order hits come.
 */
import { after, test } from 'node:test';
import { startServer } from '../support/server.js';
import * as arbitrary from './arbitraries.js';
import { checkHistories, compareSearch } from './harness.js';

const server = await startServer();
after(() => server.dispose());

const { textQuery: query } = arbitrary;

test('text queries match and score as the exhaustive definition says, over any number of batches', async () => {
  const operations = arbitrary.distinctBatches.map((batches) =>
    batches.map((documents) => ({ kind: 'index' as const, documents })),
  );
  await checkHistories(server, { query, queries: 25, operations }, (loaded, each) => compareSearch(loaded, each));
});

test('text queries see neither deleted nor replaced documents', async () => {
  await checkHistories(server, { query, queries: 15 }, (loaded, each) => compareSearch(loaded, each));
});
