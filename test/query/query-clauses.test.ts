/**
 * How the tokens of a query become clauses, and how many there may be.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { makeClauses, type QueryClauses } from '../../engine/query/query-clauses.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import { analyzeQuery, type QueryToken } from '../../engine/text/query-tokens.js';

const analyzer = new Analyzer();
const spell = ({ bytes }: QueryToken): string => new TextDecoder().decode(bytes);

const clausesOf = (q: string, { completes = false, all = true } = {}): QueryClauses =>
  makeClauses(analyzeQuery(q, analyzer), completes, all);

/** Clauses with their slots; a star marks the completed one. */
const written = (made: QueryClauses): string[] =>
  made.clauses.map((clause) => {
    const text = clause.kind === 'phrase' ? `"${clause.tokens.map(spell).join(' ')}"` : spell(clause.token);
    return `${text}${clause.kind === 'token' && clause.isCompleted ? '*' : ''} ${clause.slots.join()}`;
  });

/** So many different tokens. */
const words = (count: number, from = 0): string => Array.from({ length: count }, (_, i) => `w${from + i}`).join(' ');

const isRefused =
  (message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof EngineError && error.code === 'invalid_query' && message.test(error.message);

test('a token typed again is one clause that knows where it stood', () => {
  assert.deepEqual(written(clausesOf('a b a a')), ['a 0,2,3', 'b 1']);
});

test('the completed last token is a role of its own', () => {
  assert.deepEqual(written(clausesOf('a b a', { completes: true })), ['a 0', 'b 1', 'a* 2']);
  assert.deepEqual(written(clausesOf('a b -a', { completes: true })), ['a 0', 'b* 1'], 'an exclusion is not the last');
  assert.deepEqual(written(clausesOf('a "b"', { completes: true })), ['a 0', '"b" 1'], 'nor is one before a phrase');
});

test('equal phrases are one clause, apart from their tokens in plain text', () => {
  assert.deepEqual(written(clausesOf('a "a b" b "a b" "b a"')), ['a 0', '"a b" 1,4', 'b 3', '"b a" 6']);
});

test('a token follows text unless a quote or an exclusion stands between', () => {
  const follows = (q: string): boolean[] => clausesOf(q).slots.map(({ followsText }) => followsText);
  assert.deepEqual(follows('a b c'), [false, true, true]);
  assert.deepEqual(follows('a "b c" d e'), [false, false, false, false, true]);
  assert.deepEqual(follows('a -x b c'), [false, false, true]);
  assert.deepEqual(
    clausesOf('a b a "c d"').slots.map(({ token, clause }) => `${spell(token)}${clause}`),
    ['a0', 'b1', 'a0', 'c2', 'd2'],
  );
});

test('an exclusion is neither clause nor slot, and counts once', () => {
  const made = clausesOf('a -b -"c d" -b');
  assert.deepEqual(written(made), ['a 0']);
  assert.deepEqual(
    made.excluded.map((tokens) => tokens.map(spell)),
    [['b'], ['c', 'd']],
  );
});

test('64 distinct tokens pass, however often they are typed, and 65 are refused when all must match', () => {
  assert.equal(clausesOf(`${words(64)} ${words(64)}`).clauses.length, 64);
  assert.equal(clausesOf(`${words(60)} "${words(60)}" -w60 -w61 -w62 w63`).clauses.length, 62);
  const refused = isRefused(/^q: expected at most 64 distinct tokens, got 65 \(match_mode=any takes the rarest\)$/);
  assert.throws(() => clausesOf(words(65)), refused);
  assert.throws(() => clausesOf(`${words(60)} "w60 w61" -w62 -"w63 w64"`), refused);
});

test('any number of tokens passes when any may match, but no more than 64 in phrases and exclusions', () => {
  assert.equal(clausesOf(words(500), { all: false }).clauses.length, 500);
  assert.equal(clausesOf(`${words(80)} "${words(32)}" -"${words(32, 40)}"`, { all: false }).clauses.length, 81);
  const refused = isRefused(/^q: expected at most 64 tokens in phrases and exclusions, got 65$/);
  assert.throws(() => clausesOf(`"${words(32)}" -"${words(33)}"`, { all: false }), refused);
  assert.throws(() => clausesOf(`"${'a '.repeat(65)}"`), refused, 'a phrase costs by the token, repeated or not');
  assert.equal(
    clausesOf(`"${'a '.repeat(64)}" "${'a '.repeat(64)}"`).clauses.length,
    1,
    'and once for all its repeats',
  );
});
