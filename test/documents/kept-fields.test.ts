/** Of a document, the members that are kept have the bytes that they were sent with, and come in their order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { KeptFields } from '../../engine/documents/kept-fields.js';
import { isKept, type KeptNames } from '../oracle/kept-fields.js';
import { anyString, jsonText, spelledString } from './json-text.js';

const key = fc.oneof(anyString, fc.constantFrom('id', 'title', 'ti', 'größe', '', 'a"b', 'back\\slash'));
const space = fc.constantFrom('', ' ', '\n\t ');
/** A key, how it is spelled, and the member with its white space. */
const member = key.chain((name) =>
  fc
    .record({ spelled: spelledString(name), before: space, after: space, value: jsonText })
    .map(({ spelled, before, after, value }) => ({ name, text: `${spelled}${before}:${after}${value}` })),
);
const members = fc.array(member, { maxLength: 8 });

function keep(document: string, { include, exclude }: KeptNames): string {
  const bytes = Buffer.from(` ${document} `);
  const kept = new KeptFields(include, exclude);
  const out = new JsonWriter(new Uint8Array(8), 1 << 20);
  kept.write(out, bytes, 1, bytes.length - 1);
  assert.equal(kept.byteLength(bytes, 1, bytes.length - 1), out.length);
  return Buffer.from(out.bytes()).toString();
}

test('kept members stand as they were sent, without what was between them', () => {
  const property = fc.property(members, space, fc.infiniteStream(fc.nat(3)), (all, pad, choices) => {
    const names = all.map(({ name }) => name);
    const chosen = (): string[] => names.filter((name) => name !== '*' && choices.next().value === 0);
    const include = choices.next().value === 0 ? null : [...chosen(), ...chosen(), 'nothing'];
    const exclude = [...chosen(), 'no'];
    const document = `{${pad}${all.map(({ text }) => text).join(`${pad},${pad}`)}${pad}}`;
    const expected = all.filter(({ name }) => isKept(name, { include, exclude }));
    const answer = `{${expected.map(({ text }) => text).join(',')}}`;
    assert.equal(keep(document, { include, exclude }), Buffer.from(answer).toString());
  });
  fc.assert(property, { numRuns: 500 });
});

test('numbers, escapes and nested values stay as they are', () => {
  const document = '{ "id" : 7,"n":1.50e+1 , "s":"a\\u0062\\/", "o":{"x":[1, {"y":"}"}]} ,"t\\u0069tle":null}';
  const only = (...include: string[]): string => keep(document, { include, exclude: [] });
  assert.equal(only('n', 's'), '{"n":1.50e+1,"s":"a\\u0062\\/"}');
  assert.equal(only('o'), '{"o":{"x":[1, {"y":"}"}]}}');
  assert.equal(only('title', 'id'), '{"id" : 7,"t\\u0069tle":null}');
  assert.equal(only('x', 'y'), '{}', 'fields within others are not top-level');
  assert.equal(keep('{}', { include: null, exclude: ['a'] }), '{}');
  assert.equal(keep(document, { include: null, exclude: ['o', 's', 'id'] }), '{"n":1.50e+1,"t\\u0069tle":null}');
});
