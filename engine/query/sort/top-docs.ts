/**
 * Keeps the best documents of a query over its segments, by any list of sort keys.
 *
 * Owned by a reader thread and reused from query to query: begin, then per segment beginSegment, collectChunk for each
 * chunk with matches, endSegment, and at last finish. Segments come in insertion order. The order of a chunk's list and
 * of a segment's chunks never shows in the outcome.
 */
import { assert, assertPresent } from '../../core/assert.js';
import { BLOCK_DOCS_MAX, CandidateFilter } from './candidate-filter.js';
import type { SortSpec } from './parse-sort.js';
import { TEXT_MATCH } from './parse-sort.js';
import { RankedBuffer } from './ranked-buffer.js';
import { SegmentKeys } from './segment-keys.js';
import type { SortSource } from './sort-source.js';

/** The first block of a chunk is small, so that a chunk of ever better documents tightens the bound early. */
const BLOCK_DOCS_FIRST = 256;
/** With fewer documents left than this, most of them candidates, reordering them does not pay. */
const SPREAD_DOCS_MIN = 4096;

export class TopDocs {
  /** The documents kept, by rank from 0; valid after finish() for as many as it returned. */
  segments = new Uint32Array(0);
  docs = new Uint32Array(0);
  scores = new Float32Array(0);
  readonly #buffer = new RankedBuffer();
  #size = 0;
  #byScore = false;
  #tiesMayEnter = false;
  #spec: SortSpec | null = null;
  readonly #segments: SegmentKeys[] = [];
  readonly #segmentIndexes: number[] = [];
  #filter: CandidateFilter | null = null;

  /** Starts a query for the best `size` documents, 0 to SEARCH_WINDOW_MAX, in the order of `spec`. */
  begin(spec: SortSpec, size: number): void {
    assert(spec.keys.length > 0, 'a sort has keys');
    this.#spec = spec;
    this.#size = size;
    this.#byScore = spec.keys[0].field === TEXT_MATCH && spec.keys[0].descending;
    this.#tiesMayEnter = spec.keys.length > 1;
    this.#segments.length = 0;
    this.#segmentIndexes.length = 0;
    this.#filter = null;
    if (size > 0) this.#buffer.begin(size, spec.keys.length);
  }

  /**
   * Goes on to a segment, which is called `segmentIndex` in the outcome. Takes about 144 KiB of its heap until
   * endSegment; its columns must stay readable until finish.
   */
  beginSegment(source: SortSource, segmentIndex: number): void {
    if (this.#size === 0) return;
    const keys = new SegmentKeys(source, assertPresent(this.#spec, 'sort of the query'));
    this.#buffer.settle();
    keys.adopt(this.#buffer, this.#segments);
    this.#filter = new CandidateFilter(keys, this.#buffer, this.#segments.length);
    this.#segments.push(keys);
    this.#segmentIndexes.push(segmentIndex);
  }

  /**
   * Offers `count` matching documents, distinct u16 within the chunk that begins at document `chunkBase`, at absolute
   * address `listPtr`. `accPtr`: f32 scores by document of the chunk, absolute; 0: all scores are 0. Both lie in the
   * thread's scratch and are left as they are.
   */
  collectChunk(chunkBase: number, listPtr: number, count: number, accPtr: number): void {
    if (this.#size === 0) return;
    const filter = assertPresent(this.#filter, 'segment being collected');
    const buffer = this.#buffer;
    filter.beginChunk(chunkBase, accPtr);
    let list = listPtr;
    let left = count;
    let block = BLOCK_DOCS_FIRST;
    let spread = false;
    while (left > 0) {
      const take = Math.min(block, left);
      const filtered = filter.usable && buffer.worst >= 0;
      const found = filtered ? filter.run(list, take) : take;
      this.#offer(chunkBase, filtered ? filter.candidates : list, found, accPtr);
      buffer.settle();
      list += 2 * take;
      left -= take;
      block = Math.min(2 * block, BLOCK_DOCS_MAX);
      if (filtered && !spread && 2 * found > take && left >= SPREAD_DOCS_MIN) {
        list = filter.spread(list, left);
        spread = true;
      }
    }
  }

  /**
   * For orders by falling score: what a document of a later chunk or segment has to reach to enter, or to exceed unless
   * `tiesMayEnter`. -1 while every document enters and for other orders; Infinity when none is wanted.
   */
  threshold(): number {
    if (this.#size === 0) return Number.POSITIVE_INFINITY;
    const { worst, scores } = this.#buffer;
    return this.#byScore && worst >= 0 ? scores[worst] : -1;
  }

  /** Whether a later document with exactly the threshold's score may enter: the order has further keys. */
  get tiesMayEnter(): boolean {
    return this.#tiesMayEnter;
  }

  endSegment(): void {
    this.#filter = null;
  }

  /** Ends the query: fills `segments`, `docs` and `scores` in final order and returns how many documents there are. */
  finish(): number {
    if (this.#size === 0) return 0;
    this.#buffer.finish();
    return this.#end();
  }

  /**
   * As finish(), before rescore(): the first `window` documents come before all others, and the best `best` of them before
   * the rest of them, in no order. Neither is 0.
   */
  finishWindow(window: number, best: number): number {
    if (this.#size === 0) return 0;
    this.#buffer.finishWindow(window, best);
    return this.#end();
  }

  #end(): number {
    const { count } = this.#buffer;
    if (this.docs.length < count) {
      this.segments = new Uint32Array(count);
      this.docs = new Uint32Array(count);
      this.scores = new Float32Array(count);
    }
    this.#present(count);
    this.#segments.length = 0;
    this.#filter = null;
    return count;
  }

  /**
   * After finishWindow(), for orders by falling score: the document of rank r gets score scores[r], none smaller than
   * before. Of as many documents as there are scores the best `sorted` are put in order.
   */
  rescore(scores: Float32Array, sorted: number): void {
    assert(this.#byScore, 'the first key is the score');
    this.#buffer.rescore(scores, sorted);
    this.#present(scores.length);
  }

  /**
   * After finish() or rescore(), for orders by falling score and one more key: among the first `count` documents, in order, those whose score is
   * at least `share` of the best not yet grouped one's are a group, in order of the second key, then of score.
   */
  breakNearTies(count: number, share: number): void {
    assert(this.#byScore && this.#tiesMayEnter, 'a key follows the score');
    const { scores } = this;
    for (let from = 0; from < count; ) {
      let to = from + 1;
      while (to < count && scores[to] >= share * scores[from]) to++;
      if (to > from + 1) this.#buffer.sortBySecondKey(from, to);
      from = to;
    }
    this.#present(count);
  }

  /** Copies the first `count` slots out. */
  #present(count: number): void {
    const buffer = this.#buffer;
    for (let rank = 0; rank < count; rank++) {
      const slot = buffer.order[rank];
      this.segments[rank] = this.#segmentIndexes[buffer.segments[slot]];
      this.docs[rank] = buffer.docs[slot];
      this.scores[rank] = buffer.scores[slot];
    }
  }

  /** Compares each document of the list exactly, and takes in those that enter. */
  #offer(chunkBase: number, listPtr: number, count: number, accPtr: number): void {
    const segment = this.#segments.length - 1;
    const keys = this.#segments[segment];
    const { scratch } = keys.source.binding;
    const buffer = this.#buffer;
    const list = (listPtr - scratch.ptr) / 2;
    const scores = (accPtr - scratch.ptr) / 4;
    for (let i = 0; i < count; i++) {
      const doc = scratch.u16[list + i];
      const score = accPtr === 0 ? 0 : scratch.f32[scores + doc];
      const slot = buffer.nextSlot();
      buffer.segments[slot] = segment;
      buffer.docs[slot] = chunkBase + doc;
      buffer.scores[slot] = score;
      keys.fill(buffer, slot, chunkBase + doc, score);
      buffer.accept();
    }
  }
}
