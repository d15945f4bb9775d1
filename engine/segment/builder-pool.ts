/**
 * Builders of segments that wait for their next documents, shared by the collections of one thread: a collection has one
 * while a commit has documents for it, and none at other times, so that thousands of quiet ones cost nothing.
 *
 * Used by the writer (collection-state.ts). Builders are kept by what their collection's fields are, so that collections
 * alike, as those of tenants are, share them; the ones that waited longest are let go.
 */
import { createHash } from 'node:crypto';
import type { CollectionSchema } from '../schema/collection-schema.js';
import { PendingDocuments } from './pending-documents.js';

/** Builders that wait. One that has grown takes some megabytes; a new one takes tenths of a millisecond to make and to collect. */
export const BUILDERS_KEPT_MAX = 16;
/** Buffers that held more documents are not kept: they would stay as large. */
const KEPT_DOCUMENTS_MAX = 16_384;

/** Tells apart what fields a schema has, in their order. */
export type SchemaShape = string & { readonly brand: 'SchemaShape' };

export const shapeOf = ({ fields }: CollectionSchema): SchemaShape =>
  createHash('sha1').update(JSON.stringify(fields)).digest('base64') as SchemaShape;

interface Idle {
  readonly shape: SchemaShape;
  readonly documents: PendingDocuments;
}

export class BuilderPool {
  /** The one that was given back last comes last. */
  readonly #idle: Idle[] = [];
  readonly #bytesMax: number | undefined;

  /** `bytesMax`: a builder is full when its segment may take more; by default as much as a builder can. */
  constructor(bytesMax?: number) {
    this.#bytesMax = bytesMax;
  }

  /** A builder without documents for a collection of `schema`, which has `shape`. */
  take(schema: CollectionSchema, shape: SchemaShape): PendingDocuments {
    const at = this.#idle.findLastIndex((idle) => idle.shape === shape);
    if (at < 0) return new PendingDocuments(schema, KEPT_DOCUMENTS_MAX, this.#bytesMax);
    return this.#idle.splice(at, 1)[0].documents;
  }

  /** Takes a builder back, whose documents are forgotten. */
  give(documents: PendingDocuments, shape: SchemaShape): void {
    documents.reset();
    this.#idle.push({ shape, documents });
    if (this.#idle.length > BUILDERS_KEPT_MAX) this.#idle.shift();
  }
}
