/** Transcoding against @msgpack/msgpack and JSON.parse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import { jsonToMsgpack, msgpackToJson } from '../../engine/documents/msgpack.js';
import { anyString, bodyText, mutate, mutation } from './json-text.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const wellFormed = anyString.map((text) => Buffer.from(text).toString()).filter((text) => text !== '__proto__');
/** The package writes -0 as the integer 0, so there is nothing to compare it with. */
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (x === 0 ? 0 : x));
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(wellFormed, fc.maxSafeInteger(), double, fc.boolean()),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 20 }),
    fc.dictionary(wellFormed, tie('any'), { maxKeys: 20, noNullPrototype: true }),
  ),
})).any;
const body = fc.oneof(fc.array(value), fc.dictionary(wellFormed, value, { noNullPrototype: true }));

test('a MessagePack body says the same in JSON, and back', () => {
  fc.assert(
    fc.property(body, (given) => {
      const json = msgpackToJson(encode(given));
      assert.deepEqual(JSON.parse(decoder.decode(json)), given);
      assert.deepEqual(decode(jsonToMsgpack(json)), given);
    }),
    { numRuns: 300 },
  );
});

test('any JSON says the same in MessagePack', () => {
  fc.assert(
    fc.property(bodyText, (text) => {
      // Numbers beyond the doubles have no counterpart to compare with.
      const expected: unknown = JSON.parse(text, (_, item: unknown) =>
        typeof item === 'string' ? Buffer.from(item).toString() : item,
      );
      fc.pre(!text.includes('__proto__') && !text.includes('\\ud') && !/[eE]\+?400/.test(text));
      assert.deepEqual(decode(jsonToMsgpack(new TextEncoder().encode(text))), expected);
    }),
    { numRuns: 300 },
  );
});

test('a damaged MessagePack body is transcoded to JSON or refused, never anything else', () => {
  fc.assert(
    fc.property(body, fc.array(mutation, { minLength: 1, maxLength: 3 }), (given, mutations) => {
      const bytes = mutate(encode(given), mutations);
      try {
        JSON.parse(decoder.decode(msgpackToJson(bytes)));
      } catch (error) {
        assert.ok(error instanceof EngineError && error.code === 'invalid_json', String(error));
      }
    }),
    { numRuns: 500 },
  );
});
