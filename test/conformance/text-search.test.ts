/**
 * Text search: analysis, phrases, prefixes, typos, match modes and relevance, each rule by a case one can check by hand.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Params } from '../support/client.js';
import { closeTo } from '../support/expect.js';
import { freshName, titleSchema } from '../support/fixtures.js';
import { startServer } from '../support/server.js';
import type { TypoTolerance } from '../support/wire.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

/** A collection whose document ids are the titles themselves. */
async function collectionOf(titles: readonly string[], typo_tolerance?: Partial<TypoTolerance>): Promise<string> {
  const name = freshName();
  await client.create({ ...titleSchema(name), typo_tolerance });
  await client.indexAll(
    name,
    titles.map((title) => ({ id: title, title })),
  );
  return name;
}

/** Titles that `q` finds, sorted. */
async function found(name: string, q: string, params: Params = {}): Promise<string[]> {
  return (await client.ids(name, { q, limit: 250, ...params })).sort();
}

const EXACT = { typo_tolerance: false, prefix: false };

test('case, accents and compatibility forms do not matter', async () => {
  const titles = ['Crème Brûlée', 'ＦＵＬＬ width', 'ﬁne ligature', 'Übergröße', 'İstanbul', 'Ёлка', 'Ὀδυσσεία'];
  const name = await collectionOf(titles);
  const expected = { 'creme brulee': 0, CRÈME: 0, full: 1, FINE: 2, ubergröße: 3, istanbul: 4, елка: 5, οδυσσεια: 6 };
  for (const [q, index] of Object.entries(expected)) assert.deepEqual(await found(name, q, EXACT), [titles[index]], q);
});

test('punctuation separates, letters and digits do not', async () => {
  const name = await collectionOf(['co-op shop', "don't", 'b2b sales', 'a_b', 'x.y@z', 'price: 1,000']);
  assert.deepEqual(await found(name, 'op', EXACT), ['co-op shop']);
  assert.deepEqual(await found(name, 'b2b', EXACT), ['b2b sales']);
  assert.deepEqual(await found(name, 'b2', EXACT), []);
  assert.deepEqual(await found(name, 'z', EXACT), ['x.y@z']);
  assert.deepEqual(await found(name, '000', EXACT), ['price: 1,000']);
  assert.deepEqual(await found(name, 'a_b', EXACT), ['a_b']);
});

test('Han is searched by ideograph and kana by bigram', async () => {
  const name = await collectionOf(['東京都', '京都', 'ひらがな', 'カタカナ語', 'tokyo東京']);
  assert.deepEqual(await found(name, '京', EXACT), ['tokyo東京', '京都', '東京都'].sort());
  assert.deepEqual(await found(name, '"京都"', EXACT), ['京都', '東京都'].sort());
  assert.deepEqual(await found(name, 'らが', EXACT), ['ひらがな']);
  assert.deepEqual(await found(name, 'タカ', EXACT), ['カタカナ語']);
  assert.deepEqual(await found(name, 'ﾀｶ', EXACT), ['カタカナ語'], 'half width is the same');
  assert.deepEqual(await found(name, 'tokyo', EXACT), ['tokyo東京']);
});

test('a token is cut at 64 code points, in documents and queries alike', async () => {
  const name = await collectionOf(['z'.repeat(100)]);
  assert.equal((await found(name, 'z'.repeat(64), EXACT)).length, 1);
  assert.equal((await found(name, 'z'.repeat(80), EXACT)).length, 1);
  assert.equal((await found(name, 'z'.repeat(63), EXACT)).length, 0);
});

test('a phrase demands neighbours in order within one field', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
    ],
  });
  await client.indexAll(name, [
    { id: 'hit', a: 'the quick brown fox' },
    { id: 'order', a: 'the brown quick fox' },
    { id: 'gap', a: 'quick red brown' },
    { id: 'fields', a: 'so quick', b: 'brown bear' },
    { id: 'values', a: ['so quick', 'brown bear'] },
    { id: 'other', b: 'Quick, Brown!' },
  ]);
  for (const mode of ['all', 'any']) {
    assert.deepEqual(await found(name, '"quick brown"', { match_mode: mode }), ['hit', 'other']);
    assert.deepEqual(await found(name, '"quick-brown"', { match_mode: mode }), ['hit', 'other']);
    assert.deepEqual(await found(name, '"quick brow"', { match_mode: mode }), [], 'no prefix in a phrase');
    assert.deepEqual(await found(name, '"quikc brown"', { match_mode: mode }), [], 'no typo in a phrase');
  }
  assert.deepEqual(await found(name, '"brown fox" quick'), ['hit']);
  assert.deepEqual(await found(name, '"quick brown" bear', { match_mode: 'any' }), [
    'fields',
    'hit',
    'other',
    'values',
  ]);
  assert.deepEqual(await found(name, '"quick brown', { match_mode: 'all' }), [
    'fields',
    'gap',
    'hit',
    'order',
    'other',
    'values',
  ]);
  assert.deepEqual(
    await found(name, '"quick"'),
    ['fields', 'gap', 'hit', 'order', 'other', 'values'],
    'one word exactly',
  );
});

test('a repeated word in a phrase must be repeated in the document', async () => {
  const name = await collectionOf(['tic tac toe', 'tic tic toe', 'tac tic tic']);
  assert.deepEqual(await found(name, '"tic tic"'), ['tac tic tic', 'tic tic toe']);
});

test('only the last token is a prefix, and prefix=false turns it off', async () => {
  const name = await collectionOf(['wireless mouse', 'wired mouth', 'wire moustache']);
  const exactly = { typo_tolerance: false };
  assert.deepEqual(await found(name, 'wire mou', exactly), ['wire moustache']);
  assert.deepEqual(await found(name, 'mou', exactly), ['wire moustache', 'wired mouth', 'wireless mouse']);
  assert.deepEqual(await found(name, 'mou wire', exactly), []);
  assert.deepEqual(await found(name, 'wire', { ...exactly, prefix: false }), ['wire moustache']);
  assert.deepEqual(await found(name, 'w', exactly), ['wire moustache', 'wired mouth', 'wireless mouse']);
});

test('a one-letter prefix matches every term it begins, without a cap', async () => {
  const titles = Array.from({ length: 3000 }, (_, i) => `q${i.toString(36)}x`);
  const name = await collectionOf(titles);
  assert.equal((await client.search(name, { q: 'q', limit: 0 })).found, 3000);
});

test('edits go by the length of the typed token: none below 4, one from 4, two from 8', async () => {
  const name = await collectionOf(['cat', 'cats', 'keyboard', 'keyboards']);
  const whole = { prefix: false };
  assert.deepEqual(await found(name, 'cta', whole), []);
  assert.deepEqual(await found(name, 'acts', whole), ['cats']);
  assert.deepEqual(
    await found(name, 'catz', whole),
    ['cat', 'cats'],
    'the typed token has 4 code points, the term may have 3',
  );
  assert.deepEqual(await found(name, 'keboad', whole), [], 'six letters allow one edit');
  assert.deepEqual(await found(name, 'keybaord', whole), ['keyboard', 'keyboards']);
  assert.deepEqual(await found(name, 'kyebaord', whole), ['keyboard']);
  assert.deepEqual(await found(name, 'kyebaodr', whole), []);
});

test('each kind of edit costs one, and the first letter may be wrong', async () => {
  const name = await collectionOf(['house']);
  for (const typed of ['hose', 'houses', 'hoxse', 'huose', 'ouse', 'xouse', 'ohuse', 'hous', 'shouse']) {
    assert.deepEqual(await found(name, typed, { prefix: false }), ['house'], typed);
  }
  for (const typed of ['hoes', 'huosee', 'usehu'])
    assert.deepEqual(await found(name, typed, { prefix: false }), [], typed);
});

test('edits are unrestricted: letters may come between two that swap', async () => {
  const name = await collectionOf(['abcdefgh']);
  assert.deepEqual(
    await found(name, 'abdxcefgh', { prefix: false }),
    ['abcdefgh'],
    'swap cd and insert x between: two edits',
  );
});

test('length counts code points, not bytes', async () => {
  const name = await collectionOf(['кот', 'коты']);
  assert.deepEqual(await found(name, 'кто', { prefix: false }), []);
  assert.deepEqual(await found(name, 'ктоы', { prefix: false }), ['коты']);
});

test('tokens of digits alone are never corrected', async () => {
  const name = await collectionOf(['12345678', '1234567a']);
  assert.deepEqual(await found(name, '12345679', { prefix: false }), []);
  assert.deepEqual(await found(name, '1234567b', { prefix: false }), ['12345678', '1234567a']);
});

test('the collection sets the typo rules and the query may turn them on or off', async () => {
  const off = await collectionOf(['mouse'], { enabled: false });
  assert.deepEqual(await found(off, 'mosue'), []);
  assert.deepEqual(await found(off, 'mosue', { typo_tolerance: true }), ['mouse']);
  const on = await collectionOf(['mouse']);
  assert.deepEqual(await found(on, 'mosue'), ['mouse']);
  assert.deepEqual(await found(on, 'mosue', { typo_tolerance: false }), []);
  const strict = await collectionOf(['keyboard'], { max_typos: 1 });
  assert.deepEqual(await found(strict, 'kyebaord'), []);
  const none = await collectionOf(['keyboard'], { max_typos: 0 });
  assert.deepEqual(await found(none, 'keyboarf', { typo_tolerance: true }), []);
  const eager = await collectionOf(['cat'], { one_typo_min_len: 2, two_typo_min_len: 3 });
  assert.deepEqual(await found(eager, 'ct', { prefix: false }), ['cat']);
});

test('words of an all-query may match in different fields', async () => {
  const name = freshName();
  await client.create({
    name,
    fields: [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
    ],
  });
  await client.indexAll(name, [
    { id: '1', a: 'red', b: 'wine' },
    { id: '2', a: 'red' },
    { id: '3', b: 'wine' },
  ]);
  assert.deepEqual(await found(name, 'red wine'), ['1']);
  assert.deepEqual(await found(name, 'red wine', { match_mode: 'any' }), ['1', '2', '3']);
  assert.deepEqual(await found(name, 'red wine', { query_by: 'a' }), []);
});

test('exact ranks above completed, completed above corrected, one edit above two', async () => {
  const name = await collectionOf(['kyebaord', 'keybaord', 'keyboards', 'keyboard']);
  assert.deepEqual(await client.ids(name, { q: 'keyboard' }), ['keyboard', 'keyboards', 'keybaord', 'kyebaord']);
});

test('a rare misspelling in the documents never outranks the word itself', async () => {
  const titles = Array.from({ length: 30 }, (_, i) => `wireless item${i}`);
  const name = await collectionOf(['wirelesss item30', ...titles]);
  for (const prefix of [true, false]) {
    const { hits } = await client.search(name, { q: 'wireless', prefix, typo_threshold: 250, limit: 250 });
    assert.equal(hits.length, 31);
    assert.equal(hits.at(-1)?.document.id, 'wirelesss item30', `prefix=${prefix}`);
  }
});

test('text_match is BM25 with k1 1.2 and b 0.75', async () => {
  const name = freshName();
  await client.create({ name, fields: [{ name: 'title', type: 'text', boost: 3 }] });
  await client.indexAll(name, [
    { id: '1', title: 'apple apple pie' },
    { id: '2', title: 'apple' },
    { id: '3', title: 'cherry cake with cream' },
    { id: '4' },
  ]);
  const idf = Math.log(1 + (4 - 2 + 0.5) / (2 + 0.5));
  const average = 8 / 3;
  const score = (tf: number, length: number): number =>
    (3 * idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / average));
  const { hits } = await client.search(name, { q: 'apple', ranking: 'bm25', ...EXACT });
  const scores = new Map(hits.map(({ document, text_match }) => [document.id, text_match]));
  assert.ok(closeTo(scores.get('1') ?? 0, score(2, 3)), `${scores.get('1')} against ${score(2, 3)}`);
  assert.ok(closeTo(scores.get('2') ?? 0, score(1, 1)), `${scores.get('2')} against ${score(1, 1)}`);
});

test('boost multiplies a field, and 0 leaves a match without score', async () => {
  const name = freshName();
  const fields = [
    { name: 'a', type: 'text' as const, boost: 10 },
    { name: 'b', type: 'text' as const },
    { name: 'c', type: 'text' as const, boost: 0 },
  ];
  await client.create({ name, fields });
  await client.indexAll(name, [
    { id: 'c', c: 'word' },
    { id: 'b', b: 'word' },
    { id: 'a', a: 'word' },
  ]);
  const { hits } = await client.search(name, { q: 'word' });
  assert.deepEqual(
    hits.map(({ document }) => document.id),
    ['a', 'b', 'c'],
  );
  assert.equal(hits[2]?.text_match, 0);
  assert.ok(closeTo((hits[0]?.text_match ?? 0) / (hits[1]?.text_match ?? 1), 10));
});

test('scores do not depend on how many segments hold the documents', async () => {
  const titles = Array.from({ length: 40 }, (_, i) => `term${i % 4} shared ${'pad '.repeat(i % 5)}${i}`);
  const together = await collectionOf(titles);
  const apart = freshName();
  await client.create(titleSchema(apart));
  for (const title of titles) await client.indexAll(apart, [{ id: title, title }]);
  for (const q of ['shared', 'term1', 'term1 shar', 'tern1 shared']) {
    const [one, many] = [await client.search(together, { q, limit: 50 }), await client.search(apart, { q, limit: 50 })];
    assert.deepEqual(
      many.hits.map(({ document }) => document.id),
      one.hits.map(({ document }) => document.id),
    );
    one.hits.forEach(({ text_match }, i) => {
      assert.ok(closeTo(many.hits[i]?.text_match ?? 0, text_match, 1e-5));
    });
  }
});

test('relevance ties are broken by the default sorting field descending, then by insertion', async () => {
  const name = freshName();
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'n', type: 'int' as const, sort: true },
  ];
  await client.create({ name, fields, default_sorting_field: 'n' });
  const rows = [
    ['a', 1],
    ['b', 3],
    ['c', null],
    ['d', 3],
    ['e', 2],
  ] as const;
  for (const [id, n] of rows) await client.indexAll(name, [{ id, title: 'same', n }]);
  assert.deepEqual(await client.ids(name, { q: 'same' }), ['b', 'd', 'e', 'a', 'c']);
  assert.deepEqual(await client.ids(name, {}), ['b', 'd', 'e', 'a', 'c']);
  await client.indexAll(name, [{ id: 'b', title: 'same', n: 3 }]);
  assert.deepEqual(await client.ids(name, { q: 'same' }), ['d', 'b', 'e', 'a', 'c'], 'an upsert moves to the end');
});

test('an exact match ranks before corrections of the word, in a text of twice the usual length too', async () => {
  const name = freshName();
  await client.create(titleSchema(name));
  const others = Array.from({ length: 20 }, (_, i) => ({ id: `x${i}`, title: 'other stuff here' }));
  await client.indexAll(name, [
    { id: 'typo', title: 'random' },
    { id: 'exact', title: 'fandom in a text of six' },
    ...others,
  ]);
  assert.deepEqual(await client.ids(name, { q: 'fandom', prefix: false }), ['exact', 'typo']);
});
