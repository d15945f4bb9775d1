/**
 * Batches of any file, however it arrives in chunks, against splitting its text.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitLines } from '../../src/cli/document-batches.js';
import { BatchBuilder, type DocumentBatch, lineOfDocument } from '../../src/import/batch-builder.js';
import { IdLines } from '../../src/import/id-lines.js';
import { LINE_BYTES_MAX } from '../../src/import/line-source.js';

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
  for (let batch = builder.end(); batch !== null; batch = builder.end()) batches.push(batch);
  return batches;
}

test('every document is in one batch, in order, under its line number, and no blank line is', () => {
  fc.assert(
    fc.property(file, ({ lines, isClosed, bom, cuts, documents, bytes }) => {
      const joined = lines.map(({ text, end }) => text + end).join('');
      const text = isClosed ? joined : joined.replace(/\r?\n$/, '');
      const batches = feedAll(
        new BatchBuilder({ documents, bytes }, 'line'),
        Buffer.from((bom ? '\ufeff' : '') + text),
        cuts,
      );
      const got = batches.flatMap((batch) => {
        const texts = splitLines(batch.body).map((document) => document.toString().trimStart());
        assert.equal(texts.length, batch.documents);
        assert.ok(batch.documents <= documents);
        assert.ok(batch.body.length <= bytes || batch.documents === 1, `${batch.body.length} of ${bytes}`);
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

/** All batches of a line of each of these lengths. */
function buildLines(lengths: readonly number[]): DocumentBatch[] {
  const builder = new BatchBuilder({ documents: 10, bytes: 1 << 20 }, 'record');
  const chunk = Buffer.alloc(1 << 20, 'x');
  const batches: DocumentBatch[] = [];
  const feed = (bytes: Buffer): void => {
    builder.feed(bytes);
    for (let batch = builder.take(); batch !== null; batch = builder.take()) batches.push(batch);
  };
  for (const length of lengths) {
    for (let left = length; left > 0; left -= chunk.length) feed(chunk.subarray(0, Math.min(left, chunk.length)));
    feed(Buffer.from('\n'));
  }
  return batches;
}

test('a batch of many lines is never larger than its limit, whatever the next line is', () => {
  const builder = new BatchBuilder({ documents: 10, bytes: 20 }, 'line');
  const sizes = feedAll(builder, Buffer.from('four\nfive\nof thirty bytes together, here\nsix\n7'), [12, 25]).map(
    ({ body, runs }) => [body.length, ...runs.map(({ line }) => line)],
  );
  assert.deepEqual(sizes, [
    [10, 1],
    [31, 3],
    [5, 4],
  ]);
});

test('a line that is longer than the server takes is refused with its number, in little memory', () => {
  assert.deepEqual(
    buildLines([5, LINE_BYTES_MAX]).map(({ body }) => body.length),
    [6, LINE_BYTES_MAX + 1],
  );
  const message = /^InputError: record 3: a document of more than 100 MiB; is there a quote that is not closed/;
  for (const length of [LINE_BYTES_MAX + 1, 20 * LINE_BYTES_MAX])
    assert.throws(() => buildLines([5, 5, length]), message);
  const ids = new IdLines('sku', null);
  assert.equal(Buffer.from(ids.feed(Buffer.from('{"sku":1}\n'))).toString(), '{"id":1,"sku":1}\n');
  const chunk = Buffer.alloc(1 << 20, ' ');
  assert.throws(() => {
    for (let mebibytes = 0; mebibytes < 2000; mebibytes++) ids.feed(chunk);
  }, /^InputError: document 2: a document of more than 100 MiB/);
});
