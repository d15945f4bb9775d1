/**
 * Records of the write-ahead log: what is written is what is read back.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import { GrowthRoom, NO_BOUND } from '../../engine/core/growth-room.js';
import type { TextRuleChange } from '../../engine/core/text-rules.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { IdList, idsOf } from '../../engine/storage/log/id-list.js';
import {
  decodeWrite,
  encodeWrite,
  type LoggedWrite,
  RECORD_ALIAS,
  RECORD_CHANGE,
  RECORD_CHANGED,
  RECORD_CREATE,
  RECORD_DELETE,
  RECORD_DELETE_MANY,
  RECORD_DOCUMENTS,
  RECORD_DROP,
  RECORD_STOP_WORDS,
  RECORD_SYNONYM,
  ruleChange,
} from '../../engine/storage/log/wal-records.js';

const bytes = fc.uint8Array({ maxLength: 70_000, size: 'max' });
const number = fc.integer({ min: 1, max: 0xffffffff });
const schema = fc
  .record({
    name: fc.constantFrom('a', 'books-2', 'Z_9'),
    type: fc.constantFrom('text', 'keyword', 'int', 'float', 'bool', 'date'),
    boost: fc.constantFrom(null, 0, 1, 2.5),
  })
  .map(({ name, type, boost }) =>
    parseSchema({
      name,
      fields: [
        { name: 't', type: 'text', boost },
        { name: 'f', type },
      ],
    }),
  );

const write: fc.Arbitrary<LoggedWrite> = fc.oneof(
  fc.record({
    type: fc.constant(RECORD_CREATE),
    id: number,
    createdAt: fc.integer({ min: 0, max: 2 ** 45 }),
    schema,
  }),
  fc.record({ type: fc.constant(RECORD_DROP), id: number }),
  fc.record({
    type: fc.constant(RECORD_DOCUMENTS),
    id: number,
    format: fc.constantFrom('json' as const, 'ndjson' as const),
    body: bytes,
  }),
  fc.record({ id: number, name: fc.string({ maxLength: 64 }), isGone: fc.boolean() }).map(
    ({ id, name, isGone }): LoggedWrite => ({
      type: RECORD_ALIAS,
      id,
      alias: { name, collectionId: isGone ? null : id },
    }),
  ),
  fc.record({ type: fc.constant(RECORD_CHANGE), id: number, schema: fc.option(schema) }),
  fc.record({ type: fc.constant(RECORD_CHANGED), id: number, schema }),
  fc.record({
    type: fc.constant(RECORD_DELETE_MANY),
    id: number,
    documentIds: fc.array(fc.uint8Array({ minLength: 1, maxLength: 256 })).map((ids) => {
      const list = new IdList(1 << 20, NO_BOUND);
      for (const id of ids) list.push(id, 0, id.length);
      assert.equal(list.count, ids.length);
      assert.deepEqual([...idsOf(list.bytes)].map(Buffer.from), ids.map(Buffer.from));
      return list.bytes.slice();
    }),
  }),
  fc.record({
    type: fc.constant(RECORD_DELETE),
    id: number,
    documentId: fc.uint8Array({ minLength: 1, maxLength: 256 }),
  }),
);

const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 5 });
const plain = { noNullPrototype: true } as const;
const change: fc.Arbitrary<TextRuleChange> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('synonym' as const),
      id: fc.string({ minLength: 1, maxLength: 64 }),
      rule: fc.option(fc.record({ root: fc.option(fc.string({ unit: 'grapheme' })), synonyms: texts }, plain)),
    },
    plain,
  ),
  fc.record(
    {
      kind: fc.constant('stop-words' as const),
      stopWords: fc.option(
        fc.oneof(
          fc.record({ language: fc.constant(null), words: texts }, plain),
          fc.record({ language: fc.constantFrom('english', 'german'), words: fc.constant(null) }, plain),
        ),
      ),
    },
    plain,
  ),
);

test('a write is read back as it was logged', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        write,
        fc.tuple(number, change).map(([id, one]) => ruleChange(id, one)),
      ),
      (logged) => {
        const payload = new Uint8Array(Buffer.concat(encodeWrite(logged)));
        const read = decodeWrite({ sequence: 1, type: logged.type, collectionId: logged.id, payload });
        assert.deepEqual(read, { ...logged });
      },
    ),
    { numRuns: 300 },
  );
});

test('a body is logged without a copy', () => {
  const body = new Uint8Array(1000);
  const parts = encodeWrite({ type: RECORD_DOCUMENTS, id: 1, format: 'json', body });
  assert.equal(parts.at(-1), body);
});

test('a record of an unknown type is corrupt, and the message names it', () => {
  const [payload] = encodeWrite({ type: RECORD_DROP, id: 7 });
  const isCorrupt = (error: unknown): boolean =>
    error instanceof EngineError && error.code === 'corrupt_data' && /record 12.*got 99/.test(error.message);
  assert.throws(() => decodeWrite({ sequence: 12, type: 99, collectionId: 7, payload }), isCorrupt);
});

test('a record whose checksums hold and that says what nobody logs is corrupt, and the place is named', () => {
  const schema = { name: 'a', fields: [{ name: 't', type: 'text' }] };
  const body = new Uint8Array(2);
  const cases: [number, unknown, RegExp][] = [
    [RECORD_DROP, 7, /payload: expected/],
    [RECORD_DROP, [7, 7], /payload: expected/],
    [RECORD_DROP, ['7'], /payload\[0\]: expected .*number.*got string/],
    [RECORD_DROP, [-1], /payload\[0\]: .*got -1/],
    [RECORD_DROP, [8], /collection 8 in a frame of collection 7/],
    [RECORD_CREATE, [7, 1.5, schema], /payload\[1\]: .*got 1.5/],
    [RECORD_CREATE, [7, 1, { ...schema, name: '_a' }], /reserved/],
    [RECORD_CREATE, [7, 1, { ...schema, fields: [] }], /at least one field/],
    [RECORD_DOCUMENTS, [7, 'xml', body], /payload\[1\]/],
    [RECORD_DOCUMENTS, [7, 'json', 'text'], /payload\[2\]: expected Uint8Array, got string/],
    [RECORD_DOCUMENTS, [7, 'json'], /payload: expected/],
    [RECORD_DELETE, [7, null], /payload\[1\]: .*got null/],
    [RECORD_DELETE_MANY, [7], /payload: expected/],
    [RECORD_DELETE_MANY, [7, new Uint8Array([1])], /payload\[1\]: expected ids of 2 bytes, got 1/],
    [RECORD_DELETE_MANY, [7, new Uint8Array([1, 0, 65, 2, 1, 65])], /payload\[1\]: expected ids of 263 bytes, got 6/],
    [RECORD_CHANGE, [7, 7], /object/],
    [RECORD_CHANGED, [7, null], /object/],
    [RECORD_ALIAS, [7, 'shop'], /payload: expected/],
    [RECORD_ALIAS, [7, null, false], /payload\[1\]: expected string, got null/],
    [RECORD_ALIAS, [8, 'shop', false], /collection 8 in a frame of collection 7/],
    [RECORD_SYNONYM, [7, 'id', null], /payload: expected/],
    [RECORD_SYNONYM, [7, 'id', null, ['a', 1]], /payload\[3\]\[1\]: expected string, got 1/],
    [RECORD_SYNONYM, [7, 1, null, ['a']], /payload\[1\]: expected string, got 1/],
    [RECORD_STOP_WORDS, [7, null, 'the'], /payload\[2\]: .*got string/],
    [RECORD_STOP_WORDS, [7, ['english'], null], /payload\[1\]: .*got /],
  ];
  for (const [type, fields, message] of cases) {
    const record = { sequence: 3, type, collectionId: 7, payload: encode(fields) };
    const isCorrupt = (error: unknown): boolean =>
      error instanceof EngineError && error.code === 'corrupt_data' && message.test(error.message);
    assert.throws(() => decodeWrite(record), isCorrupt, JSON.stringify(fields));
  }
  for (const bytes of [[], [0xc1], [0x91], [0x90, 0x90]]) {
    const record = { sequence: 3, type: RECORD_DROP, collectionId: 7, payload: Uint8Array.from(bytes) };
    assert.throws(() => decodeWrite(record), /record 3: /);
  }
});

test('a list of ids is refused once it would be larger than a record, and asks for room as it grows', () => {
  const asked: number[] = [];
  const list = new IdList(1000, new GrowthRoom(300, (bytes) => void asked.push(bytes)));
  const id = new Uint8Array(98);
  for (let count = 1; count <= 10; count++) list.push(id, 0, id.length);
  assert.equal(list.bytes.length, 1000);
  assert.deepEqual(asked, [512, 1512]);
  assert.throws(() => list.push(id, 0, id.length), {
    code: 'payload_too_large',
    message: /at most 1000 bytes of ids/u,
  });
  assert.equal(list.count, 10);
});
