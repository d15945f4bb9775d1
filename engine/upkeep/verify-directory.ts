/**
 * Checks every byte of a data directory or a backup against its checksums, and that the files fit together.
 *
 * Called by `sabre verify` and before a restore. Opens no engine, takes no lock, changes nothing, and goes on after each
 * problem; a running server's directory may be checked too.
 */

import { EngineError } from '../core/errors.js';
import { LIVE_DOCS_HEADER_BYTES } from '../layout/live-docs.js';
import {
  SEGMENT_CONTENT_CHECKSUM,
  SEGMENT_HEADER_BYTES,
  SEGMENT_HEADER_CHECKSUM,
  SEGMENT_ID,
} from '../layout/segment.js';
import { checkCompoundFile, openPart } from '../storage/files/compound-file.js';
import { crc32c } from '../storage/files/crc32c.js';
import { damaged, hex } from '../storage/files/damage.js';
import {
  compoundFileName,
  isSnapshotFile,
  liveDocsName,
  MANIFEST_FILE,
  MANIFEST_TEMPORARY_FILE,
  segmentFileId,
  segmentFileName,
  segmentName,
  snapshotFilesOf,
} from '../storage/files/data-files.js';
import type { StorageFile } from '../storage/files/directory.js';
import { LOCK_FILE } from '../storage/files/directory-lock.js';
import { readLiveDocsFile } from '../storage/files/live-docs-file.js';
import { openSegmentFile, readSegmentHeader, verifySegmentFile } from '../storage/files/segment-file.js';
import { checkNotBehind } from '../storage/files/stream-manifest.js';
import { decodeTextRules } from '../storage/files/text-rules-bytes.js';
import { walFileNumber } from '../storage/log/wal-format.js';
import type { Manifest, ManifestSegment } from '../storage/types/manifest.js';
import { recordsContained } from '../writer/snapshot/snapshot-order.js';
import { type HeldSnapshot, holdSnapshot } from './held-directory.js';
import { type LogNeeds, verifyLog } from './verify-log.js';
import { type HearProblem, leftover, problemOf, type VerifyProblem } from './verify-problem.js';

export interface VerifyOptions {
  readonly onProblem: HearProblem;
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

export interface VerifySummary {
  /** Of the manifest; null when none can be read. */
  readonly snapshot: number | null;
  readonly directoryId: string | null;
  readonly collections: number;
  /** Files and bytes that were checked. */
  readonly files: number;
  readonly bytes: number;
  /** Sound records of the log. */
  readonly records: number;
  readonly damages: number;
  readonly tornTails: number;
  readonly leftovers: number;
}

/** Checks the folder at `path`. Errors: io_error when it cannot be listed or a file not be opened. */
export async function verifyDirectory(path: string, options: VerifyOptions): Promise<VerifySummary> {
  const held = holdSnapshot(path);
  try {
    return await new Verification(held, options).run();
  } finally {
    held.directory.close();
  }
}

class Verification {
  readonly #held: HeldSnapshot;
  readonly #options: VerifyOptions;
  readonly #counts = { damage: 0, 'torn-tail': 0, leftover: 0 };
  readonly #totalBytes: number;
  #doneBytes = 0;

  constructor(held: HeldSnapshot, options: VerifyOptions) {
    this.#held = held;
    this.#options = options;
    this.#totalBytes = held.directory.list().reduce((sum, name) => sum + this.#sizeOf(name), 0);
  }

  async run(): Promise<VerifySummary> {
    const { directory, manifest, manifestError } = this.#held;
    if (manifestError !== null) this.#hear(problemOf(manifestError, `${directory.path}/${MANIFEST_FILE}`));
    if (manifest === null) {
      if (manifestError === null) this.#checkAbsence();
      await this.#verifyStraySegments();
    } else {
      for (const compound of manifest.compounds ?? []) {
        const path = `${directory.path}/${compoundFileName(compound.snapshot)}`;
        this.#attempt(path, () => checkCompoundFile(directory, compound, crc32c));
      }
      for (const collection of manifest.collections) {
        const path = `${directory.path}/${MANIFEST_FILE}`;
        this.#attempt(path, () => decodeTextRules(collection, path));
        this.#attempt(path, () => checkNotBehind(collection, manifest, path));
        for (const segment of collection.segments) await this.#verifySegment(segment);
      }
    }
    let records = 0;
    await this.#attemptLater(directory.path, async () => {
      ({ records } = await verifyLog(directory, this.#logNeeds(), this.#hear, this.#onBytes));
    });
    this.#listLeftovers(manifest);
    return {
      snapshot: manifest?.snapshot ?? null,
      directoryId: manifest?.directoryId ?? null,
      collections: manifest?.collections.length ?? 0,
      files: directory.list().length,
      bytes: this.#totalBytes,
      records,
      damages: this.#counts.damage,
      tornTails: this.#counts['torn-tail'],
      leftovers: this.#counts.leftover,
    };
  }

  readonly #hear = (problem: VerifyProblem): void => {
    this.#counts[problem.kind]++;
    this.#options.onProblem(problem);
  };

  readonly #onBytes = (bytes: number): void => {
    this.#doneBytes += bytes;
    this.#options.onProgress?.(this.#doneBytes, this.#totalBytes);
  };

  #sizeOf(name: string): number {
    const file = this.#held.directory.open(name, 'read');
    return file.size();
  }

  /** A new directory has a log from the first record on before it has a manifest. */
  #checkAbsence(): void {
    const { directory, names } = this.#held;
    if (names.some((name) => walFileNumber(name) === 1)) return;
    const stray = names.find((name) => isSnapshotFile(name) || walFileNumber(name) !== null);
    const expected = stray === undefined ? 'a manifest' : `a manifest beside ${stray}`;
    this.#hear(
      problemOf(damaged(`${directory.path}/${MANIFEST_FILE}`, 'missing', 0, expected, 'none'), directory.path),
    );
  }

  #logNeeds(): LogNeeds | null {
    const { manifest, manifestError } = this.#held;
    if (manifest === null) return manifestError === null ? { after: 0, file: 0, collections: [], sequence: 0 } : null;
    const { walFile, collections, sequence } = manifest;
    return { after: recordsContained(manifest), file: walFile, collections, sequence };
  }

  async #verifySegment(entry: ManifestSegment): Promise<void> {
    const { directory } = this.#held;
    const path = `${directory.path}/${segmentName(entry)}`;
    this.#attempt(path, () => openSegmentFile(directory, entry, crc32c).close());
    const file = this.#tryOpen(entry);
    // Another size has been told, and would only be told again.
    if (file !== null && file.size() === entry.bytes) {
      await this.#attemptLater(path, () => verifySegmentFile(file, path, entry, crc32c, this.#onBytes));
    }
    const { liveDocs } = entry;
    if (liveDocs === null) return;
    const bits = `${directory.path}/${liveDocsName(entry.id, liveDocs)}`;
    this.#attempt(bits, () =>
      this.#onBytes(LIVE_DOCS_HEADER_BYTES + readLiveDocsFile(directory, entry, crc32c).length),
    );
  }

  /** null: there is no such file, which has been told. */
  #tryOpen({ id, bytes, place }: ManifestSegment): StorageFile | null {
    try {
      return openPart(this.#held.directory, segmentFileName(id), bytes, place, crc32c);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'corrupt_data') return null;
      throw error;
    }
  }

  /** Without a manifest, segments are held against their own headers. */
  async #verifyStraySegments(): Promise<void> {
    const { directory } = this.#held;
    for (const name of directory.list()) {
      const id = segmentFileId(name);
      if (id === null) continue;
      const path = `${directory.path}/${name}`;
      this.#attempt(path, () => {
        const header = readSegmentHeader(directory.open(name, 'read'), path, crc32c);
        if (header.segmentId !== id)
          throw damaged(path, 'another segment, number', SEGMENT_ID, `${id}`, `${header.segmentId}`);
        if (!header.isHeaderSound) {
          const stored = hex(header.headerChecksum);
          throw damaged(path, 'damaged header, checksum', SEGMENT_HEADER_CHECKSUM, stored, 'another');
        }
        if (!header.isContentSound) {
          const expected = `${hex(header.contentChecksum)}, as at ${SEGMENT_CONTENT_CHECKSUM}`;
          throw damaged(path, 'damaged content, checksum', SEGMENT_HEADER_BYTES, expected, 'another');
        }
        this.#onBytes(header.bytes);
      });
    }
  }

  #listLeftovers(manifest: Manifest | null): void {
    const { directory, names, manifestError } = this.#held;
    const named = new Set(manifest === null ? [] : snapshotFilesOf(manifest));
    for (const name of [...names].sort()) {
      if (name === LOCK_FILE || name === MANIFEST_FILE || walFileNumber(name) !== null || named.has(name)) continue;
      const path = `${directory.path}/${name}`;
      if (!isSnapshotFile(name)) this.#hear(leftover(path, 'a file of no use here'));
      else if (name === MANIFEST_TEMPORARY_FILE || manifest !== null) {
        this.#hear(leftover(path, 'the manifest does not name it: a snapshot was interrupted, or is under way'));
      } else if (manifestError === null) this.#hear(leftover(path, 'there is no manifest to name it'));
    }
  }

  #attempt(path: string, check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#hearError(error, path);
    }
  }

  async #attemptLater(path: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.#hearError(error, path);
    }
  }

  #hearError(error: unknown, path: string): void {
    if (!(error instanceof EngineError)) throw error;
    this.#hear(problemOf(error, path));
  }
}
