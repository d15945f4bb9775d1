/**
 * The writer's state of one collection: its published segments, and the changes of the commit under way.
 *
 * Everything a commit does is staged here beside the published state and either published whole or discarded whole.
 * Only the writer thread touches it.
 */
import { assert, assertPresent } from '../core/assert.js';
import { DocumentReader } from '../documents/document-reader.js';
import { hashId } from '../documents/id-hash.js';
import type { IdTableBuilder } from '../documents/id-table.js';
import { describeElement, splitBatch } from '../documents/json-scanner.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import { deleteDoc, initLiveDocs, isLive, liveDocsBytes } from '../segment/live-docs.js';
import { SegmentBuilder } from '../segment/segment-builder.js';
import { SegmentReader } from '../segment/segment-reader.js';
import type { DocumentOutcomes } from './batch-report.js';
import type { OwnedSegment } from './owned-segment.js';
import type { SegmentStore } from './segment-store.js';
import type { CollectionDescriptor } from './updates.js';
import type { TextFormat } from './wal-records.js';

/** A builder this full is written out as a segment, so that a batch of any size takes bounded memory. */
const BUILDER_TOKENS_MAX = 4_000_000;
const BUILDER_TERMS_MAX = 1_000_000;
/** Bytes of documents: with their columns and ids they stay far below the largest region. */
const BUILDER_BYTES_MAX = 1 << 28;

/** A builder that held more documents is not kept: its buffers would stay as large, one set a collection. */
const KEPT_DOCUMENTS_MAX = 16_384;

/** From here on putting the documents in order costs less than what it saves. */
const ORDERED_DOCUMENTS_MIN = 4096;
/** The part of a table of millions of ids that shares these bits of the hash fits in the nearest cache. */
const HASH_ORDER_BITS = 11;

/** Deletions that the commit under way adds to a segment: a copy of its bitmap. */
interface StagedDeletes {
  readonly bitmap: Uint8Array;
  deleted: number;
}

const isFull = ({ tokenCount, termCount, byteCount }: SegmentBuilder): boolean =>
  tokenCount > BUILDER_TOKENS_MAX || termCount > BUILDER_TERMS_MAX || byteCount > BUILDER_BYTES_MAX;

/** The bytes of an id as a key: one character a byte. */
const idText = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');

/** The documents of `ids`, roughly by hash when there are many: an id table has its slots in that order. */
function docsByHash(ids: IdTableBuilder): Uint32Array {
  const docs = new Uint32Array(ids.count);
  if (ids.count < ORDERED_DOCUMENTS_MIN) {
    for (let doc = 0; doc < docs.length; doc++) docs[doc] = doc;
    return docs;
  }
  const ends = new Uint32Array(1 << HASH_ORDER_BITS);
  for (let doc = 0; doc < docs.length; doc++) ends[ids.hash(doc) >>> (32 - HASH_ORDER_BITS)]++;
  for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket] += ends[bucket - 1];
  for (let doc = docs.length - 1; doc >= 0; doc--) docs[--ends[ids.hash(doc) >>> (32 - HASH_ORDER_BITS)]] = doc;
  return docs;
}

export class CollectionState {
  readonly id: number;
  readonly schema: CollectionSchema;
  readonly createdAt: number;
  /** In order of insertion. */
  segments: OwnedSegment[];
  readonly #store: SegmentStore;
  #builder: SegmentBuilder;
  readonly #reader: DocumentReader;
  /** Documents of the builder that a delete of the same commit took. */
  readonly #builderDeletes = new Set<number>();
  /** The last document of each id among the first `#builtCount` documents of the builder: grows when a delete asks. */
  readonly #built = new Map<string, number>();
  #builtCount = 0;
  #staged: OwnedSegment[] = [];
  #deletes = new Map<OwnedSegment, StagedDeletes>();

  /** `segments`: what a snapshot holds of the collection. */
  constructor(
    id: number,
    schema: CollectionSchema,
    createdAt: number,
    store: SegmentStore,
    segments: readonly OwnedSegment[] = [],
  ) {
    this.segments = [...segments];
    this.id = id;
    this.schema = schema;
    this.createdAt = createdAt;
    this.#store = store;
    this.#builder = new SegmentBuilder(schema);
    this.#reader = new DocumentReader(schema);
  }

  /** Documents as published. */
  get documentCount(): number {
    return this.segments.reduce((sum, segment) => sum + segment.liveCount, 0);
  }

  get segmentBytes(): number {
    return this.segments.reduce((sum, { region, liveDocs }) => sum + region.bytes + (liveDocs?.bytes ?? 0), 0);
  }

  /**
   * Stages the documents of `body`, which must stay as it is until the commit ends, and tells `outcomes` of each.
   * Errors: invalid_json.
   */
  index(body: Uint8Array, format: TextFormat, outcomes: DocumentOutcomes): void {
    const batch = splitBatch(body, format);
    const reader = this.#reader;
    for (let i = 0; i < batch.count; i++) {
      const problem = describeElement(body, batch, i);
      if (problem !== null) {
        outcomes.reject(body, 0, 0, problem);
        continue;
      }
      if (isFull(this.#builder)) this.seal();
      const builder = this.#builder;
      builder.stageDocument(body, batch.starts[i], batch.ends[i]);
      const message = reader.read(body, batch.starts[i], batch.ends[i], builder);
      if (message === null) outcomes.accept(reader.idBytes, reader.idStart, reader.idEnd);
      else outcomes.reject(reader.idBytes, reader.idStart, reader.idEnd, message);
    }
    reader.release();
    this.#builder.unstage();
  }

  /** Whether a live document has the id, staged changes included. */
  has(id: Uint8Array): boolean {
    return this.#findBuilt(id) >= 0 || this.#findSegment(hashId(id, 0, id.length), id, 0, id.length) !== null;
  }

  /** Stages the deletion of the live document with the id; false when there is none. */
  delete(id: Uint8Array): boolean {
    const built = this.#findBuilt(id);
    // What an upsert of this commit replaces is deleted when the builder is sealed; here it must go at once.
    const stored = this.#deleteStored(hashId(id, 0, id.length), id, 0, id.length);
    if (built < 0) return stored;
    this.#builderDeletes.add(built);
    return true;
  }

  /** Writes what the builder holds as a staged segment, and stages the deletion of what its documents replace. */
  seal(): void {
    const builder = this.#builder;
    const maxDoc = builder.documentCount;
    if (maxDoc === 0) return;
    this.#deleteReplaced(builder.ids);
    const region = this.#store.writeRegion(builder.estimateBytes(), (out) => builder.write(out));
    const segment: OwnedSegment = {
      id: this.#store.takeSegmentId(),
      region,
      reader: new SegmentReader(this.#store.view(region)),
      liveDocs: null,
      liveCount: maxDoc,
      merging: false,
      stored: null,
    };
    this.#staged.push(segment);
    for (const doc of builder.superseded()) this.#deleteIn(segment, doc);
    for (const doc of this.#builderDeletes) this.#deleteIn(segment, doc);
    this.#resetBuilder();
  }

  /** Whether no document waits for seal(). */
  get isSealed(): boolean {
    return this.#builder.documentCount === 0;
  }

  /**
   * Makes the staged changes the published state. `generation` is the last that readers know. Documents that came after
   * seal() belong to the next commit.
   */
  publish(generation: number): void {
    this.segments.push(...this.#staged);
    this.#staged = [];
    for (const [segment, { bitmap, deleted }] of this.#deletes) {
      if (segment.liveDocs !== null) this.#store.retire(segment.liveDocs, generation);
      segment.liveDocs = this.#store.writeRegion(bitmap.length, (out) => {
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
    this.#resetBuilder();
    for (const segment of this.#staged) this.#store.free(segment.region);
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

  /** Retires the memory of a segment that is no longer part of the collection. */
  release(segment: OwnedSegment, generation: number): void {
    this.#store.retire(segment.region, generation);
    if (segment.liveDocs !== null) this.#store.retire(segment.liveDocs, generation);
  }

  /** The live-docs bitmap of `segment` as published, null when every document is live. */
  liveBitmap(segment: OwnedSegment): Uint8Array | null {
    return segment.liveDocs === null ? null : this.#store.view(segment.liveDocs).u8;
  }

  describe(): CollectionDescriptor {
    const segments = this.segments.map(({ id, region, liveDocs, liveCount }) => ({ id, region, liveDocs, liveCount }));
    return { id: this.id, schema: this.schema, segments };
  }

  /** The last live document of the builder with the id, or -1. */
  #findBuilt(id: Uint8Array): number {
    const { ids, documentCount } = this.#builder;
    for (; this.#builtCount < documentCount; this.#builtCount++) {
      const doc = this.#builtCount;
      this.#built.set(idText(ids.pool.bytes, ids.start(doc), ids.end(doc)), doc);
    }
    const doc = this.#built.get(idText(id, 0, id.length));
    return doc === undefined || this.#builderDeletes.has(doc) ? -1 : doc;
  }

  #resetBuilder(): void {
    this.#reader.release();
    if (this.#builder.documentCount > KEPT_DOCUMENTS_MAX) this.#builder = new SegmentBuilder(this.schema);
    else this.#builder.reset();
    this.#builderDeletes.clear();
    this.#built.clear();
    this.#builtCount = 0;
  }

  #findSegment(
    hash: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): { segment: OwnedSegment; doc: number } | null {
    for (const list of [this.#staged, this.segments]) {
      for (let s = list.length - 1; s >= 0; s--) {
        const segment = list[s];
        const doc = segment.reader.ids.findHashed(hash, bytes, start, end);
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
  #deleteReplaced(ids: IdTableBuilder): void {
    const waiting = docsByHash(ids);
    let count = waiting.length;
    const { bytes } = ids.pool;
    for (const list of [this.#staged, this.segments]) {
      for (let s = list.length - 1; s >= 0; s--) {
        const segment = list[s];
        const table = segment.reader.ids;
        let kept = 0;
        for (let i = 0; i < count; i++) {
          const doc = waiting[i];
          const stored = table.findHashed(ids.hash(doc), bytes, ids.start(doc), ids.end(doc));
          if (stored >= 0 && this.#isLive(segment, stored)) this.#deleteIn(segment, stored);
          else waiting[kept++] = doc;
        }
        count = kept;
      }
    }
  }

  #deleteStored(hash: number, bytes: Uint8Array, start: number, end: number): boolean {
    const found = this.#findSegment(hash, bytes, start, end);
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
