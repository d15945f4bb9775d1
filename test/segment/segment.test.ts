/**
 * Segments built and read back, and merged segments against indexing the surviving documents at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { encodeImpact } from '../../engine/postings/impacts.js';
import { isSearchable } from '../../engine/schema/collection-schema.js';
import { mapLiveDocs } from '../../engine/segment/live-docs.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import * as arbitrary from '../engine/arbitraries.js';
import { OracleCollection, type OracleDocument, type OracleSchema } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import {
  buildSegment,
  engineSchema,
  liveDocuments,
  mergeAll,
  storedText,
  withoutDocuments,
} from '../support/engine-collection.js';
import { type PostingsContents, type SegmentContents, segmentContents } from '../support/segment-contents.js';

const encoder = new TextEncoder();
const POSITION_GAP = 100;

/** Terms and postings of the documents as the oracle's analysis gives them, in order of term and field. */
function expectedPostings(schema: OracleSchema, documents: readonly OracleDocument[]): PostingsContents[] {
  const lists = new Map<string, [number, number, number[]][]>();
  documents.forEach((document, doc) => {
    const oracle = new OracleCollection(schema);
    oracle.upsert(document);
    engineSchema(schema).fields.forEach((declared, field) => {
      if (!isSearchable(declared)) return;
      const values = oracle.documents[0]?.tokens.get(declared.name) ?? [];
      const positions = new Map<string, number[]>();
      let base = 0;
      for (const tokens of values) {
        for (const [i, term] of tokens.entries()) positions.set(term, [...(positions.get(term) ?? []), base + i]);
        if (tokens.length > 0) base += tokens.length + POSITION_GAP;
      }
      const length = values.flat().length;
      for (const [term, places] of positions) {
        const key = `${term}/${field}`;
        lists.set(key, [...(lists.get(key) ?? []), [doc, encodeImpact(places.length, length), places]]);
      }
    });
  });
  const contents = [...lists].map(([key, postings]) => {
    const [term, field] = key.split('/');
    return { term, field: Number(field), postings };
  });
  return contents.sort((a, b) => Buffer.compare(Buffer.from(a.term), Buffer.from(b.term)) || a.field - b.field);
}

function checkIds(segment: SearchableSegment, contents: SegmentContents): void {
  const live = new Set(liveDocuments(segment));
  contents.ids.forEach((id, doc) => {
    const found = segment.findDocument(encoder.encode(id));
    assert.equal(found, live.has(contents.ids.lastIndexOf(id)) ? contents.ids.lastIndexOf(id) : -1);
    if (contents.ids.lastIndexOf(id) !== doc) assert.ok(!live.has(doc), 'what a later document replaces is not live');
  });
  assert.equal(segment.findDocument(encoder.encode('nobody')), -1);
}

/** Documents of one batch, with ids that repeat now and then. */
const batch = arbitrary.operations.map((operations) =>
  operations.flatMap((operation) => (operation.kind === 'index' ? operation.documents : [])),
);

test('documents, ids, terms, postings, positions and lengths are read back as the oracle analyses them', () => {
  fc.assert(
    fc.property(arbitrary.schema, batch, (schema, documents) => {
      fc.pre(documents.length > 0);
      resetRegions();
      const segment = buildSegment(engineSchema(schema), documents);
      const contents = segmentContents(segment, engineSchema(schema));
      assert.deepEqual(
        contents.documents,
        documents.map((document) => JSON.stringify(document)),
      );
      assert.deepEqual(
        contents.ids,
        documents.map(({ id }) => id),
      );
      checkIds(segment, contents);
      const expected = expectedPostings(schema, documents);
      assert.deepEqual(contents.postings, expected);
      for (const { byDoc, docs, tokens } of contents.lengths) {
        assert.equal(docs, byDoc.filter((length) => length > 0).length);
        assert.equal(
          tokens,
          byDoc.reduce((sum, length) => sum + length, 0),
        );
      }
      const counted = expected.flatMap(({ postings }) => postings.map(([, , positions]) => positions.length));
      assert.equal(
        contents.lengths.reduce((sum, { tokens }) => sum + tokens, 0),
        counted.reduce((sum, count) => sum + count, 0),
      );
    }),
    { numRuns: 60 },
  );
});

function sameBytes(a: SearchableSegment, b: SearchableSegment): boolean {
  return Buffer.compare(a.reader.views.u8, b.reader.views.u8) === 0;
}

test('a merged segment is the segment of its live documents indexed at once, in every structure', () => {
  const deletions = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 20 })), { maxLength: 30 });
  const batches = fc.array(
    fc.oneof(
      batch,
      arbitrary.distinctBatches.map((all) => all.flat()),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(arbitrary.schema, batches, deletions, (oracleSchema, all, deleted) => {
      resetRegions();
      const schema = engineSchema(oracleSchema);
      const segments = all
        .filter((documents) => documents.length > 0)
        .map((documents) => buildSegment(schema, documents));
      for (const [at, doc] of deleted) {
        const segment = segments[at];
        if (segment !== undefined) segments[at] = withoutDocuments(segment, [doc % segment.maxDoc]);
      }
      const survivors = segments.flatMap((segment) => liveDocuments(segment).map((doc) => storedText(segment, doc)));
      fc.pre(survivors.length > 0);
      const wanted = buildSegment(
        schema,
        survivors.map((text) => JSON.parse(text) as object),
      );
      const merged = mergeAll(schema, segments);
      assert.deepEqual(segmentContents(merged, schema), segmentContents(wanted, schema));
      assert.equal(merged.liveCount, survivors.length);
      for (const id of segmentContents(wanted, schema).ids) {
        const bytes = encoder.encode(id);
        assert.equal(merged.reader.ids.find(bytes, 0, bytes.length), wanted.reader.ids.find(bytes, 0, bytes.length));
      }
      // A column that lost its last value stays behind, empty.
      const hasColumn = ({ reader }: SearchableSegment): boolean[] =>
        schema.fields.map((_, field) => reader.column(field) !== null);
      const isComparable = isDeepStrictEqual(hasColumn(merged), hasColumn(wanted));
      assert.ok(!isComparable || sameBytes(merged, wanted), 'the bytes are the same');
    }),
    { numRuns: 60 },
  );
});

test('live documents are numbered through, and deleting what is deleted changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 300 }), fc.nat({ max: 1000 }), (keep, base) => {
      resetRegions();
      const schema = engineSchema({ fields: [], typo_tolerance: TYPOS, default_sorting_field: null });
      const segment = buildSegment(
        schema,
        keep.map((_, doc) => ({ id: String(doc) })),
      );
      const gone = keep.flatMap((kept, doc) => (kept ? [] : [doc]));
      const once = withoutDocuments(segment, gone);
      const twice = withoutDocuments(once, gone);
      const kept = keep.flatMap((isKept, doc) => (isKept ? [doc] : []));
      assert.deepEqual(liveDocuments(twice), kept);
      assert.equal(twice.liveCount, kept.length);
      if (twice.liveDocs === null) return;
      const map = mapLiveDocs(twice.liveDocs.u8, keep.length, base);
      keep.forEach((isKept, doc) => {
        assert.equal(map[doc], isKept ? base + kept.indexOf(doc) : 0xffffffff);
      });
      // Kernels read whole words: nothing past the last document may be set.
      const bits = twice.liveDocs.u8.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
      assert.equal(bits, kept.length);
    }),
  );
});

const TYPOS = { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 };
