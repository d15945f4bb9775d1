/**
 * Counts the values of the facet fields over all matches of a query, and has the `facets` of its response written (facet-values.ts).
 *
 * Owned by a reader thread and reused from query to query: begin, then per segment beginSegment, collectChunk for each
 * chunk with matches, endSegment, and at last writeJson. Counts are exact; a document counts once a value. Several threads count the matches of a shared search: writeRuns and
 * addRuns carry over what helpers have counted, or a helper adds all of it up (writeTask to takeTotals).
 */

import { assert, assertPresent } from '../../core/assert.js';
import type { JsonWriter } from '../../documents/json-writer.js';
import { FACET_BYTES } from '../../layout/facet-counts.js';
import type { ArenaBinding, ScratchHeap } from '../../memory/kernel-instance.js';
import type { ReadBudget } from '../read-budget.js';
import type { SortSource } from '../sort/sort-source.js';
import { answerOf, type TotalledField, writeTask } from './count-totals.js';
import { type FacetField, type FacetTarget, FacetValues } from './facet-values.js';
import { MOST_MAX } from './histogram.js';
import { isLent, isOnlyLent, lentCounters, lentEnd, readLent } from './lent-counts.js';
import { type FacetOptions, mostShown } from './parse-facets.js';
import { SegmentCounts } from './segment-counts.js';
import { ValueRun } from './value-run.js';

/** Entries of runs kept for the next query, 16 bytes each at most. */
const KEPT_ENTRIES_MAX = 1 << 19;
/** Fields whose counters are kept, 96 KiB each at most. */
const KEPT_FIELDS_MAX = 16;

export class FacetCollector {
  #fields: FacetField[] = [];
  #target: FacetTarget | null = null;
  #shownBy: FacetOptions | null = null;
  /** The last field is the one that documents are grouped by, and no facet. */
  #isGrouped = false;
  /** Counters of the segment that is open are lent when it ends. */
  #lends = false;
  /** By position in #fields; kept from query to query, as are the runs. */
  readonly #counts: SegmentCounts[] = [];
  #spareRuns: ValueRun[] = [];
  /** Whether others were asked to add up what was counted, and what was held of the heap before. */
  #awaitsTotals = false;
  #heldBefore = 0;
  readonly #values: FacetValues;
  readonly #budget: ReadBudget;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
    this.#values = new FacetValues(budget);
  }

  /**
   * Starts a query for the facets of the schema's fields at indexes `fields`. `shown`: what writeJson() will be asked for; null: all that is
   * counted is wanted. `isGrouped`: the last one is no facet; its values are groups of documents, each of which is in that of its least
   * value.
   */
  begin(fields: readonly number[], target: FacetTarget, shown: FacetOptions | null, isGrouped = false): void {
    const { schema } = target;
    assert(!this.#awaitsTotals, 'nobody adds up for the search before');
    this.#keepRuns();
    this.#target = target;
    this.#shownBy = shown;
    this.#isGrouped = isGrouped;
    this.#lends = false;
    this.#fields = fields.map((index) => {
      const { name, type } = schema.fields[index];
      return { index, name, type, runs: [], isLent: false };
    });
    while (this.#counts.length < fields.length) this.#counts.push(new SegmentCounts(this.#budget));
    // A search that was stopped has left its segment open.
    for (const counts of this.#counts) counts.abandon();
  }

  /**
   * Goes on to a segment, as the evaluator calls it. Takes at most half of what is free of its heap a field, until endSegment; its columns must
   * stay readable until writeJson.
   */
  beginSegment(source: SortSource, segment: number): void {
    for (let i = 0; i < this.#fields.length; i++) {
      const countsFirst = this.#isGrouped && i === this.#fields.length - 1;
      this.#counts[i].begin(source.column(this.#fields[i].index), source.binding, segment, countsFirst);
    }
  }

  /** Says that the segment has `matches` matches or so in all, going by what has been seen of it. */
  expect(matches: number): void {
    for (let i = 0; i < this.#fields.length; i++) this.#counts[i].expect(matches);
  }

  /**
   * Adds `count` matching documents, distinct u16 within the chunk that begins at document `chunkBase`, at absolute
   * address `listPtr` in the thread's scratch.
   */
  collectChunk(chunkBase: number, listPtr: number, count: number): void {
    for (let i = 0; i < this.#fields.length; i++) {
      this.#budget.check();
      this.#counts[i].collect(chunkBase, listPtr, count);
    }
  }

  /**
   * As collectChunk(), for the `count` documents whose bits are set among the `docs` of a chunk at absolute address `bits`; bits past
   * them are 0. `listPtr`: room for a list of them.
   */
  collectBits(chunkBase: number, bits: number, docs: number, count: number, listPtr: number): void {
    for (let i = 0; i < this.#fields.length; i++) {
      this.#budget.check();
      this.#counts[i].collectBits(chunkBase, bits, docs, count, listPtr);
    }
  }

  /**
   * Writes where a kernel is to count the values of the segment to the heap of its arena (layout/facet-counts.ts), of which it takes the
   * matches, `expected` or so, instead of collectChunk; null: their values are not to be counted so.
   */
  writeRecords(binding: ArenaBinding, expected: number): { ptr: number; end: number } | null {
    const { heap, scratch } = binding;
    const fields = this.#fields.length;
    for (let i = 0; i < fields; i++) if (!this.#counts[i].makesHistogram(expected)) return null;
    const ptr = heap.allocate(fields * FACET_BYTES);
    if (ptr === 0) return null;
    let end = ptr;
    for (let i = 0; i < fields; i++) end = this.#counts[i].writeRecord(scratch, end);
    return { ptr, end };
  }

  /** Tells that a kernel has counted the values of `count` documents where writeRecords() said. */
  addCounted(count: number): void {
    for (let i = 0; i < this.#fields.length; i++) this.#counts[i].addCounted(count);
  }

  /** Whether there is a segment that is open, of which lend() would lend counters. */
  get mayLend(): boolean {
    for (let i = 0; i < this.#fields.length; i++) if (this.#counts[i].isLendable) return true;
    return false;
  }

  /** Before the last segment ends: its counters are left where they lie, and writeRuns() writes where that is. */
  lend(): void {
    this.#lends = true;
  }

  endSegment(): void {
    if (this.#awaitsTotals) return;
    for (let i = 0; i < this.#fields.length; i++) {
      const counts = this.#counts[i];
      if (!counts.hasColumn) continue;
      if (this.#lends && counts.hasHistogram) {
        this.#fields[i].isLent = true;
        continue;
      }
      this.#budget.check();
      const run = this.#takeRun();
      counts.end(run, this.#most(i));
      if (run.size > 0) this.#fields[i].runs.push(run);
      else this.#spareRuns.push(run);
    }
  }

  /** Of the segment that ends: how many of the most frequent values of field `i` are enough. Of several segments all are joined. */
  #most(i: number): number {
    const { index, type, runs } = this.#fields[i];
    const { segments } = assertPresent(this.#target, 'target of the query');
    const shown = this.#shownBy;
    // What a helper has counted may be a run of its own; then neither of the two is complete.
    if (shown === null || segments.length > 1 || runs.length > 0 || i >= this.#shown.length)
      return Number.POSITIVE_INFINITY;
    return mostShown(shown, index, type);
  }

  /** Whether what `shown` needs of every field are the most frequent of values that are counted by code, of one segment, which is open. */
  mayTotal(shown: FacetOptions): boolean {
    const { segments } = assertPresent(this.#target, 'target of the query');
    if (segments.length > 1 || this.#isGrouped) return false;
    return this.#fields.every(
      ({ index, type, runs }, i) =>
        runs.length === 0 && this.#counts[i].hasHistogram && mostShown(shown, index, type) <= MOST_MAX,
    );
  }

  /**
   * Before the segment ends: writes to `task` what is to be added up of it, with the counters that `parts` of other threads lend, whose runs
   * begin at `starts`, to those of part `adder` (count-totals.ts); false: something else was counted.
   */
  writeTask(task: Uint32Array, parts: readonly Uint32Array[], starts: readonly number[], adder: number): boolean {
    const shown = this.#shownBy;
    if (shown === null || !this.mayTotal(shown)) return false;
    const ends = [...starts];
    const fields: TotalledField[] = [];
    for (const [i, { index, type }] of this.#fields.entries()) {
      const { counters, codes } = this.#counts[i].histogram;
      if (!parts.every((words, part) => isOnlyLent(words, ends[part], codes))) return false;
      const lent = parts.map((words, part) => lentCounters(words, ends[part] + 1));
      const others = lent.filter((_, part) => part !== adder);
      fields.push({ codes, most: mostShown(shown, index, type), counters: [lent[adder], counters, ...others] });
      for (const part of parts.keys()) ends[part] = lentEnd(ends[part] + 1);
    }
    return writeTask(task, fields);
  }

  /** Before the segment ends: another thread does the task. What was counted here stays where it is until takeTotals() or dropTotals(). */
  awaitTotals(): void {
    this.#awaitsTotals = true;
    this.#heldBefore = this.#heap.hold();
  }

  /** Between awaitTotals() and takeTotals() or dropTotals(). */
  get awaitsTotals(): boolean {
    return this.#awaitsTotals;
  }

  /** Takes what was added up. */
  takeTotals(task: Uint32Array): void {
    let at = answerOf(task);
    for (const [i, { runs }] of this.#fields.entries()) {
      const size = task[at++];
      const run = this.#takeRun();
      this.#counts[i].endWith(run, task, at, at + size, size);
      if (size > 0) runs.push(run);
      else this.#spareRuns.push(run);
      at += 2 * size;
    }
    this.dropTotals();
  }

  /** What is being added up is not wanted any more. */
  dropTotals(): void {
    this.#awaitsTotals = false;
    this.#heap.holdOnly(this.#heldBefore);
  }

  get #heap(): ScratchHeap {
    return assertPresent(this.#target, 'target of the query').segments[0].binding.heap;
  }

  /** Ends the query: writes what was counted to `words` from `at` on, which have room for it (query/share/search-part.ts). */
  writeRuns(words: Uint32Array, at: number): void {
    let end = at;
    for (const [i, { runs, isLent: lends }] of this.#fields.entries()) {
      words[end++] = runs.length + (lends ? 1 : 0);
      for (const run of runs) end = run.write(words, end);
      if (lends) end = this.#counts[i].writeLent(words, end);
      this.#counts[i].abandon();
    }
    this.#keepRuns();
  }

  /**
   * Adds what writeRuns() has written from `at` on, of the same fields: to what is counted of the segment that is being collected, if
   * there is one, or as further runs.
   */
  addRuns(words: Uint32Array, at: number): void {
    const { segments } = assertPresent(this.#target, 'target of the query');
    let end = at;
    for (const [i, { runs, index }] of this.#fields.entries()) {
      for (let left = words[end++]; left > 0; left--) {
        const added = this.#counts[i].addRun(words, end);
        if (added > 0) {
          end = added;
          continue;
        }
        const source = segments[words[end]];
        const column = assertPresent(source.column(index), 'column that was counted');
        const run = this.#takeRun();
        end = isLent(words, end) ? readLent(words, end, run, column, source.binding) : run.read(words, end, column);
        runs.push(run);
      }
    }
  }

  /** What was counted of the groups of documents, until the query ends. */
  get groupRuns(): readonly ValueRun[] {
    assert(this.#isGrouped, 'documents are grouped');
    return this.#fields[this.#fields.length - 1].runs;
  }

  /** Ends the query: lets go of what it has counted. */
  end(): void {
    this.#keepRuns();
  }

  get #shown(): readonly FacetField[] {
    return this.#isGrouped ? this.#fields.slice(0, -1) : this.#fields;
  }

  #takeRun(): ValueRun {
    return this.#spareRuns.pop() ?? new ValueRun();
  }

  /**
   * Appends `{"field":{"value":count,...},...}`, the fields as given to begin, each with the values that `options` ask
   * for; then what they ask of numbers, as one more key: `,"facet_stats":{"field":{...},...}`.
   */
  writeJson(writer: JsonWriter, options: FacetOptions): void {
    this.#values.writeJson(writer, this.#shown, assertPresent(this.#target, 'target of the query'), options);
  }

  /** Takes back the runs of the last query, as far as there is room for them. */
  #keepRuns(): void {
    for (const { runs } of this.#fields) this.#spareRuns.push(...runs);
    this.#fields = [];
    this.#target = null;
    this.#counts.length = Math.min(this.#counts.length, KEPT_FIELDS_MAX);
    let entries = 0;
    this.#spareRuns = this.#spareRuns.filter((run) => {
      run.release();
      entries += run.counts.length;
      return entries <= KEPT_ENTRIES_MAX;
    });
  }
}
