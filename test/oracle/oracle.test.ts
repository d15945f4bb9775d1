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
  const token = (text: string, isCompleted = false): object => ({ kind: 'token', token: text, isCompleted });
  assert.deepEqual(parseQuery('a "b c" d"').clauses, [
    token('a'),
    { kind: 'phrase', tokens: ['b', 'c'] },
    token('d', true),
  ]);
  assert.deepEqual(parseQuery('a b -c', false), { clauses: [token('a'), token('b')], excluded: [['c']] });
  assert.deepEqual(parseQuery('a b -c').clauses, [token('a'), token('b', true)]);
  assert.deepEqual(parseQuery('""'), { clauses: [], excluded: [] });
});

test('a dash excludes at the start and after white space', () => {
  const excluded = (q: string): readonly (readonly string[])[] => parseQuery(q).excluded;
  assert.deepEqual(excluded('-a x -b-c -"d e" f-g - h "i -j" "k"-l -"m'), [['a'], ['b', 'c'], ['d', 'e']]);
  assert.deepEqual(excluded('--a'), [['a']]);
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

test('known words are corrected only while few documents are found', () => {
  const collection = titles('wars', 'was', 'was', 'was');
  const found = (q: string, typo_threshold: number): number => searchOracle(collection, { q, typo_threshold }).length;
  assert.deepEqual(
    [0, 1, 2].map((threshold) => found('wars', threshold)),
    [1, 1, 4],
  );
  assert.equal(found('wasr', 0), 4, 'an unknown one always');
});

test('what is excluded is in no match', () => {
  const collection = titles('red hot mouse', 'hot red mouse', 'mouse');
  assert.deepEqual(idsOf(collection, 'mouse -red'), ['2']);
  assert.deepEqual(idsOf(collection, 'mouse -"red hot"'), ['1', '2']);
  assert.deepEqual(idsOf(collection, '-re'), ['0', '1', '2'], 'never completed');
});

test('of more than 64 tokens the rarest stay', () => {
  const many = Array.from({ length: 64 }, (_, i) => `w${i}`);
  const collection = titles('often', 'often', 'once');
  const found = (...words: string[]): string[] =>
    searchOracle(collection, { q: words.join(' '), match_mode: 'any', prefix: false }).map(
      ({ stored }) => stored.document.id,
    );
  assert.deepEqual(found('often', 'once', ...many.slice(0, 63)), ['2']);
  assert.deepEqual(found('often', 'once', ...many), []);
});

test('a single exact word scores as BM25 says', () => {
  const [match] = searchOracle(titles('a b', 'c'), { q: 'a', prefix: false, ranking: 'bm25' });
  const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
  assert.ok(Math.abs((match?.text_match ?? 0) - (idf * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 2) / 1.5))) < 1e-12);
});

test('what stands near and in order, and what is or begins a value, gets bonuses', () => {
  const factor = (q: string, title: string | string[]): number => {
    const collection = titles(title, 'other');
    const [score] = searchOracle(collection, { q }).map(({ text_match }) => text_match);
    const [plain] = searchOracle(collection, { q, ranking: 'bm25' }).map(({ text_match }) => text_match);
    return Math.round(((score ?? 0) / (plain ?? 1)) * 1e6) / 1e6;
  };
  assert.equal(factor('star wars', 'star wars'), 2.7);
  assert.equal(factor('star wars', 'new star wars'), 1.8);
  assert.equal(factor('star wars', 'star wars two'), 2.07);
  assert.equal(factor('wars star', 'new star wars'), 1.4, 'the wrong way round is as one token between');
  assert.equal(factor('star wars', 'star of wars'), 1.4);
  assert.equal(factor('star', 'star'), 1.5);
  assert.equal(factor('star', ['new', 'star']), 1.5, 'any value');
  assert.equal(factor('star', ['new star', 'star one']), 1.15);
  assert.equal(factor('sta', 'star'), 1.15, 'a whole value that was completed');
  assert.equal(factor('sta', 'star two'), 1);
  assert.equal(factor('st', 'star'), 1, 'completions of two letters are not looked at');
  assert.equal(factor('wars "star"', ['star', 'wars']), 1.007843, 'values are far apart');
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
