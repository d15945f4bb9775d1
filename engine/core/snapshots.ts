/**
 * What is told of snapshots: of one that is on disk, and of all of them at a moment. Made by writer/snapshot/, shown by the server.
 */

/** A snapshot that is on disk. */
export interface SnapshotReport {
  /** Counts the snapshots of a data directory. */
  readonly snapshot: number;
  /** Last record of the write-ahead log that it contains. */
  readonly sequence: number;
  readonly collections: number;
  readonly segments: number;
  /** Files that had to be written, manifest included, and their bytes; the others were there already. */
  readonly filesWritten: number;
  readonly bytesWritten: number;
  readonly elapsedMs: number;
}

/** State of the snapshots at one moment. */
export interface SnapshotStats {
  /** The last record that the snapshot in force contains. */
  readonly sequence: number;
  /** Of the last one on disk; 0: none yet. */
  readonly snapshot: number;
  /** Snapshots written and attempts failed since start. */
  readonly written: number;
  readonly failed: number;
  /** Code of what was wrong with the last attempt; null: nothing. */
  readonly failure: string | null;
  readonly running: boolean;
  /** Unix time of the end of the last one written since start, in milliseconds; 0: none. */
  readonly lastAtMs: number;
  readonly lastElapsedMs: number;
  /** Bytes of all files that the last snapshot names. */
  readonly bytes: number;
  /** Unix time in milliseconds of the oldest write that no snapshot on disk holds, of those since the start; 0: there is none. */
  readonly oldestWriteMs: number;
}
