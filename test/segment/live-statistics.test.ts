/**
 * The statistics of a segment's live documents against a count of each list, document by document, while more and more
 * documents are deleted.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  CHUNK_KIND_RANKED,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
} from '../../engine/layout/postings.js';
import { isLive } from '../../engine/segment/live-docs.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import * as arbitrary from '../engine/arbitraries.js';
import type { OracleSchema } from '../oracle/collection.js';
import { randomNumbers, resetRegions } from '../support/engine-arena.js';
import { buildSegment, engineSchema, liveDocuments, withoutDocuments } from '../support/engine-collection.js';

/** Live documents of each list and, by field, of all with tokens, and their tokens. */
function countAll(segment: SearchableSegment): { lists: number[]; documents: number[]; tokens: number[] } {
  const { reader, maxDoc, liveDocs } = segment;
  const live = liveDocs?.u8 ?? null;
  const docs = new Uint32Array(maxDoc);
  const impacts = new Uint8Array(maxDoc);
  const lists = Array.from({ length: reader.postings.entryCount }, (_, entry) => {
    const df = reader.postings.readList(entry, docs, impacts, 0);
    return docs.subarray(0, df).filter((doc) => isLive(live, doc)).length;
  });
  const lengths = reader.searchableFields.map((field) =>
    liveDocuments(segment).map((doc) => reader.fieldLengths(field)[doc]),
  );
  const documents = lengths.map((all) => all.filter((length) => length > 0).length);
  return { lists, documents, tokens: lengths.map((all) => all.reduce((sum, length) => sum + length, 0)) };
}

function check(segment: SearchableSegment): void {
  const { reader } = segment;
  const expected = countAll(segment);
  // Twice, as long lists are counted once and then remembered.
  for (let round = 0; round < 2; round++)
    assert.deepEqual(
      expected.lists.map((_, entry) => segment.df(entry)),
      expected.lists,
    );
  assert.deepEqual(
    reader.searchableFields.map((field) => segment.fieldDocCount(field)),
    expected.documents,
  );
  assert.deepEqual(
    reader.searchableFields.map((field) => segment.fieldTokens(field)),
    expected.tokens,
  );
}

test('statistics are those of the live documents at every generation, an earlier one included', () => {
  const deletions = fc.array(fc.array(fc.nat({ max: 30 }), { maxLength: 6 }), { maxLength: 5 });
  const property = fc.property(
    arbitrary.schema,
    arbitrary.distinctBatches,
    deletions,
    (schema, [documents], rounds) => {
      resetRegions();
      let segment = buildSegment(engineSchema(schema), documents);
      const generations = [segment];
      for (const docs of rounds) {
        segment = withoutDocuments(
          segment,
          docs.map((doc) => doc % segment.maxDoc),
        );
        generations.push(segment);
        check(segment);
      }
      for (const one of generations.reverse()) check(one);
    },
  );
  fc.assert(property, { numRuns: 100 });
});

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const LARGE: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'hidden', ...text, index: false },
    { name: 'body', ...text },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

test('live documents of lists of every form are counted: single, tiny, sparse and ranked, over several chunks', () => {
  resetRegions();
  const random = randomNumbers(11);
  const documents = Array.from({ length: 140_001 }, (_, i) => {
    const words = ['all'];
    if (random(2) === 0) words.push('half');
    if (random(50) === 0) words.push('some', 'some');
    // Ranked in the second chunk alone.
    if (i >> 16 === 1 && random(3) > 0) words.push('second');
    if (i % 14_000 === 77) words.push('ten');
    if (i === 140_000) words.push('last');
    return { id: `d${i}`, title: words.join(' '), hidden: 'not indexed', ...(i % 3 === 0 && { body: 'half of it' }) };
  });
  let segment = buildSegment(engineSchema(LARGE), documents);
  const { postings, views } = segment.reader;
  const kinds = new Set<number>();
  const chunkKinds = new Set<number>();
  for (let entry = 0; entry < postings.entryCount; entry++) {
    kinds.add(postings.kind(entry));
    if (postings.kind(entry) !== ENTRY_KIND_CHUNKED) continue;
    const list = postings.list(entry) >> 2;
    for (let c = 0; c < views.u32[list]; c++) chunkKinds.add((views.u32[list + 1 + c * 4] >>> 16) & 0xff);
  }
  assert.deepEqual([...kinds].sort(), [ENTRY_KIND_SINGLE, ENTRY_KIND_TINY, ENTRY_KIND_CHUNKED]);
  assert.ok(chunkKinds.has(CHUNK_KIND_RANKED) && chunkKinds.size === 2);
  check(segment);
  for (const count of [1, 300, 20_000, 60_000]) {
    segment = withoutDocuments(
      segment,
      Array.from({ length: count }, () => random(140_001)),
    );
    check(segment);
  }
  segment = withoutDocuments(segment, [140_000, 65_535, 65_536, 0]);
  check(segment);
});
