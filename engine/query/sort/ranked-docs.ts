/**
 * The best documents by any list of sort keys: kernels drop what cannot enter, the rest is compared exactly.
 *
 * Owned by TopDocs, which says what its methods promise.
 */
import { assertPresent } from '../../core/assert.js';
import { BLOCK_DOCS_MAX, CandidateFilter } from './candidate-filter.js';
import type { SortSpec } from './parse-sort.js';
import { TEXT_MATCH } from './parse-sort.js';
import type { PlacedDocs } from './placed-docs.js';
import type { PresentedDocs } from './presented-docs.js';
import { RankedBuffer } from './ranked-buffer.js';
import { SegmentKeys } from './segment-keys.js';
import type { SortSource } from './sort-source.js';

/** The first block of a chunk is small, so that a chunk of ever better documents tightens the bound early. */
const BLOCK_DOCS_FIRST = 256;
/** With fewer documents left than this, most of them candidates, reordering them does not pay. */
const SPREAD_DOCS_MIN = 4096;

export class RankedDocs {
  readonly #buffer = new RankedBuffer();
  #size = 0;
  #byScore = false;
  #spec: SortSpec | null = null;
  readonly #segments: SegmentKeys[] = [];
  readonly #segmentIndexes: number[] = [];
  #filter: CandidateFilter | null = null;

  begin(spec: SortSpec, size: number): void {
    this.#spec = spec;
    this.#size = size;
    this.#byScore = spec.keys[0].field === TEXT_MATCH && spec.keys[0].descending;
    this.#segments.length = 0;
    this.#segmentIndexes.length = 0;
    this.#filter = null;
    if (size > 0) this.#buffer.begin(size, spec.keys.length);
  }

  beginSegment(source: SortSource, segmentIndex: number): void {
    if (this.#size === 0) return;
    const keys = new SegmentKeys(source, assertPresent(this.#spec, 'sort of the query'));
    this.#buffer.settle();
    keys.adopt(this.#buffer, this.#segments);
    this.#filter = new CandidateFilter(keys, this.#buffer, this.#segments.length);
    this.#segments.push(keys);
    this.#segmentIndexes.push(segmentIndex);
  }

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

  /** As TopDocs.collectDocs(). */
  collectDocs(docs: Uint32Array, scores: Float32Array): void {
    if (this.#size === 0) return;
    const segment = this.#segments.length - 1;
    for (let i = 0; i < docs.length; i++) {
      this.#take(this.#segments[segment], segment, docs[i], scores[i]);
      this.#buffer.settle();
    }
  }

  threshold(): number {
    if (this.#size === 0) return Number.POSITIVE_INFINITY;
    const { worst, scores } = this.#buffer;
    return this.#byScore && worst >= 0 ? scores[worst] : -1;
  }

  endSegment(): void {
    this.#filter = null;
  }

  /** Ends the collecting as TopDocs.finishWindow() says; with a window of 0 all documents are in order. Returns their count. */
  end(window: number, best: number): number {
    if (this.#size === 0) return 0;
    if (window === 0) this.#buffer.finish();
    else this.#buffer.finishWindow(window, best);
    return this.#buffer.count;
  }

  rescore(scores: Float32Array, sorted: number): void {
    this.#buffer.rescore(scores, sorted);
  }

  /** As TopDocs.breakNearTies(). */
  groupNearTies(count: number, share: number): void {
    const { order, scores } = this.#buffer;
    for (let from = 0; from < count; ) {
      let to = from + 1;
      while (to < count && scores[order[to]] >= share * scores[order[from]]) to++;
      if (to > from + 1) this.#buffer.sortBySecondKey(from, to);
      from = to;
    }
  }

  /** Writes the first `count` documents to `placed`. */
  place(placed: PlacedDocs, count: number): void {
    const { docs, order, scores, segments } = this.#buffer;
    for (let rank = 0; rank < count; rank++) {
      const slot = order[rank];
      placed.set(rank, this.#segmentIndexes[segments[slot]], docs[slot], scores[slot]);
    }
  }

  /** Copies the documents of the ranks [from, to) out. */
  present({ segments, docs, scores }: PresentedDocs, from: number, to: number): void {
    const buffer = this.#buffer;
    for (let rank = from; rank < to; rank++) {
      const slot = buffer.order[rank];
      segments[rank] = this.#segmentIndexes[buffer.segments[slot]];
      docs[rank] = buffer.docs[slot];
      scores[rank] = buffer.scores[slot];
    }
  }

  /** Compares each document of the list exactly, and takes in those that enter. */
  #offer(chunkBase: number, listPtr: number, count: number, accPtr: number): void {
    const segment = this.#segments.length - 1;
    const keys = this.#segments[segment];
    const { scratch } = keys.source.binding;
    const list = (listPtr - scratch.ptr) / 2;
    const scores = (accPtr - scratch.ptr) / 4;
    for (let i = 0; i < count; i++) {
      const doc = scratch.u16[list + i];
      this.#take(keys, segment, chunkBase + doc, accPtr === 0 ? 0 : scratch.f32[scores + doc]);
    }
  }

  /** Compares one document with those that are kept, and takes it in if it enters. */
  #take(keys: SegmentKeys, segment: number, doc: number, score: number): void {
    const buffer = this.#buffer;
    const slot = buffer.nextSlot();
    buffer.segments[slot] = segment;
    buffer.docs[slot] = doc;
    buffer.scores[slot] = score;
    keys.fill(buffer, slot, doc, score);
    buffer.accept();
  }
}
