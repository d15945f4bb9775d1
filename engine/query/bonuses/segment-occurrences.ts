/**
 * Measures a few candidates of one segment: how near the query's slots stand to each other, and whether a value begins
 * with them or is them. Lays out the memory of layout/occurrences.ts and runs its kernels; knows nothing of scores.
 */
import {
  ENDS_MAX,
  GROUP_POSITIONS_MAX,
  HIT_BYTES,
  HIT_CURSOR_BYTES,
  OCCURRENCE_FILTER_BYTES,
  OCCURRENCES_BYTES,
  OCCURRENCES_CURSOR_COUNT,
  OCCURRENCES_CURSORS,
  OCCURRENCES_DOC_COUNT,
  OCCURRENCES_DOCS,
  OCCURRENCES_ENDS,
  OCCURRENCES_ENTRIES,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_FIELD_MAP,
  OCCURRENCES_FILTER,
  OCCURRENCES_HEADS,
  OCCURRENCES_HIT_COUNT,
  OCCURRENCES_HITS,
  OCCURRENCES_HITS_MAX,
  OCCURRENCES_LENGTHS,
  OCCURRENCES_NEARNESS,
  OCCURRENCES_PHRASE_FIRST,
  OCCURRENCES_PHRASES,
  OCCURRENCES_POSITIONS,
  OCCURRENCES_READINGS,
  OCCURRENCES_RUNS,
  OCCURRENCES_SEGMENT,
  OCCURRENCES_SLOT_COUNT,
  OCCURRENCES_SLOTS,
  OCCURRENCES_SOURCE_COUNT,
  OCCURRENCES_SOURCES,
  OCCURRENCES_VERDICTS,
  READING_BYTES,
  READING_COMPLETED,
  READING_COVERS,
  READING_SPAN,
  RUNS_MAX,
} from '../../layout/occurrences.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { QueriedFields } from '../parse-search.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import { allocateScratch } from '../scratch-memory.js';
import type { QuerySlots } from './query-slots.js';

/** Far more than the candidates of any honest query have; with more, fewer candidates are looked at together. */
const HITS_MAX = 1 << 18;
/** Candidates measured between two looks at the budget. */
const DOCS_BETWEEN_CHECKS = 32;

/** What is looked for where. */
export interface OccurrencesQuery {
  readonly slots: QuerySlots;
  readonly segment: SearchableSegment;
  /** The segment's index in the slots' ranges. */
  readonly index: number;
  readonly map: FieldMap;
  readonly fields: QueriedFields;
  readonly budget: ReadBudget;
}

/** Candidates of one segment whose hits are found. Valid until the heap of the segment's arena is reset. */
export class SegmentOccurrences {
  readonly docCount: number;
  readonly #query: OccurrencesQuery;
  /** Address of the kernels' state. */
  readonly #state: number;
  readonly #nearness: Float64Array;
  readonly #verdicts: Uint8Array;

  private constructor(query: OccurrencesQuery, state: number, docCount: number, nearness: number, verdicts: number) {
    const { buffer } = query.segment.binding.scratch.u8;
    this.#query = query;
    this.#state = state;
    this.docCount = docCount;
    this.#nearness = new Float64Array(buffer, nearness, docCount);
    this.#verdicts = new Uint8Array(buffer, verdicts, docCount * query.fields.indexes.length);
  }

  /**
   * Finds the hits of `docs`, ascending and at most OCCURRENCE_DOCS_MAX, and measures them. null: they have too many hits
   * for the memory there is, and are to be tried in parts; a lone document has as many as fit. Resets the heap of the
   * segment's arena.
   */
  static measure(query: OccurrencesQuery, docs: Uint32Array): SegmentOccurrences | null {
    const { segment, budget } = query;
    const { heap, kernels } = segment.binding;
    heap.reset();
    const layout = new StateLayout(query, docs);
    const isWhole = findHits(query, layout.state);
    if (!isWhole && docs.length > 1) return null;
    for (let from = 0; from < docs.length; from += DOCS_BETWEEN_CHECKS) {
      budget.check();
      kernels.measureDocs(layout.state, from, Math.min(from + DOCS_BETWEEN_CHECKS, docs.length));
    }
    return new SegmentOccurrences(query, layout.state, docs.length, layout.nearness, layout.verdicts);
  }

  /** Mean closeness of neighbouring slots in the best field, 0 to 1. */
  nearness(doc: number): number {
    return this.#nearness[doc];
  }

  /** VERDICT_* of candidate `doc` in queried field `place`. */
  verdict(doc: number, place: number): number {
    return this.#verdicts[doc * this.#query.fields.indexes.length + place];
  }

  /** VERDICT_* of candidate `doc` in queried field `place` given its values: first position and tokens of each. */
  judgeValues(doc: number, place: number, values: readonly number[]): number {
    const { binding } = this.#query.segment;
    const { heap, kernels, scratch } = binding;
    const mark = heap.mark();
    const ptr = allocateScratch(binding, values.length * 4);
    scratch.u32.set(values, (ptr - scratch.ptr) >> 2);
    const group = doc * this.#query.fields.indexes.length + place;
    const verdict = kernels.judgeValues(this.#state, group, ptr, values.length >> 1);
    heap.release(mark);
    return verdict;
  }
}

/** Finds the hits of every source; false when there was no room for all. */
function findHits({ slots, segment, index, budget }: OccurrencesQuery, state: number): boolean {
  const { kernels } = segment.binding;
  for (const [source, rangesIn] of slots.terms.entries()) {
    const ranges = rangesIn(index);
    for (let i = 0; i < ranges.length; i += 2) {
      for (let low = ranges[i]; low < ranges[i + 1]; low += CHECK_EVERY) {
        budget.check();
        if (kernels.findHits(state, low, Math.min(low + CHECK_EVERY, ranges[i + 1]), source) === 0) return false;
      }
    }
  }
  return true;
}

/** Lays out the kernels' state for one set of candidates. */
class StateLayout {
  readonly state: number;
  readonly nearness: number;
  readonly verdicts: number;
  readonly #query: OccurrencesQuery;

  constructor(query: OccurrencesQuery, docs: Uint32Array) {
    this.#query = query;
    const { segment, slots, map, fields } = query;
    const { binding, reader } = segment;
    const groups = docs.length * fields.indexes.length;
    const sources = slots.terms.length + slots.phrases.length;
    this.state = allocateScratch(binding, OCCURRENCES_BYTES);
    this.nearness = allocateScratch(binding, docs.length * 8);
    this.verdicts = this.#zeroed(groups);
    this.#set(OCCURRENCES_SEGMENT, reader.views.region.ptr);
    this.#set(OCCURRENCES_ENTRIES, reader.postings.entriesPtr);
    this.#set(OCCURRENCES_FIELD_MAP, map.ptr(binding));
    this.#set(OCCURRENCES_FIELD_COUNT, fields.indexes.length);
    this.#set(OCCURRENCES_DOCS, this.#words(docs));
    this.#set(OCCURRENCES_DOC_COUNT, docs.length);
    this.#set(OCCURRENCES_FILTER, this.#makeFilter(docs));
    this.#set(OCCURRENCES_HEADS, this.#zeroed(groups * 4));
    this.#set(OCCURRENCES_HITS, allocateScratch(binding, HITS_MAX * HIT_BYTES));
    this.#set(OCCURRENCES_HIT_COUNT, 0);
    this.#set(OCCURRENCES_HITS_MAX, HITS_MAX);
    this.#set(OCCURRENCES_CURSORS, allocateScratch(binding, HITS_MAX * HIT_CURSOR_BYTES));
    this.#set(OCCURRENCES_CURSOR_COUNT, 0);
    this.#set(OCCURRENCES_LENGTHS, this.#lengths(docs));
    this.#set(OCCURRENCES_POSITIONS, allocateScratch(binding, GROUP_POSITIONS_MAX * 4));
    this.#set(OCCURRENCES_RUNS, allocateScratch(binding, sources * RUNS_MAX * 8));
    this.#set(OCCURRENCES_SOURCES, this.#zeroed(sources * 8));
    this.#set(OCCURRENCES_SOURCE_COUNT, sources);
    this.#set(OCCURRENCES_PHRASE_FIRST, slots.terms.length);
    this.#set(OCCURRENCES_PHRASES, this.#words(phraseWords(slots)));
    this.#set(OCCURRENCES_SLOT_COUNT, slots.slots.length);
    this.#setSlots();
    this.#set(OCCURRENCES_NEARNESS, this.nearness);
    this.#set(OCCURRENCES_VERDICTS, this.verdicts);
    this.#set(OCCURRENCES_ENDS, allocateScratch(binding, (slots.slots.length + 1) * (4 + 4 * ENDS_MAX)));
  }

  #set(offset: number, value: number): void {
    const { scratch } = this.#query.segment.binding;
    scratch.u32[(this.state - scratch.ptr + offset) >> 2] = value;
  }

  /** Address of a copy of `words`. */
  #words(words: ArrayLike<number>): number {
    const { binding } = this.#query.segment;
    const ptr = allocateScratch(binding, words.length * 4);
    binding.scratch.u32.set(words, (ptr - binding.scratch.ptr) >> 2);
    return ptr;
  }

  #zeroed(bytes: number): number {
    const { binding } = this.#query.segment;
    const ptr = allocateScratch(binding, bytes);
    binding.scratch.u8.fill(0, ptr - binding.scratch.ptr, ptr - binding.scratch.ptr + bytes);
    return ptr;
  }

  #makeFilter(docs: Uint32Array): number {
    const ptr = this.#zeroed(OCCURRENCE_FILTER_BYTES);
    const { scratch } = this.#query.segment.binding;
    const from = ptr - scratch.ptr;
    for (const doc of docs) scratch.u8[from + ((doc >> 3) & (OCCURRENCE_FILTER_BYTES - 1))] |= 1 << (doc & 7);
    return ptr;
  }

  /** Address of the tokens of each group's field. */
  #lengths(docs: Uint32Array): number {
    const { segment, fields } = this.#query;
    const { binding, reader } = segment;
    const places = fields.indexes.length;
    const ptr = allocateScratch(binding, docs.length * places * 4);
    const { u32 } = binding.scratch;
    for (let place = 0; place < places; place++) {
      const byDoc = reader.fieldLengths(fields.indexes[place]);
      let at = ((ptr - binding.scratch.ptr) >> 2) + place;
      for (let i = 0; i < docs.length; i++, at += places) u32[at] = byDoc[docs[i]];
    }
    return ptr;
  }

  #setSlots(): void {
    const { slots, terms, phrases } = this.#query.slots;
    const table: number[] = [];
    const words: number[] = [];
    for (const readings of slots) {
      table.push(words.length / (READING_BYTES / 4), readings.length);
      for (const { source, covers, isCompleted } of readings) {
        const span = source < terms.length ? 1 : phrases[source - terms.length].length;
        words.push(source);
        words.push(
          (covers << ((READING_COVERS - 4) * 8)) |
            (span << ((READING_SPAN - 4) * 8)) |
            ((isCompleted ? 1 : 0) << ((READING_COMPLETED - 4) * 8)),
        );
      }
    }
    this.#set(OCCURRENCES_SLOTS, this.#words(table));
    this.#set(OCCURRENCES_READINGS, this.#words(words));
  }
}

/** The table of phrases: offsets in bytes, then counts and sources. */
function phraseWords({ phrases }: QuerySlots): number[] {
  const offsets: number[] = [];
  const words: number[] = [];
  for (const tokens of phrases) {
    offsets.push((phrases.length + words.length) * 4);
    words.push(tokens.length, ...tokens);
  }
  return [...offsets, ...words];
}
