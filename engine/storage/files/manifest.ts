/**
 * What a snapshot consists of, as its manifest lists it: plain data. Encoded by manifest-file.ts.
 */
import type { CollectionSchema } from '../../schema/collection-schema.js';

/** Where in a compound file something lies that would else be a file of its own. */
export interface CompoundPlace {
  /** Number of the snapshot that wrote the compound file. */
  readonly compound: number;
  readonly offset: number;
  readonly bytes: number;
}

/** A compound file of which at least one part is in use. */
export interface ManifestCompound {
  /** Number of the snapshot that wrote it: part of its name. */
  readonly snapshot: number;
  /** Its size. */
  readonly bytes: number;
}

/** The live docs of a segment, which have a file of their own unless there is a `place`. */
export interface ManifestLiveDocs {
  /** Number of the snapshot that wrote the file: part of its name. */
  readonly snapshot: number;
  /** As in its header. */
  readonly checksum: number;
  readonly place?: CompoundPlace;
}

/** A segment, which has a file of its own unless there is a `place`. */
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
  readonly place?: CompoundPlace;
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
  /** Those that segments and live docs lie in; none: no such key. */
  readonly compounds?: readonly ManifestCompound[];
}
