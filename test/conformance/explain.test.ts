/**
 * Explanations over HTTP: what is added to a response, what it says of hits and of documents that are none, and that a
 * person can check the numbers.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Params } from '../support/client.js';
import { expectError, expectJson } from '../support/expect.js';
import { addUp } from '../support/explanations.js';
import { freshName, makeShop, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import { readText } from '../support/sources.js';
import type { DocumentExplanation, Explained, Explanation, SearchResponse } from '../support/wire.js';

// An explanation that is too long takes seconds where the machine does much else.
const server = await startServer({ args: ['--query-timeout-ms', '60000'] });
const { client } = server;
after(() => server.dispose());

const shop = await makeShop(client);
// All that is awaited here stands before the first test: once no test is left, node runs the hooks of the file's end.
const films = freshName('films');
await client.create({
  name: films,
  fields: [
    { name: 'title', type: 'text', boost: 1.5 },
    { name: 'plot', type: 'text' },
  ],
});
await client.indexAll(films, [
  { id: 'spider', title: 'The Spider Man', plot: 'A spider bites a man' },
  { id: 'phone', title: 'The smartphone', plot: 'A film about a phone' },
  { id: 'tv', title: 'Television days', plot: 'The best of moving pictures' },
  { id: 'picture', title: 'Motion picture show', plot: 'A show of a motion picture' },
]);
const put = async (path: string, body: object): Promise<void> => {
  const reply = await client.request('PUT', `/collections/${films}/${path}`, { body: JSON.stringify(body) });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
};
await put('synonyms/tv', { synonyms: ['tv', 'television', 'motion picture'] });
await put('synonyms/film', { root: 'motion picture', synonyms: ['movies'] });
await put('stop-words', { words: ['the', 'of'] });

const explain = async (params: Params): Promise<Explained> =>
  (await client.search(shop, { explain: true, ...params })) as Explained;

const documentOf = async (id: string, params: Params): Promise<DocumentExplanation> => {
  const { explain: report } = (await client.search(shop, { explain_id: id, ...params })) as Explained;
  assert.ok(report.document !== undefined);
  return report.document;
};

test('explain adds one key to the response and one to each hit, and changes nothing else', async () => {
  const plain = await client.search(shop, { q: 'wireless mouse', facet: 'brand' });
  const { explain: report, ...rest } = await explain({ q: 'wireless mouse', facet: 'brand' });
  const hits = rest.hits.map(({ explain: _, ...hit }) => hit);
  assert.deepEqual({ ...rest, hits, search_time_ms: 0 }, { ...plain, search_time_ms: 0 });
  assert.equal(report.document, undefined);
  const off = await client.search(shop, { q: 'wireless mouse', explain: false });
  assert.deepEqual(Object.keys(off).sort(), ['facets', 'found', 'found_is_exact', 'hits', 'search_time_ms']);
  assert.deepEqual(Object.keys(off.hits[0]).sort(), ['document', 'text_match']);
});

/** Recomputes a score from nothing but what the explanation says. */
function recompute({ parts, nearness, exactness }: Explanation, report: Explained['explain']): number {
  let bm25 = 0;
  for (const { fields = [], idf = 0, repeats } of parts) {
    for (const { field, boost, terms } of fields) {
      const average = report.fields.find((each) => each.field === field)?.average_length ?? 0;
      const scores = terms.map(({ weight, tf, length }) => {
        const tfPart = (tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / average));
        return weight * boost * idf * repeats * tfPart;
      });
      bm25 += Math.max(...scores);
    }
  }
  return bm25 * (nearness ?? 1) * (exactness ?? 1);
}

test('a person can check the score of a hit with the formula of the documentation', async () => {
  for (const q of ['mouse', 'wireless mouse', 'wirelss', 'mouse mouse', 'wir']) {
    const { hits, explain: report } = await explain({ q });
    assert.ok(hits.length > 0, q);
    for (const { text_match, explain: explanation } of hits) {
      const recomputed = recompute(explanation, report);
      assert.ok(Math.abs(recomputed - text_match) < 1e-5 * text_match, `${q}: ${recomputed}, ${text_match}`);
    }
    for (const { documents = 0, idf = 0 } of report.parts)
      assert.equal(idf, Math.log(1 + (report.documents - documents + 0.5) / (documents + 0.5)));
  }
});

test('the query part says what each token stands for', async () => {
  const { explain: report } = await explain({ q: 'wirelss mou -"gaming pad"', typo_threshold: 0 });
  assert.deepEqual(report.excluded, ['gaming pad']);
  assert.deepEqual(report.stages, [{ stage: 1, found: 2, answered: true }]);
  const [first, last] = report.parts;
  assert.deepEqual([first.text, first.known, first.completed], ['wirelss', false, false]);
  assert.deepEqual(
    first.terms?.map(({ kind, edits, weight, count }) => [kind, edits, weight, count]),
    [['correction', 1, 0.9, 1]],
  );
  assert.deepEqual([last.text, last.known, last.completed], ['mou', true, true]);
  assert.deepEqual(
    last.terms?.map(({ kind, weight, most_frequent }) => [kind, weight, most_frequent[0].term]),
    [['completion', 0.8, 'mouse']],
  );
});

test('explain_id says that there is no such document', async () => {
  const document = await documentOf('nobody', { q: 'mouse' });
  assert.deepEqual([document.exists, document.is_hit, document.rank, document.explain], [false, false, null, null]);
});

test('explain_id says that the filter keeps a document out', async () => {
  const document = await documentOf('mouse', { q: 'mouse', filter: 'price:<1000' });
  assert.deepEqual([document.exists, document.passes_filter, document.is_hit], [true, false, false]);
  assert.deepEqual(document.missing, []);
});

test('explain_id names the tokens that a document does not hold', async () => {
  const document = await documentOf('cable', { q: 'usb wireless "number pad"' });
  assert.deepEqual([document.is_hit, document.missing], [false, ['wireless', '"number pad"']]);
  const any = await documentOf('cable', { q: 'usb wireless', match_mode: 'any' });
  assert.deepEqual([any.is_hit, any.missing], [true, ['wireless']]);
});

test('explain_id names the exclusions that a document holds', async () => {
  const document = await documentOf('gaming-mouse', { q: 'mouse -wired -"no wireless" -cable' });
  assert.deepEqual([document.is_hit, document.excluded_by], [false, ['wired', '"no wireless"']]);
});

test('explain_id tells the rank of a document on another page, with what its score is made of', async () => {
  const all = await explain({ q: 'mouse' });
  const last = all.hits.at(-1);
  const document = await documentOf(String(last?.document.id), { q: 'mouse', limit: 1 });
  assert.deepEqual([document.is_hit, document.rank], [true, all.hits.length]);
  assert.deepEqual(document.explain, last?.explain);
});

test('explain_id knows a hit beyond the first 10,000, but not its rank', async () => {
  const name = freshName('many');
  await client.create(titleSchema(name));
  await client.indexAll(
    name,
    Array.from({ length: 10_001 }, (_, i) => ({ id: `${i}`, title: 'item' })),
  );
  for (const [id, rank] of [
    ['9999', 10_000],
    ['10000', null],
  ] as const) {
    const { explain: report } = (await client.search(name, { q: 'item', limit: 1, explain_id: id })) as Explained;
    assert.deepEqual([report.document?.is_hit, report.document?.rank], [true, rank]);
  }
});

test('a query without text is explained too', async () => {
  const { hits, explain: report } = await explain({ q: '', filter: 'price:>0', explain_id: 'cable' });
  assert.deepEqual([report.parts, report.stages, report.document?.is_hit], [[], [], true]);
  for (const hit of hits) assert.deepEqual([hit.explain.parts, hit.explain.text_match], [[], 0]);
});

test('explanations come as MessagePack too', async () => {
  const path = `/collections/${shop}/search?q=mouse&explain=true`;
  const packed = await client.get(path, { accept: 'application/msgpack' });
  assert.equal(packed.status, 200);
  assert.ok(packed.text.includes('most_frequent'));
});

test('an explanation that would be too long is refused', async () => {
  const name = freshName('wide');
  const fields = Array.from({ length: 200 }, (_, i) => ({ name: `f${i}`, type: 'text' as const }));
  await client.create({ name, fields });
  const tokens = Array.from({ length: 60 }, (_, i) => `token${i}`).join(' ');
  const document = Object.fromEntries(fields.map((field) => [field.name, tokens]));
  await client.indexAll(
    name,
    Array.from({ length: 8 }, (_, i) => ({ ...document, id: `${i}` })),
  );
  const path = `/collections/${name}/search?q=${encodeURIComponent(tokens)}&explain=true&limit=`;
  expectJson<SearchResponse>(await client.get(`${path}1`));
  expectError(await client.get(`${path}8`), 413, 'payload_too_large', /explanation.*fewer hits/);
});

test('what is no truth value, and an id that is none, are 400', async () => {
  const path = `/collections/${shop}/search?q=mouse`;
  expectError(await client.get(`${path}&explain=maybe`), 400, 'invalid_query', /explain/);
  expectError(await client.get(`${path}&explain_id=`), 400, 'invalid_query', /explain_id/);
  expectError(await client.get(`${path}&explain_id=${'x'.repeat(257)}`), 400, 'invalid_query', /explain_id/);
});

const explainFilms = async (q: string): Promise<Explained> =>
  (await client.search(films, { q, explain: true, prefix: false })) as Explained;

const checkSums = ({ hits }: Explained): void => {
  for (const hit of hits) assert.equal(addUp(hit.explain), Math.fround(hit.text_match));
};

test('a word that was split is explained by the phrase that it stands for', async () => {
  const answer = await explainFilms('spiderman');
  checkSums(answer);
  assert.deepEqual(
    answer.hits.map(({ document }) => document.id),
    ['spider'],
  );
  assert.deepEqual(answer.explain.parts[0].phrases, [{ phrase: 'spider man', kind: 'split', weight: 0.8 }]);
  const [phrase] = answer.hits[0].explain.parts[0].phrases ?? [];
  assert.deepEqual([phrase.phrase, phrase.kind, phrase.weight], ['spider man', 'split', 0.8]);
});

test('words that were joined are explained by the term that they make', async () => {
  const answer = await explainFilms('smart phone');
  checkSums(answer);
  const [part] = answer.hits[0].explain.parts;
  assert.deepEqual(
    answer.hits.map(({ document }) => document.id),
    ['phone'],
  );
  assert.ok(
    part.fields?.some(({ terms }) => terms.some(({ term, kind }) => term === 'smartphone' && kind === 'joined')),
  );
  for (const { terms = [] } of answer.explain.parts)
    assert.ok(
      terms.some(
        ({ kind, weight, most_frequent }) =>
          kind === 'joined' && weight === 0.8 && most_frequent[0].term === 'smartphone',
      ),
    );
});

test('synonyms are explained, those of several words as phrases', async () => {
  const answer = await explainFilms('tv');
  checkSums(answer);
  assert.deepEqual(answer.hits.map(({ document }) => document.id).sort(), ['picture', 'tv']);
  const [{ terms = [], phrases = [] }] = answer.explain.parts;
  assert.deepEqual(
    terms.map(({ kind, weight, most_frequent }) => [kind, weight, most_frequent[0].term]),
    [['synonym', 0.8, 'television']],
  );
  const [{ weight }] = phrases;
  assert.deepEqual(phrases, [{ phrase: 'motion picture', kind: 'synonym', weight }]);
  const scored = answer.hits.flatMap(({ explain }) => explain.parts[0].phrases ?? []);
  assert.deepEqual(
    scored.map((phrase) => phrase.weight),
    [weight],
  );
  const idfs = scored.flatMap(({ tokens }) => tokens).reduce((sum, token) => sum + token.idf, 0);
  assert.ok(Math.abs((weight * idfs) / (answer.explain.parts[0].idf ?? 0) - 0.8) < 1e-6, `${weight}`);
  for (const q of ['motion picture', 'tv tv spiderman', 'television the man']) checkSums(await explainFilms(q));
});

test('stop words are named as dropped, and count where a query has no other', async () => {
  const { explain: report } = await explainFilms('the best of pictures');
  assert.deepEqual(report.dropped, [
    { token: 'the', reason: 'stop_word' },
    { token: 'of', reason: 'stop_word' },
  ]);
  assert.deepEqual(
    report.parts.map(({ text }) => text),
    ['best', 'pictures'],
  );
  assert.deepEqual((await explainFilms('the of')).explain.dropped, []);
});

/** The JSON blocks of a section of docs/api.md. */
function jsonOfSection(title: string): unknown[] {
  const [, section = ''] = readText('docs/api.md').split(`\n## ${title}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));
}

test('the documentation shows what the server answers', async () => {
  const name = freshName('products');
  const fields = [
    { name: 'title', type: 'text' as const, boost: 2 },
    { name: 'brand', type: 'text' as const, facet: true },
    { name: 'price', type: 'float' as const, filter: true, sort: true },
  ];
  await client.create({ name, fields });
  await client.indexAll(name, [
    { id: '1', title: 'Wireless mouse', brand: 'Logitech', price: 25.5 },
    { id: '2', title: 'Wired keyboard', brand: 'Cherry', price: 49 },
  ]);
  const [documented] = jsonOfSection('Explain') as SearchResponse[];
  const answer = await client.search(name, { q: 'wirelss mouse', explain: true, explain_id: '2' });
  assert.deepEqual({ ...answer, search_time_ms: 0 }, { ...documented, search_time_ms: 0 });
});
