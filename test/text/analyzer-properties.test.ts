/**
 * The analyzer against the same rules written with strings and regular expressions.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Analyzer } from '../../engine/text/analyzer.js';

const encoder = new TextEncoder();
const analyzer = new Analyzer();
/** That cut what they have folded after so many bytes, wherever that is. */
const IN_PIECES = [1, 2, 7, 64].map((bytes) => new Analyzer(bytes));

const KANA = '(?:[\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\u3031-\\u3035](?<=[\\p{L}\\p{N}]))';
const HAN = '(?:\\p{sc=Han}(?<=[\\p{L}\\p{N}]))';
const RUNS = new RegExp(`(${HAN})|(${KANA}+)|((?:(?!${HAN}|${KANA})[\\p{L}\\p{N}])+)`, 'gu');

function oracle(bytes: Uint8Array): string[] {
  const text = new TextDecoder().decode(bytes);
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\p{M}/gu, '');
  const tokens: string[] = [];
  for (const [, han, kana, other] of folded.matchAll(RUNS)) {
    if (han !== undefined) tokens.push(han);
    if (other !== undefined) tokens.push([...other].slice(0, 64).join(''));
    if (kana === undefined) continue;
    const chars = [...kana];
    if (chars.length === 1) tokens.push(kana);
    for (let i = 0; i + 1 < chars.length; i++) tokens.push(chars[i] + chars[i + 1]);
  }
  return tokens;
}

function analyze(bytes: Uint8Array, start: number, end: number, by = analyzer): string[] {
  const tokens: string[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true });
  by.analyze(bytes, start, end, {
    token: (token, from, to) => tokens.push(decoder.decode(token.slice(from, to))),
  });
  return tokens;
}

function check(bytes: Uint8Array): void {
  const expected = oracle(bytes);
  assert.deepEqual(analyze(bytes, 0, bytes.length), expected);
  for (const inPieces of IN_PIECES) assert.deepEqual(analyze(bytes, 0, bytes.length, inPieces), expected);
}

const BLOCKS = 'aBz 09.\'-_Σσςßﬁé\u0301ＡёЙאبक्ㄱ한กあがぱカｶﾞーゝヽ・々〇漢字𠮷𐐀𝚺Ϲİ²Ⅷ😀\u200d\ufe0f"';

test('every code point alone and within a word is analysed as the string pipeline does', () => {
  let batch = '';
  for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
    if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
    // Unassigned planes hold nothing but separators; a sample of them is enough.
    if (codePoint >= 0x32000 && codePoint % 257 !== 0 && (codePoint < 0xe0000 || codePoint > 0xe0fff)) continue;
    const char = String.fromCodePoint(codePoint);
    batch += `a${char}B ${char}\n`;
    if (batch.length > 60_000) {
      check(encoder.encode(batch));
      batch = '';
    }
  }
  check(encoder.encode(batch));
});

test('a capital sigma takes the case that its neighbours give it, whichever they are', () => {
  let batch = '';
  for (let codePoint = 0x20; codePoint < 0x20000; codePoint++) {
    if (codePoint >= 0x3100 && codePoint < 0xa000) continue;
    if (codePoint >= 0xac00 && codePoint < 0xf900) continue;
    const char = String.fromCodePoint(codePoint);
    batch += `|${char}Σ|aΣ${char}|aΣ${char}b|a${char}Σ`;
    if (batch.length > 60_000) {
      check(encoder.encode(batch));
      batch = '';
    }
  }
  check(encoder.encode(batch));
});

test('text of mixed scripts is analysed as the string pipeline does', () => {
  const text = fc.array(fc.constantFrom(...BLOCKS), { maxLength: 200 }).map((chars) => chars.join(''));
  fc.assert(
    fc.property(text, (value) => check(encoder.encode(value))),
    { numRuns: 400 },
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => check(encoder.encode(value))));
});

test('arbitrary bytes are analysed as their decoding with replacement characters', () => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x61, 0x80, 0xbf, 0xc2, 0xe0, 0xe3, 0xed, 0xef, 0xf0, 0xf4));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 60 }), (bytes) => check(Uint8Array.from(bytes))),
    { numRuns: 2000 },
  );
});

test('the ASCII fast path gives what the general path gives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 300 }), (value) => {
      const bytes = encoder.encode(value);
      // A non-ASCII separator at the end forces the general path and adds no token.
      const general = encoder.encode(`${value}\u2014`);
      assert.deepEqual(analyze(bytes, 0, bytes.length), analyze(general, 0, general.length));
      check(bytes);
    }),
    { numRuns: 500 },
  );
});

test('analysing a token again gives the token', () => {
  const text = fc.array(fc.constantFrom(...BLOCKS), { maxLength: 40 }).map((chars) => chars.join(''));
  fc.assert(
    fc.property(text, (value) => {
      const bytes = encoder.encode(value);
      for (const token of analyze(bytes, 0, bytes.length)) {
        const again = encoder.encode(token);
        assert.deepEqual(analyze(again, 0, again.length), [token]);
      }
    }),
  );
});
