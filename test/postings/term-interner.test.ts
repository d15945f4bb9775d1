/**
 * Terms of a segment under construction: numbered by first appearance, sorted by their bytes, however many there are.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TOKEN_HASH_FACTOR, TOKEN_HASH_SHIFT } from '../../engine/layout/token-records.js';
import { TermInterner } from '../../engine/postings/term-interner.js';

const intern = (interner: TermInterner, text: string): number => {
  const bytes = Buffer.from(text);
  return interner.intern(bytes, 0, bytes.length);
};

const termsInOrder = (interner: TermInterner): string[] => {
  const { bytes, offsets, count } = interner.termsIn(interner.sortedTerms());
  return Array.from({ length: count }, (_, i) => Buffer.from(bytes.subarray(offsets[i], offsets[i + 1])).toString());
};

test('equal terms get one number, in order of first appearance', () => {
  const interner = new TermInterner();
  assert.deepEqual(
    ['b', 'a', 'b', 'ab', 'a', ''].map((text) => intern(interner, text)),
    [0, 1, 0, 2, 1, 3],
  );
  assert.equal(interner.count, 4);
  interner.reset();
  assert.equal(interner.count, 0);
  assert.equal(intern(interner, 'ab'), 0, 'nothing is remembered');
});

test('terms are sorted by bytes, a prefix before what it begins', () => {
  const interner = new TermInterner();
  const terms = ['abcd', 'abc', 'abcde', 'ab', 'abcda', 'é', 'z', 'abc\u0000', '東京', '東', 'a'];
  for (const text of terms) intern(interner, text);
  const expected = [...terms].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(termsInOrder(interner), expected);
});

test('terms that begin alike for long are sorted, few of them or many', () => {
  const letter = fc.constantFrom(0, 1, 97, 98, 255);
  const term = fc
    .tuple(fc.constantFrom('', 'abcd', 'abcdef', 'abcdefgh'), fc.array(letter, { maxLength: 4 }))
    .map(([prefix, rest]) => Buffer.concat([Buffer.from(prefix), Buffer.from(rest)]));
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 150, selector: (bytes) => bytes.toString('latin1') }), (terms) => {
      const interner = new TermInterner();
      for (const bytes of terms) interner.intern(bytes, 0, bytes.length);
      const got = Array.from(interner.sortedTerms(), (number) => terms[number]);
      assert.deepEqual(got, [...terms].sort(Buffer.compare));
    }),
    { numRuns: 300 },
  );
});

test('more terms than fit beside a long prefix are sorted all the same', () => {
  const interner = new TermInterner();
  const count = 2 ** 21 + 1000;
  const bytes = new Uint8Array(8);
  for (let i = 0; i < count; i++) {
    // Digits in base 64, the lowest first: the order of numbers is far from the order of bytes.
    let length = 0;
    for (let rest = i + 64; rest > 0; rest = Math.floor(rest / 64)) bytes[length++] = 48 + (rest % 64);
    interner.intern(bytes, 0, length);
  }
  assert.equal(interner.count, count);
  const order = interner.sortedTerms();
  assert.equal(new Set(order).size, count);
  const { bytes: sorted, offsets } = interner.termsIn(order);
  for (let i = 1; i < count; i += 7) {
    const before = sorted.subarray(offsets[i - 1], offsets[i]);
    const after = sorted.subarray(offsets[i], offsets[i + 1]);
    assert.ok(Buffer.compare(before, after) < 0);
  }
});

/** `count` words of eight bytes that all have one hash where it begins with 0 (layout/token-records.ts). */
function wordsOfOneHash(count: number): Uint32Array {
  const mix = (hash: number, word: number): number => {
    const mixed = Math.imul(hash ^ word, TOKEN_HASH_FACTOR);
    return mixed ^ (mixed >>> TOKEN_HASH_SHIFT);
  };
  const words = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    words[2 * i] = i;
    words[2 * i + 1] = mix(mix(0, 8), i) ^ 0x12345678;
  }
  return words;
}

test('words that were chosen to have one hash take no longer than others', () => {
  const count = 300_000;
  const bytes = new Uint8Array(wordsOfOneHash(count).buffer);
  const interner = new TermInterner();
  for (let i = 0; i < count; i++) assert.equal(interner.intern(bytes, 8 * i, 8 * i + 8), i);
});
