/**
 * Indexes the documents of segments anew, under another schema, as if they had been sent again.
 *
 * Called where a change of the schema needs it (writer/change/), on the writer or the maintenance thread. Reads its sources
 * and writes one region; publishes nothing.
 */
import { DocumentReader } from '../documents/document-reader.js';
import { StoredDocuments, type VisitDocument } from '../documents/stored-documents.js';
import type { DocumentSink } from '../documents/value-log.js';
import type { RegionWriter } from '../memory/region-writer.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import { BuilderLimit } from './builder-limit.js';
import { isLive } from './live-docs.js';
import { SegmentBuilder } from './segment-builder.js';
import type { SegmentReader } from './segment-reader.js';

/** Documents that were packed are copied to blocks of so many bytes, which live until the segment is written. */
const BLOCK_BYTES = 1 << 20;
/** Misfits that are described; the others are counted. */
const MISFITS_DESCRIBED = 10;

/** Documents of a segment from number `from` on, those that `liveDocs` has: null: all. */
export interface RebuildSource {
  readonly reader: SegmentReader;
  readonly liveDocs: Uint8Array | null;
  readonly from: number;
}

/** Before which document of which source somebody stopped; `source` is how many there are when all were taken. */
export interface RebuildPosition {
  readonly source: number;
  readonly doc: number;
}

/** A document that the schema does not take, and why. */
export interface Misfit {
  readonly id: string;
  readonly message: string;
}

/** `first`: some of the `count`. */
export interface Misfits {
  readonly count: number;
  readonly first: readonly Misfit[];
}

const NO_SINK: DocumentSink = { id() {}, text() {}, keyword() {}, number() {} };

export class SegmentRebuilder {
  readonly #builder: SegmentBuilder;
  readonly #documentBytesMax: number;
  readonly #reader: DocumentReader;
  readonly #documents = new StoredDocuments();
  readonly #limit = new BuilderLimit();
  readonly #first: Misfit[] = [];
  #misfits = 0;
  #block = new Uint8Array(0);
  #blockUsed = 0;

  /** A segment is made of at most `documentBytesMax` bytes of documents, and one more document; a very large one stands alone. */
  constructor(schema: CollectionSchema, documentBytesMax: number) {
    this.#documentBytesMax = documentBytesMax;
    this.#builder = new SegmentBuilder(schema);
    this.#reader = new DocumentReader(schema);
  }

  /** Documents collected. */
  get documentCount(): number {
    return this.#builder.documentCount;
  }

  get misfits(): Misfits {
    return { count: this.#misfits, first: this.#first };
  }

  /** Collects documents of `sources`, in order, until they make a segment. Their segments stay as they are until write(). */
  collect(sources: readonly RebuildSource[]): RebuildPosition {
    const builder = this.#builder;
    return this.#visit(sources, ({ reader }) => {
      const { u8 } = reader.views;
      return (_, bytes, start, end) => {
        if (builder.byteCount >= this.#documentBytesMax || this.#limit.isReached(builder, end - start)) return false;
        const body = bytes === u8 ? bytes : this.#keep(bytes.subarray(start, end));
        const from = bytes === u8 ? start : this.#blockUsed - (end - start);
        const to = from + end - start;
        builder.beginDocument(body, from, to);
        this.#take(body, from, to, builder);
        return true;
      };
    });
  }

  /** Only looks which documents of `sources` do not fit. */
  check(sources: readonly RebuildSource[]): void {
    this.#visit(sources, () => (_, bytes, start, end) => {
      this.#take(bytes, start, end, NO_SINK);
      return true;
    });
  }

  /** A size that the segment most likely fits in; when it does not, write() throws RegionFullError and may be repeated. */
  estimateBytes(): number {
    return this.#builder.estimateBytes();
  }

  /** Writes what was collected as a segment and returns its size in bytes. */
  write(out: RegionWriter): number {
    return this.#builder.write(out);
  }

  #visit(sources: readonly RebuildSource[], visitorOf: (source: RebuildSource) => VisitDocument): RebuildPosition {
    for (const [i, source] of sources.entries()) {
      const { reader, liveDocs, from } = source;
      const isWanted = (doc: number): boolean => isLive(liveDocs, doc);
      const doc = this.#documents.visit(reader.documents, from, isWanted, visitorOf(source));
      if (doc < reader.maxDoc) return this.#stop(i, doc);
    }
    return this.#stop(sources.length, 0);
  }

  #stop(source: number, doc: number): RebuildPosition {
    this.#reader.release();
    this.#builder.dropDocument();
    return { source, doc };
  }

  #take(bytes: Uint8Array, start: number, end: number, sink: DocumentSink): void {
    const reader = this.#reader;
    const message = reader.read(bytes, start, end, sink);
    if (message === null) return;
    this.#misfits++;
    if (this.#first.length === MISFITS_DESCRIBED) return;
    const id = Buffer.from(reader.idBytes.subarray(reader.idStart, reader.idEnd)).toString();
    this.#first.push({ id, message });
  }

  /** A copy of `document` that ends at #blockUsed of the block returned. */
  #keep(document: Uint8Array): Uint8Array {
    if (this.#blockUsed + document.length > this.#block.length) {
      this.#block = new Uint8Array(Math.max(BLOCK_BYTES, document.length));
      this.#blockUsed = 0;
    }
    this.#block.set(document, this.#blockUsed);
    this.#blockUsed += document.length;
    return this.#block;
  }
}
