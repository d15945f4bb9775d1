/**
 * One merge: what it reads, where it writes, and how its outcome takes the place of its sources. The writer prepares and
 * finishes it; the work in between runs on the writer for tiny segments and on the maintenance thread for the rest.
 */
import { assert, assertPresent } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import { DROPPED_DOC } from '../../core/merge-input.js';
import type { Region, RegionViews } from '../../memory/arena.js';
import { RegionFullError, RegionWriter } from '../../memory/region-writer.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { checkSegment } from '../../segment/damage-check.js';
import { deleteDoc, initLiveDocs, isLive, liveDocsBytes } from '../../segment/live-docs.js';
import {
  estimateMergedBytes,
  listMergeInputs,
  mergeSegments,
  type SegmentMergeInput,
} from '../../segment/segment-merger.js';
import { SegmentReader } from '../../segment/segment-reader.js';
import type { CollectionState } from '../state/collection-state.js';
import type { OwnedSegment } from '../state/owned-segment.js';
import type { SegmentMemory } from '../state/segment-memory.js';

/** The number that `doc` of a source has in the merged segment, or DROPPED_DOC. */
const mergedNumber = ({ map, base }: SegmentMergeInput, doc: number): number => (map === null ? base + doc : map[doc]);

/** A merge handed to another thread: regions only. */
export interface MergeOrder {
  readonly schema: CollectionSchema;
  readonly sources: readonly MergeOrderSource[];
  readonly target: Region;
}

export interface MergeOrderSource {
  readonly region: Region;
  readonly liveDocs: Region | null;
  /** It has a file, so its checksum is known: damage must not pass into a segment with a checksum of its own. */
  readonly isStored: boolean;
}

/** How a merge ended: bytes written, or null when `target` was too small; `damage` says what is wrong with a source. */
export interface MergeOutcome {
  readonly bytes: number | null;
  readonly damage: string | null;
}

export class MergeJob {
  readonly collection: CollectionState;
  readonly sources: readonly OwnedSegment[];
  readonly #memory: SegmentMemory;
  readonly #inputs: readonly SegmentMergeInput[];
  /** The sources' bitmaps as the merge sees them; later deletions are carried over at the end. */
  readonly #liveDocs: readonly (Region | null)[];
  readonly liveCount: number;

  /** Marks `sources`, neighbours of `collection`, as being merged. */
  constructor(collection: CollectionState, sources: readonly OwnedSegment[], memory: SegmentMemory) {
    this.collection = collection;
    this.sources = sources;
    this.#memory = memory;
    this.#liveDocs = sources.map(({ liveDocs }) => liveDocs);
    this.#inputs = listMergeInputs(
      sources.map((segment) => ({ reader: segment.reader, liveDocs: collection.liveBitmap(segment) })),
    );
    this.liveCount = this.#inputs.reduce((sum, input) => sum + input.liveCount, 0);
    for (const source of sources) source.merging = true;
  }

  /** Bytes that the sources take: what the merge costs, about. */
  get sourceBytes(): number {
    return this.sources.reduce((sum, { region }) => sum + region.bytes, 0);
  }

  /** Runs the merge here and returns the region of the merged segment. Errors: corrupt_data. */
  run(): Region {
    assert(this.liveCount > 0, 'something survives the merge');
    const { schema } = this.collection;
    for (const { reader, stored } of this.sources) if (stored !== null) checkSegment(reader.views);
    return this.#memory.writeRegion(estimateMergedBytes(schema, this.#inputs), (out) =>
      mergeSegments(out, schema, this.#inputs),
    );
  }

  /** The order for another thread; `factor`, a power of two, scales the estimate of the target's size. */
  order(factor: number): MergeOrder {
    const { schema } = this.collection;
    const bytes = estimateMergedBytes(schema, this.#inputs) * factor;
    assert(factor === 1 || bytes / 2 < this.#memory.regionBytesMax, 'a merged segment fits into the largest region');
    const target = this.#memory.allocate(Math.min(bytes, this.#memory.regionBytesMax));
    const sources = this.sources.map(({ region, stored }, i) => ({
      region,
      liveDocs: this.#liveDocs[i],
      isStored: stored !== null,
    }));
    return { schema, sources, target };
  }

  /**
   * Puts the merged segment, null when nothing survived, in the place of the sources. Documents deleted since the merge
   * began are deleted in it, and those that a commit under way deletes are staged. `generation` is the last that readers
   * know.
   */
  finish(region: Region | null, generation: number): void {
    if (region === null) {
      this.collection.replace(this.sources, null, generation);
      return;
    }
    const reader = new SegmentReader(this.#memory.view(region));
    assert(reader.maxDoc === this.liveCount, 'every surviving document was merged');
    const bitmap = this.#carryDeletes(reader.maxDoc);
    const merged: OwnedSegment = {
      id: this.#memory.takeSegmentId(),
      region,
      reader,
      liveDocs: bitmap === null ? null : this.#writeBitmap(bitmap),
      liveCount: this.sources.reduce((sum, { liveCount }) => sum + liveCount, 0),
      merging: false,
      stored: null,
    };
    if (merged.liveCount > 0) {
      this.sources.forEach((source, i) => {
        this.collection.moveStagedDeletes(source, merged, (doc) => mergedNumber(this.#inputs[i], doc));
      });
      this.collection.replace(this.sources, merged, generation);
      return;
    }
    this.#memory.free(region);
    if (merged.liveDocs !== null) this.#memory.free(merged.liveDocs);
    this.collection.replace(this.sources, null, generation);
  }

  #writeBitmap(bitmap: Uint8Array): Region {
    return this.#memory.writeRegion(bitmap.length, (out) => {
      out.append(bitmap);
      return bitmap.length;
    });
  }

  /** The bitmap of the merged segment, null when nothing was deleted since the merge began. */
  #carryDeletes(maxDoc: number): Uint8Array | null {
    let bitmap: Uint8Array | null = null;
    this.sources.forEach((source, i) => {
      const now = this.collection.liveBitmap(source);
      const input = this.#inputs[i];
      if (source.liveCount === input.liveCount || now === null) return;
      if (bitmap === null) {
        bitmap = new Uint8Array(liveDocsBytes(maxDoc));
        initLiveDocs(bitmap, null, maxDoc);
      }
      for (let doc = 0; doc < input.maxDoc; doc++) {
        const merged = mergedNumber(input, doc);
        if (merged !== DROPPED_DOC && !isLive(now, doc)) deleteDoc(assertPresent(bitmap, 'bitmap'), merged);
      }
    });
    return bitmap;
  }
}

/** Carries out `order` with `view` giving the bytes of a region. */
export function runMergeOrder(order: MergeOrder, view: (region: Region) => RegionViews): MergeOutcome {
  try {
    for (const { region, isStored } of order.sources) if (isStored) checkSegment(view(region));
    const sources = order.sources.map(({ region, liveDocs }) => ({
      reader: new SegmentReader(view(region)),
      liveDocs: liveDocs === null ? null : view(liveDocs).u8,
    }));
    const target = new RegionWriter(view(order.target));
    return { bytes: mergeSegments(target, order.schema, listMergeInputs(sources)), damage: null };
  } catch (error) {
    if (error instanceof RegionFullError) return { bytes: null, damage: null };
    if (error instanceof EngineError && error.code === 'corrupt_data') return { bytes: null, damage: error.message };
    throw error;
  }
}
