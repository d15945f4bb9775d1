/**
 * Tells the bonuses of the best documents for a token that is all of a query over one field, from its own list and the lengths of
 * the field: one term at most stands for all of the token, the others are its completions. So nobody has to look the documents up in
 * the lists of hundreds of these. Layout: layout/own-terms.ts.
 *
 * Used by bonuses.ts for documents whose bonuses were not told while their lists were read.
 */
import {
  OWN_TERMS_ENTRY,
  OWN_TERMS_LENGTH_WIDTH,
  OWN_TERMS_LENGTHS,
  OWN_TERMS_ROW_BYTES,
  OWN_TERMS_SEGMENT,
} from '../../layout/own-terms.js';
import { ENTRY_BYTES } from '../../layout/postings.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { SegmentRanges } from '../expand/segment-ranges.js';
import { standsAlone, type TextQuery } from '../expand/text-query.js';
import { isTyped, standsForCompletions } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import type { ParsedSearch } from '../parse-search.js';
import { allocateScratch } from '../scratch-memory.js';
import type { BonusWindow } from './bonus-window.js';
import { gainsByCompletions } from './query-slots.js';

/** What the only token of a query stands for. */
export interface OwnTerms {
  readonly ranges: SegmentRanges;
  /** The queried field. */
  readonly field: number;
  /** Whether documents may get bonuses for its completions. */
  readonly gainsByCompletions: boolean;
}

/** What the only token of `search` stands for, as the stage `text` reads it; null: there are others, or more tells its bonuses. */
export function ownTermsOf(
  { slots, fields }: ParsedSearch,
  text: TextQuery,
  map: FieldMap,
  schema: CollectionSchema,
): OwnTerms | null {
  if (slots.length !== 1 || fields.indexes.length !== 1 || !map.areSurelySingle) return null;
  const matched = text.typed[slots[0].clause];
  const [field] = fields.indexes;
  if (matched?.kind !== 'token' || !standsAlone(matched) || schema.fields[field].stem !== undefined) return null;
  const { clause, own } = matched;
  if (!standsForCompletions(own)) return null;
  return { ranges: own.ranges, field, gainsByCompletions: gainsByCompletions(clause) };
}

/** Tells what it can of the bonuses of `window`, which was filled with documents of `segments`. */
export function judgeByOwnTerms(
  { ranges, field, gainsByCompletions: gains }: OwnTerms,
  segments: readonly SearchableSegment[],
  window: BonusWindow,
): void {
  const { binding } = window;
  for (let s = 0; s < segments.length; s++) if (segments[s].binding !== binding) return;
  const table = allocateScratch(binding, segments.length * OWN_TERMS_ROW_BYTES);
  const { u32, ptr } = binding.scratch;
  let row = (table - ptr) >> 2;
  for (let s = 0; s < segments.length; s++) {
    const { reader } = segments[s];
    const lengths = reader.fieldLengths(field);
    u32[row + (OWN_TERMS_SEGMENT >> 2)] = reader.views.region.ptr;
    u32[row + (OWN_TERMS_ENTRY >> 2)] = typedEntry(ranges, s, segments[s], field);
    u32[row + (OWN_TERMS_LENGTHS >> 2)] = lengths.byteOffset;
    u32[row + (OWN_TERMS_LENGTH_WIDTH >> 2)] = lengths.BYTES_PER_ELEMENT;
    row += OWN_TERMS_ROW_BYTES >> 2;
  }
  window.unknown = binding.kernels.judgeByOwnTerms(window.ptr, table, gains ? 1 : 0);
}

/** Address of the entry that the typed term has in `field` of the segment with index `s`; 0: it has none. */
function typedEntry({ words, starts }: SegmentRanges, s: number, { reader }: SearchableSegment, field: number): number {
  const { postings } = reader;
  for (let i = starts[s]; i < starts[s + 1]; i += 3) {
    if (!isTyped(words[i + 2])) continue;
    for (let entry = words[i]; entry < words[i + 1]; entry++)
      if (postings.field(entry) === field) return (postings.entriesPtr + entry * ENTRY_BYTES) % 2 ** 32;
  }
  return 0;
}
