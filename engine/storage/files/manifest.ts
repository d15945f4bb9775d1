/**
 * What a snapshot consists of, as its manifest lists it: plain data. Encoded by manifest-file.ts.
 */
import type { CollectionSchema } from '../../schema/collection-schema.js';

/** The live docs of a segment, in a file of their own. */
export interface ManifestLiveDocs {
  /** Number of the snapshot that wrote the file: part of its name. */
  readonly snapshot: number;
  /** As in its header. */
  readonly checksum: number;
}

export interface ManifestSegment {
  readonly id: number;
  /** Size of its file. */
  readonly bytes: number;
  /** contentChecksum of its header. */
  readonly checksum: number;
  readonly maxDoc: number;
  readonly liveCount: number;
  /** null: every document is live. */
  readonly liveDocs: ManifestLiveDocs | null;
}

export interface ManifestCollection {
  readonly id: number;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  readonly schema: CollectionSchema;
  /** Last record of the log that its segments contain. Below the manifest's only while the collection is damaged. */
  readonly sequence: number;
  /** In order of insertion. */
  readonly segments: readonly ManifestSegment[];
}

export interface Manifest {
  /** Counts the snapshots of the data directory; 0: the empty one of a new directory. */
  readonly snapshot: number;
  /** Random; tells data directories apart. */
  readonly directoryId: string;
  /** Last record of the write-ahead log that it contains. */
  readonly sequence: number;
  /** Numbers from here on were never used for a segment, or a collection. */
  readonly nextSegmentId: number;
  readonly nextCollectionId: number;
  /** A file of the log that must exist, with the records after `sequence`; 0: none need exist (a restored backup). */
  readonly walFile: number;
  /** Unix time in milliseconds at which it was written. */
  readonly writtenAt: number;
  readonly collections: readonly ManifestCollection[];
}
