/**
 * The kernel that finds the members of objects: documents of a body read by it are what they are when each is read byte by byte.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DocumentReader } from '../../engine/documents/document-reader.js';
import { MemberScanner } from '../../engine/documents/member-scanner.js';
import {
  COPY_TEXT_BYTES,
  MEMBER_FLAGS,
  MEMBER_SAME_KEY,
  MEMBER_WORDS,
  MEMBERS_MAX,
} from '../../engine/layout/body-copy.js';
import { BodyCopy } from '../../engine/memory/body-copy.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { readDocument } from './sink.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const schema = parseSchema({
  name: 'p',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'titles', type: 'text' },
    { name: 'a_name_of_more_than_sixteen_bytes', type: 'keyword' },
    { name: 'a_name_of_more_than_sixteen_bits', type: 'int' },
    { name: 'n', type: 'int' },
    { name: 'm', type: 'date' },
    { name: 'f', type: 'float' },
  ],
});

interface Place {
  readonly body: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The lines of a body, and where each lies in it. */
function bodyOf(lines: readonly string[]): Place[] {
  const body = utf8(lines.join('\n'));
  let start = 0;
  return lines.map((line) => {
    const end = start + utf8(line).length;
    const place = { body, start, end };
    start = end + 1;
    return place;
  });
}

function check(lines: readonly string[], held: DocumentReader, plain: DocumentReader): void {
  const places = bodyOf(lines);
  if (places.length > 0) held.hold(places[0].body);
  for (const { body, start, end } of places)
    assert.deepEqual(readDocument(held, body, start, end), readDocument(plain, body, start, end));
  held.release();
}

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('id', ...schema.fields.map(({ name }) => name)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('tit', 'titl\u0065', '', 'i', 'ids', 'a_name_of_more_than_sixteen_byteZ', 'é'),
  },
);
const spelledKey = fc
  .tuple(key, fc.boolean())
  .map(([text, isEscaped]) =>
    isEscaped && text !== ''
      ? `"\\u00${text.charCodeAt(0).toString(16).padStart(2, '0')}${text.slice(1)}"`
      : JSON.stringify(text),
  );
const number = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc.constantFrom('0', '-0', '9', '-7', '999999999999999999', '1000000000000000000', '-9223372036854775808'),
  fc.constantFrom('9223372036854775807', '9223372036854775808', '5.0', '5e2', '-1.25', '1E400', '12345678901234567890'),
);
const value = fc.oneof(
  fc.string({ maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"q\\"uote"', '"\\\\"', '"\\u00e9"', '""', '"2024-02-03"', `"${'long '.repeat(60)}"`),
  number,
  number,
  fc.constantFrom(
    'null',
    'true',
    'false',
    '[]',
    '["a","b\\n"]',
    '[1, 2 ,3]',
    '{}',
    '{"title":"in","x":[{"n":1}]}',
    '[[1]]',
  ),
);
const space = fc.constantFrom('', '', '', ' ', ' \t ', '\r');
const object = fc
  .tuple(fc.array(fc.tuple(spelledKey, value), { maxLength: 7 }), space)
  .map(
    ([members, pad]) => `{${pad}${members.map(([name, text]) => `${name}${pad}:${pad}${text}${pad}`).join(`,${pad}`)}}`,
  );

test('documents of a body are read by their members as they are byte by byte, whatever those before them had', () => {
  const held = new DocumentReader(schema);
  const plain = new DocumentReader(schema);
  // Of few objects, so that many follow one that has the same keys.
  const lines = fc
    .array(object, { minLength: 1, maxLength: 4 })
    .chain((objects) => fc.array(fc.constantFrom(...objects), { minLength: 1, maxLength: 8 }));
  fc.assert(
    fc.property(lines, (texts) => check(texts, held, plain)),
    { numRuns: 3000 },
  );
});

test('a body longer than a copy, whose documents are cut by its end, is read like others', () => {
  const line = (i: number): string => `{"id":${i},"title":"Document ${i} of many","n":${i * 7},"f":${i / 3}}`;
  const lines = Array.from({ length: 12_000 }, (_, i) => line(i));
  lines.push(`{"id":"long","title":"${'word '.repeat(COPY_TEXT_BYTES / 4)}"}`, line(1), line(2));
  assert.ok(lines.join('').length > 3 * COPY_TEXT_BYTES);
  check(lines, new DocumentReader(schema), new DocumentReader(schema));
});

test('an object of more members than there is room for is read all the same', () => {
  for (const count of [MEMBERS_MAX - 1, MEMBERS_MAX, MEMBERS_MAX + 1]) {
    const others = Array.from({ length: count - 2 }, (_, i) => `"x${i}":${i}`).join(',');
    const text = `{"id":"x",${others},"n":5}`;
    check([text, '{"id":"y","n":6}', text], new DocumentReader(schema), new DocumentReader(schema));
  }
});

test('two readers that share a window do not take each other for one', () => {
  const other = parseSchema({ name: 'q', fields: [{ name: 'n', type: 'text' }] });
  const readers = [new DocumentReader(schema), new DocumentReader(other)];
  const plain = [new DocumentReader(schema), new DocumentReader(other)];
  const places = bodyOf(Array.from({ length: 6 }, (_, i) => `{"id":"${i}","n":"7","title":"t"}`));
  for (const reader of readers) reader.hold(places[0].body);
  places.forEach(({ body, start, end }, i) => {
    const expected = readDocument(plain[i % 2], body, start, end);
    assert.deepEqual(readDocument(readers[i % 2], body, start, end), expected);
  });
  for (const reader of readers) reader.release();
});

test('a key is the same only where the object before had it at that place, in the same copy, for the same asker', () => {
  const scanner = new MemberScanner(new BodyCopy());
  const asker = {};
  const places = bodyOf([
    '{"id":1,"n":2}',
    '{"id":3,"m":4,"n":5}',
    '{"id":6,"m":7,"n":8}',
    '{"id":9}',
    '{"id":9,"m":8}',
  ]);
  const same = (place: number, from: object = asker): boolean[] => {
    const { body, start, end } = places[place];
    const count = scanner.scan(from, body, start, end);
    return Array.from(
      { length: count },
      (_, i) => (scanner.members[i * MEMBER_WORDS + MEMBER_FLAGS] & MEMBER_SAME_KEY) !== 0,
    );
  };
  assert.deepEqual(same(0), [false, false]);
  assert.deepEqual(same(1), [true, false, false]);
  assert.deepEqual(same(2), [true, true, true]);
  assert.deepEqual(same(3), [true]);
  assert.deepEqual(same(4), [true, false], 'what an object before the last had is forgotten');
  assert.deepEqual(same(4, {}), [false, false]);
  scanner.release();
  assert.deepEqual(same(4), [false, false]);
});

test('what is no JSON ends, with members or without', () => {
  const scanner = new MemberScanner(new BodyCopy());
  const sound = utf8('{"a":1,"b":"x\\n","c":[1,{"d":null}],"e":true}');
  for (let at = 1; at < sound.length; at++) {
    for (let byte = 0; byte < 256; byte++) {
      const body = sound.slice();
      body[at] = byte;
      assert.ok(scanner.scan(scanner, body, 0, body.length) <= sound.length);
      scanner.scan(scanner, body, 0, at);
      scanner.release();
    }
  }
});
