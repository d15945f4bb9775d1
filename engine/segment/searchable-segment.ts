/**
 * A segment as a query sees it: its reader, its live documents at one generation, and the thread's arena binding.
 *
 * Made by the searcher when a generation is published. What is remembered of the term dictionary (corrections of tokens),
 * what passes filters and unions of lists outlive generations, because they belong to the immutable part; they count towards
 * the thread's budget.
 */

import { BudgetedCache, type CacheBudget } from '../core/cache-budget.js';
import type { DocumentBytes } from '../documents/document-store.js';
import type { RegionViews } from '../memory/arena.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import type { EditWalk, Mistyped } from '../terms/edit-walk.js';
import type { ColumnReader } from '../values/column-reader.js';
import { KeptFilters } from './kept-filters.js';
import { KeptUnions } from './kept-unions.js';
import { LiveStatistics } from './live-statistics.js';
import { SegmentReader } from './segment-reader.js';

/** The heads of a remembered walk and of its numbers, each of which takes a word. */
const WALK_BYTES = 48;
const WORD_BYTES = 8;
/** A longer walk would push out much for the sake of one token. */
const WALK_BYTES_MAX = 1 << 20;

/** A segment opened by one thread: shared by all generations that contain it. */
export class OpenSegment {
  readonly reader: SegmentReader;
  readonly binding: ArenaBinding;
  readonly filters: KeptFilters;
  readonly unions: KeptUnions;
  /** What walks of the term dictionary found, by kind and token. */
  readonly #walks: BudgetedCache<string, readonly number[]>;
  #statistics: LiveStatistics | null = null;

  constructor(views: RegionViews, binding: ArenaBinding, budget: CacheBudget) {
    this.reader = new SegmentReader(views);
    this.binding = binding;
    this.filters = new KeptFilters(binding, this.reader.maxDoc, budget);
    this.unions = new KeptUnions(binding, budget);
    this.#walks = new BudgetedCache(budget);
  }

  /** The statistics at the generation at which `liveDocs` holds, which has `liveCount` bits set. */
  statistics(liveDocs: RegionViews, liveCount: number): LiveStatistics {
    this.#statistics ??= new LiveStatistics(this.reader, this.binding);
    this.#statistics.follow(liveDocs, liveCount);
    return this.#statistics;
  }

  /** What TermDictionary.findCorrections gives for `walk`. */
  corrections(walk: EditWalk): readonly number[] {
    const key = `c${walk.key}`;
    return this.#walks.get(key) ?? this.#remember(key, this.reader.dictionary.findCorrections(this.binding, walk));
  }

  /** What TermDictionary.findMistyped gives for `walk`. */
  mistyped(walk: EditWalk): Mistyped {
    const key = `p${walk.key}`;
    const prefixes = this.#walks.get(key);
    if (prefixes !== undefined) return { words: this.corrections(walk), prefixes };
    const found = this.reader.dictionary.findMistyped(this.binding, walk);
    this.#remember(`c${walk.key}`, found.words);
    this.#remember(key, found.prefixes);
    return found;
  }

  /** Forgets all walks, filters and unions, for good: nobody searches the segment any more. */
  release(): void {
    this.#walks.release();
    this.filters.release();
    this.unions.release();
  }

  #remember(key: string, found: readonly number[]): readonly number[] {
    const bytes = WALK_BYTES + WORD_BYTES * found.length + key.length;
    if (bytes <= WALK_BYTES_MAX) this.#walks.add(key, found, bytes);
    return found;
  }
}

/** A segment at one generation. */
export class SearchableSegment {
  readonly open: OpenSegment;
  /** null: no document is deleted. */
  readonly liveDocs: RegionViews | null;
  readonly liveCount: number;

  constructor(open: OpenSegment, liveDocs: RegionViews | null, liveCount: number) {
    this.open = open;
    this.liveDocs = liveDocs;
    this.liveCount = liveCount;
  }

  get reader(): SegmentReader {
    return this.open.reader;
  }

  get binding(): ArenaBinding {
    return this.open.binding;
  }

  get maxDoc(): number {
    return this.open.reader.maxDoc;
  }

  /** Absolute address of the live-docs bitmap, 0 for none. */
  get liveDocsPtr(): number {
    return this.liveDocs === null ? 0 : this.liveDocs.region.ptr;
  }

  /** Live documents with at least one token in `field`. */
  fieldDocCount(field: number): number {
    if (this.liveDocs === null) return this.reader.fieldDocCount(field);
    return this.open.statistics(this.liveDocs, this.liveCount).fieldDocCount(field);
  }

  /** Tokens of `field` over all live documents. */
  fieldTokens(field: number): number {
    if (this.liveDocs === null) return this.reader.fieldTokens(field);
    return this.open.statistics(this.liveDocs, this.liveCount).fieldTokens(field);
  }

  /** Live documents in the list of `entry`, which belongs to a term: at most what the list's own df says. */
  df(entry: number): number {
    if (this.liveDocs === null) return this.reader.postings.df(entry);
    return this.open.statistics(this.liveDocs, this.liveCount).df(entry, this.liveDocs);
  }

  /** What the chunked list of `entry`, which belongs to a term, has of deleted documents (layout/losses.ts); null: too many, or not told. */
  losses(entry: number): Uint32Array | null {
    if (this.liveDocs === null) return null;
    return this.open.statistics(this.liveDocs, this.liveCount).losses(entry, this.liveDocs);
  }

  corrections(walk: EditWalk): readonly number[] {
    return this.open.corrections(walk);
  }

  mistyped(walk: EditWalk): Mistyped {
    return this.open.mistyped(walk);
  }

  column(field: number): ColumnReader | null {
    return this.reader.column(field);
  }

  /** Stored document `doc`, until the next one is read. Throws when it is damaged. */
  document(doc: number): DocumentBytes {
    return this.reader.documents.read(doc, this.binding);
  }

  /** The live document with the id `id`, or -1. */
  findDocument(id: Uint8Array): number {
    const doc = this.reader.ids.find(id, 0, id.length);
    if (doc < 0 || this.liveDocs === null) return doc;
    return (this.liveDocs.u8[doc >> 3] & (1 << (doc & 7))) === 0 ? -1 : doc;
  }
}
