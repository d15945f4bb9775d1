/**
 * Synonyms over HTTP: what they make searches find, when they change, what is refused of them, and that they outlive a crash,
 * a snapshot and a restore.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, jsonOf, type Reply } from '../support/client.js';
import { closeTo, expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { expectOutlives } from '../support/outlives.js';
import { startServer } from '../support/server.js';

const server = await startServer();
after(() => server.dispose());
const { client } = server;

const put = (collection: string, id: string, body: unknown, to = client): Promise<Reply> =>
  to.request('PUT', `/collections/${collection}/synonyms/${id}`, {
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
const remove = (collection: string, id: string): Promise<Reply> =>
  client.delete(`/collections/${collection}/synonyms/${id}`);

const TITLES: Readonly<Record<string, string>> = {
  tv: 'a new tv for the wall',
  television: 'a new television for the wall',
  radio: 'a new radio for the wall',
  nyc: 'flat in nyc wanted',
  city: 'flat in new york city wanted',
  apart: 'new city flat in old york wanted',
  phone: 'a phone with a cord',
  iphone: 'an iphone without one',
};

/** A collection of TITLES; returns its name. */
async function films(): Promise<string> {
  const name = freshName('films');
  await client.create(titleSchema(name));
  await client.indexAll(
    name,
    Object.entries(TITLES).map(([id, title]) => ({ id, title })),
  );
  return name;
}

/** Ids of all hits of `q`, best first; nothing but what was typed and its synonyms. */
const ids = (collection: string, q: string, more = {}): Promise<string[]> =>
  client.ids(collection, { q, prefix: false, typo_tolerance: false, ranking: 'bm25', limit: 100, ...more });

async function scores(collection: string, q: string): Promise<Map<string, number>> {
  const params = { q, prefix: false, typo_tolerance: false, ranking: 'bm25', limit: 100 };
  const { hits } = await client.search(collection, params);
  return new Map(hits.map(({ document, text_match }) => [String(document.id), text_match]));
}

test('words that stand for one another are found for each other, and what was typed comes first', async () => {
  const name = await films();
  assert.deepEqual(await ids(name, 'tv'), ['tv']);
  const answer = await put(name, 'screens', { synonyms: ['tv', 'television'] });
  assert.deepEqual(expectJson(answer), { id: 'screens', synonyms: ['tv', 'television'] });
  assert.deepEqual(await ids(name, 'tv'), ['tv', 'television']);
  assert.deepEqual(await ids(name, 'television'), ['television', 'tv']);
  assert.deepEqual(await ids(name, 'new TV wall'), ['tv', 'television']);
  assert.deepEqual(await ids(name, '"tv"'), ['tv']);
  const found = await scores(name, 'tv');
  // Both stand once in a title of the same length: only the weight differs.
  assert.ok(closeTo((found.get('television') ?? 0) / (found.get('tv') ?? 0), 0.8), JSON.stringify([...found]));
});

test('several words are found both ways, as a phrase', async () => {
  const name = await films();
  await put(name, 'city', { synonyms: ['nyc', 'New York City'] });
  assert.deepEqual((await ids(name, 'nyc')).sort(), ['city', 'nyc']);
  assert.deepEqual((await ids(name, 'flat nyc')).sort(), ['city', 'nyc']);
  assert.deepEqual((await ids(name, 'new york city')).sort(), ['apart', 'city', 'nyc']);
  assert.deepEqual((await ids(name, 'new york city wanted')).sort(), ['apart', 'city', 'nyc']);
  assert.deepEqual(await ids(name, 'new york'), ['city', 'apart']);
  assert.deepEqual((await ids(name, 'nyc -york')).sort(), ['nyc']);
});

test('what was typed comes before phrases that stand for it, in fields of one length', async () => {
  const name = freshName('typed');
  await client.create({ name, fields: [{ name: 'title', type: 'text' }] });
  const titles = {
    phrase: 'red flat screen stand',
    typed: 'red tv stand tall',
    split: 'the spider man poster',
    whole: 'the spiderman poster large',
    other: 'red wall stand tall',
  };
  await client.indexAll(
    name,
    Object.entries(titles).map(([id, title]) => ({ id, title })),
  );
  await put(name, 'screens', { synonyms: ['tv', 'flat screen'] });
  for (const ranking of ['best', 'bm25']) {
    const ids = (q: string, prefix = true): Promise<string[]> => client.ids(name, { q, prefix, ranking });
    assert.deepEqual(await ids('tv'), ['typed', 'phrase'], ranking);
    assert.deepEqual(await ids('tv', false), ['typed', 'phrase'], ranking);
    assert.deepEqual(await ids('tv stand'), ['typed', 'phrase'], ranking);
    assert.deepEqual(await ids('flat screen'), ['phrase', 'typed'], ranking);
    assert.deepEqual(await ids('spiderman'), ['whole', 'split'], ranking);
  }
  await put(name, 'unheld', { root: 'big box', synonyms: ['flat screen'] });
  await put(name, 'unheld-too', { root: 'crate', synonyms: ['flat screen'] });
  const shared = (await scores(name, 'big box')).get('phrase') ?? 0;
  const alone = (await scores(name, 'crate')).get('phrase') ?? 0;
  assert.ok(closeTo(shared / alone, 1), `two tokens that no document holds count like one: ${shared}, ${alone}`);
  const found = await scores(name, 'tv');
  assert.ok(closeTo((found.get('phrase') ?? 0) / (found.get('typed') ?? 0), 0.8), JSON.stringify([...found]));
});

test('with a root, synonyms stand for it and it not for them', async () => {
  const name = await films();
  const answer = await put(name, 'phones', { root: 'phone', synonyms: ['iphone'] });
  assert.deepEqual(expectJson(answer), { id: 'phones', root: 'phone', synonyms: ['iphone'] });
  assert.deepEqual(await ids(name, 'phone'), ['phone', 'iphone']);
  assert.deepEqual(await ids(name, 'iphone'), ['iphone']);
});

test('a synonym stands for its word alone, not for what is a synonym of that', async () => {
  const name = await films();
  await put(name, '1', { synonyms: ['tv', 'television'] });
  await put(name, '2', { synonyms: ['television', 'radio'] });
  assert.deepEqual((await ids(name, 'tv')).sort(), ['television', 'tv']);
  assert.deepEqual((await ids(name, 'television')).sort(), ['radio', 'television', 'tv']);
  await put(name, '3', { synonyms: ['radio', 'tv'] });
  assert.deepEqual((await ids(name, 'tv')).sort(), ['radio', 'television', 'tv']);
});

test('every search after the answer sees the change, whether it was asked before or not', async () => {
  const name = await films();
  for (let round = 0; round < 20; round++) {
    assert.deepEqual(await ids(name, 'tv'), ['tv']);
    expectStatus(await put(name, 'x', { synonyms: ['tv', 'radio'] }), 200);
    const many = await Promise.all(Array.from({ length: 8 }, () => ids(name, 'tv')));
    for (const one of many) assert.deepEqual(one, ['tv', 'radio']);
    expectStatus(await remove(name, 'x'), 204);
  }
});

test('changes beside writes of documents are seen with them', async () => {
  const name = await films();
  await Promise.all([
    client.indexAll(name, [{ id: 'new', title: 'telly' }]),
    put(name, 'x', { synonyms: ['tv', 'telly'] }),
    put(name, 'y', { synonyms: ['tv', 'radio'] }),
    client.remove(name, 'radio'),
  ]);
  assert.deepEqual((await ids(name, 'tv')).sort(), ['new', 'tv']);
});

test('synonyms are listed by id, and one that is not there is 404', async () => {
  const name = await films();
  const path = `/collections/${name}/synonyms`;
  assert.deepEqual(expectJson(await client.get(path)), []);
  const entries = ['b', 'a', '10', 'A', '9'].map((id) => ({ id, synonyms: [`${id}x`, `${id}y`] }));
  for (const { id, synonyms } of entries) expectStatus(await put(name, id, { synonyms }), 200);
  const list = expectJson<{ id: string }[]>(await client.get(path));
  assert.deepEqual(
    list,
    [...entries].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  assert.deepEqual(expectJson(await client.get(`${path}/A`)), { id: 'A', synonyms: ['Ax', 'Ay'] });
  expectJson(await put(name, 'A', { root: 'r', synonyms: ['s'] }));
  assert.deepEqual(expectJson(await client.get(`${path}/A`)), { id: 'A', root: 'r', synonyms: ['s'] });
  expectStatus(await remove(name, 'A'), 204);
  expectError(await remove(name, 'A'), 404, 'synonym_not_found', /"A"/);
  expectError(await client.get(`${path}/A`), 404, 'synonym_not_found', /"A"/);
  for (const reply of [
    await client.get('/collections/nowhere/synonyms'),
    await client.get('/collections/nowhere/synonyms/a'),
    await put('nowhere', 'a', { synonyms: ['a', 'b'] }),
    await client.delete('/collections/nowhere/synonyms/a'),
  ])
    expectError(reply, 404, 'collection_not_found', /"nowhere"/);
});

for (const [what, body, code, message] of [
  ['no synonyms', { synonyms: [] }, 'invalid_synonym', /^synonyms: expected at least one, got an empty array$/],
  ['one alone', { synonyms: ['tv'] }, 'invalid_synonym', /at least two different ones, or a root beside them, got one/],
  ['the same twice', { synonyms: ['tv', 'TV'] }, 'invalid_synonym', /got 2 that are the same/],
  ['its own root', { root: 'tv', synonyms: ['TV'] }, 'invalid_synonym', /at least one that differs from the root/],
  [
    '100 words',
    { synonyms: ['a', 'w '.repeat(100)] },
    'invalid_synonym',
    /^synonyms\[1\]: expected 1 to 8 words, got ".*", which are 100$/,
  ],
  [
    '65 synonyms',
    { synonyms: Array.from({ length: 65 }, (_, i) => `w${i}`) },
    'invalid_synonym',
    /expected at most 64, got 65/,
  ],
  [
    'no word',
    { synonyms: ['a', '...'] },
    'invalid_synonym',
    /^synonyms\[1\]: expected 1 to 8 words, got "\.\.\." without/,
  ],
  [
    'a long one',
    { synonyms: ['a', 'b'.repeat(10_000)] },
    'invalid_synonym',
    /expected at most 256 characters, got 10000/,
  ],
  [
    'half a character',
    '{"synonyms":["a","\\ud800"]}',
    'invalid_synonym',
    /^synonyms\[1\]: expected well-formed Unicode/,
  ],
  ['a number', { synonyms: ['a', 7] }, 'invalid_synonym', /"synonyms\[1\]": expected a string, got 7/],
  ['an unknown key', { synonyms: ['a', 'b'], weight: 2 }, 'invalid_synonym', /"weight": expected no such key, got 2/],
  ['no JSON', '{"synonyms":', 'invalid_json', /syntax error/],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'invalid_json', /expected UTF-8/],
] as const) {
  test(`a synonym with ${what} is refused, and the collection is as it was`, async () => {
    const name = await films();
    await put(name, 'x', { synonyms: ['tv', 'radio'] });
    expectError(await put(name, 'x', body), 400, code, message);
    assert.deepEqual(await ids(name, 'tv'), ['tv', 'radio']);
    assert.equal(jsonOf<unknown[]>(await client.get(`/collections/${name}/synonyms`)).length, 1);
  });
}

test('an id that cannot be one is refused, and a body that is too large is not read', async () => {
  const name = await films();
  const body = { synonyms: ['a', 'b'] };
  for (const id of ['a%20b', 'caf%C3%A9', 'a%2Fb', 'x'.repeat(65)])
    expectError(
      await put(name, id, body),
      400,
      'invalid_synonym',
      /id of the synonym: expected 1 to 64 of A-Z a-z 0-9 _ -/,
    );
  expectError(await put(name, '%ff', body), 400, 'invalid_query');
  expectError(await put(name, 'x', 'x'.repeat(300_000)), 413, 'payload_too_large');
  expectError(await client.request('PATCH', `/collections/${name}/synonyms/x`), 405, 'method_not_allowed');
  expectStatus(await put(name, 'x', body), 200);
});

test('the 10,001st synonym is refused; the list of all is complete, and searches are as quick to answer', async () => {
  const name = await films();
  const entries = Array.from({ length: 10_000 }, (_, i) => ({ id: `s${i}`, synonyms: [`left${i}`, `right${i} side`] }));
  for (let from = 0; from < entries.length; from += 500)
    await Promise.all(
      entries
        .slice(from, from + 500)
        .map(async ({ id, synonyms }) => expectStatus(await put(name, id, { synonyms }), 200)),
    );
  expectError(await put(name, 'more', { synonyms: ['a', 'b'] }), 400, 'invalid_synonym', /at most 10000, and/);
  await client.indexAll(name, [{ id: 'right', title: 'the right4711 side of it' }]);
  assert.deepEqual(await ids(name, 'left4711'), ['right']);
  const list = expectJson<{ id: string }[]>(await client.get(`/collections/${name}/synonyms`));
  assert.deepEqual(
    list,
    [...entries].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  await client.drop(name);
});

/** What a server says of the collection: its synonyms, its stop words, and what they make of searches. */
async function stateOf(name: string, at: Client): Promise<unknown> {
  const found = [];
  for (const q of ['tv', 'phone', 'iphone', 'nyc', 'the tv', 'a radio'])
    found.push(await at.ids(name, { q, prefix: false, typo_tolerance: false, limit: 100 }));
  return [
    jsonOf(await at.get(`/collections/${name}/synonyms`)),
    jsonOf(await at.get(`/collections/${name}/stop-words`)),
    found,
  ];
}

test('what was acknowledged outlives a crash, a snapshot, a restart, and comes back from a backup', () =>
  expectOutlives(
    async (at) => {
      await at.create(titleSchema('films'));
      await at.indexAll(
        'films',
        Object.entries(TITLES).map(([id, title]) => ({ id, title })),
      );
      await put('films', 'screens', { synonyms: ['tv', 'television'] }, at);
      await put('films', 'gone', { synonyms: ['tv', 'radio'] }, at);
      await put('films', 'phones', { root: 'phone', synonyms: ['iphone', 'nyc'] }, at);
      await at.request('PUT', '/collections/films/stop-words', { body: '{"words":["the","a"]}' });
      await at.delete('/collections/films/synonyms/gone');
    },
    async (at) => {
      await put('films', 'city', { synonyms: ['nyc', 'new york city'] }, at);
    },
    (at) => stateOf('films', at),
  ));

test('reading takes either key, changing the admin key', async () => {
  const own = await startServer({
    args: ['--admin-key', 'admin-key-1', '--search-key', 'search-key-1'],
    key: 'admin-key-1',
  });
  const reader = new Client(own.port, 'search-key-1');
  try {
    await own.client.create(titleSchema('films'));
    const paths = ['/collections/films/synonyms/x', '/collections/films/stop-words'];
    const bodies = ['{"synonyms":["a","b"]}', '{"words":["a"]}'];
    for (const [i, path] of paths.entries()) {
      expectError(await reader.request('PUT', path, { body: bodies[i] }), 403, 'forbidden');
      expectStatus(await own.client.request('PUT', path, { body: bodies[i] }), 200);
      expectStatus(await reader.get(path), 200);
      expectError(await reader.delete(path), 403, 'forbidden');
    }
    expectStatus(await reader.get('/collections/films/synonyms'), 200);
  } finally {
    reader.close();
    await own.dispose();
  }
});
