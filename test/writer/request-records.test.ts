/**
 * Writes as a replicated log has them: what is read back is what was asked for, and what nobody can trust is not read.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { decodeRequest, encodeRequest, NO_TICKET } from '../../engine/writer/state/request-records.js';
import type { WriterRequest } from '../../engine/writer/state/write-requests.js';

const NOW_MS = 1_700_000_000_000;
const schema = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });

const ticket = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const collectionId = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const body = fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes));
/** U+FEFF before a long one is a character of it, too. */
const documentId = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'binary-ascii', minLength: 190, maxLength: 253 }).map((rest) => `\ufeff${rest}`),
);

const anyRequest: fc.Arbitrary<WriterRequest> = fc
  .oneof(
    fc.record({
      kind: fc.constant('create' as const),
      ticket,
      schema: fc.constant(schema),
      createdAt: fc.constant(NOW_MS),
    }),
    fc.record({ kind: fc.constant('drop' as const), ticket, collectionId, force: fc.boolean() }),
    fc.record({
      kind: fc.constant('alias' as const),
      ticket,
      change: fc.record({ name: fc.string(), collectionId: fc.option(collectionId) }),
    }),
    fc.record({
      kind: fc.constant('index' as const),
      ticket,
      collectionId,
      body,
      format: fc.constantFrom('json' as const, 'ndjson' as const, 'msgpack' as const),
    }),
    fc.record({
      kind: fc.constant('index' as const),
      ticket,
      collectionId,
      body,
      format: fc.constant('json' as const),
      action: fc.constant('patch' as const),
      documentId,
    }),
    fc.record({ kind: fc.constant('delete' as const), ticket, collectionId, documentId }),
    fc.record({ kind: fc.constant('delete-matching' as const), ticket, collectionId, filter: fc.string() }),
    fc.record({
      kind: fc.constant('rule' as const),
      ticket,
      collectionId,
      bytes: fc.constant(0),
      change: fc.oneof(
        fc.record({
          kind: fc.constant('synonym' as const),
          id: fc.string(),
          rule: fc.option(fc.record({ root: fc.option(fc.string()), synonyms: fc.array(fc.string()) })),
        }),
        fc.constant({ kind: 'stop-words' as const, stopWords: { language: 'english', words: null } }),
        fc.constant({ kind: 'stop-words' as const, stopWords: null }),
      ),
    }),
    fc.record({
      kind: fc.constant('change' as const),
      ticket,
      collectionId,
      // Whatever a client sends: a key that no object should have, nesting beyond what MessagePack takes.
      change: fc.oneof(fc.jsonValue(), fc.constant(JSON.parse('{"__proto__": {"a": [[[[1]]]]}}'))),
      isDryRun: fc.constant(false),
    }),
    fc.record({ kind: fc.constant('change-end' as const), ticket, collectionId, schema: fc.constant(schema) }),
  )
  .map((request) => structuredClone(request));

test('a request that is read back is the one that was asked for, and has its ticket where it was', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      // JSON has no -0.
      const plain =
        request.kind === 'change' ? { ...request, change: JSON.parse(JSON.stringify(request.change)) } : request;
      const record = encodeRequest(request, NOW_MS);
      assert.deepEqual(decodeRequest(record, 1, true), plain);
      assert.deepEqual(decodeRequest(record, 1, false), { ...plain, ticket: NO_TICKET });
    }),
  );
});

test('a record with any byte changed is refused, with its place', () => {
  fc.assert(
    fc.property(anyRequest, fc.nat(), fc.integer({ min: 1, max: 255 }), (request, place, change) => {
      const record = encodeRequest(request, NOW_MS);
      record[place % record.length] ^= change;
      assert.throws(() => decodeRequest(record, 77, true), /corrupt|place 77/);
    }),
  );
});

test('a record of a newer version says who has to be upgraded, and is not read', () => {
  const record = encodeRequest({ kind: 'drop', ticket: 1, collectionId: 3 }, NOW_MS);
  record[0] = 2;
  assert.throws(
    () => decodeRequest(record, 12, false),
    /place 12: expected a record of version 1, got 2: a newer Sabre wrote it; upgrade this node/,
  );
});

test('a record that ends early is refused', () => {
  const record = encodeRequest({ kind: 'drop', ticket: 1, collectionId: 3 }, NOW_MS);
  for (let length = 0; length < record.length; length++)
    assert.throws(() => decodeRequest(record.slice(0, length), 12, false), /place 12/);
});
