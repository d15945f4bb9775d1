/**
 * The documents that get bonuses, as kernels/bonus-window.ts works on them, in the scratch memory of one arena. Laid out once a
 * query by bonuses.ts, filled by what has kept the documents (TopDocs). Layout: layout/bonus-window.ts.
 */
import {
  PRESENTED_BYTES,
  WINDOW_BYTES,
  WINDOW_COUNT,
  WINDOW_END,
  WINDOW_EXACTNESS,
  WINDOW_FINAL,
  WINDOW_FIRST,
  WINDOW_HAS_PAIRS,
  WINDOW_MARGIN,
  WINDOW_NEARNESS,
  WINDOW_ORDERS_TIES,
  WINDOW_PLACES,
  WINDOW_SCORES,
  WINDOW_STATES,
  WINDOW_WHOLE,
} from '../../layout/bonus-window.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import { allocateScratch } from '../scratch-memory.js';
import type { PlacedDocs } from '../sort/placed-docs.js';

/** What the window is looked at for. */
export interface WindowUse {
  readonly count: number;
  /** Documents whose ranks are below this are the best by BM25. */
  readonly first: number;
  /** Documents up to the end of the page. */
  readonly end: number;
  /** Documents with a score below that of the page's last one, times this, cannot be on it. */
  readonly margin: number;
  /** Whether documents of equal scores are in order of insertion. */
  readonly ordersTies: boolean;
  /** Whether the query has neighbouring slots. */
  readonly hasPairs: boolean;
}

export class BonusWindow implements PlacedDocs {
  readonly binding: ArenaBinding;
  /** Where the kernels find it. */
  readonly ptr: number;
  /** Of how many documents the bonuses are not known yet. */
  unknown: number;
  /** The same in bytes from the scratch base. */
  readonly #offset: number;

  /** Takes memory from the heap of `binding`. */
  constructor(binding: ArenaBinding, use: WindowUse) {
    this.binding = binding;
    this.unknown = use.count;
    this.ptr = allocateScratch(binding, WINDOW_BYTES);
    this.#offset = this.ptr - binding.scratch.ptr;
    const { u32, f32, f64 } = binding.scratch;
    const word = this.#offset >> 2;
    u32[word + (WINDOW_COUNT >> 2)] = use.count;
    u32[word + (WINDOW_FIRST >> 2)] = use.first;
    u32[word + (WINDOW_END >> 2)] = use.end;
    u32[word + (WINDOW_ORDERS_TIES >> 2)] = use.ordersTies ? 1 : 0;
    u32[word + (WINDOW_HAS_PAIRS >> 2)] = use.hasPairs ? 1 : 0;
    f32[word + (WINDOW_WHOLE >> 2)] = 0;
    f64[(this.#offset + WINDOW_MARGIN) >> 3] = use.margin;
  }

  set(rank: number, segment: number, doc: number, score: number): void {
    const { u8, u32, f32 } = this.binding.scratch;
    u8[this.#offset + WINDOW_STATES + rank] = 0;
    const place = ((this.#offset + WINDOW_PLACES) >> 2) + 2 * rank;
    u32[place] = doc;
    u32[place + 1] = segment;
    f32[((this.#offset + WINDOW_SCORES) >> 2) + rank] = score;
  }

  setKeys(
    top: number,
    orderBases: ArrayLike<number>,
    segments: ArrayLike<number>,
    presented: number,
    count: number,
  ): void {
    const { heap, kernels, scratch } = this.binding;
    const mark = heap.mark();
    const table = allocateScratch(this.binding, presented * PRESENTED_BYTES);
    for (let i = 0, word = (table - scratch.ptr) >> 2; i < presented; i++) {
      scratch.u32[word++] = orderBases[i];
      scratch.u32[word++] = segments[i];
    }
    this.unknown = kernels.fillWindow(this.ptr, top, table, presented, count);
    heap.release(mark);
  }

  nearness(rank: number): number {
    return this.binding.scratch.f64[((this.#offset + WINDOW_NEARNESS) >> 3) + rank];
  }

  exactness(rank: number): number {
    return this.binding.scratch.f64[((this.#offset + WINDOW_EXACTNESS) >> 3) + rank];
  }

  /** The scores of all documents with their bonuses, which kernels have written. */
  finalScores(count: number): Float32Array {
    const from = (this.#offset + WINDOW_FINAL) >> 2;
    return this.binding.scratch.f32.subarray(from, from + count);
  }
}
