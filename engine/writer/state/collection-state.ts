/**
 * The writer's state of one collection: its published segments, and the changes of the commit under way.
 *
 * Everything a commit does is staged here beside the published state and either published whole or discarded whole.
 * Only the writer thread touches it.
 */
import { assert } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import { COLLECTION_DOCUMENTS_MAX } from '../../core/limits.js';
import type { DocumentOutcomes } from '../../documents/batch-report.js';
import type { DocumentAdmission } from '../../documents/document-admission.js';
import { type HashedIds, hashedIds } from '../../documents/id-table.js';
import type { SchemaChangeView } from '../../engine.js';
import type { Region } from '../../memory/arena.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { BuilderPool } from '../../segment/builder-pool.js';
import type { PendingDocuments } from '../../segment/pending-documents.js';
import { SegmentReader } from '../../segment/segment-reader.js';
import type { CollectionDescriptor } from '../../segment/updates.js';
import type { IdList } from '../../storage/log/id-list.js';
import type { TextFormat } from '../../storage/types/records.js';
import { CollectionRules } from './collection-rules.js';
import type { DocumentMatcher } from './document-matcher.js';
import type { OwnedSegment } from './owned-segment.js';
import { ReplacedIds } from './replaced-ids.js';
import type { SegmentMemory } from './segment-memory.js';
import { StagedDeletes } from './staged-deletes.js';

export class CollectionState {
  readonly id: number;
  schema: CollectionSchema;
  /** What a change of the schema that is under way leads to; null: there is none. */
  change: CollectionSchema | null = null;
  /** How that goes on, or what became of the last one, as people are shown; null: there is nothing to show. */
  changeView: SchemaChangeView | null = null;
  /** Counts changes of the two above. */
  version = 0;
  readonly createdAt: number;
  /** In order of insertion. */
  segments: OwnedSegment[];
  readonly rules: CollectionRules;
  readonly #memory: SegmentMemory;
  readonly #builders: BuilderPool;
  /** What the commit under way has collected and not staged; null: nothing. */
  #pending: PendingDocuments | null = null;
  #staged: OwnedSegment[] = [];
  readonly #deletes: StagedDeletes;
  readonly #replaced = new ReplacedIds();

  /** `builders`: of all collections. `segments`: what a snapshot holds of this one. */
  constructor(
    id: number,
    schema: CollectionSchema,
    createdAt: number,
    memory: SegmentMemory,
    builders: BuilderPool,
    segments: readonly OwnedSegment[] = [],
  ) {
    this.segments = [...segments];
    this.id = id;
    this.schema = schema;
    this.createdAt = createdAt;
    this.rules = new CollectionRules(memory);
    this.#memory = memory;
    this.#deletes = new StagedDeletes(memory);
    this.#builders = builders;
  }

  /** Documents as published. */
  get documentCount(): number {
    return this.segments.reduce((sum, segment) => sum + segment.liveCount, 0);
  }

  /** Documents as published, deleted ones included. */
  get maxDoc(): number {
    return this.segments.reduce((sum, { reader }) => sum + reader.maxDoc, 0);
  }

  /** Errors: memory_full when it has all the documents that it may have. */
  checkCount(): void {
    const { schema, maxDoc } = this;
    if (maxDoc < COLLECTION_DOCUMENTS_MAX) return;
    throw new EngineError(
      'memory_full',
      `collection "${schema.name}": expected fewer than ${COLLECTION_DOCUMENTS_MAX} documents, deleted ones included that are not merged away yet; it holds ${maxDoc}`,
    );
  }

  get segmentBytes(): number {
    return this.segments.reduce((sum, { region, liveDocs }) => sum + region.bytes + (liveDocs?.bytes ?? 0), 0);
  }

  /**
   * Collects the documents of `body`, which must stay as it is until the commit ends, and tells `outcomes` of each. `admission`: of a batch
   * of which not all are taken.
   * Errors: invalid_json, payload_too_large; memory_full, when some of them may be staged; overloaded for too much ahead.
   */
  collect(
    body: Uint8Array,
    format: TextFormat,
    outcomes: DocumentOutcomes,
    admission: DocumentAdmission | null = null,
  ): void {
    this.#pending ??= this.#builders.take(this.schema);
    const pending = this.#pending;
    const onFull = (): void => {
      if (this.#builders.isAhead) throw new EngineError('overloaded', 'it is more than can be collected ahead');
      this.#memory.claim(pending.boundBytes());
      this.#writePending(pending);
    };
    pending.collect(body, format, outcomes, onFull, admission);
  }

  /** What the segment of the documents that are collected takes, about; 0: none is. */
  get pendingBytes(): number {
    return this.#pending === null ? 0 : this.#pending.boundBytes();
  }

  /** Whether collect() threw among the documents of a batch: only discard() removes those that came before. */
  get endsInBatch(): boolean {
    return this.#pending?.endsInBatch === true;
  }

  /** Whether there is a live document with the id. */
  has(id: Uint8Array): boolean {
    return (this.#pending !== null && this.#pending.find(id) >= 0) || this.#findSegment(id) !== null;
  }

  /** The bytes of the live document with the id, which may be gone after the next change; null: there is none. */
  read(id: Uint8Array): Uint8Array | null {
    const doc = this.#pending?.find(id) ?? -1;
    if (this.#pending !== null && doc >= 0) return this.#pending.document(doc);
    const found = this.#findSegment(id);
    return found === null ? null : this.#builders.documents.read(found.segment.reader.documents, found.doc);
  }

  /** Stages the deletion of the live documents that pass `filter`, and lists their ids in `ids`. Errors: invalid_query. */
  deleteMatching(filter: string, matcher: DocumentMatcher, ids: IdList): void {
    this.stage();
    const segments = [...this.segments, ...this.#staged];
    const views = segments.map(({ reader }) => reader.views);
    matcher.match(filter, this.schema, views, (index, doc) => {
      const segment = segments[index];
      if (!this.#deletes.isLive(segment, doc)) return;
      const table = segment.reader.ids;
      ids.push(segment.reader.views.u8, table.idStart(doc), table.idEnd(doc));
      this.#deletes.delete(segment, doc);
    });
  }

  /** Stages the deletion of the live document with the id; false when there is none. */
  delete(id: Uint8Array): boolean {
    // What an upsert of this commit replaces is deleted when its documents are staged; here it must go at once.
    const stored = this.#deleteStored(id);
    return this.#pending?.delete(id) === true || stored;
  }

  /** Writes the collected documents as a staged segment, and stages the deletion of what its documents replace. */
  stage(): void {
    if (this.#pending === null) return;
    this.#writePending(this.#pending);
    this.#giveBack();
  }

  #writePending(pending: PendingDocuments): void {
    if (pending.documentCount === 0) return;
    const region = this.#memory.writeRegion(pending.estimateBytes(), (out) => pending.write(out));
    try {
      this.#deleteReplaced(pending.ids);
    } catch (error) {
      // An older segment proved to be damaged.
      this.#memory.free(region);
      throw error;
    }
    this.#stageSegment(region, new SegmentReader(this.#memory.view(region)), pending.dead());
    pending.reset();
  }

  #giveBack(): void {
    if (this.#pending !== null) this.#builders.give(this.#pending, this.schema);
    this.#pending = null;
  }

  /**
   * Stages a segment that was built elsewhere, of documents that follow all that are here. `dead`: those of its documents
   * that are deleted from the start.
   */
  adopt(region: Region, dead: Uint32Array): void {
    this.stage();
    const reader = new SegmentReader(this.#memory.view(region));
    this.#deleteReplaced(hashedIds(reader.ids));
    this.#stageSegment(region, reader, dead);
  }

  /** Whether nothing waits for stage(). */
  get isStaged(): boolean {
    return this.#pending === null;
  }

  /**
   * Makes the staged changes the published state. `generation` is the last that readers know. Documents that came after
   * stage() belong to the next commit.
   */
  publish(generation: number): void {
    this.rules.publish();
    this.segments.push(...this.#staged);
    this.#staged = [];
    this.#deletes.publish(generation);
    this.segments = this.segments.filter((segment) => {
      if (segment.liveCount > 0 || segment.merging) return true;
      this.release(segment, generation);
      return false;
    });
  }

  /** Forgets the staged changes. */
  discard(): void {
    this.rules.discard();
    this.#giveBack();
    for (const segment of this.#staged) this.#memory.free(segment.region);
    this.#staged = [];
    this.#deletes.clear();
  }

  /** Puts `merged` in the place of the neighbouring `sources`; null: nothing of them was left. */
  replace(sources: readonly OwnedSegment[], merged: OwnedSegment | null, generation: number): void {
    const from = this.segments.indexOf(sources[0]);
    assert(from >= 0, 'merged segments are published');
    this.segments.splice(from, sources.length, ...(merged === null ? [] : [merged]));
    for (const source of sources) this.release(source, generation);
  }

  /**
   * Moves what the commit under way deletes in `source` to `merged`, which is about to take its place; `numberOf` gives
   * the number that a live document has there.
   */
  moveStagedDeletes(source: OwnedSegment, merged: OwnedSegment, numberOf: (doc: number) => number): void {
    this.#deletes.move(source, (doc) => this.#deletes.delete(merged, numberOf(doc)));
  }

  /** A change of the schema to `schema` is under way, or was given up: null. */
  noteChange(schema: CollectionSchema | null): void {
    this.change = schema;
    this.#show(schema === null ? null : { state: 'running', documents: 0, message: null });
  }

  /** Of the change under way: so many documents are indexed anew. */
  noteProgress(documents: number): void {
    this.#show({ state: 'running', documents, message: null });
  }

  /** The change under way is given up, as `message` says. */
  noteRefusal(message: string): void {
    this.change = null;
    this.#show({ state: 'refused', documents: 0, message });
  }

  #show(view: SchemaChangeView | null): void {
    this.changeView = view;
    this.version++;
  }

  /** Puts `schema` in force, with `segments` in the place of all there were; null: they stay. Nothing may be staged. */
  changeSchema(schema: CollectionSchema, segments: readonly OwnedSegment[] | null, generation: number): void {
    assert(this.#pending === null && this.#staged.length === 0 && this.#deletes.size === 0, 'nothing is staged');
    if (segments !== null) {
      for (const segment of this.segments) this.release(segment, generation);
      this.segments = [...segments];
      this.#replaced.forget();
    }
    this.schema = schema;
    this.noteChange(null);
  }

  /** Retires the memory of a segment that is no longer part of the collection. */
  release(segment: OwnedSegment, generation: number): void {
    this.#memory.retire(segment.region, generation);
    if (segment.liveDocs !== null) this.#memory.retire(segment.liveDocs, generation);
  }

  /** Retires the memory of a collection that is gone; segments being merged are left to whoever merges them. */
  releaseAll(generation: number): void {
    this.rules.release();
    for (const segment of this.segments) if (!segment.merging) this.release(segment, generation);
  }

  /** The live-docs bitmap of `segment` as published, null when every document is live. */
  liveBitmap(segment: OwnedSegment): Uint8Array | null {
    return this.#deletes.published(segment);
  }

  describe(): CollectionDescriptor {
    const segments = this.segments.map(({ id, region, liveDocs, liveCount }) => ({ id, region, liveDocs, liveCount }));
    return { id: this.id, schema: this.schema, segments };
  }

  /** Stages a segment of which the documents `dead` are deleted from the start. */
  #stageSegment(region: Region, reader: SegmentReader, dead: Uint32Array): void {
    const segment: OwnedSegment = {
      id: this.#memory.takeSegmentId(),
      region,
      reader,
      liveDocs: null,
      liveCount: reader.maxDoc,
      merging: false,
      stored: null,
    };
    this.#staged.push(segment);
    for (const doc of dead) this.#deletes.delete(segment, doc);
  }

  #findSegment(id: Uint8Array): { segment: OwnedSegment; doc: number } | null {
    for (const list of [this.#staged, this.segments]) {
      for (let s = list.length - 1; s >= 0; s--) {
        const segment = list[s];
        const doc = segment.reader.ids.find(id, 0, id.length);
        if (doc >= 0 && this.#deletes.isLive(segment, doc)) return { segment, doc };
      }
    }
    return null;
  }

  /** Stages the deletion of the live documents that have an id of `ids`, which are those of a segment about to be staged. */
  #deleteReplaced(ids: HashedIds): void {
    const newestFirst = [...this.segments, ...this.#staged].reverse();
    this.#replaced.find(ids, newestFirst, (segment, doc) => {
      if (!this.#deletes.isLive(segment, doc)) return false;
      this.#deletes.delete(segment, doc);
      return true;
    });
  }

  #deleteStored(id: Uint8Array): boolean {
    const found = this.#findSegment(id);
    if (found === null) return false;
    this.#deletes.delete(found.segment, found.doc);
    return true;
  }
}
