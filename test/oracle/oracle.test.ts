/**
 * The oracle against hand-worked cases: an oracle that is wrong proves nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from './analyze.js';
import { OracleCollection, parseDate } from './collection.js';
import { distancesToPrefixes, editDistance, prefixDistance } from './edit-distance.js';
import { passes, writeFilter } from './filter.js';
import { editBudget, parseQuery } from './query.js';
import { searchOracle } from './search.js';
import { suggestOracle } from './suggest.js';

const SETTINGS = { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 };

function titles(...values: (string | string[])[]): OracleCollection {
  const flags = { facet: false, filter: false, sort: false, boost: null };
  const collection = new OracleCollection({
    fields: [{ name: 'title', type: 'text', index: true, ...flags }],
    typo_tolerance: SETTINGS,
    default_sorting_field: null,
  });
  values.forEach((title, i) => {
    collection.upsert({ id: String(i), title });
  });
  return collection;
}

const idsOf = (collection: OracleCollection, q: string): string[] =>
  searchOracle(collection, { q }).map(({ stored }) => stored.document.id);

test('analysis folds accents and case, and splits Han into ideographs and kana into bigrams', () => {
  assert.deepEqual(analyze('Crème-brûlée 2,5%'), ['creme', 'brulee', '2', '5']);
  assert.deepEqual(analyze('東京tower'), ['東', '京', 'tower']);
  assert.deepEqual(analyze('ひらかな'), ['ひら', 'らか', 'かな']);
  assert.deepEqual(analyze('あ ー'), ['あ', 'ー']);
  assert.deepEqual(analyze('!?'), []);
  assert.equal(analyze('x'.repeat(70))[0]?.length, 64);
});

test('edit distance is unrestricted Damerau-Levenshtein', () => {
  assert.equal(editDistance('ca', 'abc'), 2);
  assert.equal(editDistance('ab', 'ba'), 1);
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(editDistance('𝒳a', 'a𝒳'), 1);
  assert.equal(prefixDistance('wirels', 'wireless'), 1);
  assert.deepEqual(distancesToPrefixes('ab', 'ba'), [2, 1, 1]);
});

test('quotes pair up from the left and one left over is text', () => {
  const clause = (...tokens: string[]): object => ({ tokens, isPhrase: false });
  assert.deepEqual(parseQuery('a "b c" d"'), [clause('a'), { tokens: ['b', 'c'], isPhrase: true }, clause('d')]);
  assert.deepEqual(parseQuery('""'), []);
});

test('the edit budget goes by code points, and digits alone have none', () => {
  assert.deepEqual(
    ['abc', 'abcd', 'abcdefgh', '12345678', '1234567a'].map((token) => editBudget(token, SETTINGS)),
    [0, 1, 2, 0, 2],
  );
});

test('words match exactly, by prefix at the end, and within their edits', () => {
  const collection = titles('wireless mouse', 'wired mouse', 'mouse pad', ['red', 'mouse']);
  assert.deepEqual(idsOf(collection, 'mouse wire'), ['0', '1']);
  assert.deepEqual(idsOf(collection, 'moues'), ['0', '1', '2', '3']);
  assert.deepEqual(idsOf(collection, '"wireless mouse"'), ['0']);
  assert.deepEqual(idsOf(collection, '"red mouse"'), [], 'a phrase does not cross array values');
  assert.deepEqual(idsOf(collection, 'wirels'), ['0'], 'found as a mistyped prefix');
});

test('a single exact word scores as BM25 says', () => {
  const [match] = searchOracle(titles('a b', 'c'), { q: 'a', prefix: false });
  const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
  assert.ok(Math.abs((match?.text_match ?? 0) - (idf * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 2) / 1.5))) < 1e-12);
});

test('a negated filter passes only documents that have the field', () => {
  const collection = titles('x');
  const filter = { kind: 'compare', field: 'title', op: '!=', value: "o'k" } as const;
  assert.equal(writeFilter(filter), "title:!='o\\'k'");
  assert.equal(passes(collection, { id: '1', title: 'y' }, filter), true);
  assert.equal(passes(collection, { id: '1' }, filter), false);
});

test('suggestions put completions before corrections and count documents', () => {
  const collection = titles('mouse', 'mouse', 'moss', 'house');
  assert.deepEqual(suggestOracle(collection, { q: 'mous' }), [
    { text: 'mouse', count: 2, typos: 0 },
    { text: 'house', count: 1, typos: 1 },
    { text: 'moss', count: 1, typos: 1 },
  ]);
});

test('dates are read as RFC 3339 says', () => {
  assert.equal(parseDate('1970-01-02'), 86_400_000);
  assert.equal(parseDate('1970-01-01t00:00:01.5z'), 1500);
  assert.equal(parseDate('1970-01-01 02:00:00+02:00'), 0);
});
