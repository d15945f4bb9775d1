/**
 * What a scoped key shows: what passes its filter, of its collections, with its parameters, however it is asked and on any HTTP thread.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { KeyClaims } from '../../src/api/types/keys.js';
import { Client, jsonOf, type Params } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { keyOf, onEachThread, SEARCH, startScopedServer } from '../support/scoped-keys.js';
import type { ErrorBody, SearchResponse } from '../support/wire.js';

const server = await startScopedServer();
const { client: admin, port } = server;
after(() => server.dispose());

const TENANT = keyOf({ collections: ['shop', 'store'], filter: 'tenant:=1' });
const onEach = (key: string, ask: (client: Client) => Promise<void>): Promise<void> => onEachThread(port, key, ask);

const withoutTimes = (response: SearchResponse): object => ({ ...response, search_time_ms: 0 });
const SEARCHES: Params[] = [
  ...[{}, { q: 'mouse' }, { q: 'mose number' }, { q: 'tenant1' }, { q: 'keyboard', limit: 3, offset: 2 }],
  ...[
    { q: 'mouse', sort: 'cost:desc' },
    { facet: 'brand,tenant,title', facet_stats: true },
    { facet: 'brand', facet_query: 'brand:brand0' },
  ],
  ...[{ distinct: 'brand' }, { q: 'mouse', highlight: 'title' }, { filter: 'cost:>100' }, { filter: 'tenant:=2' }],
  ...[
    { filter: 'tenant:=2 || tenant:=0' },
    { filter: 'tenant:!=1' },
    { filter: 'cost:<50 || brand:=brand2-1', match_mode: 'any' },
  ],
  ...[{ include_fields: 'id,tenant' }, { q: '-mouse' }, { filter: ' ' }],
];

test('a search sees what passes the filter of its key, and no more, however it is asked', async () => {
  for (const params of SEARCHES) {
    const own = String(params['filter'] ?? '').trim();
    const filter = own === '' ? 'tenant:=1' : `(${own}) && tenant:=1`;
    const expected = withoutTimes(await admin.search('shop', { ...params, filter }));
    await onEach(TENANT, async (client) => {
      for (const name of ['shop', 'store']) {
        assert.deepEqual(withoutTimes(await client.search(name, params)), expected, JSON.stringify(params));
        const posted = expectStatus(await client.post(`/collections/${name}/search`, params), 200);
        assert.deepEqual(withoutTimes(jsonOf<SearchResponse>(posted)), expected, JSON.stringify(params));
      }
      const searches = [
        { collection: 'shop', ...params },
        { collection: 'store', ...params },
      ];
      const reply = expectStatus(await client.post('/multi-search', { searches }), 200);
      for (const result of jsonOf<{ results: SearchResponse[] }>(reply).results)
        assert.deepEqual(withoutTimes(result), expected, JSON.stringify(params));
    });
  }
});

test('one request, asked with several keys in turn, is answered to each as its key says', async () => {
  const keys = [0, 1, 2].map((tenant) => keyOf({ filter: `tenant:=${tenant}` }));
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });
  const client = new Client(port);
  for (let round = 0; round < 20; round++) {
    const tenant = round % 3;
    const headers = headersOf(keys[tenant] ?? '');
    const replies = [
      await client.get('/collections/shop/search?facet=tenant', headers),
      await client.post('/collections/shop/search', { facet: 'tenant' }, headers),
    ];
    for (const reply of replies)
      assert.deepEqual(jsonOf<SearchResponse>(reply).facets, { tenant: { [tenant]: 20 } }, `round ${round}`);
    const searches = [{ collection: 'shop', facet: 'tenant' }];
    const together = expectStatus(await client.post('/multi-search', { searches }, headers), 200);
    const [one] = jsonOf<{ results: SearchResponse[] }>(together).results;
    assert.deepEqual(one?.facets, { tenant: { [tenant]: 20 } }, `round ${round}`);
    const all = await client.get('/collections/shop/search?facet=tenant', headersOf(SEARCH));
    assert.equal(jsonOf<SearchResponse>(all).found, 60);
  }
  client.close();
});

test('a tag of what one key was answered is none of another one', async () => {
  const keys = [
    SEARCH,
    ...[1, 2].map((tenant) => keyOf({ filter: `tenant:=${tenant}` })),
    keyOf({ parameters: { limit: 1 } }),
  ];
  const tags: (string | undefined)[] = [];
  for (const path of ['/collections/shop/search?q=mouse', '/collections/store/search?q=mouse'])
    for (const key of keys) await onEach(key, async (client) => void tags.push((await client.get(path)).headers.etag));
  for (const [asking, key] of keys.entries())
    await onEach(key, async (client) => {
      for (const [given, tag] of tags.entries()) {
        const isOwn = Math.floor(given / 3) % keys.length === asking;
        const { status } = await client.get('/collections/shop/search?q=mouse', { 'if-none-match': tag });
        if (!isOwn) assert.equal(status, 200, `${asking} ${tag}`);
        else if (given < 3 * keys.length) assert.equal(status, 304, `${asking} ${tag}`);
      }
    });
});

test('whatever stands in a filter, what the key hides stays hidden', async () => {
  const piece = fc.constantFrom(
    ...['(', ')', '||', '&&', ' ', '[', ']', ',', '..', '"', "'", '\\', ':', '=', '!=', '>', '<', '\0', '\n', '-'],
    ...['tenant:=2', 'tenant:!=1', 'tenant:', 'cost:>0', 'cost:', 'brand:', 'id:=2', '0', '1', '2', 'brand0-1'],
  );
  const client = new Client(port, TENANT);
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const filter = pieces.join('');
      const reply = await client.post('/collections/shop/search', { filter, facet: 'tenant' });
      if (reply.status === 400) return;
      const { facets } = jsonOf<SearchResponse>(expectStatus(reply, 200));
      for (const tenant of Object.keys(facets?.['tenant'] ?? {})) assert.equal(tenant, '1', filter);
      answered += 1;
    }),
    { numRuns: 1500 },
  );
  assert.ok(answered > 20, `${answered}`);
  client.close();
});

test('no filter reaches out of its place', async () => {
  const breaking = [
    'cost:>0) || (cost:>=0',
    'cost:>0 ||',
    '|| cost:>0',
    'cost:>0) || (',
    ')',
    '(',
    'cost:>0 ) ) ) ||',
    'brand:="x',
    "brand:='x",
    'cost:>0 \0 || tenant:=2',
  ];
  await onEach(TENANT, async (client) => {
    for (const filter of breaking) {
      const query = `?filter=${encodeURIComponent(filter)}`;
      expectError(await client.get(`/collections/shop/search${query}`), 400, 'invalid_query');
      expectError(await client.post('/collections/shop/search', { filter }), 400, 'invalid_query');
      expectError(await client.get(`/collections/shop/documents${query}`), 400, 'invalid_query');
    }
  });
});

test('a document that the filter hides is not there', async () => {
  await onEach(TENANT, async (client) => {
    for (let id = 0; id < 12; id++) {
      const reply = await client.get(`/collections/shop/documents/${id}`);
      if (id % 3 === 1) expectStatus(reply, 200);
      else {
        const missing = await client.get('/collections/shop/documents/none');
        expectError(reply, 404, 'document_not_found');
        assert.equal(reply.text, missing.text.replace('none', `${id}`));
      }
      const found = await client.search('shop', { filter: `id:=${id}` });
      assert.equal(found.found, id % 3 === 1 ? 1 : 0);
    }
  });
});

test('an export gives what passes the filter', async () => {
  await onEach(TENANT, async (client) => {
    const idsOf = async (query: string): Promise<number[]> => {
      const { text } = expectStatus(await client.get(`/collections/shop/documents${query}`), 200);
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => Number((JSON.parse(line) as { id: string }).id));
    };
    const tenants = Array.from({ length: 20 }, (_, i) => 3 * i + 1);
    assert.deepEqual(await idsOf(''), tenants);
    assert.deepEqual(
      await idsOf('?filter=cost:%3C100||tenant:=2'),
      tenants.filter((id) => id * 7 < 100),
    );
    expectError(await client.get('/collections/vault/documents'), 403, 'forbidden');
  });
});

test('a collection of another name is forbidden, whether it is there or not', async () => {
  await onEach(TENANT, async (client) => {
    for (const name of ['vault', 'nowhere', 'SHOP', 'shop%20', 'shop,vault']) {
      expectError(await client.get(`/collections/${name}/search`), 403, 'forbidden');
      expectError(await client.post(`/collections/${name}/search`, {}), 403, 'forbidden');
      expectError(await client.get(`/collections/${name}/documents/1`), 403, 'forbidden');
      expectError(await client.get(`/collections/${name}/documents`), 403, 'forbidden');
      expectError(await client.get(`/collections/${name}/suggest?q=m`), 403, 'forbidden');
    }
    const searches = [{ collection: 'vault' }, { collection: 'shop' }, { collection: 'nowhere' }];
    const reply = expectStatus(await client.post('/multi-search', { searches }), 200);
    const codes = jsonOf<{ results: { error?: { code: string } }[] }>(reply).results.map((each) => each.error?.code);
    assert.deepEqual(codes, ['forbidden', undefined, 'forbidden']);
    expectStatus(await client.get('/collections/%73hop/search'), 200);
  });
});

test('what cannot be restricted is refused: suggestions, explanations, and everything but reads of documents', async () => {
  await onEach(TENANT, async (client) => {
    expectError(await client.get('/collections/shop/suggest?q=m'), 403, 'forbidden');
    for (const query of ['explain=true', 'explain_id=1', 'explain_id=2'])
      expectError(await client.get(`/collections/shop/search?${query}`), 403, 'forbidden', /explain/);
    expectError(await client.post('/collections/shop/search', { explain: 1 }), 403, 'forbidden');
    const others = ['/collections', '/collections/shop', '/aliases', '/aliases/store', '/metrics', '/analytics/top'];
    others.push('/analytics/zero-results', '/analytics/latency', '/collections/shop/synonyms');
    others.push('/collections/shop/stop-words');
    for (const path of others) expectError(await client.get(path), 403, 'forbidden');
    const writes: [string, string][] = [
      ...([
        ['POST', '/collections'],
        ['POST', '/collections/shop/documents'],
        ['DELETE', '/collections/shop'],
      ] as const),
      ...([
        ['DELETE', '/collections/shop/documents/1'],
        ['PATCH', '/collections/shop/documents/1'],
      ] as const),
      ...([
        ['DELETE', '/collections/shop/documents?filter=id:=1'],
        ['PUT', '/aliases/x'],
        ['POST', '/snapshot'],
      ] as const),
    ].map(([method, path]) => [method, path]);
    for (const [method, path] of writes) {
      const body = method === 'DELETE' ? {} : { body: '{}' };
      expectError(await client.request(method, path, body), 403, 'forbidden', /scoped key/);
    }
    for (const path of ['/health', '/openapi.json']) expectStatus(await client.get(path), 200);
    expectError(await client.get('/nothing'), 403, 'forbidden');
  });
});

test('a key without a filter sees all documents of its collections, and may have suggestions', async () => {
  await onEach(keyOf({ collections: ['shop'] }), async (client) => {
    assert.equal((await client.search('shop', {})).found, 60);
    expectStatus(await client.get('/collections/shop/suggest?q=m'), 200);
    expectStatus(await client.get('/collections/shop/search?explain=true'), 200);
    expectError(await client.get('/collections/vault/suggest?q=m'), 403, 'forbidden');
    expectError(await client.get('/collections'), 403, 'forbidden');
  });
  await onEach(keyOf({}), async (client) => {
    assert.equal((await client.search('vault', {})).found, 60);
    expectError(await client.get('/collections/nowhere/search'), 404, 'collection_not_found');
    expectError(await client.delete('/collections/vault'), 403, 'forbidden');
  });
});

test('a filter that does not fit the collection lets nothing pass', async () => {
  for (const filter of ['nonsense', 'unknown:=1', 'title:>3', 'tenant:=1) || (tenant:=2', 'tenant:=one', '()'])
    await onEach(keyOf({ filter }), async (client) => {
      for (const path of ['search', 'search?filter=cost:>1', 'documents/1', 'documents/none', 'documents'])
        expectError(await client.get(`/collections/shop/${path}`), 400, 'invalid_query', /filter of the key/);
    });
});

test('parameters of a key stand in the place of those of a request', async () => {
  const key = keyOf({ parameters: { limit: 2, facet: ['tenant'], q: 'mouse', sort: 'cost:desc', filter: null } });
  await onEach(key, async (client) => {
    const expected = withoutTimes(
      await admin.search('shop', { limit: 2, facet: 'tenant', q: 'mouse', sort: 'cost:desc' }),
    );
    const asked: Params[] = [{}, { limit: 50, q: 'keyboard' }];
    for (const params of [...asked, { facet: 'cost', sort: 'cost:asc', filter: 'tenant:=2' }]) {
      assert.deepEqual(withoutTimes(await client.search('shop', params)), expected);
      const reply = expectStatus(await client.post('/collections/shop/search', params), 200);
      assert.deepEqual(withoutTimes(jsonOf<SearchResponse>(reply)), expected);
    }
    expectError(await client.get('/collections/shop/suggest?q=m'), 403, 'forbidden');
    const { text } = expectStatus(await client.get('/collections/shop/documents?filter=id:=1'), 200);
    assert.equal(text.split('\n').filter((line) => line !== '').length, 60);
  });
  await onEach(keyOf({ parameters: { filter: ' ' } }), async (client) => {
    assert.equal((await client.search('shop', {})).found, 60);
    expectStatus(await client.get('/collections/shop/documents?filter=id:=1'), 200);
  });
  await onEach(keyOf({ parameters: { limit: 'many' } }), async (client) => {
    expectError(await client.get('/collections/shop/search'), 400, 'invalid_query', /parameters of the key "limit"/);
  });
});

test('a fault of a parameter is said of the key where the key fixes it, and of the request else', async () => {
  const faults: [KeyClaims['parameters'], string, RegExp][] = [
    [{ limit: 251 }, 'limit=1', /^parameters of the key "limit": expected at most 250, got 251/],
    [{ limit: 5 }, 'facet_limit=9999', /^query parameter "facet_limit": expected at most/],
    [{ match_mode: 'some' }, 'match_mode=all', /^parameters of the key "match_mode"/],
    [{ offset: 10_000 }, 'limit=1', /^parameters of the key, offset \+ limit: .* got 10000 \+ 1/],
    [{ limit: 5 }, 'offset=9999', /^query parameters, offset \+ limit: .* got 9999 \+ 5/],
  ];
  for (const [parameters = {}, query, message] of faults) {
    await onEach(keyOf({ parameters }), async (client) => {
      expectError(await client.get(`/collections/shop/search?${query}`), 400, 'invalid_query', message);
    });
  }
  await onEach(keyOf({ parameters: { limit: 251 } }), async (client) => {
    const message = /^parameters of the key "limit": expected at most 250/;
    expectError(await client.post('/collections/shop/search', { limit: 1 }), 400, 'invalid_query', message);
    const reply = expectStatus(await client.post('/multi-search', { searches: [{ collection: 'shop' }] }), 200);
    const [result] = jsonOf<{ results: ErrorBody[] }>(reply).results;
    assert.match(result?.error.message ?? '', message);
  });
});

test('fields that a key hides are told by nothing else either', async () => {
  for (const parameters of [{ exclude_fields: 'cost' }, { include_fields: ['id', 'title'] }]) {
    await onEach(keyOf({ parameters: { query_by: 'title', ...parameters } }), async (client) => {
      const shown = await client.search('shop', { q: 'mouse', include_fields: 'cost', query_by: 'title' });
      assert.ok(shown.found > 0);
      for (const { document } of shown.hits) assert.ok(!('cost' in document));
      assert.ok(
        !expectStatus(await client.get('/collections/shop/documents/1?include_fields=cost'), 200).text.includes('cost'),
      );
      assert.ok(!expectStatus(await client.get('/collections/shop/documents'), 200).text.includes('"cost"'));
      const naming = [
        'filter=cost:>1',
        'sort=cost:asc',
        'facet=cost',
        'distinct=cost',
        'highlight=title',
        'explain=true',
      ];
      for (const query of [...naming, 'explain_id=1', 'facet=brand&facet_query=brand:x'])
        expectError(await client.get(`/collections/shop/search?${query}`), 403, 'forbidden');
      expectError(await client.get('/collections/shop/documents?filter=cost:>1'), 403, 'forbidden');
    });
    await onEach(keyOf({ parameters }), async (client) => {
      expectError(await client.get('/collections/shop/search?query_by=title'), 403, 'forbidden', /query_by/);
    });
  }
});
