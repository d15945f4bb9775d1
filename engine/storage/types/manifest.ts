/**
 * What a snapshot consists of, as its manifest lists it: plain data, MessagePack maps, part of the file's format. No code:
 * files/manifest-file.ts encodes and decodes it, templates/manifest.ts makes the check of it, files/manifest-check.ts
 * compares what its parts say of each other.
 */
import type { tags } from 'typia';
import type { COMPOUND_HEADER_BYTES } from '../../layout/compound.js';
import type { SEGMENT_HEADER_BYTES } from '../../layout/segment.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { Time, U32, U53 } from './integers.js';

/** Number of the snapshot that wrote a file: part of the file's name, from 1 on. */
type SnapshotNumber = U32;

/** Where in a compound file something lies that would else be a file of its own. */
export interface CompoundPlace {
  readonly compound: SnapshotNumber;
  readonly offset: U53 & tags.Minimum<typeof COMPOUND_HEADER_BYTES>;
  readonly bytes: U53;
}

/** A compound file of which at least one part is in use. */
export interface ManifestCompound {
  readonly snapshot: SnapshotNumber;
  /** Its size. */
  readonly bytes: U53 & tags.Minimum<typeof COMPOUND_HEADER_BYTES>;
}

/** The live docs of a segment, which have a file of their own unless there is a `place`. */
export interface ManifestLiveDocs {
  readonly snapshot: SnapshotNumber;
  /** As in its header. */
  readonly checksum: U32;
  readonly place?: CompoundPlace;
}

/** A segment, which has a file of its own unless there is a `place`. */
export interface ManifestSegment {
  readonly id: U32 & tags.Minimum<1>;
  /** Size of its file. */
  readonly bytes: U32 & tags.Minimum<typeof SEGMENT_HEADER_BYTES>;
  /** contentChecksum of its header. */
  readonly checksum: U32;
  readonly maxDoc: U32;
  readonly liveCount: U32;
  /** null: every document is live. */
  readonly liveDocs: ManifestLiveDocs | null;
  readonly place?: CompoundPlace;
}

export interface ManifestAlias {
  readonly name: string;
  readonly collectionId: U53;
}

interface CollectionEntry {
  readonly id: U53;
  readonly createdAt: Time;
  /** Last record of the log that its segments contain. Below the manifest's only while the collection is damaged. */
  readonly sequence: U53;
  /** In order of insertion. */
  readonly segments: readonly ManifestSegment[];
  /** Its synonyms and stop words, as files/text-rules-bytes.ts writes them; no such key: there are none. */
  readonly textRules?: Uint8Array;
}

/** Of a data directory whose writes are ordered by a log that several engines follow. */
export interface ManifestStream {
  /** Tells such logs apart. */
  readonly id: string & tags.MinLength<1>;
  /** The oldest record of it that whoever goes on from this snapshot has to read again: the next one at the latest. */
  readonly from: U53 & tags.Minimum<1>;
}

interface SnapshotEntry {
  /** Counts the snapshots of the data directory; 0: the empty one of a new directory. */
  readonly snapshot: U32;
  /** Random; tells data directories apart. */
  readonly directoryId: string & tags.MinLength<1>;
  /** Last record that it contains of the write-ahead log, or of the `stream`. */
  readonly sequence: U53;
  /** Numbers from here on were never used for a segment, or a collection. */
  readonly nextSegmentId: U32 & tags.Minimum<1>;
  readonly nextCollectionId: U53;
  /** A file of the log that must exist, with the records after `sequence`; 0: none need exist (a restored backup, or a `stream`). */
  readonly walFile: U53;
  /** When it was written. */
  readonly writtenAt: Time;
  /** Those that segments and live docs lie in; none: no such key. */
  readonly compounds?: readonly ManifestCompound[];
  /** Names beside their own that collections have; none: no such key. */
  readonly aliases?: readonly ManifestAlias[];
  /** Where the writes are ordered; no such key: by the directory's own write-ahead log. */
  readonly stream?: ManifestStream;
}

export interface ManifestCollection extends CollectionEntry {
  readonly schema: CollectionSchema;
  /** What a change of the schema that is under way leads to; no such key: there is none. */
  readonly change?: CollectionSchema;
}

export interface Manifest extends SnapshotEntry {
  readonly collections: readonly ManifestCollection[];
}

/** A collection of a manifest as it is stored; its schemas are what schema/parse-schema.ts takes. */
export interface StoredCollection extends CollectionEntry {
  readonly schema: unknown;
  readonly change?: unknown;
}

/** A manifest as it is stored. */
export interface StoredManifest extends SnapshotEntry {
  readonly collections: readonly StoredCollection[];
}
