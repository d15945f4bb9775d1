/** The id table against a Map, and merged stores against stores built at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DROPPED_DOC, type MergeInput } from '../../engine/core/merge-input.js';
import { DocumentStoreBuilder, DocumentStoreReader } from '../../engine/documents/document-store.js';
import { IdTableBuilder, IdTableReader, idTableMergeBound, mergeIdTables } from '../../engine/documents/id-table.js';
import {
  documentStoreMergeBound,
  mergeDocumentStores,
  PACKED_TOGETHER_MIN,
} from '../../engine/documents/merge-documents.js';
import { takeWriter } from './regions.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Segment {
  readonly ids: IdTableReader;
  readonly documents: DocumentStoreReader;
  readonly superseded: readonly number[];
}

const documentOf = (id: string, salt: number): string => `{"id":${JSON.stringify(id)},"salt":${salt}}`;

function buildSegment(rows: readonly (readonly [string, number])[]): Segment {
  const ids = new IdTableBuilder();
  const documents = new DocumentStoreBuilder();
  for (const [id, salt] of rows) {
    const bytes = utf8(id);
    ids.add(bytes, 0, bytes.length);
    const body = utf8(` ${documentOf(id, salt)},`);
    documents.add(body, 1, body.length - 1);
  }
  const bound = ids.sizeBound() + documents.sizeBound();
  const writer = takeWriter(bound);
  const segment = {
    ids: new IdTableReader(writer.views, ids.write(writer)),
    documents: new DocumentStoreReader(writer.views, documents.write(writer)),
    superseded: [...ids.superseded()],
  };
  assert.ok(writer.position <= bound, 'the bound holds');
  return segment;
}

function find(ids: IdTableReader, id: string): number {
  // Not at the start of its buffer, as in a body.
  const bytes = utf8(`"${id}"`);
  return ids.find(bytes, 1, bytes.length - 1);
}

const documentAt = (segment: Segment, doc: number): string =>
  Buffer.from(
    segment.documents.rows.views.u8.slice(segment.documents.rows.start(doc), segment.documents.rows.end(doc)),
  ).toString();

const idAt = (segment: Segment, doc: number): string =>
  Buffer.from(segment.ids.rows.views.u8.slice(segment.ids.idStart(doc), segment.ids.idEnd(doc))).toString();

const anyId = fc.oneof(
  fc.nat(40).map((i) => `d${i}`),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
);
const rows = fc.array(fc.tuple(anyId, fc.nat(99)), { maxLength: 60 });

test('the id table finds what a Map of the last document of each id finds', () => {
  fc.assert(
    fc.property(rows, fc.array(anyId, { maxLength: 20 }), (given, others) => {
      const segment = buildSegment(given);
      const last = new Map(given.map(([id], doc) => [id, doc]));
      for (const id of [...last.keys(), ...others]) assert.equal(find(segment.ids, id), last.get(id) ?? -1);
      const superseded = given.flatMap(([id], doc) => (last.get(id) === doc ? [] : [doc]));
      assert.deepEqual(
        segment.superseded.toSorted((a, b) => a - b),
        superseded,
      );
      given.forEach(([id, salt], doc) => {
        assert.equal(idAt(segment, doc), id);
        assert.equal(documentAt(segment, doc), documentOf(id, salt));
      });
    }),
    { numRuns: 200 },
  );
});

/** A source of a merge, and the rows of it that survive. */
function mergeInputOf<Reader>(reader: Reader, live: readonly boolean[], base: number): MergeInput<Reader> {
  const liveCount = live.filter(Boolean).length;
  let next = base;
  const map = liveCount === live.length ? null : Uint32Array.from(live, (alive) => (alive ? next++ : DROPPED_DOC));
  return { reader, maxDoc: live.length, base, map, liveCount };
}

test('merged stores hold what stores built at once from the survivors hold', () => {
  const source = fc.tuple(
    rows,
    fc.constantFrom(0, 0.1, 0.9),
    fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  );
  fc.assert(
    fc.property(fc.array(source, { maxLength: 4 }), (sources) => {
      const survivors: (readonly [string, number])[] = [];
      const ids: MergeInput<IdTableReader>[] = [];
      const documents: MergeInput<DocumentStoreReader>[] = [];
      for (const [given, share, chance] of sources) {
        const segment = buildSegment(given);
        const live = given.map((_, doc) => !segment.superseded.includes(doc) && chance.next().value >= share);
        ids.push(mergeInputOf(segment.ids, live, survivors.length));
        documents.push(mergeInputOf(segment.documents, live, survivors.length));
        survivors.push(...given.filter((_, doc) => live[doc]));
      }
      const bound = idTableMergeBound(ids) + documentStoreMergeBound(documents);
      const writer = takeWriter(bound);
      const merged: Segment = {
        ids: new IdTableReader(writer.views, mergeIdTables(writer, ids)),
        documents: new DocumentStoreReader(writer.views, mergeDocumentStores(writer, documents, PACKED_TOGETHER_MIN)),
        superseded: [],
      };
      assert.ok(writer.position <= bound, 'the bound holds');
      const atOnce = buildSegment(survivors);
      assert.equal(merged.ids.maxDoc, survivors.length);
      assert.equal(merged.documents.maxDoc, survivors.length);
      survivors.forEach(([id], doc) => {
        assert.equal(documentAt(merged, doc), documentAt(atOnce, doc));
        assert.equal(idAt(merged, doc), id);
        assert.equal(find(merged.ids, id), find(atOnce.ids, id));
      });
      for (const id of sources.flatMap(([given]) => given.map(([dropped]) => dropped))) {
        assert.equal(find(merged.ids, id), find(atOnce.ids, id));
      }
    }),
    { numRuns: 150 },
  );
});
