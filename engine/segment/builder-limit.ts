/**
 * When a segment builder has taken as much as one segment should hold.
 *
 * Asked before each document, by pending-documents.ts and segment-rebuilder.ts.
 */
import type { SegmentBuilder } from './segment-builder.js';

/** A builder this full is written out as a segment, so that documents of any number take bounded memory. */
const BUILDER_TOKENS_MAX = 4_000_000;
const BUILDER_TERMS_MAX = 1_000_000;
/** Bytes of documents: with their columns and ids they stay far below the largest region. */
const BUILDER_BYTES_MAX = 1 << 28;
/** What the segment may take by estimate: many columns of many documents take more than the documents themselves. */
export const BUILDER_ESTIMATE_MAX = 1 << 29;

/** A document of so many bytes becomes a segment of its own: with others beside it, it might be too much for one. */
const ALONE_BYTES_MIN = 1 << 24;

/** How many documents, or bytes of them, are taken before the size of the segment is estimated anew. */
const ESTIMATED_DOCUMENTS = 32;
const ESTIMATED_BYTES = 1 << 18;

/** Whether a document of `bytes` bytes becomes a segment of its own. */
export const standsAlone = (bytes: number): boolean => bytes >= ALONE_BYTES_MIN;

export class BuilderLimit {
  readonly #estimateMax: number;
  /** Documents, and bytes of them, after which the size is looked at again. */
  #checkAtDocuments = 0;
  #checkAtBytes = 0;

  /** `estimateMax`: a builder is full when its segment may take more. */
  constructor(estimateMax = BUILDER_ESTIMATE_MAX) {
    this.#estimateMax = estimateMax;
  }

  /** Whether `builder` is not to take a document of `nextBytes` bytes. */
  isReached(builder: SegmentBuilder, nextBytes: number): boolean {
    const { tokenCount, termCount, byteCount, documentCount } = builder;
    if (documentCount > 0 && standsAlone(nextBytes)) return true;
    if (documentCount === 1 && standsAlone(byteCount)) return true;
    if (tokenCount > BUILDER_TOKENS_MAX || termCount > BUILDER_TERMS_MAX || byteCount > BUILDER_BYTES_MAX) return true;
    if (documentCount < this.#checkAtDocuments && byteCount < this.#checkAtBytes) return false;
    this.#checkAtDocuments = documentCount + ESTIMATED_DOCUMENTS;
    this.#checkAtBytes = byteCount + ESTIMATED_BYTES;
    return documentCount > 0 && builder.boundBytes() > this.#estimateMax;
  }

  /** To be called when the builder is emptied. */
  reset(): void {
    this.#checkAtDocuments = 0;
    this.#checkAtBytes = 0;
  }
}
