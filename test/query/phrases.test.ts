/**
 * Phrases over long lists, where positions are found through skip tables, and over several chunks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import { randomNumbers } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

type Fields = { readonly title: string; readonly body: readonly string[] };
const random = randomNumbers(99);
const WORDS = ['a', 'b', 'c', 'd', 'rare'];
const word = (): string => WORDS[random(60) === 0 ? 4 : random(4)];
const sentence = (most: number): string => Array.from({ length: random(most + 1) }, word).join(' ');

/** Whether the words stand side by side in one value. */
const holds = (value: string, phrase: string): boolean => ` ${value} `.includes(` ${phrase} `);
const matches = ({ title, body }: Fields, phrase: string): boolean =>
  [title, ...body].some((value) => holds(value, phrase));

function load(count: number, most: number): { collection: InProcessCollection; documents: Fields[] } {
  const documents = Array.from(
    { length: count },
    (): Fields => ({ title: sentence(most), body: Array.from({ length: random(3) }, () => sentence(most * 4)) }),
  );
  const collection = new InProcessCollection(SCHEMA);
  const withIds = documents.map((fields, i) => ({ id: String(i), ...fields }) as unknown as OracleDocument);
  collection.index(withIds.slice(0, count - 100));
  collection.index(withIds.slice(count - 100));
  return { collection, documents };
}

/** The score of each hit by its id, of at most 250. */
async function scoresOf(collection: InProcessCollection, q: string): Promise<Map<string, number>> {
  const query = { q, limit: 250, ranking: 'bm25', prefix: false, typo_tolerance: false } as const;
  const { hits } = await collection.search('', query);
  return new Map(hits.map(({ document, text_match }) => [String(document.id), text_match]));
}

async function check(collection: InProcessCollection, documents: readonly Fields[], phrases: string[]): Promise<void> {
  for (const phrase of phrases) {
    const expected = documents.flatMap((fields, i) => (matches(fields, phrase) ? [i] : []));
    const { found } = await collection.search('', { q: `"${phrase}"`, limit: 0 });
    assert.equal(found, expected.length, phrase);
    const first = await collection.search('', { q: `"${phrase}"`, limit: 250 });
    for (const { document } of first.hits) assert.ok(matches(documents[Number(document.id)], phrase), phrase);
    const both = documents.filter((fields) => matches(fields, phrase) && matches(fields, 'rare'));
    assert.equal((await collection.search('', { q: `"${phrase}" "rare"`, limit: 0 })).found, both.length);
    const either = documents.filter((fields) => matches(fields, phrase) || matches(fields, 'rare a'));
    const anyOf = await collection.search('', { q: `"${phrase}" "rare a"`, match_mode: 'any', limit: 0 });
    assert.equal(anyOf.found, either.length);
  }
}

test('phrases are found wherever their words stand side by side in one value, and nowhere else', async () => {
  const { collection, documents } = load(3000, 8);
  await check(collection, documents, [
    'a b',
    'a a',
    'a b a b',
    'rare rare',
    'rare a',
    'b rare c',
    'a b c d a b c',
    'a',
  ]);
});

test('phrases are found however far from the beginning they stand', async () => {
  const near = [0, 1, 12, 13, 14, 15, 16, 29, 30, 31, 61, 62, 63, 64, 65];
  const far = [508, 509, 510, 511, 512, 513, 1023, 1024, 1500];
  const ends = ['a b', 'a b c', 'b a', 'c a b', 'a c b', 'a b a b', 'c'];
  const documents = [...near, ...far].flatMap((before) =>
    ends.flatMap((end) => [
      { title: `${'d '.repeat(before)}${end}`, body: [] },
      { title: `a d ${'d '.repeat(before)}${end} d`, body: [`b ${end}`, end] },
      { title: '', body: [`${'a '.repeat(before)}${end}`, `${'b '.repeat(before)}${end} rare`] },
    ]),
  );
  const collection = new InProcessCollection(SCHEMA);
  collection.index(documents.map((fields, i) => ({ id: String(i), ...fields }) as unknown as OracleDocument));
  const long = [
    'a b',
    'b a',
    'a b c',
    'd a b',
    'd a b d',
    'c b',
    'd d d a',
    'b rare',
    'a b a b',
    'd c',
    'a d',
    'b b a',
  ];
  await check(collection, documents, [
    ...long,
    'd '.repeat(15).trim(),
    'd '.repeat(16).trim(),
    `${'d '.repeat(20)}a b`,
  ]);
});

test('phrases are found among few positions and many, near to one another and far', async () => {
  // By document and word: about how many of a hundred places it has, from `from` on. The rest are filled.
  const shares = [0, 1, 3, 6, 12, 40];
  const documents = Array.from({ length: 900 }, (_, i): Fields => {
    const length = [40, 140, 420][i % 3];
    const share = WORDS.slice(0, 3).map(() => shares[random(shares.length)]);
    const from = [0, 15, 130][random(3)];
    const places = Array.from({ length }, (_, place) => {
      const drawn = place < from ? 100 : random(100);
      if (drawn < share[0]) return 'a';
      if (drawn < share[0] + share[1]) return 'b';
      return drawn < share[0] + share[1] + share[2] ? 'c' : `x${random(5)}`;
    });
    return { title: '', body: [places.join(' ')] };
  });
  const withIds = documents.map((fields, i) => ({ id: String(i), ...fields }) as unknown as OracleDocument);
  const collection = new InProcessCollection(SCHEMA);
  collection.index(withIds);
  const counts = documents.map(({ body }) => body[0].split(' ').filter((some) => some === 'a').length);
  for (const count of [1, 8, 9, 16, 17]) assert.ok(counts.includes(count), `${count} positions`);
  await check(collection, documents, ['a b', 'b a', 'a a', 'c b', 'a b c', 'c c a', 'b c b a', 'a x1', 'x2 a x2']);
});

test('a phrase scores as its words do', async () => {
  const { collection } = load(3000, 8);
  for (const words of ['rare b', 'rare c a', 'd rare a', 'b a rare d']) {
    const phrase = await scoresOf(collection, `"${words}"`);
    const all = await scoresOf(collection, words);
    const both = [...phrase].filter(([id]) => all.has(id));
    assert.ok(both.length > 0, words);
    for (const [id, score] of both) assert.equal(score, all.get(id), words);
  }
});

test('phrases are found in every chunk', async () => {
  const { collection, documents } = load(66_500, 1);
  await check(collection, documents, ['a b', 'rare a']);
});
