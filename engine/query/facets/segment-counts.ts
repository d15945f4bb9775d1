/**
 * Counts the values of one field over the matches of one segment, chunk by chunk.
 *
 * Owned by FacetCollector, one a field, reused from segment to segment. Few matches are counted in a hash table, many in
 * a histogram by code, on the arena's heap and by kernels; where the codes are too many for that, in the hash table.
 */
import { assert, assertPresent } from '../../core/assert.js';
import { FACET_BYTES, FACET_CODE_COUNT, FACET_COLUMN, FACET_COUNTS } from '../../layout/facet-counts.js';
import type { ArenaBinding, Scratch } from '../../memory/kernel-instance.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import { CodeCounter } from './code-counter.js';
import { takeHistogram } from './histogram.js';
import { isLent, lentCodes, lentCounters, lentEnd, lentMatches, writeLent } from './lent-counts.js';
import type { ValueRun } from './value-run.js';

/** Up to this many codes, clearing and reading a histogram costs nothing worth saving. */
const SMALL_CODES_MAX = 4096;
/** Bytes of the scratch heap, of 40 MiB, beyond which so many are taken that nothing of it is lent. */
const LENT_HEAP_MAX = 4 << 20;
/** A histogram is due when the matches reach this share of its counters. */
const CODES_PER_MATCH = 8;

export class SegmentCounts {
  readonly #codes = new CodeCounter();
  readonly #budget: ReadBudget;
  #binding: ArenaBinding | null = null;
  #column: ColumnReader | null = null;
  #segment = 0;
  /** Counters a histogram needs; Infinity where codes are too wide for one. */
  #codeCount = 0;
  /** Absolute address of the histogram, or 0 while codes are hashed. */
  #histogram = 0;
  #matches = 0;
  /** Of several values of a document the least one alone is counted. */
  #countsFirst = false;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /**
   * Starts on a column of segment `segment` in the bound arena; null: the segment has no such field. `countsFirst`: of several values
   * of a document only the least one is counted.
   */
  begin(column: ColumnReader | null, binding: ArenaBinding, segment: number, countsFirst = false): void {
    this.#column = column;
    this.#segment = segment;
    this.#binding = binding;
    this.#histogram = 0;
    this.#matches = 0;
    this.#codes.clear();
    if (column === null) return;
    this.#countsFirst = countsFirst && column.multi;
    // Kernels count all values.
    this.#codeCount = this.#countsFirst ? Number.POSITIVE_INFINITY : countCodes(column);
    if (this.#codeCount <= SMALL_CODES_MAX) this.#makeHistogram();
  }

  /** Lets go of a segment that was not ended. */
  abandon(): void {
    this.#column = null;
    this.#binding = null;
    this.#histogram = 0;
    this.#codes.clear();
  }

  /** Adds the `count` u16 documents at absolute address `list`, which lies in the thread's scratch. */
  collect(chunkBase: number, list: number, count: number): void {
    const column = this.#column;
    if (column === null) return;
    const binding = assertPresent(this.#binding, 'arena of the segment');
    this.#matches += count;
    this.expect(this.#matches);
    if (this.#histogram === 0) {
      this.#hash(column, binding, chunkBase, list, count);
    } else {
      const { ptr } = column.views.region;
      binding.kernels.countCodes(list, count, chunkBase, ptr, ptr + column.offset, this.#histogram, this.#codeCount);
    }
  }

  /**
   * As collect(), for the `count` documents whose bits are set among the `docs` of a chunk at absolute address `bits`; bits past them
   * are 0. `list`: room for a list of them.
   */
  collectBits(chunkBase: number, bits: number, docs: number, count: number, list: number): void {
    const column = this.#column;
    if (column === null) return;
    const binding = assertPresent(this.#binding, 'arena of the segment');
    const { kernels } = binding;
    this.#matches += count;
    this.expect(this.#matches);
    if (this.#histogram === 0) {
      this.#hash(column, binding, chunkBase, list, kernels.listChunk(bits, 0, docs, list, docs));
    } else {
      const { ptr } = column.views.region;
      kernels.countCodesOfBits(bits, docs, chunkBase, ptr, ptr + column.offset, this.#histogram, this.#codeCount);
    }
  }

  /** Whether the values of `expected` matches or so are counted in a histogram, from now on; of a segment without the field there are none. */
  makesHistogram(expected: number): boolean {
    if (this.#column === null) return true;
    this.expect(expected);
    return this.#histogram !== 0;
  }

  /** The segment has `expected` matches or so in all: goes over to a histogram if these make one due. */
  expect(expected: number): void {
    if (this.#column === null || this.#histogram !== 0) return;
    if (CODES_PER_MATCH * expected >= this.#codeCount) this.#makeHistogram();
  }

  /** Writes the histogram as a kernel counts in it to `at` (layout/facet-counts.ts), if the segment has the field; returns where it ends. */
  writeRecord({ u32, ptr }: Scratch, at: number): number {
    const column = this.#column;
    if (column === null) return at;
    const word = (at - ptr) / 4;
    u32[word + FACET_COLUMN / 4] = column.views.region.ptr + column.offset;
    u32[word + FACET_COUNTS / 4] = this.#histogram;
    u32[word + FACET_CODE_COUNT / 4] = this.#codeCount;
    return at + FACET_BYTES;
  }

  /** Tells that a kernel has counted `count` matches. */
  addCounted(count: number): void {
    this.#matches += count;
  }

  /**
   * Adds what another thread has counted of the segment, a run or counters that it lends, as they are written in `words` from `at` on
   * (query/share/search-part.ts); returns where that ends. 0: it is of another segment, or its values are not counted by code here.
   */
  addRun(words: Uint32Array, at: number): number {
    const column = this.#column;
    if (column === null || words[at] !== this.#segment) return 0;
    if (isLent(words, at)) return this.#addLent(words, at);
    return column.kind === 'keyword' && this.#histogram !== 0 ? this.#addEntries(words, at) : 0;
  }

  #addLent(words: Uint32Array, at: number): number {
    if (this.#histogram === 0 && this.#codeCount !== Number.POSITIVE_INFINITY) this.#makeHistogram();
    if (this.#histogram === 0) return 0;
    const { kernels } = assertPresent(this.#binding, 'arena of the segment');
    assert(lentCodes(words, at) === this.#codeCount, 'both count the same codes');
    kernels.addCounts(this.#histogram, lentCounters(words, at), this.#codeCount);
    this.#matches += lentMatches(words, at);
    return lentEnd(at);
  }

  #addEntries(words: Uint32Array, at: number): number {
    const { u32, ptr } = assertPresent(this.#binding, 'arena of the segment').scratch;
    const base = (this.#histogram - ptr) / 4;
    const size = words[at + 1];
    const counts = at + 2 + size;
    for (let ord = at + 2; ord < counts; ord++) {
      assert(words[ord] < this.#codeCount, 'an ordinal is one of the column');
      u32[base + words[ord]] += words[ord + size];
    }
    // Each of its values may occur in a document that was not counted here.
    this.#matches += size;
    return counts + size;
  }

  /** Writes to `words`, from `at` on, where the histogram is, which the heap holds from now on; returns where that ends. */
  writeLent(words: Uint32Array, at: number): number {
    assert(this.#histogram !== 0, 'values are counted by code');
    assertPresent(this.#binding, 'arena of the segment').heap.hold();
    return writeLent(words, at, this.#segment, this.#histogram, this.#codeCount, this.#matches);
  }

  /** The histogram, which stays where it is until what is held of the heap is let go. */
  get histogram(): { readonly counters: number; readonly codes: number } {
    assert(this.#histogram !== 0, 'values are counted by code');
    return { counters: this.#histogram, codes: this.#codeCount };
  }

  /** Ends the segment: its most frequent values were found elsewhere, the `size` codes and counts in `words`, and go to `run`. */
  endWith(run: ValueRun, words: Uint32Array, codes: number, counts: number, size: number): void {
    run.begin(assertPresent(this.#column, 'column being counted'), this.#segment, size);
    run.addCodes(words, codes, counts, size);
    run.isInOrder = true;
    this.abandon();
  }

  /** Whether the histogram may be lent: other reads have enough of the heap beside it. */
  get isLendable(): boolean {
    return this.hasHistogram && assertPresent(this.#binding, 'arena of the segment').heap.used <= LENT_HEAP_MAX;
  }

  /** Whether values of a segment that has not ended are counted by code. */
  get hasHistogram(): boolean {
    return this.#column !== null && this.#histogram !== 0;
  }

  /** Whether the segment has the field. */
  get hasColumn(): boolean {
    return this.#column !== null;
  }

  /**
   * Ends the segment: moves what was counted to `run`; of that at least the `most` most frequent values.
   */
  end(run: ValueRun, most: number): void {
    const column = assertPresent(this.#column, 'column being counted');
    if (this.#histogram === 0) this.#drainHash(column, run);
    else this.#drainHistogram(column, run, most);
    this.abandon();
  }

  /** Goes over to a histogram if the heap has room and leaves as much to others. */
  #makeHistogram(): void {
    const { heap, kernels, scratch } = assertPresent(this.#binding, 'arena of the segment');
    const bytes = 4 * this.#codeCount;
    // The kernel counts narrow codes without a look at how many there are, and wide ones that are too large behind all.
    const { width } = assertPresent(this.#column, 'column being counted');
    const room = Math.max(bytes, width < 4 ? 4 << (8 * width) : 0) + 4;
    const ptr = 2 * room <= heap.free ? heap.allocate(room) : 0;
    if (ptr === 0) {
      this.#codeCount = Number.POSITIVE_INFINITY;
      return;
    }
    kernels.clearCounts(ptr, bytes);
    const base = (ptr - scratch.ptr) / 4;
    const { lo, counts, slotCount, size } = this.#codes;
    for (let slot = 0; size > 0 && slot < slotCount; slot++) {
      if (counts[slot] === 0) continue;
      assert(lo[slot] < this.#codeCount, 'a code is one of the column');
      scratch.u32[base + lo[slot]] = counts[slot];
    }
    this.#histogram = ptr;
  }

  #hash(column: ColumnReader, binding: ArenaBinding, chunkBase: number, list: number, count: number): void {
    const { scratch } = binding;
    const at = (list - scratch.ptr) / 2;
    if (column.width === 8 && !column.multi) {
      this.#hashWide(column, scratch.u16, chunkBase, at, at + count);
      return;
    }
    const codes = this.#codes;
    /** Values that are left until the budget is asked: how many a document has is up to who sends it. */
    let left = CHECK_EVERY;
    for (let i = at; i < at + count; i++) {
      const doc = chunkBase + scratch.u16[i];
      const first = column.firstIndex(doc);
      const end = this.#countsFirst ? Math.min(first + 1, column.endIndex(doc)) : column.endIndex(doc);
      for (let index = first; index < end; index++) {
        codes.add(column.codeLo(index), column.codeHi(index));
        if (--left > 0) continue;
        this.#budget.check();
        left = CHECK_EVERY;
      }
    }
  }

  /** The work of #hash for one value a document of 64 bits, as floats are: no other column sends it many documents. */
  #hashWide(column: ColumnReader, docs: Uint16Array, chunkBase: number, from: number, to: number): void {
    const counter = this.#codes;
    const { codes } = column;
    const full = column.present.length === 0;
    for (let i = from; i < to; i++) {
      const doc = chunkBase + docs[i];
      if (full || column.has(doc)) counter.add(codes[2 * doc], codes[2 * doc + 1]);
    }
  }

  #drainHash(column: ColumnReader, run: ValueRun): void {
    const { lo, hi, counts, slotCount, size } = this.#codes;
    run.begin(column, this.#segment, size);
    for (let slot = 0; size > 0 && slot < slotCount; slot++) {
      if ((slot & (CHECK_EVERY - 1)) === 0) this.#budget.check();
      if (counts[slot] !== 0) run.add(lo[slot], hi[slot], counts[slot]);
    }
  }

  #drainHistogram(column: ColumnReader, run: ValueRun, most: number): void {
    const binding = assertPresent(this.#binding, 'arena of the segment');
    const codeCount = this.#codeCount;
    run.begin(column, this.#segment, column.multi ? codeCount : Math.min(codeCount, this.#matches));
    takeHistogram(binding, this.#histogram, codeCount, most, run);
  }
}

/** Codes a column can have: one more than its largest. */
function countCodes(column: ColumnReader): number {
  if (column.kind === 'keyword') return column.cardinality;
  return column.width === 8 ? Number.POSITIVE_INFINITY : column.maxCodeLo + 1;
}
