/**
 * How a query's text becomes runs of tokens.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import {
  analyzeQuery,
  analyzeTokens,
  joinedToken,
  lastToken,
  makeToken,
  type QueryToken,
} from '../../engine/text/query-tokens.js';

const analyzer = new Analyzer();
const spell = (token: QueryToken): string => new TextDecoder().decode(token.bytes);

/** Plain text as words with blanks, phrases in quotes, exclusions with a dash. */
function runs(q: string): string[] {
  return analyzeQuery(q, analyzer).map(({ kind, tokens }) => {
    const words = tokens.map(spell).join(' ');
    return kind === 'text' ? words : kind === 'phrase' ? `"${words}"` : `-${words}`;
  });
}

const charOf = (code: number): string => String.fromCharCode(code);

const last = (q: string): string | null => {
  const token = lastToken(q, analyzer);
  return token === null ? null : spell(token);
};

const isRefused =
  (message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof EngineError && error.code === 'invalid_query' && message.test(error.message);

test('a query without tokens has no run', () => {
  for (const q of ['', '*', '   ', '"', '""', '" "', '—', '-', '- -', '-""', '-!?']) assert.deepEqual(runs(q), [], q);
});

test('words are tokens in the order typed', () => {
  assert.deepEqual(runs('Red  SHOES, 42'), ['red shoes 42']);
});

test('double quotes make a phrase, of one token too, and part what stands around them', () => {
  assert.deepEqual(runs('a "b c" d'), ['a', '"b c"', 'd']);
  assert.deepEqual(runs('x"b"y'), ['x', '"b"', 'y']);
  assert.deepEqual(runs('"a b""c"'), ['"a b"', '"c"']);
  assert.deepEqual(runs('a "" b'), ['a', 'b']);
});

test('an unclosed quote is ordinary text', () => {
  assert.deepEqual(runs('"a b'), ['a b']);
  assert.deepEqual(runs('a "b c'), ['a b c'], 'and neighbours are neighbours');
  assert.deepEqual(runs('"a b" c -d e "f -g h'), ['"a b"', 'c', '-d', 'e f', '-g', 'h']);
  assert.deepEqual(runs('a -b"c d'), ['a', '-b', 'c d']);
  assert.deepEqual(runs('"a b" c "d e'), ['"a b"', 'c d e']);
});

test('a dash at the start or after white space excludes the word behind it', () => {
  assert.deepEqual(runs('shoes -red'), ['shoes', '-red']);
  assert.deepEqual(runs('-red shoes'), ['-red', 'shoes']);
  assert.deepEqual(runs('a -b\t-c d'), ['a', '-b', '-c', 'd']);
  assert.deepEqual(runs('a\u00a0-b'), ['a', '-b']);
  assert.deepEqual(runs('-red-hot'), ['-red hot']);
  assert.deepEqual(runs('--red'), ['-red']);
  assert.deepEqual(runs('-東京 x'), ['-東 京', 'x']);
});

test('a dash excludes the phrase behind it, and a word up to a quote', () => {
  assert.deepEqual(runs('-"deep red" shoes'), ['-deep red', 'shoes']);
  assert.deepEqual(runs('shoes -"deep red"'), ['shoes', '-deep red']);
  assert.deepEqual(runs('"a" -"b" "c"'), ['"a"', '-b', '"c"']);
  assert.deepEqual(runs('-a"b c"'), ['-a', '"b c"']);
});

test('a dash elsewhere is ordinary text', () => {
  assert.deepEqual(runs('wi-fi'), ['wi fi']);
  assert.deepEqual(runs('a - b'), ['a b']);
  assert.deepEqual(runs('a -'), ['a']);
  assert.deepEqual(runs('"a"-b'), ['"a"', 'b']);
  assert.deepEqual(runs('"a -b"'), ['"a b"']);
  assert.deepEqual(runs('a-"b"'), ['a', '"b"']);
  assert.deepEqual(runs('-"a b'), ['a b'], 'before a quote without its partner');
  assert.deepEqual(runs('–a'), ['a'], 'another dash than the hyphen-minus');
});

test('the last token is known wherever it stands', () => {
  assert.equal(last('a b'), 'b');
  assert.equal(last('a "b c"'), 'c');
  assert.equal(last('a -b'), 'b');
  assert.equal(last('a ""'), 'a');
  assert.equal(last(''), null);
});

test('the last one is found behind any number of others', () => {
  assert.equal(last(`${'a '.repeat(2000)}b`), 'b');
});

test('plain ASCII becomes the tokens that the analysis of its bytes gives', () => {
  const units = fc.oneof(fc.constantFrom('a', 'Z', '7', ' ', '-', '"', '\0', '\x7f'), fc.nat({ max: 127 }).map(charOf));
  fc.assert(
    fc.property(fc.array(units, { maxLength: 200 }), (characters) => {
      const part = characters.join('');
      const expected: QueryToken[] = [];
      const bytes = Buffer.from(part);
      analyzer.analyze(bytes, 0, bytes.length, {
        token: (all, start, end) => expected.push(makeToken(all, start, end)),
      });
      const tokens = analyzeTokens(part, analyzer);
      assert.deepEqual(tokens, expected);
      for (const { bytes, text } of tokens) assert.equal(Buffer.from(bytes).toString('latin1'), text);
    }),
  );
});

test('a token has the bytes that it was made of, alone and joined with another', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (part) => {
      const whole = Buffer.from(part);
      const tokens: QueryToken[] = [];
      const sliced: Buffer[] = [];
      analyzer.analyze(whole, 0, whole.length, {
        token: (all, start, end) => {
          tokens.push(makeToken(all, start, end));
          sliced.push(Buffer.from(all.slice(start, end)));
        },
      });
      for (const [i, token] of tokens.entries()) {
        assert.deepEqual(Buffer.from(token.bytes), sliced[i]);
        const joined = joinedToken(token, tokens[0] as QueryToken);
        const bytes = Buffer.concat([sliced[i] as Buffer, sliced[0] as Buffer]);
        assert.deepEqual(Buffer.from(joined.bytes), bytes);
        assert.deepEqual(joined, makeToken(bytes, 0, bytes.length));
      }
    }),
  );
});

test('a token knows its code points and whether it is digits alone', () => {
  const facts = analyzeQuery('2024 mp3 日 ４２ ٣٤ éa', analyzer).flatMap(({ tokens }) =>
    tokens.map((token) => [token.codePoints, token.digitsOnly]),
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

test('4096 bytes pass and more are refused with what was expected and got', () => {
  assert.deepEqual(runs(' '.repeat(4096)), []);
  assert.throws(() => runs('é'.repeat(2049)), isRefused(/at most 4096 .* got 4098/));
});
