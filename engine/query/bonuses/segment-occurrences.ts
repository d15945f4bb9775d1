/**
 * Measures a few candidates of one segment after another: how near the query's slots stand to each other, and whether a
 * value begins with them or is them. Lays out the memory of layout/occurrences.ts once per query and arena, and runs its
 * kernels; knows nothing of scores.
 *
 * Owned by a reader thread and reused from query to query: begin, then measure for one segment at a time, whose outcomes
 * hold until the next one.
 */
import { assertPresent } from '../../core/assert.js';
import {
  ARRAYS_UNKNOWN,
  CANDIDATE_IF_WHOLE,
  OCCURRENCE_FIELD_ARRAY_COUNT,
  OCCURRENCE_FIELD_ARRAYS,
  OCCURRENCE_FIELD_BYTES,
  OCCURRENCE_FIELD_LENGTHS,
  OCCURRENCE_FIELD_WIDTH,
  OCCURRENCE_RANGE_BYTES,
  OCCURRENCE_RANGE_HIGH,
  OCCURRENCE_RANGE_LOW,
  OCCURRENCE_RANGE_SOURCE,
  OCCURRENCE_RANGES_MAX,
  OCCURRENCES_BYTES,
  OCCURRENCES_CANDIDATES,
  OCCURRENCES_DOC_COUNT,
  OCCURRENCES_ENTRIES,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_FIELD_MAP,
  OCCURRENCES_FIELDS,
  OCCURRENCES_NEARNESS,
  OCCURRENCES_OUTCOMES,
  OCCURRENCES_PHRASE_FIRST,
  OCCURRENCES_PHRASES,
  OCCURRENCES_RANGES,
  OCCURRENCES_READINGS,
  OCCURRENCES_SEGMENT,
  OCCURRENCES_SLOT_COUNT,
  OCCURRENCES_SLOTS,
  OCCURRENCES_SOURCE_COUNT,
  OCCURRENCES_VERDICTS,
  OCCURRENCES_WHOLE_MAX,
  READING_BYTES,
  READING_COMPLETED,
  READING_COVERS,
  READING_SPAN,
} from '../../layout/occurrences.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { QueriedFields } from '../parse-search.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import { allocateScratch } from '../scratch-memory.js';
import type { QuerySlots } from './query-slots.js';

/** Or-ed to a rank: the document matters only if a value of it is what was typed. */
export const IF_WHOLE = CANDIDATE_IF_WHOLE;
const RANK_MASK = CANDIDATE_IF_WHOLE - 1;
export const TOO_MANY_HITS = -1;

/** Candidates measured between two looks at the budget. */
const DOCS_BETWEEN_CHECKS = 32;

/** What is looked for where. */
export interface OccurrencesQuery {
  readonly slots: QuerySlots;
  readonly segments: readonly SearchableSegment[];
  readonly map: FieldMap;
  readonly fields: QueriedFields;
}

export class SegmentOccurrences {
  readonly #budget: ReadBudget;
  #query: OccurrencesQuery | null = null;
  /** Address of the kernels' state in each arena that was looked at. */
  readonly #states = new Map<ArenaBinding, number>();
  /** Of the segment measured last: its binding, and the state as an address and in bytes from the scratch base. */
  #binding: ArenaBinding | null = null;
  #state = 0;
  #offset = 0;
  #places = 0;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /** Starts a query. Resets the heap of each arena that measure() comes to. */
  begin(query: OccurrencesQuery): void {
    this.#query = query;
    this.#states.clear();
    this.#places = query.fields.indexes.length;
  }

  /**
   * Finds the hits of documents docs[rank] of segment `index`, for ranks[from..to), at most OCCURRENCE_DOCS_MAX, and
   * measures them: they are the candidates, in order of document. With IF_WHOLE or-ed to its rank, one is left out of which
   * no value can be what was typed. Returns how many are left; TOO_MANY_HITS: they have more than the memory there is,
   * and are to be tried in parts. A lone document has as many as fit.
   */
  measure(index: number, docs: ArrayLike<number>, ranks: Uint16Array, from: number, to: number): number {
    const query = assertPresent(this.#query, 'query that is measured for');
    const { binding } = query.segments[index];
    const { u32 } = binding.scratch;
    const { kernels } = binding;
    this.#enter(query, binding);
    this.#setSegment(query, query.segments[index]);
    let at = (this.#offset + OCCURRENCES_CANDIDATES) >> 2;
    for (let i = from; i < to; i++) {
      u32[at++] = ranks[i];
      u32[at++] = docs[ranks[i] & RANK_MASK];
    }
    u32[(this.#offset + OCCURRENCES_DOC_COUNT) >> 2] = to - from;
    const count = kernels.beginCandidates(this.#state);
    if (count === 0) return 0;
    const isWhole = this.#findHits(query.slots, index, binding);
    if (!isWhole && count > 1) return TOO_MANY_HITS;
    for (let first = 0; first < count; first += DOCS_BETWEEN_CHECKS) {
      this.#budget.check();
      kernels.measureDocs(this.#state, first, Math.min(first + DOCS_BETWEEN_CHECKS, count));
    }
    return count;
  }

  /** The rank of candidate `i`. */
  rank(i: number): number {
    return this.#scratch.u32[((this.#offset + OCCURRENCES_CANDIDATES) >> 2) + 2 * i] & RANK_MASK;
  }

  /** Mean closeness of neighbouring slots in the best field of candidate `i`, 0 to 1. */
  nearness(i: number): number {
    return this.#scratch.f64[((this.#offset + OCCURRENCES_NEARNESS) >> 3) + i];
  }

  /** The largest VERDICT_* of any field of candidate `i`, or-ed VERDICT_DOUBT of any. */
  outcome(i: number): number {
    return this.#scratch.u8[this.#offset + OCCURRENCES_OUTCOMES + i];
  }

  /** VERDICT_* of candidate `i` in queried field `place`. */
  verdict(i: number, place: number): number {
    return this.#scratch.u8[this.#offset + OCCURRENCES_VERDICTS + i * this.#places + place];
  }

  /** VERDICT_* of candidate `i` in queried field `place` given its values: first position and tokens of each. */
  judgeValues(i: number, place: number, values: readonly number[]): number {
    const binding = assertPresent(this.#binding, 'segment that was measured');
    const { heap, kernels } = binding;
    const mark = heap.mark();
    const ptr = copyWords(binding, values);
    const verdict = kernels.judgeValues(this.#state, i * this.#places + place, ptr, values.length >> 1);
    heap.release(mark);
    return verdict;
  }

  get #scratch(): ArenaBinding['scratch'] {
    return assertPresent(this.#binding, 'segment that was measured').scratch;
  }

  /** Goes on to the arena of `binding`. */
  #enter(query: OccurrencesQuery, binding: ArenaBinding): void {
    let state = this.#states.get(binding);
    if (state === undefined) {
      state = layOut(query, binding);
      this.#states.set(binding, state);
    }
    this.#binding = binding;
    this.#state = state;
    this.#offset = state - binding.scratch.ptr;
  }

  /** Names the structures of `segment`. */
  #setSegment({ fields }: OccurrencesQuery, { binding, reader }: SearchableSegment): void {
    const { u32 } = binding.scratch;
    const state = this.#offset >> 2;
    u32[state + (OCCURRENCES_SEGMENT >> 2)] = reader.views.region.ptr;
    u32[state + (OCCURRENCES_ENTRIES >> 2)] = reader.postings.entriesPtr;
    let at = state + (OCCURRENCES_FIELDS >> 2);
    for (let place = 0; place < this.#places; place++, at += OCCURRENCE_FIELD_BYTES >> 2) {
      const lengths = reader.fieldLengths(fields.indexes[place]);
      const arrays = reader.arrayDocuments(fields.indexes[place]);
      u32[at + (OCCURRENCE_FIELD_LENGTHS >> 2)] = lengths.byteOffset;
      u32[at + (OCCURRENCE_FIELD_WIDTH >> 2)] = lengths.BYTES_PER_ELEMENT;
      u32[at + (OCCURRENCE_FIELD_ARRAYS >> 2)] = arrays === null ? 0 : arrays.byteOffset;
      u32[at + (OCCURRENCE_FIELD_ARRAY_COUNT >> 2)] = arrays === null ? ARRAYS_UNKNOWN : arrays.length;
    }
  }

  /** Finds the hits of every source; false when there was no room for all. */
  #findHits({ terms }: QuerySlots, index: number, { kernels, scratch: { u32 } }: ArenaBinding): boolean {
    const first = (this.#offset + OCCURRENCES_RANGES) >> 2;
    let count = 0;
    let entries = 0;
    for (let source = 0; source < terms.length; source++) {
      const ranges = terms[source](index);
      for (let i = 0; i < ranges.length; i += 2) {
        for (let low = ranges[i]; low < ranges[i + 1]; ) {
          const high = Math.min(low + CHECK_EVERY - entries, ranges[i + 1]);
          const at = first + count++ * (OCCURRENCE_RANGE_BYTES >> 2);
          u32[at + (OCCURRENCE_RANGE_LOW >> 2)] = low;
          u32[at + (OCCURRENCE_RANGE_HIGH >> 2)] = high;
          u32[at + (OCCURRENCE_RANGE_SOURCE >> 2)] = source;
          entries += high - low;
          low = high;
          if (count < OCCURRENCE_RANGES_MAX && entries < CHECK_EVERY) continue;
          this.#budget.check();
          if (kernels.findHits(this.#state, count) === 0) return false;
          count = 0;
          entries = 0;
        }
      }
    }
    return count === 0 || kernels.findHits(this.#state, count) !== 0;
  }
}

/** Lays the kernels' state out in the arena of `binding`, but for what the segments have of their own; its address. */
function layOut({ slots, map, fields }: OccurrencesQuery, binding: ArenaBinding): number {
  const { heap, scratch } = binding;
  heap.reset();
  const ptr = allocateScratch(binding, OCCURRENCES_BYTES);
  const state = (ptr - scratch.ptr) >> 2;
  const { u32 } = scratch;
  u32[state + (OCCURRENCES_FIELD_MAP >> 2)] = map.ptr(binding);
  u32[state + (OCCURRENCES_FIELD_COUNT >> 2)] = fields.indexes.length;
  u32[state + (OCCURRENCES_SOURCE_COUNT >> 2)] = slots.terms.length + slots.phrases.length;
  u32[state + (OCCURRENCES_PHRASE_FIRST >> 2)] = slots.terms.length;
  u32[state + (OCCURRENCES_PHRASES >> 2)] = copyWords(binding, phraseWords(slots));
  u32[state + (OCCURRENCES_SLOT_COUNT >> 2)] = slots.slots.length;
  u32[state + (OCCURRENCES_WHOLE_MAX >> 2)] = tokensOfWhole(slots);
  const words: number[] = [];
  u32[state + (OCCURRENCES_SLOTS >> 2)] = copyWords(binding, slotWords(slots, words));
  u32[state + (OCCURRENCES_READINGS >> 2)] = copyWords(binding, words);
  return ptr;
}

/** The most tokens of a value that is what was typed. */
function tokensOfWhole({ slots, terms, phrases }: QuerySlots): number {
  let tokens = 0;
  for (const readings of slots) {
    let longest = 1;
    for (const { source } of readings)
      if (source >= terms.length) longest = Math.max(longest, phrases[source - terms.length].length);
    tokens += longest;
  }
  return tokens;
}

/** Address of a copy of `words`. */
function copyWords(binding: ArenaBinding, words: readonly number[]): number {
  const ptr = allocateScratch(binding, words.length * 4);
  const first = (ptr - binding.scratch.ptr) >> 2;
  for (let i = 0; i < words.length; i++) binding.scratch.u32[first + i] = words[i];
  return ptr;
}

/** The table of slots; puts the readings that it names in `words`. */
function slotWords({ slots, terms, phrases }: QuerySlots, words: number[]): number[] {
  const table: number[] = [];
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
  return table;
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
