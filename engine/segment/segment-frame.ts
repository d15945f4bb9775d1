/**
 * Writes the frame around the sections of a segment: header and field table (layout/segment.ts). Shared by the segment
 * builder and the merger.
 */
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  FIELD_ARRAYS,
  FIELD_COLUMN,
  FIELD_DOC_COUNT,
  FIELD_ENTRY_BYTES,
  FIELD_LENGTH_WIDTH,
  FIELD_LENGTHS,
  FIELD_STEMS,
  FIELD_TOKENS_HIGH,
  FIELD_TOKENS_LOW,
  SEGMENT_DOCUMENTS,
  SEGMENT_ENTRIES,
  SEGMENT_ENTRY_COUNT,
  SEGMENT_ENTRY_STARTS,
  SEGMENT_FIELD_COUNT,
  SEGMENT_FIELDS,
  SEGMENT_FORMAT_VERSION,
  SEGMENT_HEADER_BYTES,
  SEGMENT_IDS,
  SEGMENT_MAGIC,
  SEGMENT_MAGIC_HIGH,
  SEGMENT_MAGIC_LOW,
  SEGMENT_MAX_DOC,
  SEGMENT_OUTLINE_COUNT,
  SEGMENT_OUTLINES,
  SEGMENT_PREFIX_POSTINGS,
  SEGMENT_PREFIX_POSTINGS_COUNT,
  SEGMENT_SIZE,
  SEGMENT_TERMS,
  SEGMENT_VERSION,
} from '../layout/segment.js';
import type { RegionWriter } from '../memory/region-writer.js';
import type { EntrySections } from '../postings/entry-table.js';
import type { OutlineSection } from '../postings/outline-writer.js';
import type { PrefixPostingsSection } from '../postings/prefix-postings-writer.js';
import type { FieldStatistics } from './field-lengths.js';

/** Offsets of the sections, and what else the header holds. */
export interface SegmentSections {
  readonly maxDoc: number;
  readonly terms: number;
  readonly entries: EntrySections;
  readonly prefixPostings: PrefixPostingsSection;
  readonly outlines: OutlineSection;
  readonly ids: number;
  readonly documents: number;
  /** Per schema field: column offset, 0 for none. */
  readonly columns: readonly number[];
  /** Per schema field: null when it is not searchable. */
  readonly statistics: readonly (FieldStatistics | null)[];
  /** Per schema field: stem index offset, 0 for none. */
  readonly stems: readonly number[];
}

/** Reserves the header; the first thing written to a segment's region. */
export function beginSegment(out: RegionWriter): void {
  out.reserveZeroed(SEGMENT_HEADER_BYTES);
}

/** Writes the field table and fills the header in. Returns the segment's size, a multiple of 4. */
export function finishSegment(out: RegionWriter, sections: SegmentSections): number {
  const fields = writeFieldTable(out, sections);
  const bytes = out.align(4);
  const { u32 } = out.views;
  const { entries, prefixPostings, outlines } = sections;
  u32[SEGMENT_MAGIC >> 2] = SEGMENT_MAGIC_LOW;
  u32[(SEGMENT_MAGIC >> 2) + 1] = SEGMENT_MAGIC_HIGH;
  u32[SEGMENT_VERSION >> 2] = SEGMENT_FORMAT_VERSION;
  u32[SEGMENT_SIZE >> 2] = bytes;
  u32[SEGMENT_MAX_DOC >> 2] = sections.maxDoc;
  u32[SEGMENT_FIELD_COUNT >> 2] = sections.columns.length;
  u32[SEGMENT_TERMS >> 2] = sections.terms;
  u32[SEGMENT_ENTRY_STARTS >> 2] = entries.starts;
  u32[SEGMENT_ENTRIES >> 2] = entries.table;
  u32[SEGMENT_ENTRY_COUNT >> 2] = entries.count;
  u32[SEGMENT_IDS >> 2] = sections.ids;
  u32[SEGMENT_DOCUMENTS >> 2] = sections.documents;
  u32[SEGMENT_FIELDS >> 2] = fields;
  u32[SEGMENT_PREFIX_POSTINGS >> 2] = prefixPostings.table;
  u32[SEGMENT_PREFIX_POSTINGS_COUNT >> 2] = prefixPostings.count;
  u32[SEGMENT_OUTLINES >> 2] = outlines.table;
  u32[SEGMENT_OUTLINE_COUNT >> 2] = outlines.count;
  return bytes;
}

function writeFieldTable(out: RegionWriter, sections: SegmentSections): number {
  const at = out.align(SECTION_ALIGN);
  out.reserveZeroed(sections.columns.length * FIELD_ENTRY_BYTES);
  const { u32 } = out.views;
  sections.columns.forEach((column, field) => {
    const entry = (at + field * FIELD_ENTRY_BYTES) >> 2;
    u32[entry + (FIELD_COLUMN >> 2)] = column;
    u32[entry + (FIELD_STEMS >> 2)] = sections.stems[field];
    const statistics = sections.statistics[field];
    if (statistics === null) return;
    u32[entry + (FIELD_ARRAYS >> 2)] = statistics.arrays;
    u32[entry + (FIELD_LENGTHS >> 2)] = statistics.lengths;
    u32[entry + (FIELD_LENGTH_WIDTH >> 2)] = statistics.lengthWidth;
    u32[entry + (FIELD_DOC_COUNT >> 2)] = statistics.docCount;
    u32[entry + (FIELD_TOKENS_LOW >> 2)] = statistics.tokens % 2 ** 32;
    u32[entry + (FIELD_TOKENS_HIGH >> 2)] = Math.floor(statistics.tokens / 2 ** 32);
  });
  return at;
}
