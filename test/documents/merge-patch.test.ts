/**
 * Merge patches of bytes against the definition of RFC 7396 over values, and what keeps its bytes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergePatch } from '../../engine/documents/merge-patch.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** MergePatch of RFC 7396, section 2. */
function naiveMerge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, naiveMerge(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

const merged = (document: string, patch: string): string =>
  Buffer.from(mergePatch(Buffer.from(document), Buffer.from(patch))).toString();

const key = fc.constantFrom('a', 'b', 'c', 'é"\\', '1', '\ud800', '\udc01', '\ufffd');
const { object } = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(null, 1, 'x', true, '}', '{"a":', [1, { a: null }]) },
    { weight: 2, arbitrary: tie('object') },
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, depthIdentifier: 'merge' }),
}));
const space = fc.constantFrom(undefined, 1, '\t');

test('what it gives is what the definition gives, key for key in the same order', () => {
  fc.assert(
    fc.property(object, object, space, space, (document, patch, one, two) => {
      const found = merged(JSON.stringify(document, null, one), JSON.stringify(patch, null, two));
      assert.equal(JSON.stringify(JSON.parse(found)), JSON.stringify(naiveMerge(document, patch)));
    }),
  );
});

test('of a key that a document holds twice the last counts, and none is left of one that goes', () => {
  const withTwins = fc
    .array(fc.tuple(key, fc.oneof(fc.constantFrom(1, 'x'), object)), { maxLength: 6 })
    .map(
      (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
    );
  fc.assert(
    fc.property(withTwins, object, (document, patch) => {
      const found: unknown = JSON.parse(merged(document, JSON.stringify(patch)));
      assert.deepEqual(found, naiveMerge(JSON.parse(document), patch));
    }),
  );
  assert.equal(merged('{"id":1,"a":1,"b":1,"a":2,"b":3}', '{"a":9}'), '{"id":1,"b":1,"a":9,"b":3}');
  assert.equal(merged('{"a":{"x":1},"a":{"y":2}}', '{"a":{"z":3}}'), '{"a":{"y":2,"z":3}}');
});

test('what is not changed keeps the bytes that it was sent with', () => {
  const document = '{ "id" : 7, "n":12345678901234567890.10, "t": "a\\u0062",\n"o":{"x" : 1e2,"y":[ ]} }';
  assert.equal(
    merged(document, '{}'),
    '{"id" : 7, "n":12345678901234567890.10, "t": "a\\u0062",\n"o":{"x" : 1e2,"y":[ ]}}',
  );
  assert.equal(
    merged(document, ' {"t":null,"o":{"z":1.0}}'),
    '{"id" : 7, "n":12345678901234567890.10,"o":{"x" : 1e2,"y":[ ],"z":1.0}}',
  );
  assert.equal(merged('{"id":1,"\\u0061":1}', '{"a":2}'), '{"id":1,"a":2}', 'a key is the same however it is escaped');
  assert.equal(merged('{"id":1}', '{"a":1,"a":2}'), '{"id":1,"a":2}', 'of a key that comes twice the last counts');
});

test('keys of surrogates without a partner are told apart', () => {
  const document = '{"id":1,"\\ud800":1,"\\udc01":2,"\ufffd":3}';
  assert.equal(merged(document, '{"\\ud801":4}'), `${document.slice(0, -1)},"\\ud801":4}`);
  assert.equal(merged(document, '{"\\uDC01":null,"\\ufffd":5}'), '{"id":1,"\\ud800":1,"\\ufffd":5}');
});

test('a patch of the deepest nesting is merged', () => {
  const deep = `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`;
  assert.equal(merged('{"id":1}', deep), `{"id":1,${deep.slice(1)}`);
  assert.equal(merged(deep, deep), deep);
});

test('documents of millions of members are merged without remembering them, however deep', () => {
  const members = '"a":1,'.repeat(3_000_000);
  const deep = (inner: string): string => `${'{"o":'.repeat(60)}${inner}${'}'.repeat(60)}`;
  const before = process.memoryUsage().heapUsed;
  const found = mergePatch(Buffer.from(deep(`{${members}"b":1}`)), Buffer.from(deep('{"b":2}')));
  assert.ok(process.memoryUsage().heapUsed - before < 2 ** 26, 'what is remembered does not grow with the document');
  assert.ok(Buffer.from(found).equals(Buffer.from(deep(`{${members}"b":2}`))));
});

test('more members than a patch may change are refused, be they its own or those of the document', () => {
  const refused = { code: 'payload_too_large', message: /^the patch: at most 100000 members expected/ };
  const many = `{${Array.from({ length: 100_001 }, (_, i) => `"${i}":1`).join(',')}}`;
  assert.throws(() => merged('{"id":1}', many), refused);
  const twins = `{"a":1${',"b":1,"a":1'.repeat(100_001)}}`;
  assert.throws(() => merged(twins, '{"a":2}'), refused);
  assert.equal(merged(many, '{"0":2}'), `{"0":2${many.slice(6)}`);
});
