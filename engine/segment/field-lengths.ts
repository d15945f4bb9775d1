/**
 * The number of tokens of each text field of each document, kept so that a merge can recompute the statistics of what
 * survives. One byte a document when they fit, else two or four.
 */
import { DROPPED_DOC, type MergeInput } from '../core/merge-input.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { mergeArrayDocuments } from './array-documents.js';
import type { SegmentReader } from './segment-reader.js';

/** What the field table of a segment holds of one searchable field. */
export interface FieldStatistics {
  readonly lengths: number;
  readonly lengthWidth: number;
  readonly docCount: number;
  readonly tokens: number;
  /** Place of the list of documents with several values; 0: they are not known. */
  readonly arrays: number;
}

/** Writes lengths[0..maxDoc) and returns their place and sums; `arrays` is written already. */
export function writeLengths(out: RegionWriter, lengths: Uint32Array, maxDoc: number, arrays: number): FieldStatistics {
  let longest = 0;
  let tokens = 0;
  let docCount = 0;
  for (let doc = 0; doc < maxDoc; doc++) {
    const length = lengths[doc];
    if (length === 0) continue;
    docCount++;
    tokens += length;
    if (length > longest) longest = length;
  }
  const lengthWidth = longest < 0x100 ? 1 : longest < 0x10000 ? 2 : 4;
  const at = out.align(SECTION_ALIGN);
  out.reserve(maxDoc * lengthWidth);
  const { u8, u16, u32 } = out.views;
  const target = lengthWidth === 1 ? u8 : lengthWidth === 2 ? u16 : u32;
  const first = at / lengthWidth;
  for (let doc = 0; doc < maxDoc; doc++) target[first + doc] = lengths[doc];
  return { lengths: at, lengthWidth, docCount, tokens, arrays };
}

/** Writes the lengths of the documents that survive. */
export function mergeLengths(
  out: RegionWriter,
  inputs: readonly MergeInput<SegmentReader>[],
  field: number,
  maxDoc: number,
): FieldStatistics {
  const lengths = new Uint32Array(maxDoc);
  for (const { reader, maxDoc: sourceDocs, base, map } of inputs) {
    const source = reader.fieldLengths(field);
    for (let doc = 0; doc < sourceDocs; doc++) {
      const merged = map === null ? base + doc : map[doc];
      if (merged !== DROPPED_DOC) lengths[merged] = source[doc];
    }
  }
  return writeLengths(out, lengths, maxDoc, mergeArrayDocuments(out, inputs, field));
}
