/**
 * How a query's text becomes clauses.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import { analyzeQuery, type QueryToken } from '../../engine/text/query-tokens.js';

const analyzer = new Analyzer();
const spell = (token: QueryToken): string => new TextDecoder().decode(token.bytes);

/** Tokens as strings, phrases as arrays. */
function clauses(q: string): (string | string[])[] {
  return analyzeQuery(q, analyzer).map((clause) =>
    clause.kind === 'token' ? spell(clause.token) : clause.tokens.map(spell),
  );
}

const last = (q: string): string | null => {
  const end = analyzeQuery(q, analyzer).at(-1);
  return end?.kind === 'token' ? spell(end.token) : null;
};

test('a query without tokens has no clause', () => {
  for (const q of ['', '*', '   ', '"', '""', '" "', '—']) assert.deepEqual(clauses(q), []);
});

test('words are tokens in the order typed', () => {
  assert.deepEqual(clauses('Red  SHOES, 42'), ['red', 'shoes', '42']);
});

test('double quotes make a phrase, of one token too', () => {
  assert.deepEqual(clauses('a "b c" d'), ['a', ['b', 'c'], 'd']);
  assert.deepEqual(clauses('x"b"y'), ['x', ['b'], 'y']);
  assert.deepEqual(clauses('"a b""c"'), [['a', 'b'], ['c']]);
});

test('an unclosed quote is ordinary text', () => {
  assert.deepEqual(clauses('"a b'), ['a', 'b']);
  assert.deepEqual(clauses('"a b" c "d e'), [['a', 'b'], 'c', 'd', 'e']);
});

test('the last token is known unless a phrase comes last', () => {
  assert.equal(last('a b'), 'b');
  assert.equal(last('a "b" c '), 'c');
  assert.equal(last('a "b c"'), null);
  assert.equal(last('a ""'), 'a');
  assert.equal(last(''), null);
});

test('a token knows its code points and whether it is digits alone', () => {
  const facts = analyzeQuery('2024 mp3 日 ４２ ٣٤ éa', analyzer).flatMap((clause) =>
    clause.kind === 'token' ? [[clause.token.codePoints, clause.token.digitsOnly]] : [],
  );
  assert.deepEqual(facts, [
    [4, true],
    [3, false],
    [1, false],
    [2, true],
    [2, true],
    [2, false],
  ]);
});

test('64 tokens pass and 65 are refused with what was expected and got', () => {
  assert.equal(clauses('a '.repeat(64)).length, 64);
  assert.throws(
    () => clauses(`${'a '.repeat(60)}"b c d e f"`),
    (error) =>
      error instanceof EngineError && error.code === 'invalid_query' && /at most 64 .* got 65/.test(error.message),
  );
});

test('4096 bytes pass and more are refused with what was expected and got', () => {
  assert.deepEqual(clauses(' '.repeat(4096)), []);
  assert.throws(
    () => clauses('é'.repeat(2049)),
    (error) =>
      error instanceof EngineError && error.code === 'invalid_query' && /at most 4096 .* got 4098/.test(error.message),
  );
});
