/**
 * Updates as they travel to the readers: of a collection that a reader knows only its segments, as one array of numbers.
 *
 * Every commit posts one to each reader, so the schema, and an object for each segment, would cost more than the commit of
 * a small document. Packed on the writer thread, unpacked on each reader, in the order of posting.
 */

import { assertPresent } from '../core/assert.js';
import type { Region } from '../memory/arena.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import { SharedFields } from '../schema/shared-fields.js';
import type { CollectionDescriptor, ReaderUpdate, SegmentDescriptor } from '../segment/updates.js';

/** Numbers of one segment: id, live documents, then arena, address and bytes of its region and of its live docs. */
const SEGMENT_NUMBERS = 8;

/** The segments of a collection whose schema was posted before. */
export interface PackedSegments {
  readonly kind: 'segments';
  readonly collectionId: number;
  readonly numbers: Float64Array;
}

export type PostedUpdate = ReaderUpdate | PackedSegments;

/** The writer's side. */
export class UpdatePacker {
  /** Schemas that every reader knows, by collection. */
  readonly #posted = new Map<number, CollectionSchema>();

  pack(update: ReaderUpdate): PostedUpdate {
    if (update.kind === 'arena' || update.kind === 'alias') return update;
    if (update.kind === 'collection') {
      const { id, schema, segments } = update.collection;
      if (this.#posted.get(id) === schema)
        return { kind: 'segments', collectionId: id, numbers: packSegments(segments) };
      this.#posted.set(id, schema);
      return update;
    }
    if (update.kind !== 'rules') this.#posted.delete(update.collectionId);
    return update;
  }
}

/** A reader's side. */
export class UpdateUnpacker {
  readonly #schemas = new Map<number, CollectionSchema>();
  readonly #fields = new SharedFields();

  unpack(posted: PostedUpdate): ReaderUpdate {
    if (posted.kind === 'segments') {
      const schema = assertPresent(this.#schemas.get(posted.collectionId), 'schema of a collection posted before');
      const collection: CollectionDescriptor = {
        id: posted.collectionId,
        schema,
        segments: unpackSegments(posted.numbers),
      };
      return { kind: 'collection', collection };
    }
    if (posted.kind === 'collection') {
      const { id, segments } = posted.collection;
      const schema = this.#fields.share(posted.collection.schema);
      this.#schemas.set(id, schema);
      return { kind: 'collection', collection: { id, schema, segments } };
    }
    if (posted.kind === 'drop' || posted.kind === 'damage') this.#schemas.delete(posted.collectionId);
    return posted;
  }
}

function packSegments(segments: readonly SegmentDescriptor[]): Float64Array {
  const numbers = new Float64Array(segments.length * SEGMENT_NUMBERS);
  let at = 0;
  for (const { id, liveCount, region, liveDocs } of segments) {
    numbers[at++] = id;
    numbers[at++] = liveCount;
    at = packRegion(numbers, at, region);
    at = liveDocs === null ? at + 3 : packRegion(numbers, at, liveDocs);
  }
  return numbers;
}

function packRegion(numbers: Float64Array, at: number, { arena, ptr, bytes }: Region): number {
  numbers[at] = arena;
  numbers[at + 1] = ptr;
  numbers[at + 2] = bytes;
  return at + 3;
}

function unpackSegments(numbers: Float64Array): SegmentDescriptor[] {
  const segments: SegmentDescriptor[] = [];
  for (let at = 0; at < numbers.length; at += SEGMENT_NUMBERS) {
    const liveDocs = unpackRegion(numbers, at + 5);
    segments.push({
      id: numbers[at],
      liveCount: numbers[at + 1],
      region: unpackRegion(numbers, at + 2),
      // No region lies at address 0.
      liveDocs: liveDocs.ptr === 0 ? null : liveDocs,
    });
  }
  return segments;
}

const unpackRegion = (numbers: Float64Array, at: number): Region => ({
  arena: numbers[at],
  ptr: numbers[at + 1],
  bytes: numbers[at + 2],
});
