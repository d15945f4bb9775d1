/**
 * Gathers the log's documents and deletions to bundles, has them built on this thread and on another at once, and hands
 * them back in the order of the log.
 *
 * Used by recovery, on the writer thread. What it holds is bounded: a few bundles. Never looks at segments: what a bundle
 * does to its collection is the business of whoever takes it back.
 */
import { assertPresent } from '../../core/assert.js';
import type { Region } from '../../memory/arena.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import {
  type BuiltBundle,
  BundleBuilder,
  type BundleWrite,
  BundleWriter,
  type ReplayBundle,
  type ReplayOrder,
  type ReplayWorker,
} from './replay-bundle.js';

/** How much is done at once. Bytes are those of documents and ids. */
export interface ReplaySizes {
  /** What was replayed is written out and published after so many bytes of documents. */
  readonly settledBytes: number;
  /**
   * So much is gathered, over all collections, before it is cut to bundles: the maximum, but less near the end of the
   * log.
   */
  readonly gatheredBytesMax: number;
  readonly gatheredBytesMin: number;
  /** A smaller bundle, or a larger one, is applied write by write. */
  readonly bundleBytesMin: number;
  readonly bundleBytesMax: number;
}

export const REPLAY_SIZES: ReplaySizes = {
  settledBytes: 16 << 20,
  gatheredBytesMax: 16 << 20,
  gatheredBytesMin: 4 << 20,
  bundleBytesMin: 1 << 18,
  bundleBytesMax: 1 << 26,
};

/** Several bundles are under way at once, with their builders and segments: each may take this part of the memory. */
const MEMORY_SHARE = 32;

/** What is done at once under a budget of `memoryBytes` bytes. */
export function replaySizes(memoryBytes: number): ReplaySizes {
  const most = (bytes: number): number => Math.floor(Math.min(bytes, Math.max(memoryBytes / MEMORY_SHARE, 1 << 20)));
  const { settledBytes, gatheredBytesMax, gatheredBytesMin, bundleBytesMin, bundleBytesMax } = REPLAY_SIZES;
  return {
    settledBytes: most(settledBytes),
    gatheredBytesMax: most(gatheredBytesMax),
    gatheredBytesMin: most(gatheredBytesMin),
    bundleBytesMin,
    bundleBytesMax: Math.max(most(bundleBytesMax), 2 * most(gatheredBytesMax)),
  };
}

/** Bundles that the worker may have before the writer takes one back: that under way, and the next. */
const WORKER_BUNDLES = 2;
/** The part of what is left of the log that may become one bundle, so that both threads end at about the same time. */
const LAST_PARTS = 3;
/**
 * Expected bytes of a segment for each byte of its documents: a guess for the first, then what earlier ones took, with
 * a margin.
 */
const FIRST_RATIO = 2.5;
const RATIO_MARGIN = 1.25;
const SEGMENT_BYTES_MIN = 1 << 20;
/** Buffers kept for the bundles to come. */
const BUFFERS_MAX = 5;

/** A segment made of a bundle: its region, null when it would be empty, and the documents deleted from the start. */
export interface ReplayedSegment {
  readonly region: Region | null;
  readonly dead: Uint32Array;
}

/** Takes a bundle back. `segment` is null when its writes are to be applied one by one. */
export type BundleReceiver = (bundle: ReplayBundle, segment: ReplayedSegment | null) => void;

/** A bundle cut and not yet handed back. */
interface CutBundle {
  readonly bundle: ReplayBundle;
  readonly byteCount: number;
  readonly logBytes: number;
  /** What the worker has; null: it has nothing to do with the bundle any more, and `segment` is what became of it. */
  order: ReplayOrder | null;
  segment: ReplayedSegment | null;
}

export class ReplayQueue {
  readonly #memory: SegmentMemory;
  readonly #worker: ReplayWorker | null;
  readonly #sizes: ReplaySizes;
  readonly #receive: BundleReceiver;
  readonly #builder = new BundleBuilder();
  readonly #gathered = new Map<number, BundleWriter>();
  #gatheredBytes = 0;
  /** In the order in which they were cut. */
  readonly #cut: CutBundle[] = [];
  readonly #buffers: SharedArrayBuffer[] = [];
  /** Of bundles whose documents are not in a segment yet. */
  #heldBuffers: SharedArrayBuffer[] = [];
  #ratio = 0;
  /** Bytes of the log that were added and not handed back. */
  pendingLogBytes = 0;

  constructor(memory: SegmentMemory, worker: ReplayWorker | null, sizes: ReplaySizes, receive: BundleReceiver) {
    this.#memory = memory;
    this.#worker = worker;
    this.#sizes = sizes;
    this.#receive = receive;
  }

  /** Takes a copy of a write that took `logBytes` of the log, of which `leftBytes` follow. May hand bundles back. */
  add(write: BundleWrite, schema: CollectionSchema, logBytes: number, leftBytes: number): void {
    let bundle = this.#gathered.get(write.id);
    if (bundle === undefined) {
      bundle = new BundleWriter(write.id, schema, this.#buffers.pop());
      this.#gathered.set(write.id, bundle);
    }
    const before = bundle.byteCount;
    bundle.add(write);
    bundle.logBytes += logBytes;
    this.pendingLogBytes += logBytes;
    this.#gatheredBytes += bundle.byteCount - before;
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

  /** Nobody needs the bundles that were applied write by write any more. */
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
    const bundles = [...this.#gathered.values()];
    this.#gathered.clear();
    this.#gatheredBytes = 0;
    for (const bundle of bundles) this.#cutOne(bundle);
  }

  #cutOne(writer: BundleWriter): void {
    const { byteCount, logBytes } = writer;
    const cut: CutBundle = { bundle: writer.finish(), byteCount, logBytes, order: null, segment: null };
    const { bundleBytesMin, bundleBytesMax } = this.#sizes;
    if (this.#worker !== null && byteCount >= bundleBytesMin && byteCount <= bundleBytesMax) {
      cut.order = { bundle: cut.bundle, target: this.#memory.allocate(this.#targetBytes(byteCount)) };
      this.#worker.start(cut.order);
    }
    this.#cut.push(cut);
    this.#handBackDone();
    while (this.#workerBundles() > WORKER_BUNDLES) {
      if (!this.#buildOne()) this.#awaitFirst();
      this.#handBackDone();
    }
  }

  #targetBytes(byteCount: number): number {
    const ratio = this.#ratio === 0 ? FIRST_RATIO : this.#ratio * RATIO_MARGIN;
    return Math.min(this.#memory.regionBytesMax, SEGMENT_BYTES_MIN + Math.ceil(byteCount * ratio));
  }

  /** Bundles that the worker has and is not done with. */
  #workerBundles(): number {
    let count = 0;
    for (const { order } of this.#cut) if (order !== null && !this.#workerOf().isDone(order)) count++;
    return count;
  }

  #workerOf(): ReplayWorker {
    return assertPresent(this.#worker, 'orders have a worker');
  }

  /** Builds here the first bundle that the worker has not begun; false when there is none. */
  #buildOne(): boolean {
    for (const cut of this.#cut) {
      if (cut.order === null || !this.#workerOf().takeBack(cut.order)) continue;
      this.#memory.free(cut.order.target);
      cut.order = null;
      const regions: Region[] = [];
      const built = this.#builder.build(cut.bundle, (documents) => {
        regions.push(this.#memory.writeRegion(documents.estimateBytes(), (out) => documents.write(out)));
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

  #take(cut: CutBundle, order: ReplayOrder): void {
    const built = this.#workerOf().wait(order);
    cut.order = null;
    const isWritten = built !== null && built.bytes > 0;
    const region = isWritten ? this.#memory.shrink(order.target, built.bytes) : null;
    if (!isWritten) this.#memory.free(order.target);
    this.#note(cut, built, region);
  }

  #note(cut: CutBundle, built: BuiltBundle | null, region: Region | null): void {
    cut.segment = built === null ? null : { region, dead: built.dead };
    if (built !== null) this.#ratio = Math.max(this.#ratio, built.bytes / cut.byteCount);
  }

  /** Hands back the first bundles as far as they are done. */
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
      const { segment, bundle } = first;
      const { buffer } = bundle.bytes;
      if (segment === null) this.#heldBuffers.push(buffer);
      this.#receive(bundle, segment);
      if (segment !== null) this.#keep(buffer);
    }
  }

  /** Small buffers are not worth keeping: they would have to grow. */
  #keep(buffer: SharedArrayBuffer): void {
    if (buffer.byteLength >= this.#sizes.gatheredBytesMin && this.#buffers.length < BUFFERS_MAX)
      this.#buffers.push(buffer);
  }
}
