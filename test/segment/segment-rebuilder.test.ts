/**
 * Documents of a segment, plain or packed, are indexed under another schema as if they had been sent again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CollectionSchema } from '../../engine/schema/collection-schema.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { SegmentRebuilder } from '../../engine/segment/segment-rebuilder.js';
import { randomNumbers, writeViews } from '../support/engine-arena.js';
import { buildSegment, mergeAll } from '../support/engine-collection.js';

const BEFORE = parseSchema({
  name: 'p',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'int' },
  ],
});
const AFTER = parseSchema({
  name: 'p',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'note', type: 'text' },
    { name: 'n', type: 'int', facet: true },
  ],
});

const random = randomNumbers(17);
const words = (count: number): string => Array.from({ length: count }, () => `word${random(3000)}`).join(' ');
const DOCUMENTS = Array.from({ length: 8000 }, (_, i) => ({
  id: `d${i}`,
  title: words(1 + random(12)),
  note: i % 9 === 0 ? `Quoted "${words(3)}" and\nmore, é` : words(random(30)),
  n: random(50),
}));

/** The bytes of the segment that `rebuild` makes of `sources`. */
function rebuilt(schema: CollectionSchema, sources: Parameters<SegmentRebuilder['collect']>[0]): Buffer {
  const rebuilder = new SegmentRebuilder(schema, Number.POSITIVE_INFINITY);
  assert.deepEqual(rebuilder.collect(sources), { source: sources.length, doc: 0 });
  assert.equal(rebuilder.misfits.count, 0);
  let bytes = 0;
  const views = writeViews(rebuilder.estimateBytes(), (out) => {
    bytes = rebuilder.write(out);
    return bytes;
  });
  return Buffer.from(views.u8.slice(0, bytes));
}

/** The bytes of the segment that indexing `documents` makes. */
function indexed(schema: CollectionSchema, documents: readonly object[]): Buffer {
  const { u8 } = buildSegment(schema, documents).reader.views;
  return Buffer.from(u8.slice());
}

function check(sources: Parameters<SegmentRebuilder['collect']>[0]): void {
  const expected = indexed(AFTER, DOCUMENTS);
  const got = rebuilt(AFTER, sources);
  assert.ok(got.length <= expected.length);
  assert.ok(got.equals(expected.subarray(0, got.length)), 'the same bytes');
}

test('plain documents make the segment that indexing them makes', () => {
  const half = DOCUMENTS.length / 2;
  const segments = [DOCUMENTS.slice(0, half), DOCUMENTS.slice(half)].map((part) => buildSegment(BEFORE, part));
  check(segments.map(({ reader }) => ({ reader, liveDocs: null, from: 0 })));
});

test('packed documents do, too', () => {
  const half = DOCUMENTS.length / 2;
  const merged = mergeAll(
    BEFORE,
    [DOCUMENTS.slice(0, half), DOCUMENTS.slice(half)].map((part) => buildSegment(BEFORE, part)),
  );
  assert.ok(
    merged.reader.documents.parts.some(({ dictionary }) => dictionary !== null),
    'they are packed',
  );
  check([{ reader: merged.reader, liveDocs: null, from: 0 }]);
});
