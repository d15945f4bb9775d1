/**
 * Highlights over HTTP: what is marked, what is shown, and what is refused.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import type { Params } from '../support/client.js';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { freshName } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { Hit, SearchResponse } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const films = freshName();
await client.create({
  name: films,
  fields: [
    { name: 'title', type: 'text' },
    { name: 'plot', type: 'text' },
    { name: 'tags', type: 'text', facet: true },
    { name: 'note', type: 'text', index: false },
    { name: 'code', type: 'keyword', filter: true },
  ],
});
const PLOT = `Wars among the stars. ${'Much happens here and there. '.repeat(40)}At last the star of the wars returns, "<free>" & well.`;
await client.indexAll(films, [
  { id: 'space', title: 'Star Wars', plot: PLOT, tags: ['science fiction', 'War', 'stars & stripes'], code: 'a' },
  { id: 'bare', title: 'Nothing', tags: ['one', 'two'] },
  { id: 'café', title: 'Le Café: une étoile', plot: '東京の星', note: 'star' },
]);

type Highlight = NonNullable<Hit['highlight']>;

async function highlights(params: Params): Promise<Record<string, Highlight | undefined>> {
  const { hits } = await client.search(films, { highlight: 'title,plot,tags', ...params });
  return Object.fromEntries(hits.map(({ document, highlight }) => [String(document.id), highlight]));
}

test('matches of every kind are marked: typed, completed, corrected, in any field that was searched', async () => {
  const { space } = await highlights({ q: 'star wras sci', match_mode: 'any', typo_threshold: 0, snippet_tokens: 8 });
  assert.deepEqual(space?.['title'], { snippet: '<mark>Star</mark> <mark>Wars</mark>', matched: ['Star', 'Wars'] });
  assert.deepEqual(space?.['tags']?.snippet, ['<mark>science</mark> fiction']);
  assert.deepEqual(space?.['plot'], {
    snippet: '…last the <mark>star</mark> of the <mark>wars</mark> returns, &quot;&lt;free…',
    matched: ['Wars', 'star', 'wars'],
  });
});

test('a phrase is marked where its words stand together', async () => {
  const { space } = await highlights({ q: '"of the wars"', snippet_tokens: 3, highlight: 'plot' });
  const marked = '…<mark>of</mark> <mark>the</mark> <mark>wars</mark>…';
  assert.deepEqual(space, { plot: { snippet: marked, matched: ['of', 'the', 'wars'] } });
});

test('without a match a field shows its beginning, an absent one nothing, and an array its matching values', async () => {
  const all = await highlights({ q: 'stripes one cafe', match_mode: 'any', snippet_tokens: 2, prefix: false });
  assert.deepEqual(all['space'], {
    title: { snippet: 'Star Wars', matched: [] },
    plot: { snippet: 'Wars among…', matched: [] },
    tags: { snippet: ['stars &amp; <mark>stripes</mark>'], matched: ['stripes'] },
  });
  assert.deepEqual(all['bare'], {
    title: { snippet: 'Nothing', matched: [] },
    tags: { snippet: ['<mark>one</mark>'], matched: ['one'] },
  });
  assert.deepEqual(all['café']?.['title'], { snippet: '…<mark>Café</mark>: une…', matched: ['Café'] });
  const { bare } = await highlights({ q: '', highlight: 'tags,plot' });
  assert.deepEqual(bare, { tags: { snippet: ['one'], matched: [] } });
});

test('what query_by leaves out is shown and not marked', async () => {
  const { space } = await highlights({ q: 'star', query_by: 'title', snippet_tokens: 4 });
  assert.deepEqual(space?.['title']?.matched, ['Star']);
  assert.deepEqual(space?.['plot'], { snippet: 'Wars among the stars…', matched: [] });
});

test('words that touch share a mark, and the whole value is shown when asked for', async () => {
  const { café: japanese } = await highlights({ q: '東京', highlight: 'plot' });
  assert.deepEqual(japanese?.['plot'], { snippet: '<mark>東京</mark>の星', matched: ['東京'] });
  const { space } = await highlights({
    q: 'free',
    highlight: 'plot',
    snippet_tokens: 0,
    highlight_open: '*',
    highlight_close: '',
  });
  const html = PLOT.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  assert.equal(space?.['plot']?.snippet, html.replace('free', '*free'));
});

test('a hit is the same with and without, and MessagePack says what JSON says', async () => {
  const path = `/collections/${films}/search?q=star&facet=tags`;
  const plain = expectJson<SearchResponse>(await client.get(path));
  const reply = await client.get(`${path}&highlight=title`);
  const marked = expectJson<SearchResponse>(reply);
  assert.deepEqual(
    marked.hits.map(({ highlight: _, ...hit }) => hit),
    plain.hits,
  );
  assert.deepEqual(Object.keys(marked.hits[0] ?? {}), ['document', 'text_match', 'highlight']);
  assert.deepEqual(marked.facets, plain.facets);
  const packed = await client.get(`${path}&highlight=title`, { accept: 'application/msgpack' });
  const decoded = decode(expectStatus(packed, 200).bytes) as SearchResponse;
  assert.deepEqual(decoded.hits, marked.hits);
});

const REFUSED: [string, Params, RegExp][] = [
  ['an unknown field', { highlight: 'title,nope' }, /highlight.*"nope".*position 6/],
  ['a keyword', { highlight: 'code' }, /highlight.*"code" of type keyword/],
  ['a text that is not searched', { highlight: 'note' }, /highlight.*"note" with "index": false/],
  ['a blank name', { highlight: 'title,' }, /highlight.*blank name.*position 6/],
  ['a field twice', { highlight: 'title,title' }, /highlight.*twice/],
  ['a long mark', { highlight: 'title', highlight_open: 'x'.repeat(257) }, /highlight_open.*256.*257/],
  ['too many tokens', { highlight: 'title', snippet_tokens: 201 }, /snippet_tokens.*200/],
  ['tokens that are no number', { highlight: 'title', snippet_tokens: '-1' }, /snippet_tokens/],
];

for (const [what, params, message] of REFUSED) {
  test(`${what} is refused`, async () => {
    expectError(await client.searchReply(films, { q: 'star', ...params }), 400, 'invalid_query', message);
  });
}

test('a text of 10 MB is answered in a short snippet, and whole when asked for', async () => {
  const name = freshName();
  await client.create({ name, fields: [{ name: 'body', type: 'text' }] });
  const body = `needle ${'some words of hay, '.repeat(550_000)}needle`;
  await client.indexAll(name, [{ id: '1', body }]);
  const request = { q: 'needle', highlight: 'body' };
  const [hit] = (await client.search(name, { ...request, snippet_tokens: 5 })).hits;
  assert.deepEqual(hit?.highlight, {
    body: { snippet: '<mark>needle</mark> some words of hay…', matched: ['needle'] },
  });
  const [whole] = (await client.search(name, { ...request, snippet_tokens: 0 })).hits;
  assert.equal(whole?.highlight?.['body']?.snippet, body.replace('needle', '<mark>needle</mark>'));
});

test('stems, split and joined words, synonyms of one word and of several are marked, a dropped stop word is not', async () => {
  const name = freshName();
  await client.create({ name, fields: [{ name: 'title', type: 'text', stem: 'english' }] });
  await client.indexAll(name, [
    { id: 'stem', title: 'Connections, connected' },
    { id: 'split', title: 'The Spider-Man and a man' },
    { id: 'joined', title: 'a smartphone and a phone' },
    { id: 'synonym', title: 'a television, the Big Apple' },
  ]);
  const put = (path: string, body: object) =>
    client.request('PUT', `/collections/${name}/${path}`, { body: JSON.stringify(body) });
  for (const [id, synonyms] of Object.entries({ tv: ['tv', 'television'], city: ['new york', 'big apple'] }))
    assert.ok((await put(`synonyms/${id}`, { synonyms })).status < 300);
  assert.ok((await put('stop-words', { words: ['the', 'and'] })).status < 300);
  const marked = async (q: string): Promise<unknown> => {
    const params = { q, highlight: 'title', match_mode: 'any', typo_tolerance: true, snippet_tokens: 0 };
    const { hits } = await client.search(name, params);
    return Object.fromEntries(hits.map(({ document, highlight }) => [document.id, highlight?.['title']?.snippet]));
  };
  assert.deepEqual(await marked('connecting'), { stem: '<mark>Connections</mark>, <mark>connected</mark>' });
  assert.deepEqual(await marked('the spiderman'), { split: 'The <mark>Spider</mark>-<mark>Man</mark> and a man' });
  assert.deepEqual(await marked('smart phone x'), { joined: 'a <mark>smartphone</mark> and a <mark>phone</mark>' });
  assert.deepEqual(await marked('tv x'), { synonym: 'a <mark>television</mark>, the Big Apple' });
  assert.deepEqual(await marked('new york'), { synonym: 'a television, the <mark>Big</mark> <mark>Apple</mark>' });
});
