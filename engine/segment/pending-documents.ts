/**
 * Documents of one collection on their way into a segment: read, checked and collected in order, with the deletions among
 * them.
 *
 * The writer has one for each collection to which the commit under way brings documents (builder-pool.ts); at start each
 * thread that builds parts of the log has one (replay-bundle.ts). Knows no other segment: what its documents replace there
 * is the caller's.
 */

import { GrowthRoom } from '../core/growth-room.js';
import type { DocumentOutcomes } from '../documents/batch-report.js';
import type { DocumentAdmission } from '../documents/document-admission.js';
import { DocumentReader } from '../documents/document-reader.js';
import type { HashedIds } from '../documents/id-table.js';
import { type Batch, describeElement, splitBatch } from '../documents/json-scanner.js';
import { COPIED_BYTES_MIN } from '../memory/body-copy.js';
import { REGION_BYTES_MAX } from '../memory/region-allocator.js';
import { RegionFullError, type RegionWriter } from '../memory/region-writer.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import type { TextFormat } from '../storage/types/records.js';
import { BUILDER_ESTIMATE_MAX, BuilderLimit, standsAlone } from './builder-limit.js';
import { SegmentBuilder } from './segment-builder.js';

/** The bytes of an id as a key: one character a byte. */
const idText = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');

const tooLarge = (bytes: number): string =>
  `expected a document whose words and values take at most ${REGION_BYTES_MAX} bytes of memory; those of this one, of ${bytes} bytes, take more`;

/** Documents that end by the limit of their builder take less than so many times what its segment may. */
const ROOM_FACTOR = 4;

export class PendingDocuments {
  readonly #schema: CollectionSchema;
  readonly #keptDocumentsMax: number;
  #builder: SegmentBuilder;
  readonly #reader: DocumentReader;
  /** Documents that a delete took. */
  readonly #deleted = new Set<number>();
  /** The last document of each id among the first `#foundCount` documents: grows when somebody asks. */
  readonly #found = new Map<string, number>();
  #foundCount = 0;
  readonly #limit: BuilderLimit;
  readonly #room: GrowthRoom;
  #endsInBatch = false;

  /**
   * `keptDocumentsMax`: after more documents reset() gives up the buffers, which would stay as large. `bytesMax`: the
   * documents are full when their segment may take more. `claim` is asked when one document takes much more than that, and may throw.
   */
  constructor(
    schema: CollectionSchema,
    keptDocumentsMax: number,
    bytesMax = BUILDER_ESTIMATE_MAX,
    claim?: (bytes: number) => void,
  ) {
    this.#limit = new BuilderLimit(bytesMax);
    this.#room = new GrowthRoom(ROOM_FACTOR * bytesMax, claim);
    this.#schema = schema;
    this.#keptDocumentsMax = keptDocumentsMax;
    this.#builder = new SegmentBuilder(schema, this.#room);
    this.#reader = new DocumentReader(schema, this.#room);
  }

  /** Documents collected, those that others replaced or a delete took included. */
  get documentCount(): number {
    return this.#builder.documentCount;
  }

  /** Whether collect() threw among the documents of a batch: some of them may be here, and only reset() removes them. */
  get endsInBatch(): boolean {
    return this.#endsInBatch;
  }

  /** Ids of the documents collected, by document. Valid until the next change. */
  get ids(): HashedIds {
    return this.#builder.ids.hashed();
  }

  /**
   * Collects the documents of `body`, those that `admission` lets in, which must stay as it is until reset(), and tells `outcomes` of each. Calls `onFull`
   * when what is there is to become a segment: before a document for which there is no room, and after one that stands alone. It calls reset(), or
   * throws: RegionFullError of one that fits into no segment, which is then refused. Errors: invalid_json, payload_too_large; those of `claim`.
   */
  collect(
    body: Uint8Array,
    format: TextFormat,
    outcomes: DocumentOutcomes,
    onFull: () => void,
    admission: DocumentAdmission | null = null,
  ): void {
    const batch = splitBatch(body, format, outcomes.documentsMax);
    this.#hold(body);
    try {
      if (admission === null) this.#collectAll(body, batch, outcomes, onFull);
      else this.#collectAdmitted(body, batch, outcomes, onFull, admission);
    } catch (error) {
      this.#endsInBatch = true;
      throw error;
    }
  }

  /** Tells that the documents of `body` come next. */
  #hold(body: Uint8Array): void {
    if (body.length < COPIED_BYTES_MIN) return;
    this.#reader.hold(body);
    this.#builder.hold(body);
  }

  #collectAll(body: Uint8Array, batch: Batch, outcomes: DocumentOutcomes, onFull: () => void): void {
    const reader = this.#reader;
    for (let i = 0; i < batch.count; i++) {
      const problem = describeElement(body, batch, i);
      if (problem !== null) {
        outcomes.reject(body, 0, 0, problem, 'invalid_document');
        continue;
      }
      const start = batch.starts[i];
      const end = batch.ends[i];
      this.#makeRoom(body, end - start, onFull);
      const builder = this.#builder;
      builder.beginDocument(body, start, end);
      const message = reader.read(body, start, end, builder);
      const { idBytes, idStart, idEnd } = reader;
      if (message !== null) outcomes.reject(idBytes, idStart, idEnd, message, 'invalid_document');
      else if (standsAlone(end - start)) this.#closeAlone(body, end - start, outcomes, onFull);
      else outcomes.accept(idBytes, idStart, idEnd);
    }
    reader.release();
    this.#builder.dropDocument();
  }

  /** As #collectAll(), of batches that are rare: apart, so that those of most requests go on at their speed. */
  #collectAdmitted(
    body: Uint8Array,
    batch: Batch,
    outcomes: DocumentOutcomes,
    onFull: () => void,
    admission: DocumentAdmission,
  ): void {
    const reader = this.#reader;
    for (let i = 0; i < batch.count; i++) {
      const start = batch.starts[i];
      const end = batch.ends[i];
      const problem = describeElement(body, batch, i);
      if (problem !== null) {
        outcomes.reject(body, 0, 0, problem, 'invalid_document');
        continue;
      }
      this.#makeRoom(body, end - start, onFull);
      this.#builder.beginDocument(body, start, end);
      const sink = admission.sinkFor(this.#builder);
      const message = reader.read(body, start, end, sink);
      const { idBytes, idStart, idEnd } = reader;
      if (message !== null) outcomes.reject(idBytes, idStart, idEnd, message, 'invalid_document');
      else if (sink.refusal !== null) outcomes.reject(idBytes, idStart, idEnd, sink.refusal.message, sink.refusal.code);
      else if (standsAlone(end - start)) {
        if (this.#closeAlone(body, end - start, outcomes, onFull)) admission.note(start, end);
      } else {
        admission.note(start, end);
        outcomes.accept(idBytes, idStart, idEnd);
      }
    }
    reader.release();
    this.#builder.dropDocument();
  }

  /** Before a document of `body` of so many bytes. */
  #makeRoom(body: Uint8Array, bytes: number, onFull: () => void): void {
    // The first of all is asked about, too, where nothing may become a segment yet.
    if (!standsAlone(bytes) && !this.#limit.isReached(this.#builder, bytes)) return;
    onFull();
    this.#hold(body);
  }

  /** Has the document of `body` read last, of so many bytes, become a segment of its own; false, and told: it fits into none. */
  #closeAlone(body: Uint8Array, bytes: number, outcomes: DocumentOutcomes, onFull: () => void): boolean {
    const id = this.#reader.idBytes.slice(this.#reader.idStart, this.#reader.idEnd);
    let fits = true;
    try {
      onFull();
    } catch (error) {
      if (!(error instanceof RegionFullError)) throw error;
      fits = false;
      this.reset();
    }
    this.#hold(body);
    if (fits) outcomes.accept(id, 0, id.length);
    else outcomes.reject(id, 0, id.length, tooLarge(bytes), 'invalid_document');
    return fits;
  }

  /** The bytes of a document that was collected. */
  document(doc: number): Uint8Array {
    return this.#builder.document(doc);
  }

  /** The last document with the id, or -1 when there is none that was not deleted. */
  find(id: Uint8Array): number {
    const { count, bytes, ends } = this.ids;
    for (; this.#foundCount < count; this.#foundCount++) {
      const doc = this.#foundCount;
      this.#found.set(idText(bytes, doc === 0 ? 0 : ends[doc - 1], ends[doc]), doc);
    }
    const doc = this.#found.get(idText(id, 0, id.length));
    return doc === undefined || this.#deleted.has(doc) ? -1 : doc;
  }

  /** Deletes the last document with the id; false when there is none. Those before it were replaced. */
  delete(id: Uint8Array): boolean {
    const doc = this.find(id);
    if (doc < 0) return false;
    this.#deleted.add(doc);
    return true;
  }

  /** A size that the segment most likely fits in. No more documents may come until reset(). */
  estimateBytes(): number {
    return this.#builder.estimateBytes();
  }

  /** The same, coarser and rather more, while more documents may come. */
  boundBytes(): number {
    return this.#builder.boundBytes();
  }

  /** Writes the segment and returns its size in bytes; may be repeated after a RegionFullError. */
  write(out: RegionWriter): number {
    return this.#builder.write(out);
  }

  /** After write(): the documents that are deleted from the start. */
  dead(): Uint32Array {
    const superseded = this.#builder.superseded();
    const dead = new Uint32Array(superseded.length + this.#deleted.size);
    dead.set(superseded);
    let at = superseded.length;
    for (const doc of this.#deleted) dead[at++] = doc;
    return dead;
  }

  /** Forgets everything. */
  reset(): void {
    this.#endsInBatch = false;
    this.#reader.release();
    this.#limit.reset();
    this.#room.reset();
    if (this.#builder.documentCount > this.#keptDocumentsMax)
      this.#builder = new SegmentBuilder(this.#schema, this.#room);
    else this.#builder.reset();
    this.#deleted.clear();
    this.#found.clear();
    this.#foundCount = 0;
  }
}
