/**
 * Phrases over arrays of two fields in large segments against a plain look at the words: dense, sparse and tiny lists,
 * position tables, several chunks, repeated words, single and among other words.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleField, OracleSchema } from '../oracle/collection.js';
import { randomNumbers } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = (name: string): OracleField => ({
  ...{ name, type: 'text', boost: null, index: true },
  ...{ facet: false, filter: false, sort: false },
});
const schema: OracleSchema = {
  fields: [text('title'), text('body')],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

const random = randomNumbers(7);
/** From every other word to one in thousands. */
const WORDS = ['the', 'the', 'the', 'of', 'of', 'cat', 'sat', 'on', 'mat'];

function words(count: number): string {
  const chosen: string[] = [];
  for (let i = 0; i < count; i++) chosen.push(random(2000) === 0 ? 'rare' : WORDS[random(WORDS.length)]);
  return chosen.join(' ');
}

type Doc = { readonly id: string; readonly title: string | string[]; readonly body?: string };

function makeDoc(i: number): Doc {
  const title = random(4) === 0 ? [words(random(5)), words(random(5))] : words(random(7));
  return random(9) === 0 ? { id: `d${i}`, title, body: words(random(60)) } : { id: `d${i}`, title };
}

const docs = Array.from({ length: 70_000 }, (_, i) => makeDoc(i));
const collection = new InProcessCollection(schema);
for (const [from, to] of [
  [0, 66_500],
  [66_500, 69_900],
  [69_900, 70_000],
])
  collection.index(docs.slice(from, to));

const hasPhrase = (doc: Doc, phrase: string): boolean =>
  [doc.title, doc.body ?? ''].flat().some((value) => ` ${value} `.includes(` ${phrase} `));

const PHRASES = [
  'the',
  'rare',
  'the the',
  'the the the',
  'of the',
  'the cat sat on the mat',
  'rare the',
  'the rare',
  'rare rare',
  'mat mat mat mat',
  'cat absent',
];

test('a phrase finds exactly the documents in which its words follow one another in one value', async () => {
  for (const phrase of PHRASES) {
    const expected = docs.filter((doc) => hasPhrase(doc, phrase)).map(({ id }) => id);
    const params = { limit: 250, offset: 0, prefix: true, typo_tolerance: true };
    const answer = await collection.search('', { ...params, q: `"${phrase}"` });
    assert.equal(answer.found, expected.length, phrase);
    const wanted = new Set(expected);
    for (const { document } of answer.hits) assert.ok(wanted.has(String(document.id)), `${phrase}: ${document.id}`);
  }
});

test('a phrase among other words narrows them, and widens them in match_mode any', async () => {
  const phrase = 'cat sat';
  const word = (doc: Doc): boolean => hasPhrase(doc, 'rare');
  const params = { limit: 0, offset: 0, prefix: false, typo_tolerance: false, q: `rare "${phrase}"` };
  const both = docs.filter((doc) => word(doc) && hasPhrase(doc, phrase)).length;
  const either = docs.filter((doc) => word(doc) || hasPhrase(doc, phrase)).length;
  assert.equal((await collection.search('', { ...params, match_mode: 'all' })).found, both);
  assert.equal((await collection.search('', { ...params, match_mode: 'any' })).found, either);
});
