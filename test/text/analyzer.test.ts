/**
 * The analysis rules by example, one a test.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Analyzer, countCodePoints } from '../../engine/text/analyzer.js';

const encoder = new TextEncoder();

function analyzeBytes(bytes: Uint8Array, start = 0, end = bytes.length): string[] {
  const tokens: string[] = [];
  const count = new Analyzer().analyze(bytes, start, end, {
    token(token, from, to, position) {
      assert.equal(position, tokens.length, 'positions count tokens');
      tokens.push(new TextDecoder('utf-8', { fatal: true }).decode(token.slice(from, to)));
    },
  });
  assert.equal(count, tokens.length);
  return tokens;
}

const analyze = (text: string): string[] => analyzeBytes(encoder.encode(text));

test('runs of ASCII letters and digits are tokens in lower case', () => {
  assert.deepEqual(analyze("Don't PANIC, mp3_Player 42!"), ['don', 't', 'panic', 'mp3', 'player', '42']);
  assert.deepEqual(analyze(''), []);
  assert.deepEqual(analyze(' -- '), []);
});

test('only the given range of bytes is read', () => {
  assert.deepEqual(analyzeBytes(encoder.encode('abcdef'), 2, 4), ['cd']);
  assert.deepEqual(analyzeBytes(encoder.encode('éabé'), 2, 5), ['ab']);
});

test('accents vanish, composed or not, and do not split a token', () => {
  assert.deepEqual(analyze('Café CAFE\u0301S Ångström'), ['cafe', 'cafes', 'angstrom']);
});

test('compatibility forms become ordinary letters', () => {
  assert.deepEqual(analyze('ＡＢＣ１ ﬁne ㎏ x² ½'), ['abc1', 'fine', 'kg', 'x2', '1', '2']);
});

test('other alphabets are folded and keep their runs', () => {
  assert.deepEqual(analyze('Привет, МИР! ЙОД'), ['привет', 'мир', 'иод']);
  assert.deepEqual(analyze('İstanbul straẞe'), ['istanbul', 'straße']);
});

test('a capital sigma becomes final at the end of a word alone', () => {
  assert.deepEqual(analyze('ΟΔΟΣ ΣΟΦΙΑ Σ ΟΔΟΣ.Α'), ['οδος', 'σοφια', 'σ', 'οδοσ', 'α']);
});

test('each Han ideograph is a token', () => {
  assert.deepEqual(analyze('東京2020年'), ['東', '京', '2020', '年']);
  assert.deepEqual(analyze('人々𠮷'), ['人', '々', '𠮷']);
});

test('kana runs become overlapping bigrams', () => {
  assert.deepEqual(analyze('ラーメン'), ['ラー', 'ーメ', 'メン']);
  assert.deepEqual(analyze('あ い'), ['あ', 'い']);
  assert.deepEqual(analyze('かな漢字ｶﾞｷabc'), ['かな', '漢', '字', 'カキ', 'abc']);
});

test('a token is cut at 64 code points, astral ones counting once', () => {
  assert.deepEqual(analyze('a'.repeat(100)), ['a'.repeat(64)]);
  assert.deepEqual(analyze(`${'𐐨'.repeat(70)} b`), ['𐐨'.repeat(64), 'b']);
});

test('malformed UTF-8 separates tokens and never throws', () => {
  assert.deepEqual(analyzeBytes(Uint8Array.of(0x61, 0xff, 0x62)), ['a', 'b']);
  assert.deepEqual(analyzeBytes(Uint8Array.of(0x61, 0xe2, 0x82, 0x41)), ['a', 'a']);
  assert.deepEqual(analyzeBytes(Uint8Array.of(0x61, 0xf0, 0x9f)), ['a']);
  assert.deepEqual(analyzeBytes(Uint8Array.of(0xed, 0xa0, 0x80, 0xc0, 0x80, 0x7a)), ['z']);
});

test('a value longer than the kept buffers is analysed whole', () => {
  assert.equal(analyze('é '.repeat(300_000)).length, 300_000);
  assert.equal(analyze('ﷺ '.repeat(20_000)).length, 80_000);
});

test('code points are counted, not bytes', () => {
  const bytes = encoder.encode('aé日𠮷');
  assert.equal(countCodePoints(bytes, 0, bytes.length), 4);
  assert.equal(countCodePoints(bytes, 1, 3), 1);
});
