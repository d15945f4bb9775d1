/** The kernel that tells JSON values from other text against the grammar in TypeScript, and its copies of parts of a body. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JSON_DEPTH_MAX } from '../../engine/core/limits.js';
import { JsonSyntax } from '../../engine/documents/json-syntax.js';
import { ValueScanner } from '../../engine/documents/value-scanner.js';
import { BodyCopy } from '../../engine/memory/body-copy.js';
import { jsonText, mutate, mutation } from './json-text.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const scanner = new ValueScanner(new BodyCopy());

const isValue = (bytes: Uint8Array, start: number, end: number): boolean =>
  new JsonSyntax().value(bytes, start, end, 1) === end;

function check(body: Uint8Array, start: number, end: number): void {
  scanner.begin(body);
  assert.equal(scanner.isValue(start, end), isValue(body, start, end));
  assert.equal(scanner.valueEnd(start), new JsonSyntax().value(body, start, body.length, 1));
  scanner.end();
}

const nested = (depth: number, open: string, close: string): Uint8Array =>
  utf8(`${open.repeat(depth)}1${close.repeat(depth)}`);

test('a text is a value exactly if the grammar says so, whatever stands around it', () => {
  const given = fc.tuple(jsonText, fc.array(mutation, { maxLength: 2 }), fc.string({ maxLength: 20 }), fc.nat(20));
  fc.assert(
    fc.property(given, ([text, mutations, before, cut]) => {
      const value = mutate(utf8(text), mutations);
      const head = utf8(before);
      const body = Uint8Array.from([...head, ...value, ...head]);
      check(body, head.length, head.length + value.length);
      // A value that ends too soon is often followed by what would complete it.
      check(body, head.length, Math.max(head.length, head.length + value.length - cut));
    }),
    { numRuns: 3000 },
  );
});

test('each byte in the place of each other is told as the grammar tells it', () => {
  const sound = utf8('{"a\\u00fF\\n":[-0.5e+1,true,false,null,"sixteen bytes and more of plain text"]}');
  for (let at = 0; at < sound.length; at++) {
    for (let byte = 0; byte < 256; byte++) {
      const body = sound.slice();
      body[at] = byte;
      check(body, 0, body.length);
    }
    check(sound, 0, at);
  }
});

test('values are as deep as the limit, and no deeper', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ]) {
    for (const depth of [JSON_DEPTH_MAX - 1, JSON_DEPTH_MAX, JSON_DEPTH_MAX + 1, 10_000]) {
      const body = nested(depth, open, close);
      scanner.begin(body);
      assert.equal(scanner.isValue(0, body.length), depth <= JSON_DEPTH_MAX);
      scanner.end();
    }
  }
});

test('values of a long body are found wherever its copies begin, and none that is longer than a copy', () => {
  const lengths = [10, 200_000, 100_000, 262_142, 262_143, 5, 262_144, 40_000, 300_000, 7];
  const values = lengths.map((length) => utf8(`"${'x'.repeat(length)}"`));
  const body = Buffer.concat(values.flatMap((value) => [value, utf8('\n')]));
  scanner.begin(body);
  let start = 0;
  for (const { length } of values) {
    assert.equal(scanner.isValue(start, start + length), length <= 262_144);
    start += length + 1;
  }
  scanner.end();
});

test('where a value of a long body ends is found wherever its copies end, even in a number', () => {
  const plain = (length: number): string => `"${'x'.repeat(length - 2)}"`;
  for (let shift = 0; shift < 24; shift++) {
    // The first copy ends among the values behind the first, and the second among those behind the long one.
    const tail = ['-12.5e+7', 'true', '{"a":[1,"\\u00e9"]}', '340'];
    const values = [plain(262_144 - shift), ...tail, plain(262_143 - shift), ...tail, plain(262_145), '17'];
    const body = utf8(values.join(','));
    scanner.begin(body);
    let start = 0;
    for (const { length } of values) {
      // One that fills a copy, with more behind it, might go on.
      const end = length >= 262_144 && start + length < body.length ? -1 : start + length;
      assert.equal(scanner.valueEnd(start), end, `the value at ${start}`);
      start += length + 1;
    }
    scanner.end();
  }
});
