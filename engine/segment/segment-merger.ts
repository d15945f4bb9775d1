/**
 * Merges segments of one collection into one: the live documents in their order, as if they had been indexed at once.
 *
 * Called by the maintenance thread for large segments and by the writer for tiny ones. Reads its sources and writes one
 * region; publishes nothing.
 */
import { type MergeInput, withReader } from '../core/merge-input.js';
import { idTableMergeBound, mergeIdTables } from '../documents/id-table.js';
import { documentStoreMergeBound, mergeDocumentStores, PACKED_TOGETHER_MIN } from '../documents/merge-documents.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { mergePostings } from '../postings/postings-merger.js';
import { type CollectionSchema, hasColumn, isSearchable } from '../schema/collection-schema.js';
import { mergeTermOrder } from '../terms/merge-term-order.js';
import { writeTermDictionary } from '../terms/term-dictionary-writer.js';
import type { ColumnKind } from '../values/column-reader.js';
import { estimateMergedColumnBytes, mergeColumns } from '../values/merge-columns.js';
import { type FieldStatistics, mergeLengths } from './field-lengths.js';
import { mapLiveDocs } from './live-docs.js';
import { beginSegment, finishSegment } from './segment-frame.js';
import type { SegmentReader } from './segment-reader.js';
import { writeStemIndexes } from './stem-indexes.js';

export type SegmentMergeInput = MergeInput<SegmentReader>;

/** A source of a merge: the segment and its live documents, null when all are. */
export interface MergeSource {
  readonly reader: SegmentReader;
  readonly liveDocs: Uint8Array | null;
}

/** Numbers the surviving documents of `sources` through, in order. */
export function listMergeInputs(sources: readonly MergeSource[]): SegmentMergeInput[] {
  let base = 0;
  return sources.map(({ reader, liveDocs }) => {
    const { maxDoc } = reader;
    const map = liveDocs === null ? null : mapLiveDocs(liveDocs, maxDoc, base);
    const liveCount = map === null ? maxDoc : countSurvivors(map);
    const input: SegmentMergeInput = { reader, maxDoc, base, map, liveCount };
    base += liveCount;
    return input;
  });
}

function countSurvivors(map: Uint32Array): number {
  let count = 0;
  for (let doc = 0; doc < map.length; doc++) if (map[doc] !== 0xffffffff) count++;
  return count;
}

const totalLive = (inputs: readonly SegmentMergeInput[]): number => inputs.reduce((sum, i) => sum + i.liveCount, 0);

/** A size that the merged segment most likely fits in. */
export function estimateMergedBytes(schema: CollectionSchema, inputs: readonly SegmentMergeInput[]): number {
  const maxDoc = totalLive(inputs);
  const documents = inputs.map((input) => withReader(input, input.reader.documents));
  const ids = inputs.map((input) => withReader(input, input.reader.ids));
  let bytes = 8192 + documentStoreMergeBound(documents) + idTableMergeBound(ids);
  schema.fields.forEach((field, f) => {
    if (!hasColumn(field)) return;
    const columns = inputs.map((input) => withReader(input, input.reader.column(f)));
    bytes += estimateMergedColumnBytes(columns, maxDoc, columnKind(field.type));
  });
  // What is left of the sources after documents, ids and columns bounds postings, terms, stems and lengths from above; half as
  // much again covers lists that change their form.
  for (const { reader } of inputs)
    bytes += Math.ceil((reader.views.region.bytes - reader.documents.rows.byteCount) * 1.5);
  return bytes;
}

const columnKind = (type: string): ColumnKind => (type === 'text' || type === 'keyword' ? 'keyword' : 'number');

/** Writes the merged segment and returns its size in bytes. At least one document survives. */
export function mergeSegments(
  out: RegionWriter,
  schema: CollectionSchema,
  inputs: readonly SegmentMergeInput[],
): number {
  const maxDoc = totalLive(inputs);
  beginSegment(out);
  const documents = mergeDocumentStores(
    out,
    inputs.map((input) => withReader(input, input.reader.documents)),
    schema.compress_documents === false ? Number.POSITIVE_INFINITY : PACKED_TOGETHER_MIN,
  );
  const ids = mergeIdTables(
    out,
    inputs.map((input) => withReader(input, input.reader.ids)),
  );
  const columns = schema.fields.map((field, f) => {
    const sources = inputs.map((input) => withReader(input, input.reader.column(f)));
    if (sources.every(({ reader }) => reader === null)) return 0;
    return mergeColumns(out, sources, maxDoc, columnKind(field.type));
  });
  const statistics = schema.fields.map((field, f): FieldStatistics | null =>
    isSearchable(field) ? mergeLengths(out, inputs, f, maxDoc) : null,
  );
  const order = mergeTermOrder(inputs.map(({ reader }) => reader.dictionary));
  const postings = inputs.map((input) => withReader(input, input.reader.postings));
  const prefixes = inputs.map(({ reader }) => reader.prefixPostings);
  const { entries, prefixPostings, outlines, keep } = mergePostings(out, postings, prefixes, order);
  const terms = writeTermDictionary(out, order.terms, keep);
  const stems = writeStemIndexes(out, schema, order.terms, keep, entries);
  return finishSegment(out, {
    maxDoc,
    documents,
    ids,
    columns,
    statistics,
    terms,
    entries,
    prefixPostings,
    outlines,
    stems,
  });
}
