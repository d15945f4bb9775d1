/**
 * Batches of any file, however it arrives in chunks, against splitting its text.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitLines } from '../../src/cli/document-batches.js';
import { BatchBuilder, type DocumentBatch, lineOfDocument } from '../../src/import/batch-builder.js';

const line = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom('a', '{', '"', 'é', ' '), minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', ' \t ', '\r', '\t\r ') },
);
const file = fc.record({
  lines: fc.array(fc.record({ text: line, end: fc.constantFrom('\n', '\r\n') }), { maxLength: 30 }),
  isClosed: fc.boolean(),
  bom: fc.boolean(),
  cuts: fc.array(fc.nat(400), { maxLength: 12 }),
  documents: fc.integer({ min: 1, max: 6 }),
  bytes: fc.integer({ min: 1, max: 60 }),
});

function feedAll(builder: BatchBuilder, bytes: Buffer, cuts: readonly number[]): DocumentBatch[] {
  const batches: DocumentBatch[] = [];
  const ends = [...cuts.filter((cut) => cut < bytes.length && cut > 2), bytes.length].sort((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    builder.feed(bytes.subarray(start, end));
    for (let batch = builder.take(); batch !== null; batch = builder.take()) batches.push(batch);
    start = end;
  }
  const last = builder.end();
  return last === null ? batches : [...batches, last];
}

test('every document is in one batch, in order, under its line number, and no blank line is', () => {
  fc.assert(
    fc.property(file, ({ lines, isClosed, bom, cuts, documents, bytes }) => {
      const joined = lines.map(({ text, end }) => text + end).join('');
      const text = isClosed ? joined : joined.replace(/\r?\n$/, '');
      const batches = feedAll(new BatchBuilder({ documents, bytes }), Buffer.from((bom ? '\ufeff' : '') + text), cuts);
      const got = batches.flatMap((batch) => {
        const texts = splitLines(batch.body).map((document) => document.toString().trimStart());
        assert.equal(texts.length, batch.documents);
        assert.ok(batch.documents <= documents);
        return texts.map((document, index) => `${lineOfDocument(batch, index)}:${document}`);
      });
      const expected = text.split('\n').flatMap((raw, index) => {
        const document = raw.replace(/\r$/, '');
        return /^[ \t\r]*$/.test(document) ? [] : [`${index + 1}:${document.trimStart()}`];
      });
      assert.deepEqual(got, expected);
    }),
    { numRuns: 500 },
  );
});
