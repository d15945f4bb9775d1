/**
 * Tokens with their places: the same as the analyzer's, and each where its text stands.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Analyzer } from '../../engine/text/analyzer.js';
import { TokenRanges } from '../../engine/text/token-ranges.js';

const analyzer = new Analyzer();
const ranges = new TokenRanges();
const decoder = new TextDecoder();

interface Placed {
  readonly token: string;
  readonly from: number;
  readonly to: number;
}

function tokensOf(bytes: Uint8Array): string[] {
  const tokens: string[] = [];
  analyzer.analyze(bytes, 0, bytes.length, {
    token: (token, start, end) => tokens.push(decoder.decode(token.slice(start, end))),
  });
  return tokens;
}

function placedTokensOf(bytes: Uint8Array, start = 0, end = bytes.length): Placed[] {
  const placed: Placed[] = [];
  ranges.analyze(bytes, start, end, {
    token: (token, first, last, from, to) => placed.push({ token: decoder.decode(token.slice(first, last)), from, to }),
  });
  return placed;
}

/** Each token as `token|what stands there`. */
function placesIn(text: string): string[] {
  const bytes = Buffer.from(text);
  return placedTokensOf(bytes).map(({ token, from, to }) => `${token}|${bytes.subarray(from, to)}`);
}

test('a token stands where its letters do, with their accents and without what separates', () => {
  assert.deepEqual(placesIn(' Wireless-mouse, 2nd!'), ['wireless|Wireless', 'mouse|mouse', '2nd|2nd']);
  assert.deepEqual(placesIn('Café cafe\u0301s'), ['cafe|Café', 'cafes|cafe\u0301s']);
  assert.deepEqual(placesIn('\u0301a'), ['a|a'], 'a mark that nothing precedes is left out');
  assert.deepEqual(placesIn('ＡＢ ﬁne'), ['ab|ＡＢ', 'fine|ﬁne']);
});

test('each ideograph stands alone, pairs of kana overlap', () => {
  assert.deepEqual(placesIn('東京a'), ['東|東', '京|京', 'a|a']);
  assert.deepEqual(placesIn('ひらかな'), ['ひら|ひら', 'らか|らか', 'かな|かな']);
  assert.deepEqual(placesIn('カ'), ['カ|カ']);
  assert.deepEqual(placesIn('ｶﾞｷ'), ['カキ|ｶﾞｷ'], 'a voiced mark of its own belongs to what it voices');
});

test('a character that becomes several tokens is the place of each', () => {
  assert.deepEqual(placesIn('x½y'), ['x1|x½', '2y|½y']);
});

test('a token that is cut stands where the whole word does', () => {
  assert.deepEqual(placesIn(`${'ab'.repeat(40)} c`), [`${'ab'.repeat(32)}|${'ab'.repeat(40)}`, 'c|c']);
});

test('places count from the start of the bytes', () => {
  const bytes = Buffer.from('one two three');
  assert.deepEqual(placedTokensOf(bytes, 4, 7), [{ token: 'two', from: 4, to: 7 }]);
});

const foldsToSeveral = (char: string): boolean => [...char.normalize('NFKD').replace(/\p{M}/gu, '')].length > 1;

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      'word ',
      'Große',
      'ΣΑΣ',
      'é',
      'e\u0301',
      '½',
      '㏂',
      'ﷺ',
      '東京',
      'かなカナ',
      'ｶﾞ',
      '😀',
      ' ',
      '\u0301',
      'ǆ',
      '한글',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join('')));

test("the tokens are the analyzer's, whatever the text, UTF-8 or not", () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 40 })), (bytes) => {
      assert.deepEqual(
        placedTokensOf(bytes).map(({ token }) => token),
        tokensOf(bytes),
      );
    }),
    { numRuns: 1000 },
  );
});

test('places ascend within the text, and what stands at one alone gives the token', () => {
  fc.assert(
    fc.property(text, (bytes) => {
      let [fromBefore, toBefore] = [0, 0];
      for (const { token, from, to } of placedTokensOf(bytes)) {
        assert.ok(fromBefore <= from && toBefore <= to && from < to && to <= bytes.length);
        [fromBefore, toBefore] = [from, to];
        const alone = tokensOf(bytes.subarray(from, to));
        // The lower case of a capital sigma depends on what stands around it.
        const plain = (sigma: string): string => sigma.replaceAll('ς', 'σ');
        if (alone.length === 1 && plain(alone[0] ?? '') === plain(token)) continue;
        // A character that folds to several lends its first ones to the token before, its last to the one behind.
        const place = decoder.decode(bytes.subarray(from, to));
        assert.ok([...place].some(foldsToSeveral), `${token} in ${place}`);
        const isPart = alone.some((one) => plain(one).includes(plain(token)) || plain(token).includes(plain(one)));
        assert.ok(isPart, `${token} in ${place}`);
      }
    }),
    { numRuns: 1000 },
  );
});
