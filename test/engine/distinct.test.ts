/**
 * distinct against the oracle: the hits are the first of their groups in the order of all hits, on every page.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { OracleDocument } from '../oracle/collection.js';
import { groupOf, groupsOf } from '../oracle/distinct.js';
import { startServer } from '../support/server.js';
import type { Hit } from '../support/wire.js';
import * as arbitrary from './arbitraries.js';
import { checkHistories, compareSearch, paramsOf } from './harness.js';

const server = await startServer();
after(() => server.dispose());

const page = fc.record({ offset: fc.nat({ max: 12 }), limit: fc.nat({ max: 12 }) });

test('there is one hit for each value, the best one, found counts values and facets count documents', async () => {
  const query = fc
    .record({
      request: arbitrary.request,
      distinct: fc.constantFrom(...arbitrary.VALUE_FIELDS.map(({ name }) => name)),
      pages: fc.array(page, { minLength: 1, maxLength: 3 }),
    })
    .map(({ request, ...rest }) => ({ ...request, ...rest }));
  await checkHistories(server, { query, queries: 12 }, async (loaded, { distinct, pages, ...request }) => {
    const { client, name, oracle } = loaded;
    const whole = await compareSearch(loaded, request);
    const groupAt = ({ document }: Hit): string | null => groupOf(oracle, document as OracleDocument, distinct);
    const groups = groupsOf(whole.hits, groupAt).map(({ hit, count }) => ({ ...hit, distinct_count: count }));
    for (const { offset, limit } of [{ offset: 0, limit: 250 }, ...pages]) {
      const response = await client.search(name, { ...paramsOf(request), distinct, offset, limit });
      assert.equal(response.found, groups.length, 'found');
      assert.deepEqual(response.hits, groups.slice(offset, offset + limit));
      assert.deepEqual(response.facets, whole.facets);
    }
  });
});
