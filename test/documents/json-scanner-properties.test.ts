/** The scanner against JSON.parse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import {
  type Batch,
  describeElement,
  ELEMENT_MALFORMED,
  ELEMENT_OBJECT,
  splitBatch,
} from '../../engine/documents/json-scanner.js';
import { bodyText, jsonText, mutate, mutation } from './json-text.js';

const decoder = new TextDecoder('utf-8', { fatal: true });
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The elements that JSON.parse sees in a body, or null when it is not one. */
function naiveElements(body: Uint8Array): unknown[] | null {
  try {
    const value: unknown = JSON.parse(decoder.decode(body));
    if (Array.isArray(value)) return value;
    return isObject(value) ? [value] : null;
  } catch {
    return null;
  }
}

function scannedBatch(body: Uint8Array): Batch | null {
  try {
    return splitBatch(body, 'json');
  } catch (error) {
    assert.ok(error instanceof EngineError && error.code === 'invalid_json');
    assert.match(error.message, /^invalid JSON at byte \d+ \(line \d+, column \d+\): expected .*, found /);
    return null;
  }
}

function checkBody(body: Uint8Array): void {
  const expected = naiveElements(body);
  const batch = scannedBatch(body);
  assert.equal(batch === null, expected === null, 'both accept or both refuse');
  if (batch === null || expected === null) return;
  assert.equal(batch.count, expected.length);
  for (let i = 0; i < batch.count; i++) {
    const text = decoder.decode(body.subarray(batch.starts[i], batch.ends[i]));
    assert.equal(text, text.trim());
    assert.deepEqual(JSON.parse(text), expected[i]);
    assert.equal(batch.kinds[i] === ELEMENT_OBJECT, isObject(expected[i]));
    assert.equal(describeElement(body, batch, i) === null, isObject(expected[i]));
  }
}

test('what JSON.parse reads is split into the same elements', () => {
  fc.assert(
    fc.property(bodyText, fc.boolean(), (text, mark) => checkBody(utf8(mark ? `\ufeff${text}` : text))),
    { numRuns: 400 },
  );
});

test('a damaged body is accepted exactly if JSON.parse still reads it', () => {
  fc.assert(
    fc.property(bodyText, fc.array(mutation, { minLength: 1, maxLength: 2 }), (text, mutations) =>
      checkBody(mutate(utf8(text), mutations)),
    ),
    { numRuns: 1500 },
  );
});

/** What is said of `body` behind `lines` empty lines: the places as if those were not there. */
function refusalOf(body: Uint8Array, lines: number): string | null {
  try {
    splitBatch(Buffer.concat([Buffer.alloc(lines, '\n'), body]), 'json');
    return null;
  } catch (error) {
    assert.ok(error instanceof EngineError);
    return error.message.replace(
      /at byte (\d+) \(line (\d+),/,
      (_, byte, line) => `at byte ${Number(byte) - lines} (line ${Number(line) - lines},`,
    );
  }
}

test('a body long enough for the kernel is split, and refused, as a short one is', () => {
  const many = fc.array(jsonText, { maxLength: 6 }).map((texts) => `[${texts.join(' , ')}]`);
  fc.assert(
    fc.property(fc.oneof(bodyText, many), fc.array(mutation, { maxLength: 2 }), (text, mutations) => {
      const body = mutate(utf8(text), mutations);
      assert.equal(refusalOf(body, 5000), refusalOf(body, 0));
      checkBody(Buffer.concat([Buffer.alloc(5000, '\n'), body]));
    }),
    { numRuns: 1500 },
  );
});

test('each line of NDJSON stands for itself', () => {
  const line = fc.tuple(jsonText, fc.array(mutation, { maxLength: 1 })).map(([text, mutations]) =>
    // White space inside a value may hold line feeds, which would make two lines of one.
    mutate(utf8(text), mutations).map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)),
  );
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n\n', ' \n')), { maxLength: 8 });
  fc.assert(
    fc.property(lines, (parts) => {
      const body = Uint8Array.from(parts.flatMap(([bytes, feed]) => [...bytes, ...utf8(feed)]));
      const batch = splitBatch(body, 'ndjson');
      const expected = parts.map(([bytes]) => bytes).filter((bytes) => bytes.some((byte) => !isSpace(byte)));
      assert.equal(batch.count, expected.length);
      expected.forEach((bytes, i) => {
        const value = parseOrUndefined(bytes);
        assert.equal(batch.kinds[i] === ELEMENT_MALFORMED, value === undefined);
        assert.equal(describeElement(body, batch, i) === null, isObject(value));
        if (value === undefined) return;
        assert.deepEqual(JSON.parse(decoder.decode(body.subarray(batch.starts[i], batch.ends[i]))), value);
      });
    }),
    { numRuns: 400 },
  );
});

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09;

function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
