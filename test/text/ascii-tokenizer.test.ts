/**
 * The kernel that cuts ASCII against the analyzer, which takes all text: the same tokens, and the same terms for the interner.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { COPY_TEXT_BYTES, TOKENS_VALUE_MAX } from '../../engine/layout/body-copy.js';
import { TOKEN_BYTES_WORD, TOKEN_LENGTH_WORD } from '../../engine/layout/token-records.js';
import { BodyCopy } from '../../engine/memory/body-copy.js';
import { TermInterner } from '../../engine/postings/term-interner.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import { AsciiTokenizer, asciiTokenizer } from '../../engine/text/ascii-tokenizer.js';

const analyzer = new Analyzer();
const tokenizer = new AsciiTokenizer(new BodyCopy());

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function analyzed(bytes: Uint8Array, start: number, end: number): string[] {
  const tokens: string[] = [];
  analyzer.analyze(bytes, start, end, {
    token: (token, from, to) => tokens.push(Buffer.from(token.subarray(from, to)).toString()),
  });
  return tokens;
}

/** The tokens of the first `count` records. */
function recorded(count: number): string[] {
  const { records } = tokenizer;
  const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  const tokens: string[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    const length = records[at + TOKEN_LENGTH_WORD];
    const from = 4 * (at + TOKEN_BYTES_WORD);
    tokens.push(bytes.subarray(from, from + length).toString());
    const padded = Math.ceil(length / 8) * 8;
    assert.ok(bytes.subarray(from + length, from + padded).every((byte) => byte === 0));
    at += TOKEN_BYTES_WORD + padded / 4;
  }
  return tokens;
}

function check(body: Uint8Array, start: number, end: number): void {
  const isAscii = body.subarray(start, end).every((byte) => byte < 0x80);
  const isTaken = isAscii && end - start <= TOKENS_VALUE_MAX;
  for (const tokenize of [tokenizer.tokenize, tokenizer.tokenizeCopy]) {
    const count = tokenize.call(tokenizer, body, start, end);
    if (isTaken) assert.deepEqual(recorded(count), analyzed(body, start, end));
    else assert.equal(count, -1);
  }
}

test('every ASCII byte alone, within a word and beside others is cut as the analyzer cuts it', () => {
  for (let byte = 0; byte < 0x80; byte++) {
    const char = String.fromCharCode(byte);
    const body = utf8(`${char} a${char}Z 9${char}${char}0${char}`);
    check(body, 0, body.length);
    tokenizer.release();
  }
});

const piece = fc.oneof(
  fc.constantFrom(' ', ', ', '-', 'A', 'z9', 'Word', 'x'.repeat(63), 'Y'.repeat(64), 'z'.repeat(65), '7'.repeat(130)),
  fc.string({ maxLength: 12 }),
  fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
);

test('what stands around a value changes nothing, wherever it begins and however long its words are', () => {
  const given = fc.tuple(
    fc.array(piece, { maxLength: 12 }),
    fc.string({ maxLength: 70 }),
    fc.constantFrom('', 'a', 'é'),
    fc.nat(80),
  );
  fc.assert(
    fc.property(given, ([pieces, before, around, cut]) => {
      const value = utf8(pieces.join(''));
      const head = utf8(before + around);
      const body = Uint8Array.from([...head, ...value, ...utf8(around)]);
      check(body, head.length, head.length + value.length);
      check(body, head.length, Math.max(head.length, head.length + value.length - cut));
      tokenizer.release();
    }),
    { numRuns: 3000 },
  );
});

test('values of a body larger than a copy are found wherever they lie, in whatever order they are asked for', () => {
  const body = utf8('Lorem 1psum, dolor-sit\tAMET; '.repeat((3 * COPY_TEXT_BYTES) / 29));
  const starts = [0, 5, COPY_TEXT_BYTES - 40, COPY_TEXT_BYTES - 3, COPY_TEXT_BYTES, 2 * COPY_TEXT_BYTES + 7];
  for (const start of [...starts, ...starts.toReversed()]) {
    check(body, start, start + 90);
    check(body, start, start);
  }
  check(body, body.length - 1, body.length);
  check(body, 7, 7 + TOKENS_VALUE_MAX);
  check(body, 7, 8 + TOKENS_VALUE_MAX);
  tokenizer.release();
});

test('the largest value of the shortest words has room for its records', () => {
  const body = utf8('a '.repeat(TOKENS_VALUE_MAX / 2));
  check(body, 0, TOKENS_VALUE_MAX);
  tokenizer.release();
});

test('a body that was released may change', () => {
  const body = utf8('one two three');
  check(body, 0, body.length);
  tokenizer.release();
  body.set(utf8('six'));
  check(body, 0, body.length);
  tokenizer.release();
});

test('a term has one number, whether it comes as a record or as bytes', () => {
  const words = fc.array(fc.stringMatching(/^[a-c]{1,20}$/), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(words, (terms) => {
      const text = utf8(terms.join(' '));
      const interner = new TermInterner();
      const numbers = new Uint32Array(terms.length);
      assert.equal(tokenizer.tokenize(text, 0, text.length), terms.length);
      interner.internRecords(tokenizer.records, terms.length, numbers, 0);
      const distinct = [...new Set(terms)];
      assert.deepEqual(
        Array.from(numbers),
        terms.map((term) => distinct.indexOf(term)),
      );
      for (const term of terms) {
        const bytes = utf8(term);
        assert.equal(interner.intern(bytes, 0, bytes.length), distinct.indexOf(term));
      }
      assert.equal(interner.count, distinct.length);
      tokenizer.release();
    }),
  );
});

test('a thread has one tokenizer', () => {
  assert.equal(asciiTokenizer(), asciiTokenizer());
});
