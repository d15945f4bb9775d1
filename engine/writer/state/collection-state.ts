/**
 * The writer's state of one collection: its published segments, and the changes of the commit under way.
 *
 * Everything a commit does is staged here beside the published state and either published whole or discarded whole.
 * Only the writer thread touches it.
 */
import { assert, assertPresent } from '../../core/assert.js';
import type { DocumentOutcomes } from '../../documents/batch-report.js';
import { hashId } from '../../documents/id-hash.js';
import { type HashedIds, hashedIds } from '../../documents/id-table.js';
import type { SchemaChangeView } from '../../engine.js';
import type { Region } from '../../memory/arena.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { BuilderPool } from '../../segment/builder-pool.js';
import { deleteDoc, initLiveDocs, isLive, liveDocsBytes } from '../../segment/live-docs.js';
import type { PendingDocuments } from '../../segment/pending-documents.js';
import { SegmentReader } from '../../segment/segment-reader.js';
import type { CollectionDescriptor } from '../../segment/updates.js';
import type { TextFormat } from '../../storage/types/records.js';
import { CollectionRules } from './collection-rules.js';
import type { OwnedSegment } from './owned-segment.js';
import type { SegmentMemory } from './segment-memory.js';

/** From here on putting the documents in order costs less than what it saves. */
const ORDERED_DOCUMENTS_MIN = 4096;
/** The part of a table of millions of ids that shares these bits of the hash fits in the nearest cache. */
const HASH_ORDER_BITS = 11;

/** Deletions that the commit under way adds to a segment: a copy of its bitmap. */
interface StagedDeletes {
  readonly bitmap: Uint8Array;
  deleted: number;
}

/** The documents of `ids`, roughly by hash when there are many: an id table has its slots in that order. */
function docsByHash({ count, hashes }: HashedIds): Uint32Array {
  const docs = new Uint32Array(count);
  if (count < ORDERED_DOCUMENTS_MIN) {
    for (let doc = 0; doc < docs.length; doc++) docs[doc] = doc;
    return docs;
  }
  const ends = new Uint32Array(1 << HASH_ORDER_BITS);
  for (let doc = 0; doc < docs.length; doc++) ends[hashes[doc] >>> (32 - HASH_ORDER_BITS)]++;
  for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket] += ends[bucket - 1];
  for (let doc = docs.length - 1; doc >= 0; doc--) docs[--ends[hashes[doc] >>> (32 - HASH_ORDER_BITS)]] = doc;
  return docs;
}

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
  #deletes = new Map<OwnedSegment, StagedDeletes>();

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

  get segmentBytes(): number {
    return this.segments.reduce((sum, { region, liveDocs }) => sum + region.bytes + (liveDocs?.bytes ?? 0), 0);
  }

  /**
   * Collects the documents of `body`, which must stay as it is until the commit ends, and tells `outcomes` of each.
   * Errors: invalid_json, payload_too_large; memory_full, when some of them may be staged.
   */
  collect(body: Uint8Array, format: TextFormat, outcomes: DocumentOutcomes): void {
    this.#pending ??= this.#builders.take(this.schema);
    const pending = this.#pending;
    pending.collect(body, format, outcomes, () => {
      this.#memory.claim(pending.boundBytes());
      this.#writePending(pending);
    });
  }

  /** What the segment of the documents that are collected takes, about; 0: none is. */
  get pendingBytes(): number {
    return this.#pending === null ? 0 : this.#pending.boundBytes();
  }

  /** Whether collect() threw among the documents of a batch: only discard() removes those that came before. */
  get endsInBatch(): boolean {
    return this.#pending?.endsInBatch === true;
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
    this.#deleteReplaced(pending.ids);
    const region = this.#memory.writeRegion(pending.estimateBytes(), (out) => pending.write(out));
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
    for (const [segment, { bitmap, deleted }] of this.#deletes) {
      if (segment.liveDocs !== null) this.#memory.retire(segment.liveDocs, generation);
      segment.liveDocs = this.#memory.writeRegion(bitmap.length, (out) => {
        out.append(bitmap);
        return bitmap.length;
      });
      segment.liveCount -= deleted;
    }
    this.#deletes.clear();
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
    const staged = this.#deletes.get(source);
    if (staged === undefined) return;
    const published = this.liveBitmap(source);
    for (let doc = 0; doc < source.reader.maxDoc; doc++)
      if (isLive(published, doc) && !isLive(staged.bitmap, doc)) this.#deleteIn(merged, numberOf(doc));
    this.#deletes.delete(source);
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
    return segment.liveDocs === null ? null : this.#memory.view(segment.liveDocs).u8;
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
    for (const doc of dead) this.#deleteIn(segment, doc);
  }

  #findSegment(id: Uint8Array): { segment: OwnedSegment; doc: number } | null {
    const hash = hashId(id, 0, id.length);
    for (const list of [this.#staged, this.segments]) {
      for (let s = list.length - 1; s >= 0; s--) {
        const segment = list[s];
        const doc = segment.reader.ids.findHashed(hash, id, 0, id.length);
        if (doc >= 0 && this.#isLive(segment, doc)) return { segment, doc };
      }
    }
    return null;
  }

  #isLive(segment: OwnedSegment, doc: number): boolean {
    const staged = this.#deletes.get(segment);
    return isLive(staged === undefined ? this.liveBitmap(segment) : staged.bitmap, doc);
  }

  /**
   * Stages the deletion of the live documents that have an id of `ids`: segment by segment, and within one along its
   * table, because what a look-up costs is the memory it waits for. A live document of an id is in one segment at most.
   */
  #deleteReplaced(ids: HashedIds): void {
    const waiting = docsByHash(ids);
    let count = waiting.length;
    const { bytes, ends, hashes } = ids;
    for (const list of [this.#staged, this.segments]) {
      for (let s = list.length - 1; s >= 0; s--) {
        const segment = list[s];
        const table = segment.reader.ids;
        let kept = 0;
        for (let i = 0; i < count; i++) {
          const doc = waiting[i];
          const stored = table.findHashed(hashes[doc], bytes, doc === 0 ? 0 : ends[doc - 1], ends[doc]);
          if (stored >= 0 && this.#isLive(segment, stored)) this.#deleteIn(segment, stored);
          else waiting[kept++] = doc;
        }
        count = kept;
      }
    }
  }

  #deleteStored(id: Uint8Array): boolean {
    const found = this.#findSegment(id);
    if (found === null) return false;
    this.#deleteIn(found.segment, found.doc);
    return true;
  }

  #deleteIn(segment: OwnedSegment, doc: number): void {
    let staged = this.#deletes.get(segment);
    if (staged === undefined) {
      const { maxDoc } = segment.reader;
      const bitmap = new Uint8Array(liveDocsBytes(maxDoc));
      initLiveDocs(bitmap, this.liveBitmap(segment), maxDoc);
      staged = { bitmap, deleted: 0 };
      this.#deletes.set(segment, staged);
    }
    if (deleteDoc(assertPresent(staged, 'staged deletes').bitmap, doc)) staged.deleted++;
  }
}
