/**
 * Measures candidates in the segments of one arena: how near the query's slots stand to each other, and whether a value
 * begins with them or is them. Lays out the memory of layout/occurrences.ts and runs its kernels; knows nothing of scores.
 *
 * Made for one query. Candidates are chosen (kernels/bonus-window.ts), begun, and measured in parts; their outcomes hold until
 * others are chosen.
 */
import {
  ARRAYS_UNKNOWN,
  CANDIDATE_DOC_SHIFT,
  CANDIDATE_SEGMENT_SHIFT,
  MEASURED_PART,
  MEASURING,
  OCCURRENCE_FIELD_BYTES,
  OCCURRENCE_RANGE_BYTES,
  OCCURRENCE_RECORD_FIELDS,
  OCCURRENCES_BYTES,
  OCCURRENCES_CANDIDATES,
  OCCURRENCES_DOC_COUNT,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_FIELD_MAP,
  OCCURRENCES_FROM,
  OCCURRENCES_IS_PLAIN,
  OCCURRENCES_NEARNESS,
  OCCURRENCES_OUTCOMES,
  OCCURRENCES_PHRASE_FIRST,
  OCCURRENCES_PHRASES,
  OCCURRENCES_READINGS,
  OCCURRENCES_RECORDS,
  OCCURRENCES_SLOT_COUNT,
  OCCURRENCES_SLOTS,
  OCCURRENCES_SOURCE_COUNT,
  OCCURRENCES_TO,
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

/** What is looked for where. */
export interface OccurrencesQuery {
  readonly slots: QuerySlots;
  readonly segments: readonly SearchableSegment[];
  readonly map: FieldMap;
  readonly fields: QueriedFields;
  readonly budget: ReadBudget;
}

export class ArenaOccurrences {
  readonly binding: ArenaBinding;
  readonly #query: OccurrencesQuery;
  /** The kernels' state: its address, and in bytes from the scratch base. */
  readonly #state: number;
  readonly #offset: number;
  readonly #places: number;
  /** Index in u32 of the table of records, all 0 before. */
  readonly #records: number;

  /** Takes memory from the heap of `binding`. */
  constructor(query: OccurrencesQuery, binding: ArenaBinding) {
    const { scratch } = binding;
    this.#query = query;
    this.binding = binding;
    this.#state = layOut(query, binding);
    this.#offset = this.#state - scratch.ptr;
    this.#places = query.fields.indexes.length;
    const records = allocateScratch(binding, query.segments.length * 4);
    this.#records = (records - scratch.ptr) >> 2;
    this.#set(OCCURRENCES_RECORDS, records);
    for (let i = 0; i < query.segments.length; i++) scratch.u32[this.#records + i] = 0;
  }

  /** The kernels' state. */
  get ptr(): number {
    return this.#state;
  }

  /** Where records of segments are: u32 by segment, 0 before prepare(). */
  get recordsPtr(): number {
    return this.binding.scratch.ptr + 4 * this.#records;
  }

  /** Whether candidates may lie in segment `index`: something was written to its record. */
  needs(index: number): boolean {
    return this.binding.scratch.u32[this.#records + index] !== 0;
  }

  /** Candidates may lie in segment `index`, of this arena or another one. */
  prepare(index: number): void {
    const isHere = this.#query.segments[index].binding === this.binding;
    this.binding.scratch.u32[this.#records + index] = isHere ? this.#record(index) : 0;
  }

  /** Takes the candidates of another arena's state, of which those that lie in this arena are measured. */
  takeCandidates(other: ArenaOccurrences): void {
    const count = other.#word(OCCURRENCES_DOC_COUNT);
    this.#set(OCCURRENCES_DOC_COUNT, count);
    this.#copyArea(other, OCCURRENCES_CANDIDATES, 8 * count);
  }

  /** Takes what is known of the part that was measured last in another arena. */
  takeOutcomes(other: ArenaOccurrences): void {
    this.#set(OCCURRENCES_FROM, other.from);
    this.#set(OCCURRENCES_TO, other.to);
    this.#copyArea(other, OCCURRENCES_CANDIDATES, 8 * other.to);
    this.#copyArea(other, OCCURRENCES_NEARNESS, 8 * other.to);
    this.#copyArea(other, OCCURRENCES_OUTCOMES, other.to);
  }

  /** Begins to measure the candidates, once each. */
  begin(): void {
    this.binding.kernels.beginCandidates(this.#state);
  }

  /** Measures the next part of the candidates, all of them unless they have too many hits; false: none is left. */
  measurePart(): boolean {
    const { kernels } = this.binding;
    for (;;) {
      const reached = kernels.measureCandidates(this.#state, CHECK_EVERY);
      if (reached !== MEASURING) return reached === MEASURED_PART;
      this.#query.budget.check();
    }
  }

  /** The first candidate of the part that was measured last. */
  get from(): number {
    return this.#word(OCCURRENCES_FROM);
  }

  /** The candidate behind it. */
  get to(): number {
    return this.#word(OCCURRENCES_TO);
  }

  /** The segment of candidate `i`. */
  segment(i: number): number {
    return this.#candidateWord(2 * i + 1) >>> (CANDIDATE_SEGMENT_SHIFT - 32);
  }

  /** The document of candidate `i` in its segment. */
  doc(i: number): number {
    const high = this.#candidateWord(2 * i + 1) << (32 - CANDIDATE_DOC_SHIFT);
    return (high | (this.#candidateWord(2 * i) >>> CANDIDATE_DOC_SHIFT)) >>> 0;
  }

  /** The largest VERDICT_* of any field of candidate `i`, or-ed VERDICT_DOUBT of any. */
  outcome(i: number): number {
    return this.binding.scratch.u8[this.#offset + OCCURRENCES_OUTCOMES + i];
  }

  /** Says what the outcome of candidate `i` is. */
  setOutcome(i: number, verdict: number): void {
    this.binding.scratch.u8[this.#offset + OCCURRENCES_OUTCOMES + i] = verdict;
  }

  /** VERDICT_* of candidate `i` in queried field `place`. */
  verdict(i: number, place: number): number {
    return this.binding.scratch.u8[this.#offset + OCCURRENCES_VERDICTS + i * this.#places + place];
  }

  /**
   * VERDICT_* of candidate `i`, of the part measured last, in queried field `place` given its values: first position and
   * tokens of each.
   */
  judgeValues(i: number, place: number, values: readonly number[]): number {
    const { heap, kernels } = this.binding;
    const mark = heap.mark();
    const ptr = copyWords(this.binding, values);
    const verdict = kernels.judgeValues(this.#state, i, place, ptr, values.length >> 1);
    heap.release(mark);
    return verdict;
  }

  #word(offset: number): number {
    return this.binding.scratch.u32[(this.#offset + offset) >> 2];
  }

  #candidateWord(i: number): number {
    return this.#word(OCCURRENCES_CANDIDATES + 4 * i);
  }

  /** Copies `bytes` bytes of another arena's state, from `area` on, to the same place of this one. */
  #copyArea(other: ArenaOccurrences, area: number, bytes: number): void {
    const from = other.#offset + area;
    this.binding.scratch.u8.set(other.binding.scratch.u8.subarray(from, from + bytes), this.#offset + area);
  }

  #set(offset: number, value: number): void {
    this.binding.scratch.u32[(this.#offset + offset) >> 2] = value;
  }

  /** Makes the record of segment `index`, and its ranges behind it; its address. */
  #record(index: number): number {
    const { fields, segments, slots } = this.#query;
    const { reader } = segments[index];
    const { terms } = slots;
    let count = 0;
    for (let source = 0; source < terms.length; source++) count += terms[source](index).length >> 1;
    const recordBytes = OCCURRENCE_RECORD_FIELDS + fields.indexes.length * OCCURRENCE_FIELD_BYTES;
    const record = allocateScratch(this.binding, recordBytes + count * OCCURRENCE_RANGE_BYTES);
    const { u32, ptr } = this.binding.scratch;
    let word = (record - ptr) >> 2;
    u32[word++] = reader.views.region.ptr;
    u32[word++] = reader.postings.entriesPtr;
    u32[word++] = record + recordBytes;
    u32[word++] = count;
    for (const field of fields.indexes) {
      const lengths = reader.fieldLengths(field);
      const arrays = reader.arrayDocuments(field);
      u32[word++] = lengths.byteOffset;
      u32[word++] = lengths.BYTES_PER_ELEMENT;
      u32[word++] = arrays === null ? 0 : arrays.byteOffset;
      u32[word++] = arrays === null ? ARRAYS_UNKNOWN : arrays.length;
    }
    for (let source = 0; source < terms.length; source++) {
      const own = terms[source](index);
      for (let i = 0; i < own.length; i += 2) {
        u32[word++] = own[i];
        u32[word++] = own[i + 1];
        u32[word++] = source;
      }
    }
    return record;
  }
}

/** Lays the kernels' state out in the arena of `binding`, but for what the segments have of their own; its address. */
function layOut({ slots, map, fields }: OccurrencesQuery, binding: ArenaBinding): number {
  const { scratch } = binding;
  const ptr = allocateScratch(binding, OCCURRENCES_BYTES);
  const state = (ptr - scratch.ptr) >> 2;
  const { u32 } = scratch;
  u32[state + (OCCURRENCES_FIELD_MAP >> 2)] = map.ptr(binding);
  u32[state + (OCCURRENCES_FIELD_COUNT >> 2)] = fields.indexes.length;
  u32[state + (OCCURRENCES_SOURCE_COUNT >> 2)] = slots.terms.length + slots.phrases.length;
  u32[state + (OCCURRENCES_PHRASE_FIRST >> 2)] = slots.terms.length;
  u32[state + (OCCURRENCES_PHRASES >> 2)] = slots.isPlain ? 0 : copyWords(binding, phraseWords(slots));
  u32[state + (OCCURRENCES_SLOT_COUNT >> 2)] = slots.slots.length;
  u32[state + (OCCURRENCES_WHOLE_MAX >> 2)] = slots.isPlain ? slots.slots.length : tokensOfWhole(slots);
  u32[state + (OCCURRENCES_IS_PLAIN >> 2)] = slots.isPlain ? 1 : 0;
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
  for (let slot = 0; slot < slots.length; slot++) {
    const readings = slots[slot];
    table.push(words.length / (READING_BYTES / 4), readings.length);
    for (let i = 0; i < readings.length; i++) {
      const { source, covers, isCompleted } = readings[i];
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
