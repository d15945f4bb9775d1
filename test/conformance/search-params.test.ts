/**
 * The query parameters of search: defaults, bounds, spellings, and the shape of the response.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, makeShop, SHOP, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const shop = await makeShop(client);
const search = `/collections/${shop}/search`;

const many = freshName('many');
await client.create(titleSchema(many));
await client.indexAll(
  many,
  Array.from({ length: 10_050 }, (_, i) => ({ id: `${i}`, title: `item ${i}` })),
);

test('a response has exactly the keys of the interface', async () => {
  const reply = await client.get(`${search}?q=mouse`);
  const response = expectJson<SearchResponse>(reply);
  assert.deepEqual(Object.keys(response).sort(), ['facets', 'found', 'found_is_exact', 'hits', 'search_time_ms']);
  assert.equal(response.found_is_exact, true);
  assert.equal(response.facets, null);
  assert.ok(response.search_time_ms >= 0 && response.search_time_ms < 10_000);
  for (const hit of response.hits) {
    assert.deepEqual(Object.keys(hit).sort(), ['document', 'text_match']);
    assert.deepEqual(
      hit.document,
      SHOP.find(({ id }) => id === hit.document.id),
    );
    assert.ok(Number.isFinite(hit.text_match) && hit.text_match > 0);
  }
});

test('the server time is also a Server-Timing header', async () => {
  const reply = await client.get(`${search}?q=mouse`);
  const { search_time_ms } = expectJson<SearchResponse>(reply);
  const duration = /^search;dur=([\d.]+)$/.exec(String(reply.headers['server-timing']));
  assert.equal(Number(duration?.[1]), search_time_ms);
});

test('search_time_ms has at most microsecond resolution', async () => {
  for (let i = 0; i < 10; i++) {
    const text = /"search_time_ms":([\d.]+)/.exec((await client.get(`${search}?q=mouse`)).text)?.[1] ?? 'none';
    assert.match(text, /^\d+(\.\d{1,3})?$/);
  }
});

test('q missing, empty, a star, blank or without any token matches every document with text_match 0', async () => {
  for (const query of ['', '?q=', '?q=*', '?q=%20', '?q=!%3F', '?q=%22%22', '?q=%20*%20']) {
    const response = expectJson<SearchResponse>(await client.get(search + query));
    assert.equal(response.found, SHOP.length, query);
    assert.deepEqual(
      response.hits.map(({ document }) => document.id),
      SHOP.map(({ id }) => id),
      'insertion order',
    );
    assert.ok(response.hits.every(({ text_match }) => text_match === 0));
  }
});

test('limit defaults to 10, and 0 counts only', async () => {
  assert.equal((await client.search(many, { q: 'item' })).hits.length, 10);
  const counted = await client.search(many, { q: 'item', limit: 0 });
  assert.deepEqual([counted.found, counted.hits.length], [10_050, 0]);
  assert.equal((await client.search(many, { limit: 250 })).hits.length, 250);
});

test('pages up to the window of 10,000 are served, with found beyond it', async () => {
  const last = await client.search(many, { q: 'item', offset: 9990, limit: 10 });
  assert.deepEqual([last.found, last.hits.length], [10_050, 10]);
  assert.equal((await client.search(many, { offset: 10_000, limit: 0 })).hits.length, 0);
  assert.equal((await client.search(shop, { offset: 5000 })).hits.length, 0);
});

test('pages of one query neither skip nor repeat', async () => {
  for (const q of ['', 'item', '*']) {
    const seen: string[] = [];
    for (let offset = 0; offset < 1000; offset += 100)
      seen.push(...(await client.ids(many, { q, offset, limit: 100 })));
    assert.equal(new Set(seen).size, 1000);
  }
});

const BAD_VALUES: Record<string, string[]> = {
  limit: ['251', '-1', '1.5', 'ten', '', '+5', '0x10', '1e1', '%2010', '99999999999999999999', '10;'],
  offset: ['-1', '10000', '1.0', 'x', '', '99999999999999999999'],
  prefix: ['yes', '2', '', 'on', 'tru'],
  typo_tolerance: ['no', '-1', '', 'null'],
  match_mode: ['some', '', 'all,any'],
  query_by: ['', '%20', ',', 'title,', 'nothing', 'brand', 'note', 'Title', 'title,nothing', 'id'],
  sort: [
    'price',
    'price:',
    'price:up',
    'nothing:asc',
    'title:asc',
    'stored:asc',
    'price:asc,price:desc',
    ':asc',
    'id:asc',
  ],
  facet: ['nothing', 'title', 'stored', 'brand,', 'brand,nothing', 'id'],
};

for (const [parameter, values] of Object.entries(BAD_VALUES)) {
  test(`a bad ${parameter} is refused and named, never clamped or ignored`, async () => {
    for (const value of values) {
      const reply = await client.get(`${search}?q=mouse&${parameter}=${value}`);
      assert.equal(reply.status, 400, `${parameter}=${value}: ${reply.status}`);
      expectError(reply, 400, 'invalid_query', new RegExp(parameter));
    }
  });
}

test('booleans are true, false, 1 and 0 in any case', async () => {
  for (const [value, found] of [
    ['true', 3],
    ['TRUE', 3],
    ['1', 3],
    ['false', 0],
    ['False', 0],
    ['0', 0],
  ] as const) {
    const response = expectJson<SearchResponse>(
      await client.get(`${search}?q=mous&typo_tolerance=false&prefix=${value}`),
    );
    assert.equal(response.found, found, value);
  }
});

test('match_mode is all or any in any case, and all by default', async () => {
  const found = async (query: string): Promise<number> =>
    expectJson<SearchResponse>(await client.get(`${search}?q=wireless+cable${query}`)).found;
  assert.equal(await found(''), 0);
  assert.equal(await found('&match_mode=all'), 0);
  assert.equal(await found('&match_mode=ANY'), 4);
  assert.equal(await found('&match_mode=Any'), 4);
});

test('plus and %20 are a space, %2B is a plus', async () => {
  const ids = async (query: string): Promise<unknown[]> =>
    expectJson<SearchResponse>(await client.get(search + query)).hits.map(({ document }) => document.id);
  const expected = await ids('?q=%22wireless%20mouse%22');
  assert.deepEqual(expected, ['mouse']);
  assert.deepEqual(await ids('?q=%22wireless+mouse%22'), expected);
  assert.deepEqual(await ids('?q=%22wireless%2Bmouse%22'), expected, 'a plus is no letter');
});

test('unknown parameters are ignored', async () => {
  const response = expectJson<SearchResponse>(await client.get(`${search}?q=cable&page=2&x&=&y=`));
  assert.equal(response.found, 1);
});

test('a parameter given twice is refused', async () => {
  for (const query of ['q=a&q=b', 'q=a&q=a', 'limit=1&limit=1', 'q=a&%71=b']) {
    expectError(await client.get(`${search}?${query}`), 400, 'invalid_query');
  }
});

test('malformed percent-encoding and invalid UTF-8 are refused', async () => {
  for (const query of ['q=%', 'q=%2', 'q=%zz', 'q=100%&limit=1', 'q=%FF', 'q=%C3', 'q=%C0%80', 'q=%ED%A0%80']) {
    expectError(await client.get(`${search}?${query}`), 400, 'invalid_query');
    expectError(await client.get(`/collections/${shop}/suggest?${query}`), 400, 'invalid_query');
  }
});

test('q of 4 KiB and 64 tokens is served, beyond is refused', async () => {
  const tokens = (count: number): string => Array.from({ length: count }, (_, i) => `t${i}`).join('+');
  expectStatus(await client.get(`${search}?q=${tokens(64)}`), 200);
  expectError(await client.get(`${search}?q=${tokens(65)}`), 400, 'invalid_query', /64/);
  expectStatus(await client.get(`${search}?q=${'x'.repeat(4096)}`), 200);
  expectError(await client.get(`${search}?q=${'x'.repeat(4097)}`), 400, 'invalid_query', /4096|4 ?KiB/);
  expectStatus(await client.get(`${search}?q=${'%C3%A9'.repeat(2048)}`), 200);
  expectError(await client.get(`${search}?q=${'%C3%A9'.repeat(2049)}`), 400, 'invalid_query');
});

test('query_by takes any subset of the searchable fields, spaces around names allowed', async () => {
  assert.deepEqual(await client.ids(shop, { q: 'quiet', query_by: 'title' }), []);
  assert.deepEqual(await client.ids(shop, { q: 'quiet', query_by: 'description' }), ['mouse']);
  assert.deepEqual(await client.ids(shop, { q: 'quiet', query_by: 'title,description' }), ['mouse']);
  assert.deepEqual(await client.ids(shop, { q: 'quiet', query_by: ' title , description ' }), ['mouse']);
});

test('a collection that is empty answers every kind of search with nothing', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  for (const q of ['', 'x', '"a b"', 'wirels']) {
    const response = await client.search(name, { q });
    assert.deepEqual([response.found, response.found_is_exact, response.hits], [0, true, []]);
  }
});
