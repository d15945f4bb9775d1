/**
 * The server against the oracle: which words of a hit are marked, and which piece of its text is shown.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../support/server.js';
import * as arbitrary from './arbitraries.js';
import { compareHighlights } from './compare-highlights.js';
import { checkHistories } from './harness.js';

const server = await startServer();
after(() => server.dispose());

test('what matched is marked, whatever made it match, and nothing else', async () => {
  const query = fc
    .record({
      text: arbitrary.textQuery,
      typo_threshold: fc.constantFrom(0, 1, 10, 10_000),
      highlight: fc.shuffledSubarray(['title', 'body', 'note']),
      snippet_tokens: fc.constantFrom(0, 1, 2, 3, 5, 30),
    })
    .map(({ text, ...rest }) => ({ ...text, ...rest }));
  await checkHistories(server, { query, queries: 20 }, (loaded, each) => compareHighlights(loaded, each));
});
