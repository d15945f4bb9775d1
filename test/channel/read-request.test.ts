/**
 * Reads on their way to a reader thread: what is put into a slot is what is taken out of it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMailbox, REQUEST_BYTES, RESPONSE_BYTES, viewSlot } from '../../engine/channel/read-mailbox.js';
import { decodeRead, encodeRead } from '../../engine/channel/read-request.js';
import { EngineError } from '../../engine/core/errors.js';
import { OPERATION_FETCH, OPERATION_SEARCH, OPERATION_SUGGEST, type Read } from '../../engine/core/requests.js';

const mailbox = createMailbox();

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('', '\ufeffmark', 'nul\u0000', '\u{1f600}', 'ü'.repeat(4000)),
);
const optional = fc.option(text);
const format = fc.constantFrom('json' as const, 'msgpack' as const);
const typoTolerance = fc.constantFrom(null, true, false);

const read: fc.Arbitrary<Read> = fc.oneof(
  fc
    .record({
      collection: fc.constant(''),
      q: text,
      queryBy: optional,
      filter: optional,
      sort: optional,
      facet: optional,
      facetLimit: fc.nat({ max: 1000 }),
      facetSort: fc.constantFrom('count' as const, 'value' as const),
      facetStats: fc.boolean(),
      facetQuery: optional,
      distinct: optional,
      limit: fc.nat({ max: 250 }),
      offset: fc.nat({ max: 10_000 }),
      prefix: fc.boolean(),
      typoTolerance,
      matchMode: fc.constantFrom('all' as const, 'any' as const),
      typoThreshold: fc.nat({ max: 10_000 }),
      ranking: fc.constantFrom(null, 'best' as const, 'bm25' as const),
      highlight: optional,
      highlightOpen: optional,
      highlightClose: optional,
      snippetTokens: fc.nat({ max: 200 }),
      explain: fc.boolean(),
      explainId: optional,
      includeFields: optional,
      excludeFields: optional,
      requiredFilter: optional,
      format,
      note: fc.constant(null),
    })
    .map((request): Read => ({ operation: OPERATION_SEARCH, request: { ...request } })),
  fc
    .record({
      collection: fc.constant(''),
      q: text,
      queryBy: optional,
      limit: fc.nat({ max: 50 }),
      typoTolerance,
      format,
    })
    .map((request): Read => ({ operation: OPERATION_SUGGEST, request: { ...request } })),
  fc
    .record({
      ...{ collection: fc.constant(''), id: text, includeFields: optional, excludeFields: optional },
      ...{ requiredFilter: optional, format },
    })
    .map((request): Read => ({ operation: OPERATION_FETCH, request: { ...request } })),
);

test('a read is decoded as it was encoded, whatever the slot held before', () => {
  const slot = viewSlot(mailbox, 3);
  fc.assert(
    fc.property(read, fc.nat({ max: 0xfffffffe }), (given, collectionId) => {
      encodeRead(slot, given, collectionId);
      assert.deepEqual(decodeRead(slot), { collectionId, read: given });
    }),
    { numRuns: 500 },
  );
});

test('a read that outgrows its slot is refused, and touches nothing beyond', () => {
  const slot = viewSlot(mailbox, 1);
  const request = {
    collection: '',
    q: 'ü'.repeat(REQUEST_BYTES),
    queryBy: null,
    limit: 1,
    typoTolerance: null,
    format: 'json',
  } as const;
  slot.response[0] = 77;
  assert.throws(
    () => encodeRead(slot, { operation: OPERATION_SUGGEST, request }, 1),
    (error) => error instanceof EngineError && error.code === 'payload_too_large',
  );
  assert.equal(slot.response[0], 77);
});

test('slots lie side by side and do not overlap', () => {
  const [first, second] = [viewSlot(mailbox, 0), viewSlot(mailbox, 1)];
  assert.equal(first.request.length, REQUEST_BYTES);
  assert.equal(first.response.length, RESPONSE_BYTES);
  assert.equal(first.request.byteOffset, first.header.byteOffset + first.header.byteLength);
  assert.equal(first.response.byteOffset, first.request.byteOffset + REQUEST_BYTES);
  assert.equal(second.header.byteOffset, first.response.byteOffset + RESPONSE_BYTES);
});
