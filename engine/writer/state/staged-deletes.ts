/**
 * The deletions that the commit under way adds to segments, beside their published bitmaps, until it is published or discarded.
 *
 * A part of collection-state.ts.
 */
import { deleteDoc, initLiveDocs, isLive, liveDocsBytes } from '../../segment/live-docs.js';
import type { OwnedSegment } from './owned-segment.js';
import type { SegmentMemory } from './segment-memory.js';

/** Of one segment: a copy of its bitmap. */
interface Deletes {
  readonly bitmap: Uint8Array;
  deleted: number;
}

export class StagedDeletes {
  readonly #memory: SegmentMemory;
  readonly #bySegment = new Map<OwnedSegment, Deletes>();

  constructor(memory: SegmentMemory) {
    this.#memory = memory;
  }

  /** Segments with deletions. */
  get size(): number {
    return this.#bySegment.size;
  }

  /** The live-docs bitmap of `segment` as published, null when every document is live. */
  published({ liveDocs }: OwnedSegment): Uint8Array | null {
    return liveDocs === null ? null : this.#memory.view(liveDocs).u8;
  }

  /** Whether `doc` is live for the commit under way. */
  isLive(segment: OwnedSegment, doc: number): boolean {
    const staged = this.#bySegment.get(segment);
    return isLive(staged === undefined ? this.published(segment) : staged.bitmap, doc);
  }

  /** Deletes `doc`, if it is live. */
  delete(segment: OwnedSegment, doc: number): void {
    let staged = this.#bySegment.get(segment);
    if (staged === undefined) {
      const { maxDoc } = segment.reader;
      const bitmap = new Uint8Array(liveDocsBytes(maxDoc));
      initLiveDocs(bitmap, this.published(segment), maxDoc);
      staged = { bitmap, deleted: 0 };
      this.#bySegment.set(segment, staged);
    }
    if (deleteDoc(staged.bitmap, doc)) staged.deleted++;
  }

  /** Calls `take` with each document of `segment` that is to be deleted, and forgets these. */
  move(segment: OwnedSegment, take: (doc: number) => void): void {
    const staged = this.#bySegment.get(segment);
    if (staged === undefined) return;
    const published = this.published(segment);
    for (let doc = 0; doc < segment.reader.maxDoc; doc++)
      if (isLive(published, doc) && !isLive(staged.bitmap, doc)) take(doc);
    this.#bySegment.delete(segment);
  }

  /** Makes the bitmaps the published ones. `generation` is the last that readers know. */
  publish(generation: number): void {
    for (const [segment, { bitmap, deleted }] of this.#bySegment) {
      if (segment.liveDocs !== null) this.#memory.retire(segment.liveDocs, generation);
      segment.liveDocs = this.#memory.writeRegion(bitmap.length, (out) => {
        out.append(bitmap);
        return bitmap.length;
      });
      segment.liveCount -= deleted;
    }
    this.#bySegment.clear();
  }

  clear(): void {
    this.#bySegment.clear();
  }
}
