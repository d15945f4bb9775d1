/**
 * include_fields and exclude_fields against the oracle: nothing of an answer changes but what its documents show.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { keepFields } from '../oracle/kept-fields.js';
import { encodeParams, jsonOf, type Params } from '../support/client.js';
import { startServer } from '../support/server.js';
import * as arbitrary from './arbitraries.js';
import { checkHistories, compareSearch, paramsOf } from './harness.js';

const server = await startServer();
after(() => server.dispose());

const names = fc.subarray(['id', '*', 'unknown', ...arbitrary.VALUE_FIELDS.map(({ name }) => name)]);
/** Ids alone are shown in a way of their own. */
const included = fc.oneof(fc.constant(['id']), names);

test('hits and fetched documents show the fields that are asked for', async () => {
  const query = fc.record({
    request: arbitrary.request,
    include: fc.option(included),
    exclude: fc.oneof(fc.constant([]), names),
  });
  const flat = query.map(({ request, ...rest }) => ({ ...request, ...rest }));
  await checkHistories(server, { query: flat, queries: 8 }, async (loaded, { include, exclude, ...request }) => {
    const { client, name, oracle } = loaded;
    const whole = await compareSearch(loaded, request);
    const choice = {
      ...(include !== null && include.length > 0 && { include_fields: include.join(', ') }),
      ...(exclude.length > 0 && { exclude_fields: exclude.join(',') }),
    };
    const kept = { include: 'include_fields' in choice ? include : null, exclude };
    const response = await client.search(name, { ...paramsOf(request), limit: 250, ...choice });
    const hits = whole.hits.map((hit) => ({ ...hit, document: keepFields(hit.document, kept) }));
    assert.deepEqual({ ...response, search_time_ms: 0 }, { ...whole, hits, search_time_ms: 0 });
    for (const { document } of [...oracle.stored.values()].slice(0, 2)) {
      const reply = await client.get(`/collections/${name}/documents/${document.id}${encodeParams(choice)}`);
      assert.deepEqual(jsonOf(reply), JSON.parse(JSON.stringify(keepFields(document, kept))));
    }
  });
});

test('ids alone are those of the documents, on pages of many kinds of ids', async () => {
  const { client } = server;
  const ids = Array.from({ length: 230 }, (_, i) => {
    if (i === 100) return 'a "quoted" \\ id';
    return i > 150 && i % 3 === 0 ? i : `id-${i}`;
  });
  const name = 'ids-alone';
  await client.create({ name, fields: [{ name: 'title', type: 'text' }] });
  await client.indexAll(
    name,
    ids.map((id) => ({ id, title: 'word' })),
  );
  const pages: Params[] = [{}, { offset: 90, limit: 40 }, { offset: 140 }, { limit: 1 }, { sort: '_text_match:asc' }];
  for (const params of pages) {
    const query = { q: 'word', limit: 250, ...params };
    const whole = await client.search(name, query);
    const alone = await client.search(name, { ...query, include_fields: 'id' });
    const hits = whole.hits.map((hit) => ({ ...hit, document: { id: hit.document.id } }));
    assert.deepEqual({ ...alone, search_time_ms: 0 }, { ...whole, hits, search_time_ms: 0 });
  }
});
