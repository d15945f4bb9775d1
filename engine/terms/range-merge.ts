/**
 * Walks ranges of several dictionaries' terms side by side, in byte order: each distinct term once, with its ordinals.
 *
 * For queries that must add something up over segments for every term of large ranges: a step costs a few comparisons,
 * where looking each term up in each other dictionary costs a search. Allocates nothing per term.
 */
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import type { TermCursor } from './term-cursor.js';
import type { TermDictionary } from './term-dictionary.js';

/** Term ordinals [low, high) of one dictionary: low, high, repeated. */
export type OrdRanges = readonly number[];

/** One dictionary in the walk: its cursor stands on a term of range [at, at + 1]. */
interface Source {
  readonly number: number;
  readonly cursor: TermCursor;
  readonly ranges: OrdRanges;
  at: number;
}

export class RangeMerge {
  /** The current term is `bytes[0, length)`. */
  readonly bytes = new Uint8Array(TOKEN_BYTES_MAX);
  length = 0;
  /** How many of the dictionaries have it within their ranges, which ones, and its ordinals there. */
  holderCount = 0;
  readonly holders: Uint32Array;
  readonly ords: Uint32Array;
  /** A binary heap by current term. */
  readonly #heap: Source[] = [];

  /** Before the first term. `ranges`, by dictionary, in any order; what they have twice is walked once. */
  constructor(dictionaries: readonly TermDictionary[], ranges: readonly OrdRanges[]) {
    this.holders = new Uint32Array(dictionaries.length);
    this.ords = new Uint32Array(dictionaries.length);
    dictionaries.forEach((dictionary, number) => {
      const disjoint = joinRanges(ranges[number]);
      if (disjoint.length === 0) return;
      const cursor = dictionary.iterate();
      cursor.seek(disjoint[0]);
      this.#heap.push({ number, cursor, ranges: disjoint, at: 0 });
    });
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#siftDown(i);
  }

  /** Moves to the next term; false when there is none. */
  next(): boolean {
    const heap = this.#heap;
    this.holderCount = 0;
    if (heap.length === 0) return false;
    const first = heap[0].cursor;
    this.length = first.length;
    for (let i = 0; i < first.length; i++) this.bytes[i] = first.bytes[i];
    do this.#takeFirst();
    while (heap.length > 0 && this.#isCurrent(heap[0].cursor));
    return true;
  }

  /** Notes the first source as a holder of the current term and moves it on. */
  #takeFirst(): void {
    const heap = this.#heap;
    const source = heap[0];
    this.holders[this.holderCount] = source.number;
    this.ords[this.holderCount++] = source.cursor.ord;
    if (!advance(source)) {
      const last = heap.pop() as Source;
      if (heap.length === 0) return;
      heap[0] = last;
    }
    this.#siftDown(0);
  }

  #isCurrent(cursor: TermCursor): boolean {
    if (cursor.length !== this.length) return false;
    for (let i = this.length - 1; i >= 0; i--) if (cursor.bytes[i] !== this.bytes[i]) return false;
    return true;
  }

  #siftDown(from: number): void {
    const heap = this.#heap;
    const moved = heap[from];
    let hole = from;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && precedes(heap[child + 1].cursor, heap[child].cursor)) child++;
      if (!precedes(heap[child].cursor, moved.cursor)) break;
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = moved;
  }
}

/** Moves to the next term of the ranges; false when there is none. */
function advance(source: Source): boolean {
  const { cursor, ranges } = source;
  if (cursor.ord + 1 < ranges[source.at + 1]) return cursor.next();
  source.at += 2;
  if (source.at === ranges.length) return false;
  cursor.seek(ranges[source.at]);
  return true;
}

/** Whether the term of `a` comes before that of `b` in byte order. */
function precedes(a: TermCursor, b: TermCursor): boolean {
  const end = Math.min(a.length, b.length);
  const left = a.bytes;
  const right = b.bytes;
  for (let i = 0; i < end; i++) if (left[i] !== right[i]) return left[i] < right[i];
  return a.length < b.length;
}

/** The same ordinals as ascending, disjoint, non-empty ranges. */
function joinRanges(ranges: OrdRanges): OrdRanges {
  const order: number[] = [];
  for (let i = 0; i < ranges.length; i += 2) if (ranges[i] < ranges[i + 1]) order.push(i);
  order.sort((a, b) => ranges[a] - ranges[b]);
  const joined: number[] = [];
  for (const i of order) {
    if (joined.length > 0 && ranges[i] <= joined[joined.length - 1])
      joined[joined.length - 1] = Math.max(joined[joined.length - 1], ranges[i + 1]);
    else joined.push(ranges[i], ranges[i + 1]);
  }
  return joined;
}
