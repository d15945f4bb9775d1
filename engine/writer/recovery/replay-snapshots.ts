/**
 * Snapshots between portions of the log, for a start that has less memory than the log became when it was written: what
 * has been replayed goes to files, and its memory to the page cache, before the log goes on.
 *
 * Used by recovery on the writer thread, between two records, when all before them is published. The log stays as it is
 * until the running server's next snapshot.
 */
import type { EngineLogger } from '../../engine.js';
import { collectGarbage } from '../../memory/collect-garbage.js';
import type { Directory } from '../../storage/files/directory.js';
import type { Manifest } from '../../storage/types/manifest.js';
import { compoundSizes, OWN_FILES_ONLY } from '../snapshot/compound-policy.js';
import type { SnapshotOrder, SnapshotOutcome } from '../snapshot/snapshot-job.js';
import { orderSnapshot } from '../snapshot/snapshot-order.js';
import { noteStored, remapSegment, unmappableBytes } from '../snapshot/stored-segments.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { SegmentMemory } from '../state/segment-memory.js';

/** Carries out an order at once; nothing else happens meanwhile. */
export type WriteSnapshotNow = (order: SnapshotOrder) => SnapshotOutcome;

/** A snapshot frees at least this part of the room: what else is short of memory is garbage. */
const WORTH_SHARE = 8;

export class ReplaySnapshots {
  readonly #directory: Directory;
  readonly #collections: CollectionSet;
  readonly #memory: SegmentMemory;
  readonly #write: WriteSnapshotNow;
  readonly #logger: EngineLogger;
  #manifest: Manifest;
  #unmappableBytes = 0;
  /** One could not be written: the log is replayed without. */
  #hasFailed = false;

  /** `manifest`: the one in force. */
  constructor(
    directory: Directory,
    collections: CollectionSet,
    memory: SegmentMemory,
    manifest: Manifest,
    write: WriteSnapshotNow,
    logger: EngineLogger,
  ) {
    this.#directory = directory;
    this.#collections = collections;
    this.#memory = memory;
    this.#manifest = manifest;
    this.#write = write;
    this.#logger = logger;
  }

  /** The manifest in force; its number is that of the last attempt. */
  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Whether memory gets scarce that a snapshot would free. */
  get isDue(): boolean {
    const { budget, mapping, unmappedBytes } = this.#memory;
    if (this.#hasFailed || mapping === 'read') return false;
    const freeableBytes = unmappedBytes - this.#unmappableBytes;
    return freeableBytes >= budget.roomBytes / WORTH_SHARE && budget.wantsSnapshot(freeableBytes, false);
  }

  /** Whether nobody knows which manifest is on disk: then no file may be removed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Writes everything up to record `sequence`, which is all that is published. */
  take(sequence: number): void {
    const collections = this.#collections;
    const memory = this.#memory;
    const { directoryId, walFile, snapshot } = this.#manifest;
    const { nextSegmentId } = memory;
    const head = { snapshot: snapshot + 1, directoryId, sequence, nextSegmentId, walFile, writtenAt: Date.now() };
    // Memory is freed by files that can be mapped: a compound file cannot.
    const order = orderSnapshot(collections, head, compoundSizes(this.#manifest), OWN_FILES_ONLY);
    const outcome = this.#write(order);
    // Files that are on disk stay there, whichever manifest is in force: it may name them.
    const written = noteStored(collections.all(), order, outcome);
    if (outcome.manifest === null) {
      this.#hasFailed = true;
      // Files may lie there under the number: the next attempt takes another.
      this.#manifest = { ...this.#manifest, snapshot: snapshot + 1 };
      const { code, message } = outcome.error ?? { code: 'internal_error', message: 'no manifest' };
      this.#logger.warn({ code }, `the log is replayed beyond the memory budget, no snapshot was written: ${message}`);
      return;
    }
    this.#manifest = outcome.manifest;
    collections.refused.update(outcome.manifest.collections);
    for (const { segment } of written) remapSegment(segment, this.#directory, memory, this.#logger);
    memory.releaseFreed();
    collectGarbage();
    this.#unmappableBytes = unmappableBytes(collections, memory);
    const { bytesWritten: bytes } = outcome;
    this.#logger.info({ sequence, segments: written.length, bytes }, 'wrote a snapshot of what was replayed');
  }
}
