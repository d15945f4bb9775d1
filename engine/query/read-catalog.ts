/**
 * What one reader thread knows of all collections: built from the writer's updates, asked at the start of each query.
 *
 * A segment is opened once per thread and kept from generation to generation, as long as the thread's budget has room for
 * it: what has been opened for collections that nobody asks for goes first. Applying an update touches no shared
 * memory: what an update names may be gone by the time it is received, when a later one is waiting behind it. Only
 * target() looks at memory, and the caller's epoch protects what the newest update names.
 */
import { assertPresent } from '../core/assert.js';
import { BudgetedCache, type CacheBudget } from '../core/cache-budget.js';
import { EngineError, type EngineErrorCode } from '../core/errors.js';
import { ReadStopped } from '../core/read-stopped.js';
import type { TextRuleChange } from '../core/text-rules.js';
import {
  SCRATCH_ACC,
  SCRATCH_AUTOMATON,
  SCRATCH_FILTER_BITS,
  SCRATCH_LUT,
  SCRATCH_TOKEN,
  SCRATCH_UNIONS,
} from '../layout/scratch.js';
import { type Arena, type Region, type RegionViews, viewRegion } from '../memory/arena.js';
import { type ArenaBinding, bindArena, clearScratch } from '../memory/kernel-instance.js';
import { type CollectionSchema, hasColumn } from '../schema/collection-schema.js';
import { causeOf, readingSegments } from '../segment/damage-check.js';
import { statisticsBytes } from '../segment/live-statistics.js';
import { OpenSegment, SearchableSegment } from '../segment/searchable-segment.js';
import type { CollectionDescriptor, ReaderUpdate, SegmentDescriptor } from '../segment/updates.js';
import { ExpansionCache } from './expand/expansion-cache.js';
import { ValueNumbers } from './facets/value-numbers.js';
import { PostedRules } from './posted-rules.js';
import type { ReadBudget } from './read-budget.js';
import type { SearchTarget } from './searcher.js';

/**
 * What an opened segment takes: its readers (2 KiB), the views of its live docs, an empty memory of walks; and a column,
 * opened when it is first asked for.
 */
const SEGMENT_BYTES = 4096;
const COLUMN_BYTES = 832;

/** Of a scratch area, from where to where: what lives for one query or one chunk of it. The score tables and what lies behind TOKEN are kept. */
const TRANSIENT = [
  [SCRATCH_ACC, SCRATCH_LUT],
  [SCRATCH_FILTER_BITS, SCRATCH_TOKEN],
  [SCRATCH_AUTOMATON, SCRATCH_UNIONS],
] as const;

/** Values that a thread without time numbers in one search: some hundred microseconds' worth. */
const HURRIED_VALUES_MAX = 4096;

const viewsOf = ({ segments }: SearchTarget): RegionViews[] => segments.map(({ reader }) => reader.views);

/** What has been made of a collection, once somebody asked. */
interface OpenCollection {
  /** By number. */
  readonly segments: ReadonlyMap<number, OpenSegment>;
  readonly values: ValueNumbers;
  /** null: made for a generation that is over. */
  target: SearchTarget | null;
}

export class ReadCatalog {
  readonly #slot: number;
  readonly #budget: CacheBudget;
  readonly #checksDamage: boolean;
  readonly #bindings: ArenaBinding[] = [];
  /** The newest update of each collection. */
  readonly #descriptors = new Map<number, CollectionDescriptor>();
  readonly #rules = new Map<number, PostedRules>();
  readonly #open: BudgetedCache<number, OpenCollection>;
  /** By collection: the updates of it, counted. */
  readonly #versions = new Map<number, number>();
  /** What is wrong with damaged collections. */
  readonly #damaged = new Map<number, string>();

  /**
   * `slot`: the thread's scratch slot in every arena. `budget`: for all that the thread remembers. `checksDamage` false: a
   * thread that has no time to compare checksums lets every error through as it is, and numbers few values of facets.
   */
  constructor(slot: number, budget: CacheBudget, checksDamage = true) {
    this.#slot = slot;
    this.#budget = budget;
    this.#checksDamage = checksDamage;
    this.#open = new BudgetedCache(budget, release);
  }

  /** Takes in one update; they come in the order in which they were posted. */
  apply(update: ReaderUpdate): void {
    if (update.kind === 'arena') {
      this.#addArena(update.arena);
      return;
    }
    // Readers are asked by number.
    if (update.kind === 'alias') return;
    const collectionId = update.kind === 'collection' ? update.collection.id : update.collectionId;
    this.#versions.set(collectionId, (this.versionOf(collectionId) + 1) | 0);
    if (update.kind === 'drop') {
      this.#forget(collectionId);
      this.#versions.delete(collectionId);
    } else if (update.kind === 'rules') this.#postRules(collectionId, update.changes);
    else if (update.kind === 'damage') {
      this.#forget(collectionId);
      this.#damaged.set(collectionId, update.message);
    } else {
      const before = this.#descriptors.get(collectionId);
      // Values are numbered by field, and fields have their numbers from the schema.
      if (before !== undefined && before.schema !== update.collection.schema) this.#close(collectionId);
      this.#descriptors.set(collectionId, update.collection);
      this.#endGeneration(collectionId);
    }
  }

  /**
   * The collection with number `id` as last updated, or null. The thread's epoch is noted and every update applied.
   * Errors: corrupt_data; ReadStopped by `budget`.
   */
  target(id: number, budget: ReadBudget): SearchTarget | null {
    const open = this.#open.get(id);
    if (open !== undefined && open.target !== null) return open.target;
    const damage = this.#damaged.get(id);
    if (damage !== undefined) throw new EngineError('corrupt_data', damage);
    const descriptor = this.#descriptors.get(id);
    return descriptor === undefined ? null : this.#openCollection(descriptor, open, budget);
  }

  /**
   * How many updates of the collection with number `id` there were, modulo 2^32: the same on two threads when they know the
   * same of it.
   */
  versionOf(id: number): number {
    return this.#versions.get(id) ?? 0;
  }

  /** Has `read` read the segments of `target`; it is told `what`. Errors: its own; corrupt_data when it met damaged bytes. */
  reading<T, What>(target: SearchTarget, read: (target: SearchTarget, what: What) => T, what: What): T {
    try {
      return read(target, what);
    } catch (error) {
      const cause = this.#checksDamage ? causeOf(error, viewsOf(target)) : error;
      this.#clearAfter(cause);
      throw cause;
    }
  }

  /**
   * Runs `read` on a segment that is held, whatever its collection consists of now. Errors: as reading(), but that they are about
   * this segment.
   */
  readingHeld<T>(region: Region, liveDocs: Region | null, read: (segment: SearchableSegment) => T): T {
    const views = this.#view(region);
    const live = liveDocs === null ? null : this.#view(liveDocs);
    try {
      return this.#checked(
        () => [views],
        () => {
          const open = new OpenSegment(views, this.#binding(region), this.#budget);
          return read(new SearchableSegment(open, live, 0));
        },
      );
    } catch (error) {
      this.#clearAfter(error);
      throw error;
    }
  }

  /** A query that ends in its middle leaves scratch memory as it was then; the next query would take that for its own. */
  #clearAfter(error: unknown): void {
    if (endsMidway(error)) for (const { scratch } of this.#bindings) clearScratch(scratch);
  }

  #checked<T>(segments: () => Iterable<RegionViews>, read: () => T): T {
    return this.#checksDamage ? readingSegments(segments, read) : read();
  }

  #postRules(id: number, changes: readonly TextRuleChange[]): void {
    let rules = this.#rules.get(id);
    if (rules === undefined) {
      rules = new PostedRules();
      this.#rules.set(id, rules);
    }
    rules.post(changes);
    this.#endGeneration(id);
  }

  #endGeneration(id: number): void {
    const open = this.#open.peek(id);
    if (open === undefined) return;
    open.target?.expansions.release();
    open.target = null;
  }

  #forget(id: number): void {
    this.#descriptors.delete(id);
    this.#rules.delete(id);
    this.#close(id);
    this.#damaged.delete(id);
  }

  /** Forgets what has been made of a collection. */
  #close(id: number): void {
    const open = this.#open.peek(id);
    if (open !== undefined) release(open);
    this.#open.delete(id);
  }

  /** What searches of other threads were lent has been read. */
  takeBack(): void {
    for (const { heap } of this.#bindings) heap.letGo();
  }

  /** Hands what does not outlive a query in the scratch areas of each arena to `release`, after which it may read as zeros. */
  releaseScratch(release: (unused: Uint8Array) => void): void {
    for (const { heap, scratch } of this.#bindings) {
      // What other threads were lent is read by them still.
      if (heap.isHeld) continue;
      for (const [from, to] of TRANSIENT) release(scratch.u8.subarray(from, to));
    }
  }

  #addArena(arena: Arena): void {
    this.#bindings[arena.id] = bindArena(arena, this.#slot);
  }

  /** Makes what a query runs on; segments of `older`, opened for an older generation, are taken over or released. */
  #openCollection(
    { id, schema, segments }: CollectionDescriptor,
    older: OpenCollection | undefined,
    budget: ReadBudget,
  ): SearchTarget {
    // First: it may have to be gone on with another time.
    const rules = this.#rules.get(id)?.take(budget) ?? null;
    const before = older?.segments ?? new Map<number, OpenSegment>();
    const values = older?.values ?? this.#makeNumbers();
    const after = new Map<number, OpenSegment>();
    const searchable = segments.map((descriptor) => {
      const open = before.get(descriptor.id) ?? this.#openSegment(descriptor);
      after.set(descriptor.id, open);
      const live = descriptor.liveDocs === null ? null : this.#view(descriptor.liveDocs);
      return new SearchableSegment(open, live, descriptor.liveCount);
    });
    for (const [segmentId, open] of before) if (!after.has(segmentId)) open.release();
    const target = { schema, segments: searchable, expansions: new ExpansionCache(this.#budget), values, rules };
    const open: OpenCollection = { segments: after, values, target };
    // Without room for it the next query opens the collection anew.
    if (!this.#open.add(id, open, openBytes(schema, segments))) release(open);
    return target;
  }

  #makeNumbers(): ValueNumbers {
    return this.#checksDamage ? new ValueNumbers(this.#budget) : new ValueNumbers(this.#budget, HURRIED_VALUES_MAX);
  }

  #openSegment({ region }: SegmentDescriptor): OpenSegment {
    const views = this.#view(region);
    return this.#checked(
      () => [views],
      () => new OpenSegment(views, this.#binding(region), this.#budget),
    );
  }

  #view(region: Region): RegionViews {
    return viewRegion(this.#binding(region).arena, region);
  }

  #binding(region: Region): ArenaBinding {
    return assertPresent(this.#bindings[region.arena], 'arena of a published region');
  }
}

/** What a query is refused with before it is at its work, or a fetch, which has none. */
const BEFORE_WORK: readonly EngineErrorCode[] = ['invalid_query', 'document_not_found'];

/** Whether a query that ends with `error` may have been at its work. */
function endsMidway(error: unknown): boolean {
  if (error instanceof ReadStopped) return error.isMidway;
  return !(error instanceof EngineError) || !BEFORE_WORK.includes(error.code);
}

/** Bytes that opened segments of a collection take, every column opened and their live documents counted. */
function openBytes(schema: CollectionSchema, segments: readonly SegmentDescriptor[]): number {
  let bytes = segments.length * (SEGMENT_BYTES + schema.fields.filter(hasColumn).length * COLUMN_BYTES);
  for (const { liveDocs } of segments) if (liveDocs !== null) bytes += statisticsBytes(liveDocs.bytes);
  return bytes;
}

/** Forgets all that was remembered about a collection; a query that runs on it goes on without. */
function release(open: OpenCollection): void {
  open.target?.expansions.release();
  open.values.release();
  for (const segment of open.segments.values()) segment.release();
}
