/**
 * The strings of declared fields in a stored document, however it is spelled.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextValues } from '../../engine/documents/text-values.js';
import { anyString, jsonText, mutate, mutation, spelledString } from './json-text.js';

const NAMES = ['title', 'body'] as const;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Read {
  readonly isArray: boolean;
  readonly strings: readonly string[];
}

function readAll(values: TextValues, document: Uint8Array): Read[] {
  // Past the document lies the next one.
  const bytes = new Uint8Array(document.length + 8).fill(0x22);
  bytes.set(document, 4);
  values.read(bytes, 4, 4 + document.length);
  return values.fields.map(({ isArray, ranges }) => ({
    isArray,
    strings: Array.from({ length: ranges.length / 2 }, (_, i) =>
      decoder.decode(values.bytes.subarray(ranges.values[2 * i], ranges.values[2 * i + 1])),
    ),
  }));
}

const element = fc.oneof({ weight: 4, arbitrary: anyString.chain(spelledString) }, fc.constant('null'));
const pad = fc.constantFrom('', ' ', '\n\t');
const fieldText = fc.oneof(
  element,
  fc
    .tuple(fc.array(element, { maxLength: 3 }), pad)
    .map(([parts, space]) => `[${space}${parts.join(`${space},`)}${space}]`),
);
const member = (key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(spelledString(key), pad, value).map(([name, space, text]) => `${name}${space}:${space}${text}`);
const document = fc
  .tuple(
    fc.option(member('title', fieldText)),
    fc.option(member('body', fieldText)),
    fc.array(fc.tuple(fc.constantFrom('titles', 'bod', 'x', ''), jsonText), { maxLength: 3 }),
    pad,
    fc.nat(5),
  )
  .map(([title, body, others, space, at]) => {
    const members = others.map(([key, text]) => `${JSON.stringify(key)}:${text}`);
    members.splice(at, 0, ...[title, body].filter((each) => each !== null));
    return `{${space}${members.join(`,${space}`)}${space}}`;
  });

test('strings are read with their escapes decoded, null left out, arrays told from single values', () => {
  const values = new TextValues(NAMES);
  fc.assert(
    fc.property(document, (text) => {
      const parsed = JSON.parse(text) as Record<string, unknown>;
      const expected = NAMES.map((name): Read => {
        const value = parsed[name] ?? null;
        const strings = (Array.isArray(value) ? value : [value]).filter((each) => each !== null);
        return { isArray: Array.isArray(value), strings: strings.map((each) => Buffer.from(String(each)).toString()) };
      });
      assert.deepEqual(readAll(values, encoder.encode(text)), expected);
    }),
    { numRuns: 500 },
  );
});

test('damaged bytes end the reading, one way or another', () => {
  const values = new TextValues(NAMES);
  fc.assert(
    fc.property(document, fc.array(mutation, { minLength: 1, maxLength: 3 }), (text, mutations) => {
      readAll(values, mutate(encoder.encode(text), mutations));
    }),
    { numRuns: 500 },
  );
});
