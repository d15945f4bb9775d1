/**
 * Keeps the best documents of a query over its segments, by any list of sort keys.
 *
 * Owned by a reader thread and reused from query to query: begin, then per segment beginSegment, collectChunk for each
 * chunk with matches, or collectDocs, endSegment, and at last finish. Segments come in insertion order. The order of a chunk's list and
 * of a segment's chunks never shows in the outcome.
 */
import { assert } from '../../core/assert.js';
import { SEARCH_WINDOW_MAX } from '../../core/limits.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import { KernelTop, keyKindOf, startsWithScore } from './kernel-top.js';
import type { PageBound } from './page-bound.js';
import type { SortSpec } from './parse-sort.js';
import { TEXT_MATCH } from './parse-sort.js';
import type { PlacedDocs } from './placed-docs.js';
import { RankedDocs } from './ranked-docs.js';
import type { SortSource } from './sort-source.js';

export class TopDocs {
  /** The documents kept, by rank from 0; valid after finish() for as many as it returned. */
  segments = new Uint32Array(0);
  docs = new Uint32Array(0);
  scores = new Float32Array(0);
  /** What keeps the documents of orders whose keys fit it, and of all others. */
  readonly #kernelTop = new KernelTop();
  readonly #ranked = new RankedDocs();
  #byKernels = false;
  #byScore = false;
  #tiesMayEnter = false;

  /**
   * Starts a query for the best `size` documents, 0 to SEARCH_WINDOW_MAX, in the order of `spec`. With a `bound`, for an order
   * by falling score, only those of them are sure to be kept that may be on the page.
   */
  begin(spec: SortSpec, size: number, bound: PageBound | null = null): void {
    assert(spec.keys.length > 0, 'a sort has keys');
    this.#byScore = spec.keys[0].field === TEXT_MATCH && spec.keys[0].descending;
    this.#tiesMayEnter = spec.keys.length > 1;
    const keyKind = keyKindOf(spec);
    this.#byKernels = keyKind >= 0;
    if (this.#byKernels) this.#kernelTop.begin(spec, keyKind, size, bound);
    else this.#ranked.begin(spec, size);
  }

  /**
   * Goes on to a segment, which is called `segmentIndex` in the outcome. An order that RankedDocs keeps takes about 144 KiB
   * of the segment's heap until endSegment; its columns must stay readable until finish.
   */
  beginSegment(source: SortSource, segmentIndex: number): void {
    if (this.#byKernels) this.#kernelTop.beginSegment(source, segmentIndex);
    else this.#ranked.beginSegment(source, segmentIndex);
  }

  /**
   * Offers `count` matching documents, distinct u16 within the chunk that begins at document `chunkBase`, at absolute
   * address `listPtr`. `accPtr`: f32 scores by document of the chunk, absolute; 0: all scores are 0. Both lie in the
   * thread's scratch and are left as they are.
   */
  collectChunk(chunkBase: number, listPtr: number, count: number, accPtr: number): void {
    if (this.#byKernels) this.#kernelTop.collectChunk(chunkBase, listPtr, count, accPtr);
    else this.#ranked.collectChunk(chunkBase, listPtr, count, accPtr);
  }

  /**
   * As collectChunk(), for documents docs[i] of the segment with the scores scores[i], at most SEARCH_WINDOW_MAX of them. Where kernels write
   * documents and scores in the thread's scratch is overwritten.
   */
  collectDocs(docs: Uint32Array, scores: Float32Array): void {
    assert(docs.length <= SEARCH_WINDOW_MAX, 'there is room for what is offered at once');
    if (this.#byKernels) this.#kernelTop.collectDocs(docs, scores);
    else this.#ranked.collectDocs(docs, scores);
  }

  /**
   * As collectChunk() without scores, for the documents whose bits are set among the `docs` of a chunk at absolute address `bits`; bits past
   * them are 0. `listPtr`: room for a list of them. false: this order wants a list.
   */
  collectBits(chunkBase: number, bits: number, docs: number, listPtr: number): boolean {
    return this.#byKernels && this.#kernelTop.collectBits(chunkBase, bits, docs, listPtr);
  }

  /** Whether kernels may offer documents themselves where scoreTopPtr says, instead of collectChunk. */
  static takesScores(spec: SortSpec): boolean {
    return startsWithScore(keyKindOf(spec));
  }

  /**
   * For orders that take scores: where kernels/score-top.ts takes documents of the segment being collected. Document d has
   * the order `orderBase` + d there.
   */
  get scoreTopPtr(): number {
    return this.#kernelTop.ptr;
  }

  get orderBase(): number {
    return this.#kernelTop.orderBase;
  }

  /** Address of the segment's column by which equal scores are in order; 0: there is none. */
  get columnPtr(): number {
    return this.#kernelTop.columnPtr;
  }

  /**
   * For orders by falling score: what a document of a later chunk or segment has to reach to enter, or to exceed unless
   * `tiesMayEnter`. -1 while every document enters and for other orders; Infinity when none is wanted.
   */
  threshold(): number {
    return this.#byKernels ? this.#kernelTop.threshold() : this.#ranked.threshold();
  }

  /** For orders that take scores: how many documents there have to be before one of them can be left out. */
  get wanted(): number {
    return this.#kernelTop.wanted;
  }

  /** For orders that take scores: what bounds documents whose bonuses are told with their scores; null: they are not told. */
  get judged(): PageBound | null {
    return this.#byKernels ? this.#kernelTop.judged : null;
  }

  /** Whether a later document with exactly the threshold's score may enter: the order has further keys. */
  get tiesMayEnter(): boolean {
    return this.#tiesMayEnter;
  }

  endSegment(): void {
    if (!this.#byKernels) this.#ranked.endSegment();
  }

  /** Ends the query: fills `segments`, `docs` and `scores` in final order and returns how many documents there are. */
  finish(): number {
    return this.#end(0, 0);
  }

  /**
   * As finish(), before rescore(): the first `window` documents come before all others, and the best `best` of them before
   * the rest of them, in no order. Neither is 0. Only those behind the window are to be found in `segments`, `docs` and `scores`.
   */
  finishWindow(window: number, best: number): number {
    return this.#end(window, best);
  }

  /** As finish(), in no order. */
  finishUnordered(): number {
    const count = this.#endCollecting(SEARCH_WINDOW_MAX, SEARCH_WINDOW_MAX);
    this.#present(0, count);
    return count;
  }

  /** The arena that holds the documents kept; null: none does, as for orders that kernels do not keep. */
  get binding(): ArenaBinding | null {
    return this.#byKernels ? this.#kernelTop.binding : null;
  }

  /** After finishWindow(): writes the first `count` documents to `placed`, in the arena `binding` unless that is null. */
  placeWindow(placed: PlacedDocs, count: number): void {
    if (this.#byKernels) this.#kernelTop.place(placed, count);
    else this.#ranked.place(placed, count);
  }

  #end(window: number, best: number): number {
    const count = this.#endCollecting(window, best);
    this.#present(Math.min(window, count), count);
    return count;
  }

  /** As finishWindow(), without what is to be found then; but for that there is room. */
  #endCollecting(window: number, best: number): number {
    const count = this.#byKernels ? this.#kernelTop.end(window, best) : this.#ranked.end(window, best);
    if (this.docs.length < count) {
      this.segments = new Uint32Array(count);
      this.docs = new Uint32Array(count);
      this.scores = new Float32Array(count);
    }
    return count;
  }

  /**
   * After finishWindow(), for orders by falling score: the document of rank r gets score scores[r], none smaller than
   * before. Of as many documents as there are scores the best `sorted` are put in order; what `segments`, `docs` and
   * `scores` hold behind these is undefined, up to where there are no scores.
   */
  rescore(scores: Float32Array, sorted: number): void {
    assert(this.#byScore, 'the first key is the score');
    if (this.#byKernels) this.#kernelTop.rescore(scores, sorted);
    else this.#ranked.rescore(scores, sorted);
    this.#present(0, Math.min(sorted, scores.length));
  }

  /**
   * As rescore() of the first `count` documents, at least one, with what their bonuses make of their scores; false: that was not told of all
   * of them, and nothing has changed.
   */
  rescoreJudged(count: number, sorted: number): boolean {
    if (!this.#byKernels || this.judged === null || !this.#kernelTop.rescoreJudged(count, sorted)) return false;
    this.#present(0, Math.min(sorted, count));
    return true;
  }

  /**
   * After finish() or rescore(), for orders by falling score and one more key: among the first `count` documents, in
   * order, those whose score is at least `share` of the best not yet grouped one's are a group, in order of the second
   * key, then of score.
   */
  breakNearTies(count: number, share: number): void {
    assert(this.#byScore && this.#tiesMayEnter, 'a key follows the score');
    if (this.#byKernels) this.#kernelTop.groupNearTies(count, share);
    else this.#ranked.groupNearTies(count, share);
    this.#present(0, count);
  }

  /** Copies the documents of the ranks [from, to) out. */
  #present(from: number, to: number): void {
    if (this.#byKernels) this.#kernelTop.present(this, from, to);
    else this.#ranked.present(this, from, to);
  }
}
