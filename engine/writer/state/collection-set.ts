/**
 * Every collection of the server as the write path knows it, and the changes that the commit under way stages.
 *
 * Applies single writes in order; a commit is then published or discarded whole. Knows nothing of the log, of threads or
 * of time. A collection whose files are damaged takes its name and can be dropped, and nothing else.
 */
import { assert } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import { COLLECTIONS_MAX } from '../../core/limits.js';
import type { IndexResult } from '../../core/requests.js';
import { BatchReport, type DocumentOutcomes } from '../../documents/batch-report.js';
import type { DocumentAdmission } from '../../documents/document-admission.js';
import type { Region } from '../../memory/arena.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { SharedFields } from '../../schema/shared-fields.js';
import { BuilderPool } from '../../segment/builder-pool.js';
import { readingSegments } from '../../segment/damage-check.js';
import type { IdList } from '../../storage/log/id-list.js';
import type { ManifestCollection } from '../../storage/types/manifest.js';
import type { TextFormat } from '../../storage/types/records.js';
import { CollectionNames } from './collection-names.js';
import { CollectionState } from './collection-state.js';
import { type DamagedCollection, DamagedCollections } from './damaged-collections.js';
import type { DocumentMatcher } from './document-matcher.js';
import type { OwnedSegment } from './owned-segment.js';
import type { SegmentMemory } from './segment-memory.js';
import { type Suspect, Suspects } from './suspects.js';

export class CollectionSet {
  readonly #memory: SegmentMemory;
  readonly builders: BuilderPool;
  readonly #fields = new SharedFields();
  readonly #published = new Map<number, CollectionState>();
  readonly refused = new DamagedCollections();
  /** Of collections of the commit under way and of damaged ones. */
  readonly names = new CollectionNames();
  /** Collections of the commit under way: new and unchanged ones; those dropped are missing. */
  #staged = new Map<number, CollectionState>();
  /** Those of the commit under way that are new, and those it drops: a commit costs nothing for all the others. */
  readonly #created = new Set<CollectionState>();
  readonly #dropped = new Set<CollectionState>();
  readonly #touched = new Set<CollectionState>();
  /** See takeChanged(). */
  #changed = new Set<CollectionState>();
  /** Collections whose segments proved to be damaged while they were used. */
  readonly suspects = new Suspects();
  /** See pendingBytes. */
  #pendingBytes = 0;
  #nextId = 1;
  #publishedNextId = 1;

  constructor(memory: SegmentMemory) {
    this.#memory = memory;
    this.builders = new BuilderPool(memory.builderBytesMax, (bytes) => memory.claim(bytes));
  }

  /** The published collections. */
  all(): Iterable<CollectionState> {
    return this.#published.values();
  }

  find(id: number): CollectionState | null {
    return this.#published.get(id) ?? null;
  }

  /** Schema of the collection if it takes writes, one that the commit under way creates included; else null. */
  schemaOf(id: number): CollectionSchema | null {
    return this.refused.find(id) === null ? (this.#staged.get(id)?.schema ?? null) : null;
  }

  /**
   * What is wrong with a collection that is damaged, or has proved to be since the last commit, and takes no documents;
   * null: it takes them, or there is none, or the commit under way drops it.
   */
  damageOf(id: number): EngineError | null {
    const damaged = this.refused.find(id);
    if (damaged !== null) return damaged.error;
    const collection = this.#staged.get(id);
    return collection === undefined ? null : this.suspects.errorOf(collection);
  }

  /** Whether the last batch for a collection was refused among its documents: only discard() removes those before. */
  endsInBatch(id: number): boolean {
    return this.#staged.get(id)?.endsInBatch === true;
  }

  isPublished(collection: CollectionState): boolean {
    return this.#published.get(collection.id) === collection;
  }

  /** About what the segments of all documents that wait for stage() will take. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The number that the next collection gets. */
  get nextId(): number {
    return this.#nextId;
  }

  /** Numbers below `id` were used by earlier processes. */
  reserveIds(id: number): void {
    this.#nextId = Math.max(this.#nextId, id);
    this.#publishedNextId = this.#nextId;
  }

  /** Takes in a collection of a snapshot, as published, which consists of `segments`. */
  restore({ id, schema: given, createdAt }: ManifestCollection, segments: readonly OwnedSegment[]): CollectionState {
    const schema = this.#fields.share(given);
    const collection = new CollectionState(id, schema, createdAt, this.#memory, this.builders, segments);
    this.#published.set(collection.id, collection);
    this.#staged.set(collection.id, collection);
    this.names.add(schema.name);
    this.#changed.add(collection);
    return collection;
  }

  /** `schema` with the fields of a collection that has equal ones. */
  share(schema: CollectionSchema): CollectionSchema {
    return this.#fields.share(schema);
  }

  /** Takes in a collection of a snapshot that cannot be opened. */
  restoreDamaged(damaged: DamagedCollection): void {
    this.refused.add(damaged);
    this.names.add(damaged.entry.schema.name);
  }

  /** Stages a new collection, and returns it. Errors: collection_exists, invalid_schema when there are COLLECTIONS_MAX already. */
  create(id: number, schema: CollectionSchema, createdAt: number): CollectionState {
    this.names.checkFree(schema.name);
    if (this.names.count >= COLLECTIONS_MAX)
      throw new EngineError(
        'invalid_schema',
        `at most ${COLLECTIONS_MAX} collections expected, and there are as many already`,
      );
    const shared = this.#fields.share(schema);
    const collection = new CollectionState(id, shared, createdAt, this.#memory, this.builders);
    this.#staged.set(id, collection);
    this.names.add(schema.name);
    this.#created.add(collection);
    this.#nextId = Math.max(this.#nextId, id + 1);
    return collection;
  }

  /** Stages the removal of a collection and of its aliases. Errors: collection_not_found. */
  drop(id: number): void {
    const damaged = this.refused.find(id);
    if (damaged !== null) {
      this.refused.drop(id);
      this.names.drop(damaged.entry.schema.name, id);
      return;
    }
    const collection = this.#find(id);
    this.#discardOne(collection);
    this.#touched.delete(collection);
    this.#staged.delete(id);
    this.names.drop(collection.schema.name, id);
    if (!this.#created.delete(collection)) this.#dropped.add(collection);
  }

  /** Collects the documents of `body` for the commit under way. Errors: collection_not_found, invalid_json, payload_too_large, corrupt_data. */
  collect(id: number, body: Uint8Array, format: TextFormat): IndexResult {
    const report = new BatchReport();
    this.collectTelling(report, id, body, format);
    return report.finish();
  }

  /** As collect(), telling `outcomes` what becomes of each document; what that throws ends it in the middle. */
  collectTelling(
    outcomes: DocumentOutcomes,
    id: number,
    body: Uint8Array,
    format: TextFormat,
    admission: DocumentAdmission | null = null,
  ): void {
    const collection = this.#find(id);
    this.#touched.add(collection);
    this.#pendingBytes -= collection.pendingBytes;
    try {
      this.#reading(collection, () => collection.collect(body, format, outcomes, admission));
    } finally {
      this.#pendingBytes += collection.pendingBytes;
    }
  }

  /** Reads what a write is about, of the commit under way. Errors: collection_not_found, corrupt_data. */
  readOf<T>(id: number, read: (collection: CollectionState) => T): T {
    const collection = this.#find(id);
    return this.#reading(collection, () => read(collection));
  }

  /** Stages the deletion of what passes a filter: see CollectionState. Errors: collection_not_found, invalid_query, corrupt_data. */
  deleteMatching(id: number, filter: string, matcher: DocumentMatcher, ids: IdList): void {
    this.#staging(id, (collection) => collection.deleteMatching(filter, matcher, ids));
  }

  /** Stages the deletion of a document; false when there is none. Errors: collection_not_found, corrupt_data. */
  deleteDocument(id: number, documentId: Uint8Array): boolean {
    const collection = this.#find(id);
    this.#touched.add(collection);
    return this.#reading(collection, () => collection.delete(documentId));
  }

  /** The synonyms and stop words of a collection, for the commit under way to change. Errors: collection_not_found. */
  rulesOf(id: number): CollectionState['rules'] {
    const collection = this.#find(id);
    this.#touched.add(collection);
    return collection.rules;
  }

  /** Stages a segment built elsewhere: see CollectionState.adopt(). Errors: collection_not_found, corrupt_data. */
  adopt(id: number, region: Region, dead: Uint32Array): void {
    this.#staging(id, (collection) => collection.adopt(region, dead));
  }

  /** Runs `stage`, which stages first what the collection has collected. */
  #staging(id: number, stage: (collection: CollectionState) => void): void {
    const collection = this.#find(id);
    this.#touched.add(collection);
    this.#pendingBytes -= collection.pendingBytes;
    this.#reading(collection, () => stage(collection));
  }

  /**
   * Writes the collected documents as staged segments; the last step that may fail. Collections that prove to be damaged are left out
   * of the commit: returns their numbers and what is wrong.
   */
  stage(): ReadonlyMap<number, EngineError> {
    const damaged = new Map<number, EngineError>();
    for (const collection of this.#touched) {
      try {
        this.#reading(collection, () => collection.stage());
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'corrupt_data') throw error;
        this.#discardOne(collection);
        this.#touched.delete(collection);
        damaged.set(collection.id, error);
      }
    }
    this.#pendingBytes = 0;
    return damaged;
  }

  /** Makes the staged commit the published state; `generation` is the last that readers know. */
  publish(generation: number): { readonly changed: readonly CollectionState[]; readonly dropped: readonly number[] } {
    const dropped: number[] = [];
    for (const collection of this.#dropped) {
      collection.releaseAll(generation);
      this.#published.delete(collection.id);
      dropped.push(collection.id);
    }
    this.#dropped.clear();
    const changed = new Set<CollectionState>();
    for (const collection of this.#touched) {
      collection.publish(generation);
      changed.add(collection);
    }
    for (const collection of this.#created) changed.add(collection);
    this.#created.clear();
    for (const collection of changed) {
      this.#published.set(collection.id, collection);
      this.#changed.add(collection);
    }
    dropped.push(...this.refused.publish());
    this.names.publish();
    this.#publishedNextId = this.#nextId;
    // What the next commit has begun to collect stays noted.
    for (const collection of this.#touched) if (collection.isStaged) this.#touched.delete(collection);
    return { changed: [...changed], dropped };
  }

  /** Forgets the commit under way. `freesIds`: the log has nothing of it, and never had. */
  discard(freesIds = false): void {
    for (const collection of this.#touched) collection.discard();
    this.names.discard();
    if (freesIds) this.#nextId = this.#publishedNextId;
    this.#pendingBytes = 0;
    this.#touched.clear();
    if (this.#created.size + this.#dropped.size === 0 && !this.refused.hasDropped) return;
    this.refused.discard();
    this.#created.clear();
    this.#dropped.clear();
    this.#staged = new Map(this.#published);
    const damaged = Array.from(this.refused.all(), ({ entry }) => entry.schema.name);
    this.names.reset([...Array.from(this.#published.values(), ({ schema }) => schema.name), ...damaged]);
  }

  /** The collections whose segments commits have changed since the last call; some may have been dropped. */
  takeChanged(): Iterable<CollectionState> {
    const changed = this.#changed;
    if (changed.size > 0) this.#changed = new Set();
    return changed;
  }

  /** Notes that `collection` uses damaged segments: see takeSuspects(). */
  suspect(collection: CollectionState, error: EngineError): void {
    this.suspects.add(collection, error);
  }

  /** Whether files proved to be damaged at any time since the start, whatever has become of their collections. */
  get hasMetDamage(): boolean {
    return this.refused.hasHadAny || this.suspects.hasHadAny;
  }

  /** The published collections that proved to be damaged since the last call. */
  takeSuspects(): Suspect[] {
    return this.suspects.take().filter(({ collection }) => this.isPublished(collection));
  }

  /** Refuses `collection` from now on and forgets what is staged for it. `entry` is what the last manifest says of it. */
  damage(collection: CollectionState, entry: ManifestCollection, error: EngineError, generation: number): void {
    assert(this.isPublished(collection), 'a published collection');
    this.#discardOne(collection);
    this.#touched.delete(collection);
    collection.releaseAll(generation);
    this.#published.delete(collection.id);
    this.#staged.delete(collection.id);
    this.#dropped.delete(collection);
    this.refused.add({ entry, error });
    this.names.add(entry.schema.name);
  }

  /** Collections that the commit under way brings documents to, or deletes documents of. */
  get touchedCount(): number {
    return this.#touched.size;
  }

  #discardOne(collection: CollectionState): void {
    this.#pendingBytes -= collection.pendingBytes;
    collection.discard();
  }

  #reading<T>(collection: CollectionState, read: () => T): T {
    try {
      return readingSegments(() => collection.segments.map(({ reader }) => reader.views), read);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'corrupt_data') this.suspect(collection, error);
      throw error;
    }
  }

  #find(id: number): CollectionState {
    const damaged = this.refused.find(id);
    if (damaged !== null) throw damaged.error;
    const collection = this.#staged.get(id);
    if (collection === undefined) throw new EngineError('collection_not_found', 'the collection was deleted');
    return collection;
  }
}
