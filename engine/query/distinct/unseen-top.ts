/**
 * The best documents of the groups that are not among the hits yet: where the best documents of all are of too few groups.
 *
 * Used by the searcher as TopDocs is, in the general way alone: it must be offered every match of a chunk as a list.
 */
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { allocateScratch } from '../scratch-memory.js';
import type { SortSource } from '../sort/sort-source.js';
import { TopDocs } from '../sort/top-docs.js';
import type { DistinctHits } from './distinct-hits.js';
import { codeIn } from './group-value.js';

export class UnseenTop extends TopDocs {
  readonly #field: number;
  readonly #hits: DistinctHits;
  #source: SortSource | null = null;
  #column: ColumnReader | null = null;
  /** Codes of the segment that are among the hits: the low halves by the high ones. */
  #seen = new Map<number, Set<number>>();
  /** Documents of the segment without a value that are. */
  #seenDocs = new Set<number>();
  #list = 0;

  constructor(field: number, hits: DistinctHits) {
    super();
    this.#field = field;
    this.#hits = hits;
  }

  override beginSegment(source: SortSource, segmentIndex: number): void {
    super.beginSegment(source, segmentIndex);
    this.#source = source;
    this.#column = source.column(this.#field);
    this.#list = allocateScratch(source.binding, 2 * CHUNK_DOCS);
    this.#seen = new Map();
    this.#seenDocs = new Set();
    const { groups, segments, docs } = this.#hits;
    for (const [rank, value] of groups.entries()) {
      if (value === null) {
        if (segments[rank] === segmentIndex) this.#seenDocs.add(docs[rank]);
        continue;
      }
      const code = this.#column === null ? null : codeIn(this.#column, value);
      if (code !== null) this.#note(code.hi, code.lo);
    }
  }

  #note(hi: number, lo: number): void {
    const others = this.#seen.get(hi);
    if (others === undefined) this.#seen.set(hi, new Set([lo]));
    else others.add(lo);
  }

  override collectChunk(chunkBase: number, listPtr: number, count: number, accPtr: number): void {
    if (this.#source === null) return;
    const { u16, ptr } = this.#source.binding.scratch;
    const from = (listPtr - ptr) / 2;
    const to = (this.#list - ptr) / 2;
    let kept = 0;
    for (let i = from; i < from + count; i++) if (!this.#isSeen(chunkBase + u16[i])) u16[to + kept++] = u16[i];
    if (kept > 0) super.collectChunk(chunkBase, this.#list, kept, accPtr);
  }

  /** It wants lists. */
  override collectBits(): boolean {
    return false;
  }

  /** Any later document may be the first of its group. */
  override threshold(): number {
    return -1;
  }

  #isSeen(doc: number): boolean {
    const column = this.#column;
    if (column === null) return this.#seenDocs.has(doc);
    const index = column.firstIndex(doc);
    if (index === column.endIndex(doc)) return this.#seenDocs.has(doc);
    return this.#seen.get(column.codeHi(index))?.has(column.codeLo(index)) === true;
  }
}
