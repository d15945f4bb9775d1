/**
 * The best documents by score, by a field of numbers, or by both, kept by kernels in scratch memory.
 *
 * Owned by TopDocs, which says what its methods promise. What is kept lies in the arena of the segment that is being read,
 * so that one kernel can score and offer; a segment in another arena takes it along. Nothing is allocated but room for
 * more segments than ever before.
 */
import { assert, assertPresent } from '../../core/assert.js';
import {
  TOP_COUNT,
  TOP_KEY_BYTES,
  TOP_KEY_COLUMN,
  TOP_KEY_COLUMN_SCORE,
  TOP_KEY_HIGH,
  TOP_KEY_LOW,
  TOP_KEY_SCORE,
  TOP_KEY_SCORE_COLUMN,
  TOP_KEYS,
  TOP_ORDERS_MAX,
  TOP_SCORE,
  TOP_VERDICT_BITS,
} from '../../layout/score-top.js';
import { SCRATCH_OUT_DOCS, SCRATCH_OUT_SCORES, SCRATCH_SCORE_TOP, SCRATCH_TMP } from '../../layout/scratch.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { PageBound } from './page-bound.js';
import { type SortKey, type SortSpec, TEXT_MATCH } from './parse-sort.js';
import type { PlacedDocs } from './placed-docs.js';
import type { PresentedDocs } from './presented-docs.js';
import type { SortSource } from './sort-source.js';

const COUNT_WORD = (SCRATCH_SCORE_TOP + TOP_COUNT) / 4;
const SCORE_WORD = (SCRATCH_SCORE_TOP + TOP_SCORE) / 4;
const KEYS_WORD = (SCRATCH_SCORE_TOP + TOP_KEYS) / 4;
const KEY_WORDS = TOP_KEY_BYTES / 4;
/** Words of a key with the score in front: ~(order, verdict), and the score's bits above another one. */
const ORDER_WORD = TOP_KEY_LOW / 4;
const SCORE_BITS_WORD = TOP_KEY_HIGH / 4 + 1;

const isScore = ({ field, descending }: SortKey): boolean => field === TEXT_MATCH && descending;
const isNumber = ({ field, keyword }: SortKey): boolean => field !== TEXT_MATCH && !keyword;

/** What keys of an order are made of, TOP_KEY_*; -1: they do not fit, other orders are kept by RankedDocs. */
export function keyKindOf({ keys }: SortSpec): number {
  const [first, second] = keys;
  if (keys.length > 2) return -1;
  if (isScore(first)) {
    if (keys.length === 1) return TOP_KEY_SCORE;
    return isNumber(second) ? TOP_KEY_SCORE_COLUMN : -1;
  }
  if (!isNumber(first)) return -1;
  if (keys.length === 1) return TOP_KEY_COLUMN;
  return isScore(second) ? TOP_KEY_COLUMN_SCORE : -1;
}

/** Whether keys of a kind have the score in front. */
export const startsWithScore = (keyKind: number): boolean =>
  keyKind === TOP_KEY_SCORE || keyKind === TOP_KEY_SCORE_COLUMN;

const u32 = new Uint32Array(1);
const f32 = new Float32Array(u32.buffer);

export class KernelTop {
  #size = 0;
  #bound: PageBound | null = null;
  #keyKind = TOP_KEY_SCORE;
  /** The field that the order has; null: none. */
  #column: SortKey | null = null;
  /** Its column in the segment being collected; 0: none. */
  columnPtr = 0;
  /** Of that column; 0: none. */
  #zonesPtr = 0;
  /** The arena that holds the documents kept; null before the first segment. */
  #binding: ArenaBinding | null = null;
  /** By segment presented: the order of its first document, and what it is called. */
  #orderBases = new Float64Array(16);
  #segmentIndexes = new Uint32Array(16);
  #segmentCount = 0;
  /** Orders given to the segments so far. */
  #orders = 0;

  /** `keyKind`: keyKindOf(spec), not -1. `bound`: null unless the order begins with the score. */
  begin({ keys }: SortSpec, keyKind: number, size: number, bound: PageBound | null): void {
    this.#size = size;
    this.#bound = bound;
    this.#keyKind = keyKind;
    this.#column = keyKind === TOP_KEY_SCORE ? null : keys[keyKind === TOP_KEY_SCORE_COLUMN ? 1 : 0];
    this.#binding = null;
    this.#segmentCount = 0;
    this.#orders = 0;
    this.columnPtr = 0;
  }

  beginSegment(source: SortSource, segmentIndex: number): void {
    const { binding, maxDoc } = source;
    if (binding !== this.#binding) this.#enter(binding);
    const segment = this.#segmentCount++;
    if (segment === this.#orderBases.length) this.#growTables();
    this.#orderBases[segment] = this.#orders;
    this.#segmentIndexes[segment] = segmentIndex;
    if (this.#column !== null) this.#beginColumn(this.#column, source);
    this.#orders += maxDoc;
    assert(this.#orders < TOP_ORDERS_MAX, 'documents of a collection fit 30 bits');
  }

  collectChunk(chunkBase: number, listPtr: number, count: number, accPtr: number): void {
    const { kernels, scratch } = assertPresent(this.#binding, 'segment being collected');
    // Without scores all are 0, as TMP is.
    const acc = accPtr === 0 ? scratch.ptr + SCRATCH_TMP : accPtr;
    const orderBase = this.orderBase + chunkBase;
    const byScore = startsWithScore(this.#keyKind) && (accPtr !== 0 || this.#column === null);
    if (byScore) kernels.offerScores(this.ptr, orderBase, listPtr, count, acc);
    else kernels.offerByColumn(this.ptr, orderBase, listPtr, count, acc, scratch.ptr + SCRATCH_OUT_DOCS);
  }

  /** As TopDocs.collectDocs(). */
  collectDocs(docs: Uint32Array, scores: Float32Array): void {
    const { kernels, scratch } = assertPresent(this.#binding, 'segment being collected');
    scratch.u32.set(docs, SCRATCH_OUT_DOCS / 4);
    scratch.f32.set(scores, SCRATCH_OUT_SCORES / 4);
    const [docsPtr, scoresPtr] = [scratch.ptr + SCRATCH_OUT_DOCS, scratch.ptr + SCRATCH_OUT_SCORES];
    kernels.offerDocs(this.ptr, this.orderBase, docsPtr, scoresPtr, docs.length);
  }

  /**
   * As TopDocs.collectBits(), for orders that have a column: false when this one has none. A list of `listPtr` takes documents that may enter.
   */
  collectBits(chunkBase: number, bits: number, docs: number, listPtr: number): boolean {
    if (this.#column === null) return false;
    const { kernels, scratch } = assertPresent(this.#binding, 'segment being collected');
    const zeros = scratch.ptr + SCRATCH_TMP;
    const spread = scratch.ptr + SCRATCH_OUT_DOCS;
    kernels.offerBits(this.ptr, this.orderBase + chunkBase, bits, docs, this.#zonesPtr, zeros, listPtr, spread);
    return true;
  }

  /** As TopDocs.wanted. */
  get wanted(): number {
    return this.#bound?.page ?? this.#size;
  }

  /** As TopDocs.judged. */
  get judged(): PageBound | null {
    return this.#bound?.isJudged ? this.#bound : null;
  }

  /** Where kernels offer documents, in the arena of the segment being collected. */
  get ptr(): number {
    return assertPresent(this.#binding, 'segment being collected').scratch.ptr + SCRATCH_SCORE_TOP;
  }

  /** The order of the segment's first document. */
  get orderBase(): number {
    return this.#orderBases[this.#segmentCount - 1];
  }

  threshold(): number {
    if (this.#binding !== null) return this.#binding.scratch.f32[SCORE_WORD];
    return this.#size === 0 ? Number.POSITIVE_INFINITY : -1;
  }

  /** Ends the collecting as TopDocs.finishWindow() says; with a window of 0 all documents are in order. Returns their count. */
  end(window: number, best: number): number {
    if (this.#binding === null) return 0;
    const { kernels, scratch } = this.#binding;
    return kernels.endTop(scratch.ptr + SCRATCH_SCORE_TOP, window, best);
  }

  /** Gives the documents that come first new scores, and puts the best `sorted` of them in order. */
  rescore(scores: Float32Array, sorted: number): void {
    if (this.#binding === null) return;
    const { kernels, scratch } = this.#binding;
    scratch.f32.set(scores, SCRATCH_OUT_SCORES / 4);
    kernels.rescoreTop(scratch.ptr + SCRATCH_SCORE_TOP, scratch.ptr + SCRATCH_OUT_SCORES, scores.length, sorted);
  }

  /** As TopDocs.rescoreJudged(), but for presenting them. */
  rescoreJudged(count: number, sorted: number): boolean {
    if (this.#binding === null) return false;
    const { kernels, scratch } = this.#binding;
    return kernels.rescoreJudged(scratch.ptr + SCRATCH_SCORE_TOP, count, sorted) !== 0;
  }

  /** As TopDocs.breakNearTies(). */
  groupNearTies(count: number, share: number): void {
    if (this.#binding === null) return;
    const { kernels, scratch } = this.#binding;
    kernels.groupNearTies(scratch.ptr + SCRATCH_SCORE_TOP, count, share);
  }

  /** The arena that holds the documents kept; null before the first segment. */
  get binding(): ArenaBinding | null {
    return this.#binding;
  }

  /** Writes the first `count` documents, at least one, to `placed`, which lies in the same arena. */
  place(placed: PlacedDocs, count: number): void {
    placed.setKeys(this.ptr, this.#orderBases, this.#segmentIndexes, this.#segmentCount, count);
  }

  /** Copies the documents of the ranks [from, to) out. */
  present({ segments, docs, scores }: PresentedDocs, from: number, to: number): void {
    if (this.#binding === null) return;
    const words = this.#binding.scratch.u32;
    const bases = this.#orderBases;
    for (let rank = from, word = KEYS_WORD + from * KEY_WORDS; rank < to; rank++, word += KEY_WORDS) {
      const order = ~words[word + ORDER_WORD] >>> TOP_VERDICT_BITS;
      let segment = 0;
      while (segment + 1 < this.#segmentCount && bases[segment + 1] <= order) segment++;
      segments[rank] = this.#segmentIndexes[segment];
      docs[rank] = order - bases[segment];
      u32[0] = words[word + SCORE_BITS_WORD] >>> 1;
      scores[rank] = f32[0];
    }
  }

  /** Takes what is kept along to another arena. */
  #enter(binding: ArenaBinding): void {
    const { kernels, scratch } = binding;
    if (this.#binding === null) {
      const top = scratch.ptr + SCRATCH_SCORE_TOP;
      kernels.beginTop(top, this.#size, this.#keyKind, this.#column?.descending ? 1 : 0);
      const bound = this.#bound;
      if (bound !== null) kernels.boundPage(top, bound.page, bound.share, bound.wholeShare, bound.whole);
    } else {
      const { u32: from } = this.#binding.scratch;
      const end = KEYS_WORD + KEY_WORDS * from[COUNT_WORD];
      scratch.u32.set(from.subarray(SCRATCH_SCORE_TOP / 4, end), SCRATCH_SCORE_TOP / 4);
    }
    this.#binding = binding;
  }

  #beginColumn({ field }: SortKey, source: SortSource): void {
    const column = source.column(field);
    const segmentPtr = column === null ? 0 : column.views.region.ptr;
    this.columnPtr = column === null ? 0 : segmentPtr + column.offset;
    this.#zonesPtr = column === null ? 0 : column.zonesPtr;
    source.binding.kernels.beginTopColumn(this.ptr, this.orderBase, segmentPtr, this.columnPtr);
  }

  #growTables(): void {
    const bases = new Float64Array(2 * this.#orderBases.length);
    const indexes = new Uint32Array(bases.length);
    bases.set(this.#orderBases);
    indexes.set(this.#segmentIndexes);
    this.#orderBases = bases;
    this.#segmentIndexes = indexes;
  }
}
