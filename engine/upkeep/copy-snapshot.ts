/**
 * Copies the files of a snapshot into another directory, checking every byte on the way. Used by backups and restores.
 *
 * A copy appears under its name when it is whole and on disk; until then it has a temporary one.
 */
import { EngineError } from '../core/errors.js';
import { SEGMENT_HEADER_BYTES } from '../layout/segment.js';
import { crc32c } from '../storage/files/crc32c.js';
import { damaged, hex } from '../storage/files/damage.js';
import { liveDocsFileName, segmentFileName } from '../storage/files/data-files.js';
import type { Directory, StorageFile } from '../storage/files/directory.js';
import { readLiveDocsFile } from '../storage/files/live-docs-file.js';
import type { Manifest, ManifestSegment } from '../storage/files/manifest.js';
import { openSegmentFile } from '../storage/files/segment-file.js';

/** Written between two syncs, so that no sync of a server on the same disk waits behind a large backlog. */
const STEP_BYTES = 8 * 1024 * 1024;

/** How the name of a copy ends that is not whole yet. */
export const COPY_SUFFIX = '.copy';

/** One file of a snapshot. */
export interface SnapshotFile {
  readonly name: string;
  readonly segment: ManifestSegment;
  readonly kind: 'segment' | 'live-docs';
}

/** The files that `manifest` names, itself excluded. */
export function listSnapshotFiles(manifest: Manifest): SnapshotFile[] {
  const files: SnapshotFile[] = [];
  for (const { segments } of manifest.collections) {
    for (const segment of segments) {
      files.push({ name: segmentFileName(segment.id), segment, kind: 'segment' });
      if (segment.liveDocs === null) continue;
      files.push({ name: liveDocsFileName(segment.id, segment.liveDocs.snapshot), segment, kind: 'live-docs' });
    }
  }
  return files;
}

/** Whether `directory` holds `file`, by every check that does not read the whole of a segment. Errors: io_error. */
export function holdsFile(directory: Directory, { kind, segment }: SnapshotFile): boolean {
  try {
    if (kind === 'live-docs') readLiveDocsFile(directory, segment, crc32c);
    else openSegmentFile(directory, segment, crc32c).close();
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'corrupt_data') return false;
    throw error;
  }
}

/**
 * Copies one file; durable on return, once the directory is synced too. Returns its bytes. Errors: corrupt_data naming
 * the source when it is damaged, and the copy when that is not what was read; disk_full, io_error. Leaves nothing behind
 * then.
 */
export async function copySnapshotFile(from: Directory, to: Directory, file: SnapshotFile): Promise<number> {
  const { name, segment, kind } = file;
  const path = `${from.path}/${name}`;
  if (kind === 'live-docs') readLiveDocsFile(from, segment, crc32c);
  else openSegmentFile(from, segment, crc32c).close();
  const temporary = `${name}${COPY_SUFFIX}`;
  try {
    const { bytes, checksum } = await copyBytes(from.open(name, 'read'), to.open(temporary, 'create'), path);
    if (kind === 'segment' && checksum !== segment.checksum) {
      throw damaged(path, 'damaged content, checksum', SEGMENT_HEADER_BYTES, hex(segment.checksum), hex(checksum));
    }
    to.rename(temporary, name);
    if (kind === 'live-docs') readLiveDocsFile(to, segment, crc32c);
    else openSegmentFile(to, segment, crc32c).close();
    return bytes;
  } catch (error) {
    tryRemove(to, temporary);
    throw error;
  }
}

/** Copies all of `source` and closes both. Returns its size, and the checksum of what follows a segment's header. */
async function copyBytes(
  source: StorageFile,
  target: StorageFile,
  path: string,
): Promise<{ bytes: number; checksum: number }> {
  try {
    const bytes = source.size();
    const buffer = new Uint8Array(Math.min(STEP_BYTES, bytes));
    let checksum = 0;
    for (let position = 0; position < bytes; position += buffer.length) {
      const step = buffer.subarray(0, Math.min(buffer.length, bytes - position));
      const got = source.read(step, position);
      if (got < step.length) throw damaged(path, 'short file', position + got, `${bytes} bytes`, `${position + got}`);
      const start = Math.min(Math.max(SEGMENT_HEADER_BYTES - position, 0), step.length);
      checksum = crc32c(checksum, step, start, step.length);
      target.write([step], position);
      await target.sync();
    }
    return { bytes, checksum };
  } finally {
    source.close();
    target.close();
  }
}

/** Removes a file that may not be there. */
export function tryRemove(directory: Directory, name: string): void {
  try {
    directory.remove(name);
  } catch {
    // What could not be removed is in nobody's way: no manifest names it.
  }
}
