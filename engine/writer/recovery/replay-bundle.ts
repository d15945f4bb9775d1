/**
 * A bundle: documents and deletions of one collection from the log, in order, that become one segment. Any thread can build
 * it, as it needs to know nothing else of the collection; what it replaces in older segments is found when the writer
 * integrates it (replay-queue.ts).
 */
import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../core/errors.js';
import { IGNORED_OUTCOMES } from '../../documents/batch-report.js';
import type { Region, RegionViews } from '../../memory/arena.js';
import { RegionFullError, RegionWriter } from '../../memory/region-writer.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { PendingDocuments } from '../../segment/pending-documents.js';
import { type LoggedWrite, RECORD_DELETE, RECORD_DOCUMENTS } from '../../storage/log/wal-records.js';

/** Words of a write in ReplayBundle.writes: what it is, and where its bytes begin and end. */
const WRITE_WORDS = 3;
const DELETE = 0;
const JSON_DOCUMENTS = 1;
const NDJSON_DOCUMENTS = 2;

/** Little, as there may be a bundle of each of thousands of collections; what has grown is used again. */
const INITIAL_BYTES = 1 << 12;
const INITIAL_WRITES = 64;
/** Bytes that are copied from and to the same place in a word are copied word by word. */
const WORD_BYTES = 8;

/** A write that a bundle can hold. */
export type BundleWrite = Extract<
  LoggedWrite,
  { readonly type: typeof RECORD_DOCUMENTS } | { readonly type: typeof RECORD_DELETE }
>;

/** A bundle as it crosses threads: shared, and not changed while anybody may read it. */
export interface ReplayBundle {
  readonly collectionId: number;
  readonly schema: CollectionSchema;
  /** Bodies and ids. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** WRITE_WORDS words a write. */
  readonly writes: Uint32Array;
}

/** What became of a bundle: the segment takes `bytes` bytes, 0 when it would be empty; its documents `dead` are deleted. */
export interface BuiltBundle {
  readonly bytes: number;
  readonly dead: Uint32Array;
}

/** Gathers a bundle. */
export class BundleWriter {
  readonly collectionId: number;
  readonly schema: CollectionSchema;
  /** Bytes of the log that its writes take. */
  logBytes = 0;
  #bytes: Uint8Array<SharedArrayBuffer>;
  #byteCount = 0;
  #writes = new Uint32Array(INITIAL_WRITES * WRITE_WORDS);
  #writeWords = 0;

  /** `buffer`: memory to use, of which nothing is kept. */
  constructor(collectionId: number, schema: CollectionSchema, buffer = new SharedArrayBuffer(INITIAL_BYTES)) {
    this.collectionId = collectionId;
    this.schema = schema;
    this.#bytes = new Uint8Array(buffer);
  }

  get byteCount(): number {
    return this.#byteCount;
  }

  /** Copies a write that follows those taken before. */
  add(write: BundleWrite): void {
    if (write.type === RECORD_DELETE) this.#add(DELETE, write.documentId);
    else this.#add(write.format === 'json' ? JSON_DOCUMENTS : NDJSON_DOCUMENTS, write.body);
  }

  /** What was taken. The writer is of no use afterwards. */
  finish(): ReplayBundle {
    const { collectionId, schema } = this;
    return { collectionId, schema, bytes: this.#bytes, writes: this.#writes.slice(0, this.#writeWords) };
  }

  #add(kind: number, bytes: Uint8Array): void {
    const at = this.#byteCount + ((bytes.byteOffset - this.#byteCount) & (WORD_BYTES - 1));
    const end = at + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(new SharedArrayBuffer(Math.max(end, this.#bytes.length * 2)));
      larger.set(this.#bytes.subarray(0, this.#byteCount));
      this.#bytes = larger;
    }
    if (this.#writeWords === this.#writes.length) {
      const larger = new Uint32Array(this.#writes.length * 2);
      larger.set(this.#writes);
      this.#writes = larger;
    }
    this.#bytes.set(bytes, at);
    this.#writes[this.#writeWords++] = kind;
    this.#writes[this.#writeWords++] = at;
    this.#writes[this.#writeWords++] = end;
    this.#byteCount = end;
  }
}

/** Calls `take` with each write of `bundle` in order; their bytes lie in the bundle. */
export function forEachWrite(bundle: ReplayBundle, take: (write: BundleWrite) => void): void {
  const { collectionId: id, bytes, writes } = bundle;
  for (let at = 0; at < writes.length; at += WRITE_WORDS) {
    const part = bytes.subarray(writes[at + 1], writes[at + 2]);
    if (writes[at] === DELETE) take({ type: RECORD_DELETE, id, documentId: part });
    else take({ type: RECORD_DOCUMENTS, id, format: writes[at] === JSON_DOCUMENTS ? 'json' : 'ndjson', body: part });
  }
}

/** The bundle does not fit into one segment. */
class BundleTooLarge extends Error {}

function refuseMore(): never {
  throw new BundleTooLarge('a bundle is one segment');
}

/** Builds bundles, one after the other, and keeps its buffers from one to the next of the same collection and schema. */
export class BundleBuilder {
  #collectionId = 0;
  #schema: CollectionSchema | null = null;
  #documents: PendingDocuments | null = null;

  /**
   * Collects the writes of `bundle` and lets `write` write what they leave; it returns the segment's size. null: the bundle
   * cannot become a segment of its own, and is to be applied write by write.
   */
  build(bundle: ReplayBundle, write: (documents: PendingDocuments) => number): BuiltBundle | null {
    const documents = this.#documentsOf(bundle);
    try {
      forEachWrite(bundle, (one) => {
        if (one.type === RECORD_DELETE) documents.delete(one.documentId);
        else documents.collect(one.body, one.format, IGNORED_OUTCOMES, refuseMore);
      });
      if (documents.documentCount === 0) return { bytes: 0, dead: new Uint32Array(0) };
      const bytes = write(documents);
      return { bytes, dead: documents.dead() };
    } catch (error) {
      // Such an error comes up again, and is dealt with, when the writes are applied one by one.
      if (error instanceof BundleTooLarge || error instanceof RegionFullError || error instanceof EngineError)
        return null;
      throw error;
    } finally {
      documents.reset();
    }
  }

  /** As build(), into `target`. */
  buildInto(target: RegionViews, bundle: ReplayBundle): BuiltBundle | null {
    return this.build(bundle, (documents) => documents.write(new RegionWriter(target)));
  }

  #documentsOf({ collectionId, schema }: ReplayBundle): PendingDocuments {
    // By value: what comes from another thread is a copy.
    const isKnown = this.#collectionId === collectionId && isDeepStrictEqual(this.#schema, schema);
    if (this.#documents === null || !isKnown) {
      this.#documents = new PendingDocuments(schema, Number.POSITIVE_INFINITY);
      this.#collectionId = collectionId;
      this.#schema = schema;
    }
    return this.#documents;
  }
}

/** A bundle for another thread to build, in `target`. */
export interface ReplayOrder {
  readonly bundle: ReplayBundle;
  readonly target: Region;
}

/** Another thread that builds bundles beside the writer, in the order in which it gets them. */
export interface ReplayWorker {
  start(order: ReplayOrder): void;
  /** Takes `order` back if it was not begun: then true, and nothing of it is touched any more. */
  takeBack(order: ReplayOrder): boolean;
  /** Whether wait() would return at once. */
  isDone(order: ReplayOrder): boolean;
  /** The outcome, as of BundleBuilder.build(), once it is there; asked for once. Not for an order taken back. */
  wait(order: ReplayOrder): BuiltBundle | null;
}
