/**
 * Everything a segment holds, as plain data, read through its readers: what two segments that ought to be alike are
 * compared by.
 */

import { type CollectionSchema, isSearchable } from '../../engine/schema/collection-schema.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { SegmentReader } from '../../engine/segment/segment-reader.js';
import type { ColumnReader } from '../../engine/values/column-reader.js';
import { storedText } from './engine-collection.js';
import { readPositions } from './read-positions.js';

const decoder = new TextDecoder();

/** A value of a column: the bytes of a keyword as latin1, or a number's 64-bit key. */
export type ColumnValue = string | bigint;

export interface PostingsContents {
  readonly term: string;
  readonly field: number;
  /** By posting: document, impact, positions. */
  readonly postings: readonly (readonly [number, number, readonly number[]])[];
}

export interface SegmentContents {
  readonly documents: readonly string[];
  readonly ids: readonly string[];
  /** By schema field, by document; a field without a column has no values anywhere. */
  readonly columns: readonly (readonly (readonly ColumnValue[])[])[];
  /** By searchable field: tokens by document, documents with tokens, tokens in all. */
  readonly lengths: readonly { readonly byDoc: readonly number[]; readonly docs: number; readonly tokens: number }[];
  readonly postings: readonly PostingsContents[];
}

function valueAt(column: ColumnReader, index: number): ColumnValue {
  const lo = column.codeLo(index);
  if (column.kind === 'keyword') {
    return Buffer.from(column.views.u8.slice(column.dictStart(lo), column.dictEnd(lo))).toString('latin1');
  }
  const hi = column.keyHi(lo, column.codeHi(index));
  return BigInt.asIntN(64, (BigInt(hi) << 32n) | BigInt(column.keyLo(lo)));
}

/** The values of each document. */
function columnValues(column: ColumnReader | null, maxDoc: number): ColumnValue[][] {
  return Array.from({ length: maxDoc }, (_, doc) => {
    if (column === null) return [];
    const first = column.firstIndex(doc);
    return Array.from({ length: column.endIndex(doc) - first }, (_value, i) => valueAt(column, first + i));
  });
}

function idsOf({ ids, views, maxDoc }: SegmentReader): string[] {
  return Array.from({ length: maxDoc }, (_, doc) => decoder.decode(views.u8.slice(ids.idStart(doc), ids.idEnd(doc))));
}

function postingsOf({ dictionary, postings, views }: SegmentReader): PostingsContents[] {
  const contents: PostingsContents[] = [];
  const cursor = dictionary.iterate();
  for (let ord = 0; cursor.next(); ord++) {
    const term = decoder.decode(cursor.bytes.slice(0, cursor.length));
    for (let entry = postings.firstEntry(ord); entry < postings.firstEntry(ord + 1); entry++) {
      const df = postings.df(entry);
      const docs = new Uint32Array(df);
      const impacts = new Uint8Array(df);
      postings.readList(entry, docs, impacts, 0);
      const positions: number[] = [];
      const list = Array.from(docs, (doc, i): [number, number, number[]] => {
        const count = readPositions(views.u8, postings.positionsOf(entry, i), positions);
        return [doc, impacts[i], positions.slice(0, count)];
      });
      contents.push({ term, field: postings.field(entry), postings: list });
    }
  }
  return contents;
}

export function segmentContents(segment: SearchableSegment, schema: CollectionSchema): SegmentContents {
  const { reader } = segment;
  const all = Array.from({ length: reader.maxDoc }, (_, doc) => doc);
  return {
    documents: all.map((doc) => storedText(segment, doc)),
    ids: idsOf(reader),
    columns: schema.fields.map((_, field) => columnValues(reader.column(field), reader.maxDoc)),
    lengths: schema.fields.flatMap((declared, field) => {
      if (!isSearchable(declared)) return [];
      const byDoc = all.map((doc) => reader.fieldLengths(field)[doc]);
      return [{ byDoc, docs: reader.fieldDocCount(field), tokens: reader.fieldTokens(field) }];
    }),
    postings: postingsOf(reader),
  };
}
