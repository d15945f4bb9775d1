/**
 * A segment as the writer owns it: where it lies in memory, which of its documents are live, and what of it is on disk.
 */
import type { Region } from '../../memory/arena.js';
import type { SegmentReader } from '../../segment/segment-reader.js';
import type { CompoundPlace } from '../../storage/types/manifest.js';

/** Live docs that are on disk: the region that they were written from, or read into, and their file. */
export interface StoredLiveDocs {
  readonly region: Region;
  readonly snapshot: number;
  readonly checksum: number;
  readonly place?: CompoundPlace;
}

/**
 * What is on disk, durable, of a segment, in a file of its own or at its `place` in a compound file. Its bytes never change;
 * its live docs are written anew when they do.
 */
export interface StoredSegment {
  readonly checksum: number;
  readonly place?: CompoundPlace;
  readonly liveDocs: StoredLiveDocs | null;
}

/** `liveDocs` and `liveCount` change by commits alone. */
export interface OwnedSegment {
  readonly id: number;
  readonly region: Region;
  readonly reader: SegmentReader;
  liveDocs: Region | null;
  liveCount: number;
  merging: boolean;
  /** null: no file yet. */
  stored: StoredSegment | null;
}
