/**
 * The JSON writer against JSON.parse and JSON.stringify.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';

function written(write: (writer: JsonWriter) => void, targetBytes = 8): string {
  const writer = new JsonWriter(new Uint8Array(new SharedArrayBuffer(targetBytes)), 1 << 20);
  write(writer);
  return Buffer.from(writer.bytes()).toString();
}

const anyText = fc.string({ unit: 'binary', maxLength: 300 });

test('a string is written as JSON.stringify writes it', () => {
  const surrogates = fc
    .array(fc.constantFrom('\ud83d', '\ude00', 'a', 'é', '€', '"', '\\', '\u0000'))
    .map((all) => all.join(''));
  const property = fc.property(fc.oneof(anyText, surrogates), fc.nat(40), (text, targetBytes) => {
    assert.equal(
      written((writer) => writer.string(text), targetBytes),
      JSON.stringify(text),
    );
  });
  fc.assert(property);
});

test('UTF-8 bytes are written as JSON.stringify writes their text', () => {
  const property = fc.property(anyText, fc.nat(40), (text, targetBytes) => {
    const bytes = Buffer.from(`<${text}>`);
    const json = written((writer) => writer.stringBytes(bytes, 1, bytes.length - 1), targetBytes);
    assert.equal(json, JSON.stringify(text));
  });
  fc.assert(property);
});

test('integers read back as they were', () => {
  const property = fc.property(fc.maxSafeInteger(), (integer) => {
    assert.equal(
      written((writer) => writer.integer(integer)),
      String(integer),
    );
  });
  fc.assert(property);
  for (const value of [0, 9, 10, 999_999_999, 1e9, 2 ** 32, 2 ** 53 - 1, -1, -1e9]) {
    assert.equal(
      written((writer) => writer.integer(value)),
      String(value),
    );
  }
});

test('a 32-bit float reads back as the same float, in no more digits than needed', () => {
  const digits = (text: string): number =>
    text
      .replace(/e.*$/, '')
      .replace(/\D/g, '')
      .replace(/^0+|0+$/g, '').length;
  const property = fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
    const text = written((writer) => writer.float32(value));
    assert.equal(Math.fround(JSON.parse(text)), value + 0);
    // Integers are written in full: they need no fraction.
    if (Number.isInteger(value)) return;
    let precision = 1;
    while (Math.fround(Number(value.toPrecision(precision))) !== value) precision++;
    assert.ok(digits(text) <= precision, `${text} has more than ${precision} digits`);
  });
  fc.assert(property, { numRuns: 2000 });
  assert.equal(
    written((writer) => writer.float32(0)),
    '0',
  );
  assert.equal(
    written((writer) => writer.float32(Math.fround(0.28768208622932434))),
    '0.2876821',
  );
  assert.equal(
    written((writer) => writer.float32(Math.fround(12.05))),
    '12.05',
  );
  assert.equal(
    written((writer) => writer.float32(1.5)),
    '1.5',
  );
});

test('milliseconds carry up to three decimals', () => {
  const cases = { 0: '0', 0.214: '0.214', 1.5: '1.5', 12.0004: '12', 0.0005: '0.001', 1234.1: '1234.1', 0.05: '0.05' };
  for (const [value, text] of Object.entries(cases)) {
    assert.equal(
      written((writer) => writer.millis(Number(value))),
      text,
    );
  }
});

test('a text that outgrows its target goes on in a private buffer, up to the cap', () => {
  const target = new Uint8Array(new SharedArrayBuffer(16));
  const writer = new JsonWriter(target, 5000);
  writer.raw('0123456789abcdef');
  assert.equal(writer.overflowed, false);
  assert.equal(writer.bytes().buffer, target.buffer);
  const source = new Uint8Array(300).fill(0x78);
  writer.rawBytes(source, 10, 300);
  writer.rawBytes(source, 0, 3);
  assert.equal(writer.overflowed, true);
  assert.equal(Buffer.from(writer.bytes()).toString(), `0123456789abcdef${'x'.repeat(293)}`);
  const tooMuch = (): void => {
    for (let i = 0; i < 20; i++) writer.rawBytes(source, 0, 300);
  };
  assert.throws(tooMuch, (error) => error instanceof EngineError && error.code === 'payload_too_large');
  writer.reset(target);
  writer.raw('[]');
  assert.equal(Buffer.from(writer.bytes()).toString(), '[]');
  assert.equal(writer.overflowed, false);
});
