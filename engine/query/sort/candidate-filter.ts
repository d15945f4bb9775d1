/**
 * Drops the documents that cannot enter the best ones any more, a block of a chunk's list at a time, by kernels.
 *
 * Owned by TopDocs, one a segment. Works through the sort keys: what beats the worst kept document in a key stays, what
 * equals it goes on to the next key, what loses is dropped. The result may hold documents that do not enter; TopDocs
 * compares each one. It never drops one that does.
 */

import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { TEXT_MATCH } from './parse-sort.js';
import { MISSING_KEY, type RankedBuffer } from './ranked-buffer.js';
import type { SegmentKeys } from './segment-keys.js';

/** Documents a block: three lists of them stay in the first-level cache, and counts of a split fit 16 bits. */
export const BLOCK_DOCS_MAX = 2048;
const LIST_BYTES = 2 * BLOCK_DOCS_MAX;

export class CandidateFilter {
  readonly #keys: SegmentKeys;
  readonly #binding: ArenaBinding;
  readonly #buffer: RankedBuffer;
  /** Number of the segment in order of presentation. */
  readonly #segment: number;
  readonly #candidates: number;
  #ties: number;
  #nextTies: number;
  readonly #spread: number;
  #chunkBase = 0;
  #scores = 0;
  /** Outcome of the last split: better documents at its place, equal ones in #nextTies; undecided: all are equal. */
  #better = 0;
  #equal = 0;
  #undecided = false;

  constructor(keys: SegmentKeys, buffer: RankedBuffer, segment: number) {
    const { binding } = keys.source;
    this.#keys = keys;
    this.#binding = binding;
    this.#buffer = buffer;
    this.#segment = segment;
    this.#candidates = binding.heap.allocate(LIST_BYTES);
    this.#ties = binding.heap.allocate(LIST_BYTES);
    this.#nextTies = binding.heap.allocate(LIST_BYTES);
    this.#spread = binding.heap.allocate(2 * CHUNK_DOCS);
  }

  /** Whether the heap had room. Without, every document is a candidate. */
  get usable(): boolean {
    return this.#spread !== 0;
  }

  /** Where run() leaves the candidates: u16 documents at this absolute address. */
  get candidates(): number {
    return this.#candidates;
  }

  beginChunk(chunkBase: number, scores: number): void {
    this.#chunkBase = chunkBase;
    this.#scores = scores;
  }

  /**
   * Leaves the documents of the list that may beat `buffer.worst`, a slot, at `candidates`, and returns their count.
   * `count` is at most BLOCK_DOCS_MAX.
   */
  run(list: number, count: number): number {
    const { keys } = this.#keys.spec;
    let found = 0;
    let from = list;
    let left = count;
    for (let k = 0; k < keys.length && left > 0; k++) {
      const into = this.#candidates + 2 * found;
      if (keys[k].field === TEXT_MATCH) this.#splitByScore(from, left, k, into);
      else this.#splitByField(from, left, k, into);
      found += this.#better;
      left = this.#equal;
      if (this.#undecided) continue;
      from = this.#nextTies;
      this.#nextTies = this.#ties;
      this.#ties = from;
    }
    const docEnd = left === 0 ? 0 : this.#tiedDocEnd();
    if (docEnd === 0) return found;
    return found + this.#binding.kernels.selectBelow(from, left, docEnd, this.#candidates + 2 * found);
  }

  /**
   * A copy of the list in an order that has nothing to do with the documents' order. Values that grow with the
   * insertion, as dates do, would otherwise make every document the best so far.
   */
  spread(list: number, count: number): number {
    this.#binding.kernels.spreadList(list, count, this.#spread);
    return this.#spread;
  }

  /** Documents of the chunk below this come before the worst one when every key is equal. */
  #tiedDocEnd(): number {
    const { worst, segments, docs } = this.#buffer;
    if (segments[worst] !== this.#segment) return 0;
    return Math.min(Math.max(docs[worst] - this.#chunkBase, 0), CHUNK_DOCS);
  }

  #splitByScore(list: number, count: number, k: number, into: number): void {
    const bound = this.#buffer.scores[this.#buffer.worst];
    const { descending } = this.#keys.spec.keys[k];
    if (this.#scores !== 0) {
      const { kernels } = this.#binding;
      const split = kernels.splitByScore(list, count, this.#scores, bound, descending ? 1 : 0, into, this.#nextTies);
      this.#setSplit(split);
    } else if (bound === 0) this.#allEqual(count);
    else if (descending) this.#setSplit(0);
    else this.#allBetter(list, count, into);
  }

  #splitByField(list: number, count: number, k: number, into: number): void {
    const { keyHi, keyLo, worst } = this.#buffer;
    const at = worst * this.#keys.spec.keys.length + k;
    const column = this.#keys.columns[k];
    if (column === null) {
      if (keyHi[at] === MISSING_KEY) this.#allEqual(count);
      else this.#setSplit(0);
    } else if (keyHi[at] === MISSING_KEY) {
      const { ptr } = column.views.region;
      const { kernels } = this.#binding;
      const pointer = ptr + column.offset;
      const split = kernels.splitByPresence(list, count, this.#chunkBase, ptr, pointer, into, this.#nextTies);
      this.#setSplit(split);
    } else this.#splitByValue(list, count, k, into, column, keyHi[at], keyLo[at]);
  }

  #splitByValue(
    list: number,
    count: number,
    k: number,
    into: number,
    column: ColumnReader,
    keyHi: number,
    keyLo: number,
  ): void {
    const key = this.#keys.spec.keys[k];
    const descending = key.descending ? 1 : 0;
    const sign = key.descending ? -1 : 1;
    let hi = sign * keyHi;
    let lo = sign * keyLo;
    let foreign = false;
    if (key.keyword) {
      foreign = !Number.isInteger(hi);
      // A foreign value lies between two ordinals: compare with the one beyond it, and never mind the equal ones.
      lo = foreign ? (key.descending ? hi - 0.5 : hi + 0.5) : hi;
      hi = lo < 0 ? -1 : 0;
    }
    const { ptr } = column.views.region;
    const split = this.#binding.kernels.splitByColumn(
      list,
      count,
      this.#chunkBase,
      ptr,
      ptr + column.offset,
      descending,
      hi,
      lo,
      into,
      this.#nextTies,
    );
    this.#setSplit(foreign ? split & 0xffff : split);
  }

  #setSplit(split: number): void {
    this.#better = split & 0xffff;
    this.#equal = split >>> 16;
    this.#undecided = false;
  }

  #allEqual(count: number): void {
    this.#better = 0;
    this.#equal = count;
    this.#undecided = true;
  }

  #allBetter(list: number, count: number, into: number): void {
    this.#better = this.#binding.kernels.selectBelow(list, count, CHUNK_DOCS, into);
    this.#equal = 0;
    this.#undecided = false;
  }
}
