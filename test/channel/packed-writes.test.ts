/**
 * Packed writes and answers arrive as they were sent, in order, whatever lies between them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type IndexWrite,
  isPackable,
  PACKED_BODY_BYTES_MAX,
  type Packed,
  packAnswers,
  packWrites,
  unpackReports,
  unpackWrites,
} from '../../engine/channel/packed-writes.js';
import type { WriteAnswer } from '../../engine/writer/state/write-requests.js';

/** Tickets go on past 32 bits on a server that runs for long. */
const ticket = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 2 ** 32 - 2, max: 2 ** 52 }));
const bytes = fc.uint8Array({ maxLength: 40 }).map((body) => new Uint8Array(body));
/** A body that lies in the middle of a buffer which others use too. */
const slice = bytes.map((body) => Buffer.concat([Buffer.from('before'), body, Buffer.from('after')]).subarray(6, -5));

const upsert: fc.Arbitrary<IndexWrite> = fc.record({
  kind: fc.constant('index' as const),
  ticket,
  collectionId: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  body: fc.oneof(bytes, slice),
  format: fc.constantFrom('json' as const, 'ndjson' as const, 'msgpack' as const),
});
const action = fc.constantFrom('create' as const, 'update' as const, 'patch' as const);
const write: fc.Arbitrary<IndexWrite> = fc.oneof(
  upsert,
  fc
    .tuple(upsert, action, fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('\ufeffabc')))
    .map(([one, which, documentId]): IndexWrite => {
      return { ...one, action: which, documentId };
    }),
);

const size = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.constantFrom(PACKED_BODY_BYTES_MAX, PACKED_BODY_BYTES_MAX + 1),
);
const report = fc.record({ numIndexed: fc.nat(), numFailed: fc.nat(), bytes: size, fill: fc.integer({ max: 255 }) });
const answer: fc.Arbitrary<WriteAnswer> = fc.oneof(
  fc.record({ ticket, report }).map(({ ticket, report: { numIndexed, numFailed, bytes, fill } }) => ({
    ticket,
    error: null,
    collectionId: null,
    report: { numIndexed, numFailed, body: new Uint8Array(bytes).fill(fill) },
  })),
  fc.record({ ticket, error: fc.constant(null), collectionId: fc.nat(), report: fc.constant(null) }),
  fc.record({ ticket, error: fc.constant({ code: 'io_error' as const, message: 'the disk is gone' }) }),
);

/** The message as another thread gets it. */
const sent = (packed: Packed): Packed => structuredClone(packed);

const plainWrite = (write: IndexWrite): object => ({ ...write, body: [...write.body] });

function plainAnswer(answer: WriteAnswer): object {
  if (answer.error !== null || answer.report === null) return answer;
  return { ...answer, report: { ...answer.report, body: [...answer.report.body] } };
}

test('packed writes arrive as they were, in order', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 20 }), (writes) => {
      const expected = writes.map(plainWrite);
      assert.deepEqual(unpackWrites(sent(packWrites(writes))).map(plainWrite), expected);
      // The senders' bodies were copied: they are still there.
      assert.deepEqual(writes.map(plainWrite), expected);
    }),
  );
});

test('every answer arrives once: small reports packed and in order, the others as they are', () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 20 }), (answers) => {
      const isSmall = (a: WriteAnswer): boolean => a.error === null && a.report !== null && isPackable(a.report.body);
      const { reports, others } = packAnswers(answers);
      assert.deepEqual(
        others,
        answers.filter((a) => !isSmall(a)),
      );
      const small = answers.filter(isSmall);
      assert.equal(reports === null, small.length === 0);
      if (reports === null) return;
      assert.deepEqual(unpackReports(sent(reports)).map(plainAnswer), small.map(plainAnswer));
    }),
  );
});
