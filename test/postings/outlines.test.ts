/**
 * The outlines that a segment has of its lists are those that the kernel makes of the same lists, in segments that were built and in
 * such as were merged: of long lists, in chunks of every form, and of no others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTLINED_POSTINGS_MIN } from '../../engine/layout/list-outline.js';
import { UNION_OUTLINE } from '../../engine/layout/list-union.js';
import { ENTRY_BYTES, ENTRY_LIST, ENTRY_POSITIONS } from '../../engine/layout/postings.js';
import { CHUNK_DOCS, SCRATCH_OUT_DOCS } from '../../engine/layout/scratch.js';
import { WHOLE_IMPACT } from '../../engine/postings/impacts.js';
import { NO_ENTRY } from '../../engine/postings/outline-reader.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import { binding, randomNumbers, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection, withoutOutlines } from '../support/engine-collection.js';

const text = { type: 'text', index: true, facet: false, filter: false, sort: false, boost: null } as const;
const schema: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** Words from frequent to rare: half the tokens are of the first, half of what is left of the next. */
function makeText(random: (bound: number) => number): string {
  const tokens: string[] = [];
  for (let left = random(8) === 0 ? 20 : 1 + random(6); left > 0; left--) {
    let word = 0;
    while (word < 14 && random(2) === 0) word++;
    tokens.push(`w${word}`);
  }
  return tokens.join(' ');
}

function makeDocuments(first: number, count: number, random: (bound: number) => number): OracleDocument[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `d${first + i}`,
    title: makeText(random),
    body: makeText(random),
  }));
}

/** Room for the outline that the kernel makes, and for its counts. */
const ROOM_BYTES = 1 << 20;

/** Compares all outlines of a segment; returns how many it has. */
function checkOutlines({ reader, maxDoc }: SearchableSegment): number {
  const { kernels, heap, scratch } = binding;
  const { views, postings, outlines } = reader;
  const chunks = Math.ceil(maxDoc / CHUNK_DOCS);
  let count = 0;
  for (let entry = 0; entry < postings.entryCount; entry++) {
    const standIn = outlines.find(entry);
    assert.equal(standIn !== NO_ENTRY, postings.df(entry) >= OUTLINED_POSTINGS_MIN, `entry ${entry}`);
    if (standIn === NO_ENTRY) continue;
    count++;
    heap.reset();
    const room = heap.allocate(ROOM_BYTES);
    const ptr = postings.entriesPtr + entry * ENTRY_BYTES;
    const counts = scratch.ptr + SCRATCH_OUT_DOCS;
    const bytes = kernels.writeOutline(views.region.ptr, ptr, chunks, WHOLE_IMPACT, counts, room);
    // Wherever it lies, it is counted from the segment's entries.
    const at = ((postings.entriesPtr + standIn * ENTRY_BYTES) % 2 ** 32) - views.region.ptr;
    assert.ok(at > 0 && at < postings.entriesPtr - views.region.ptr, 'the stand-in lies before the entries');
    assert.equal(views.u32[(at + ENTRY_POSITIONS) >> 2], UNION_OUTLINE);
    assert.equal(views.u8[at + 12], postings.field(entry));
    const outline = views.u32[(at + ENTRY_LIST) >> 2];
    const made = scratch.u8.subarray(room - scratch.ptr, room - scratch.ptr + bytes);
    assert.deepEqual(views.u8.subarray(outline, outline + bytes), made);
  }
  return count;
}

test('a segment has the outlines of its long lists, built or merged', () => {
  for (let seed = 1; seed <= 6; seed++) {
    resetRegions();
    const random = randomNumbers(seed);
    const collection = new InProcessCollection(schema);
    let next = 0;
    for (const size of [200, 600, 3000 + random(4000)]) {
      collection.index(makeDocuments(next, size, random));
      next += size;
    }
    const counts = collection.segments.map(checkOutlines);
    assert.equal(counts[0], 0, 'a small segment has none');
    assert.ok(counts[2] > counts[1] && counts[1] > 0);
    for (let i = 0; i < 50; i++) collection.delete(`d${random(next)}`);
    collection.merge(0, 3);
    assert.ok(checkOutlines(collection.segments[0]) >= counts[2]);
    for (const { open } of collection.segments) open.release();
  }
});

test('lists of several chunks have outlines', () => {
  resetRegions();
  const random = randomNumbers(11);
  const collection = new InProcessCollection(schema);
  collection.index(makeDocuments(0, CHUNK_DOCS, random));
  collection.index(makeDocuments(CHUNK_DOCS, 9000, random));
  collection.merge(0, 2);
  assert.ok(checkOutlines(collection.segments[0]) > 10);
  for (const { open } of collection.segments) open.release();
});

test('a segment without outlines, and one whose stand-ins are damaged, have none', () => {
  resetRegions();
  const collection = new InProcessCollection(schema);
  collection.index(makeDocuments(0, 2000, randomNumbers(3)));
  const [segment] = collection.segments;
  const { postings, outlines, views } = segment.reader;
  const entries = Array.from({ length: postings.entryCount }, (_, entry) => entry);
  const entry = entries.find((one) => outlines.find(one) !== NO_ENTRY);
  assert.ok(entry !== undefined);
  const older = withoutOutlines(segment);
  for (const one of entries) assert.equal(older.reader.outlines.find(one), NO_ENTRY);
  const at = ((postings.entriesPtr + outlines.find(entry) * ENTRY_BYTES) % 2 ** 32) - views.region.ptr;
  views.u32[(at + ENTRY_POSITIONS) >> 2] ^= 4;
  assert.equal(outlines.find(entry), NO_ENTRY);
  for (const { open } of collection.segments) open.release();
});
