/**
 * Builders of segments that wait for their next documents, shared by the collections of one thread: a collection has one
 * while a commit has documents for it, and none at other times, so that thousands of quiet ones cost nothing.
 *
 * Used by the writer (collection-state.ts). Builders are kept by their collection's fields, so that collections that share
 * these (shared-fields.ts), as those of tenants do, share builders too; the ones that waited longest are let go.
 */
import { StoredDocuments } from '../documents/stored-documents.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import { PendingDocuments } from './pending-documents.js';

/** Builders that wait. One that has grown takes some megabytes; making a new one takes tenths of a millisecond. */
export const BUILDERS_KEPT_MAX = 16;
/** Buffers that held more documents are not kept: they would stay as large. */
const KEPT_DOCUMENTS_MAX = 16_384;

interface Idle {
  readonly fields: CollectionSchema['fields'];
  readonly documents: PendingDocuments;
}

export class BuilderPool {
  /** The one that was given back last comes last. */
  readonly #idle: Idle[] = [];
  readonly #bytesMax: number | undefined;
  readonly #claim: ((bytes: number) => void) | undefined;
  /** What is collected belongs to the commit behind the one under way: nothing of it may become a segment, however much it is. */
  isAhead = false;
  #documents: StoredDocuments | null = null;

  /**
   * `bytesMax`: a builder is full when its segment may take more; by default as much as a builder can. `claim` is asked when one
   * document takes much more than that, and may throw.
   */
  constructor(bytesMax?: number, claim?: (bytes: number) => void) {
    this.#bytesMax = bytesMax;
    this.#claim = claim;
  }

  /** Reads stored documents. */
  get documents(): StoredDocuments {
    this.#documents ??= new StoredDocuments();
    return this.#documents;
  }

  /** A builder without documents for a collection of `schema`. */
  take(schema: CollectionSchema): PendingDocuments {
    const at = this.#idle.findLastIndex(({ fields }) => fields === schema.fields);
    if (at < 0) return new PendingDocuments(schema, KEPT_DOCUMENTS_MAX, this.#bytesMax, this.#claim);
    return this.#idle.splice(at, 1)[0].documents;
  }

  /** Takes the builder of a collection of `schema` back; its documents are forgotten. */
  give(documents: PendingDocuments, { fields }: CollectionSchema): void {
    documents.reset();
    this.#idle.push({ fields, documents });
    if (this.#idle.length > BUILDERS_KEPT_MAX) this.#idle.shift();
  }
}
