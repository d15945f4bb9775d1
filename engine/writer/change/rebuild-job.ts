/**
 * All segments of a collection made anew under another schema, step by step, while commits go on: what was rebuilt is kept beside the
 * published state, and takes its place in one go (finish).
 *
 * Segments that steps have read are marked as being merged, so that no merge takes them away; those that commits add, and those
 * that are merged before their turn, are read later. Documents deleted meanwhile are carried over at the end.
 */
import { assert } from '../../core/assert.js';
import type { Region } from '../../memory/arena.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { deleteDoc, initLiveDocs, isLive, liveDocsBytes } from '../../segment/live-docs.js';
import { SegmentReader } from '../../segment/segment-reader.js';
import type { CollectionState } from '../state/collection-state.js';
import type { OwnedSegment } from '../state/owned-segment.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import { unfitError } from './change-errors.js';
import type { RebuildOrder, RebuildOutcome } from './rebuild-order.js';

/** What one step does. */
export interface RebuildSizes {
  /** It reads segments of about so many bytes: one may give more than one segment. */
  readonly stepBytes: number;
  /** Bytes of documents that make one segment: what they take while they are collected is a few times as much. */
  readonly documentBytesMax: number;
}

const REBUILD_SIZES: RebuildSizes = { stepBytes: 48 << 20, documentBytesMax: 32 << 20 };

/** What the segment of a step may take at first, for each byte that is read, and at most. */
const TARGET_FACTOR = 2;
const TARGET_BYTES_MIN = 1 << 20;
const TARGET_BYTES_MAX = 64 << 20;

/** Times what was too small: the factor of the step after it. */
export const RETRY_FACTOR = 2;

/** Documents [from, to) of a segment, those that `live` had, are the next of a rebuilt one. */
interface Piece {
  readonly segment: OwnedSegment;
  readonly from: number;
  readonly to: number;
  readonly live: Uint8Array | null;
}

interface Rebuilt {
  readonly region: Region;
  readonly documents: number;
  readonly pieces: readonly Piece[];
}

/** A step under way: its order, and what it reads as the job knows it. */
export interface RebuildStep {
  readonly order: RebuildOrder;
  readonly sources: readonly Omit<Piece, 'to'>[];
  /** Of the size of its target. */
  readonly factor: number;
}

export class RebuildJob {
  readonly collection: CollectionState;
  readonly schema: CollectionSchema;
  readonly #memory: SegmentMemory;
  readonly #sizes: RebuildSizes;
  readonly #rebuilt: Rebuilt[] = [];
  /** Segments read, in order: the first ones of the collection. Of the last one perhaps a part. */
  readonly #read: OwnedSegment[] = [];
  /** The first document of the last of them that was not read; null: all were. */
  #partDoc: number | null = null;
  #documents = 0;

  constructor(
    collection: CollectionState,
    schema: CollectionSchema,
    memory: SegmentMemory,
    sizes: RebuildSizes = REBUILD_SIZES,
  ) {
    this.#sizes = sizes;
    this.collection = collection;
    this.schema = schema;
    this.#memory = memory;
  }

  /** Documents rebuilt. */
  get documents(): number {
    return this.#documents;
  }

  /** Bytes of the segments that are still to be read, about. */
  get leftBytes(): number {
    return this.#left().reduce((sum, { segment, from }) => {
      const { region, reader } = segment;
      return sum + Math.ceil(region.bytes * (1 - from / reader.maxDoc));
    }, 0);
  }

  /** Whether somebody else merges what is still to be read. */
  get isInTheWay(): boolean {
    return this.#left().some(({ segment }) => segment.merging && !this.#read.includes(segment));
  }

  /**
   * The next step; null: all is read, or somebody else merges what comes next. `factor`: more than 1 when the target of the last one was too
   * small. Errors: memory_full; invalid_document when no segment holds a document under the new schema.
   */
  next(factor = 1): RebuildStep | null {
    const sources = this.#nextSources();
    if (sources.length === 0) return null;
    const bytes = sources.reduce((sum, { segment }) => sum + segment.region.bytes, 0);
    const { regionBytesMax } = this.#memory;
    const wanted = targetBytes(bytes) * factor;
    if (factor > 1 && wanted / RETRY_FACTOR >= regionBytesMax) throw unfitError(this.schema, regionBytesMax);
    const size = Math.min(wanted, regionBytesMax);
    this.#memory.claim(size);
    const target = this.#memory.allocate(size);
    for (const { segment } of sources) segment.merging = true;
    const order = {
      schema: this.schema,
      sources: sources.map(({ segment: { region, liveDocs, stored }, from }) => ({
        region,
        liveDocs,
        isStored: stored !== null,
        from,
      })),
      documentBytesMax: this.#sizes.documentBytesMax,
      target,
    };
    return { order, sources, factor };
  }

  /** The same, for all that is left: only looked at. */
  look(): RebuildOrder {
    const sources = this.#left().map(({ segment: { region, liveDocs, stored }, from }) => ({
      region,
      liveDocs,
      isStored: stored !== null,
      from,
    }));
    return { schema: this.schema, sources, documentBytesMax: this.#sizes.documentBytesMax, target: null };
  }

  /** Takes the outcome of a step in, of which no document was a misfit, and no byte damaged. */
  take({ order, sources }: RebuildStep, { bytes, documents, end }: RebuildOutcome): void {
    assert(order.target !== null, 'a step has a target');
    const { source: ended, doc: endDoc } = end;
    const read = bytes === null ? -1 : ended;
    for (const [i, { segment, from }] of sources.entries()) {
      const isPart = i === read && endDoc > from;
      const isNew = this.#read.at(-1) !== segment;
      if (i < read || isPart) {
        if (isNew) this.#read.push(segment);
        this.#partDoc = isPart ? endDoc : null;
      } else if (isNew) segment.merging = false;
    }
    if (bytes === null || documents === 0) {
      this.#memory.free(order.target);
      return;
    }
    const pieces = sources
      .slice(0, ended + 1)
      .map((source, i) => ({ ...source, to: i < ended ? source.segment.reader.maxDoc : endDoc }));
    this.#rebuilt.push({ region: this.#memory.shrink(order.target, bytes), documents, pieces });
    this.#documents += documents;
  }

  /** Puts what was rebuilt, which is all, in the place of the collection's segments. `generation` is the last that readers know. */
  finish(generation: number): void {
    assert(this.#left().length === 0, 'all is rebuilt');
    const segments = this.#rebuilt.flatMap((rebuilt) => this.#own(rebuilt) ?? []);
    this.#rebuilt.length = 0;
    this.collection.changeSchema(this.schema, segments, generation);
  }

  /** Gives up, or ends for a collection that is gone, whose memory readers may use up to `generation`. */
  abandon(isPublished: boolean, generation: number): void {
    for (const { region } of this.#rebuilt) this.#memory.free(region);
    this.#rebuilt.length = 0;
    this.#leave(this.#read, isPublished, generation);
    this.#read.length = 0;
  }

  /** Gives up what a step has taken hold of. */
  leave({ order, sources }: RebuildStep, isPublished: boolean, generation: number): void {
    if (order.target !== null) this.#memory.free(order.target);
    const segments = sources.map(({ segment }) => segment).filter((segment) => !this.#read.includes(segment));
    this.#leave(segments, isPublished, generation);
  }

  #leave(segments: readonly OwnedSegment[], isPublished: boolean, generation: number): void {
    for (const segment of segments) {
      segment.merging = false;
      if (!isPublished) this.collection.release(segment, generation);
    }
  }

  /** What is still to be read. */
  #left(): { readonly segment: OwnedSegment; readonly from: number }[] {
    const first = this.#partDoc === null ? this.#read.length : this.#read.length - 1;
    return this.collection.segments
      .slice(first)
      .map((segment, i) => ({ segment, from: i === 0 ? (this.#partDoc ?? 0) : 0 }));
  }

  #nextSources(): RebuildStep['sources'] {
    const sources: Omit<Piece, 'to'>[] = [];
    let bytes = 0;
    for (const { segment, from } of this.#left()) {
      const isOwn = this.#read.includes(segment);
      if (bytes >= this.#sizes.stepBytes || (segment.merging && !isOwn)) break;
      const live = this.collection.liveBitmap(segment);
      // A commit may replace the bitmap, whose memory is then another's.
      sources.push({ segment, from, live: live === null ? null : live.slice() });
      bytes += segment.region.bytes;
    }
    return sources;
  }

  /** A rebuilt segment without what was deleted since it was read; null: nothing is left of it. */
  #own({ region, documents, pieces }: Rebuilt): OwnedSegment | null {
    const reader = new SegmentReader(this.#memory.view(region));
    assert(reader.maxDoc === documents, 'every document was rebuilt');
    let bitmap: Uint8Array | null = null;
    let liveCount = documents;
    let doc = 0;
    for (const { segment, from, to, live } of pieces) {
      const now = this.collection.liveBitmap(segment);
      for (let old = from; old < to; old++) {
        if (!isLive(live, old)) continue;
        const rebuilt = doc++;
        if (isLive(now, old)) continue;
        bitmap ??= allLive(documents);
        deleteDoc(bitmap, rebuilt);
        liveCount--;
      }
    }
    assert(doc === documents, 'pieces say where every document was');
    if (liveCount === 0) {
      this.#memory.free(region);
      return null;
    }
    const liveDocs = bitmap === null ? null : this.#writeBitmap(bitmap);
    return { id: this.#memory.takeSegmentId(), region, reader, liveDocs, liveCount, merging: false, stored: null };
  }

  #writeBitmap(bitmap: Uint8Array): Region {
    return this.#memory.writeRegion(bitmap.length, (out) => {
      out.append(bitmap);
      return bitmap.length;
    });
  }
}

function allLive(maxDoc: number): Uint8Array {
  const bitmap = new Uint8Array(liveDocsBytes(maxDoc));
  initLiveDocs(bitmap, null, maxDoc);
  return bitmap;
}

const targetBytes = (sourceBytes: number): number =>
  Math.min(TARGET_BYTES_MIN + TARGET_FACTOR * sourceBytes, TARGET_BYTES_MAX);
