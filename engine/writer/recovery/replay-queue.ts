/**
 * Gathers the log's documents and deletions to chunks, has them built on this thread and on another at once, and hands
 * them back in the order of the log.
 *
 * Used by recovery, on the writer thread. What it holds is bounded: a few chunks. Never looks at segments: what a chunk
 * does to its collection is the business of whoever takes it back.
 */
import { assertPresent } from '../../core/assert.js';
import type { Region } from '../../memory/arena.js';
import { REGION_BYTES_MAX } from '../../memory/region-allocator.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SegmentStore } from '../state/segment-store.js';
import {
  type BuiltChunk,
  ChunkBuilder,
  type ChunkWrite,
  ChunkWriter,
  type ReplayChunk,
  type ReplayOrder,
  type ReplayWorker,
} from './replay-chunk.js';

/** How much is done at once. Bytes are those of documents and ids. */
export interface ReplaySizes {
  /** Documents after which what was replayed is written out and published. */
  readonly settledBytes: number;
  /** Gathered for all collections together before it becomes chunks; near the end of the log less, down to the least. */
  readonly gatheredBytesMax: number;
  readonly gatheredBytesMin: number;
  /** A smaller chunk, or a larger one, is applied write by write. */
  readonly chunkBytesMin: number;
  readonly chunkBytesMax: number;
}

export const REPLAY_SIZES: ReplaySizes = {
  settledBytes: 16 << 20,
  gatheredBytesMax: 16 << 20,
  gatheredBytesMin: 4 << 20,
  chunkBytesMin: 1 << 18,
  chunkBytesMax: 1 << 26,
};

/** Chunks that the worker may have before the writer takes one back: that under way, and the next. */
const WORKER_CHUNKS = 2;
/** The part of what is left of the log that may become one chunk, so that both threads end at about the same time. */
const LAST_PARTS = 3;
/** What a segment takes at first, per byte of its documents, until there is a segment to go by; and then, by that. */
const FIRST_RATIO = 2.5;
const RATIO_MARGIN = 1.25;
const SEGMENT_BYTES_MIN = 1 << 20;
/** Buffers kept for the chunks to come. */
const BUFFERS_MAX = 5;

/** A segment made of a chunk: its region, null when it would be empty, and the documents deleted from the start. */
export interface ReplayedSegment {
  readonly region: Region | null;
  readonly dead: Uint32Array;
}

/** Takes a chunk back. `segment` is null when its writes are to be applied one by one. */
export type ChunkReceiver = (chunk: ReplayChunk, segment: ReplayedSegment | null) => void;

/** A chunk cut and not yet handed back. */
interface CutChunk {
  readonly chunk: ReplayChunk;
  readonly byteCount: number;
  readonly logBytes: number;
  /** What the worker has; null: it has nothing to do with the chunk any more, and `segment` is what became of it. */
  order: ReplayOrder | null;
  segment: ReplayedSegment | null;
}

export class ReplayQueue {
  readonly #store: SegmentStore;
  readonly #worker: ReplayWorker | null;
  readonly #sizes: ReplaySizes;
  readonly #receive: ChunkReceiver;
  readonly #builder = new ChunkBuilder();
  readonly #gathered = new Map<number, ChunkWriter>();
  #gatheredBytes = 0;
  /** In the order in which they were cut. */
  readonly #cut: CutChunk[] = [];
  readonly #buffers: SharedArrayBuffer[] = [];
  /** Of chunks whose documents are not in a segment yet. */
  #heldBuffers: SharedArrayBuffer[] = [];
  #ratio = 0;
  /** Bytes of the log that were added and not handed back. */
  pendingLogBytes = 0;

  constructor(store: SegmentStore, worker: ReplayWorker | null, sizes: ReplaySizes, receive: ChunkReceiver) {
    this.#store = store;
    this.#worker = worker;
    this.#sizes = sizes;
    this.#receive = receive;
  }

  /** Takes a copy of a write that took `logBytes` of the log, of which `leftBytes` follow. May hand chunks back. */
  add(write: ChunkWrite, schema: CollectionSchema, logBytes: number, leftBytes: number): void {
    let chunk = this.#gathered.get(write.id);
    if (chunk === undefined) {
      chunk = new ChunkWriter(write.id, schema, this.#buffers.pop());
      this.#gathered.set(write.id, chunk);
    }
    const before = chunk.byteCount;
    chunk.add(write);
    chunk.logBytes += logBytes;
    this.pendingLogBytes += logBytes;
    this.#gatheredBytes += chunk.byteCount - before;
    if (this.#gatheredBytes >= this.#gatherMax(leftBytes)) this.#cutAll();
  }

  /** Hands everything back that was added. */
  flush(): void {
    this.#cutAll();
    while (this.#cut.length > 0) {
      this.#handBackDone();
      if (this.#cut.length > 0 && !this.#buildOne()) this.#awaitFirst();
    }
  }

  /** Nobody needs the chunks that were applied write by write any more. */
  releaseApplied(): void {
    for (const buffer of this.#heldBuffers) this.#keep(buffer);
    this.#heldBuffers = [];
  }

  #gatherMax(leftBytes: number): number {
    const { gatheredBytesMin, gatheredBytesMax } = this.#sizes;
    if (this.#worker === null) return gatheredBytesMax;
    return Math.min(gatheredBytesMax, Math.max(gatheredBytesMin, leftBytes / LAST_PARTS));
  }

  #cutAll(): void {
    const chunks = [...this.#gathered.values()];
    this.#gathered.clear();
    this.#gatheredBytes = 0;
    for (const chunk of chunks) this.#cutOne(chunk);
  }

  #cutOne(writer: ChunkWriter): void {
    const { byteCount, logBytes } = writer;
    const cut: CutChunk = { chunk: writer.finish(), byteCount, logBytes, order: null, segment: null };
    const { chunkBytesMin, chunkBytesMax } = this.#sizes;
    if (this.#worker !== null && byteCount >= chunkBytesMin && byteCount <= chunkBytesMax) {
      cut.order = { chunk: cut.chunk, target: this.#store.allocate(this.#targetBytes(byteCount)) };
      this.#worker.start(cut.order);
    }
    this.#cut.push(cut);
    this.#handBackDone();
    while (this.#workerChunks() > WORKER_CHUNKS) {
      if (!this.#buildOne()) this.#awaitFirst();
      this.#handBackDone();
    }
  }

  #targetBytes(byteCount: number): number {
    const ratio = this.#ratio === 0 ? FIRST_RATIO : this.#ratio * RATIO_MARGIN;
    return Math.min(REGION_BYTES_MAX, SEGMENT_BYTES_MIN + Math.ceil(byteCount * ratio));
  }

  /** Chunks that the worker has and is not done with. */
  #workerChunks(): number {
    let count = 0;
    for (const { order } of this.#cut) if (order !== null && !this.#workerOf().isDone(order)) count++;
    return count;
  }

  #workerOf(): ReplayWorker {
    return assertPresent(this.#worker, 'orders have a worker');
  }

  /** Builds here the first chunk that the worker has not begun; false when there is none. */
  #buildOne(): boolean {
    for (const cut of this.#cut) {
      if (cut.order === null || !this.#workerOf().takeBack(cut.order)) continue;
      this.#store.free(cut.order.target);
      cut.order = null;
      const regions: Region[] = [];
      const built = this.#builder.build(cut.chunk, (documents) => {
        regions.push(this.#store.writeRegion(documents.estimateBytes(), (out) => documents.write(out)));
        return regions[0].bytes;
      });
      this.#note(cut, built, regions.at(0) ?? null);
      return true;
    }
    return false;
  }

  #awaitFirst(): void {
    const [first] = this.#cut;
    if (first.order !== null) this.#take(first, first.order);
  }

  #take(cut: CutChunk, order: ReplayOrder): void {
    const built = this.#workerOf().wait(order);
    cut.order = null;
    const isWritten = built !== null && built.bytes > 0;
    const region = isWritten ? this.#store.shrink(order.target, built.bytes) : null;
    if (!isWritten) this.#store.free(order.target);
    this.#note(cut, built, region);
  }

  #note(cut: CutChunk, built: BuiltChunk | null, region: Region | null): void {
    cut.segment = built === null ? null : { region, dead: built.dead };
    if (built !== null) this.#ratio = Math.max(this.#ratio, built.bytes / cut.byteCount);
  }

  /** Hands back the first chunks as far as they are done. */
  #handBackDone(): void {
    for (;;) {
      const first = this.#cut.at(0);
      if (first === undefined) return;
      if (first.order !== null) {
        if (!this.#workerOf().isDone(first.order)) return;
        this.#take(first, first.order);
      }
      this.#cut.shift();
      this.pendingLogBytes -= first.logBytes;
      const { segment, chunk } = first;
      const { buffer } = chunk.bytes;
      if (segment === null) this.#heldBuffers.push(buffer);
      this.#receive(chunk, segment);
      if (segment !== null) this.#keep(buffer);
    }
  }

  /** Small buffers are not worth keeping: they would have to grow. */
  #keep(buffer: SharedArrayBuffer): void {
    if (buffer.byteLength >= this.#sizes.gatheredBytesMin && this.#buffers.length < BUFFERS_MAX)
      this.#buffers.push(buffer);
  }
}
