/**
 * Copies the files of a snapshot into another directory, checking every byte on the way. Used by backups and restores.
 *
 * A copy appears under its name when it is whole and on disk; until then it has a temporary one.
 */
import { EngineError } from '../core/errors.js';
import { SEGMENT_HEADER_BYTES } from '../layout/segment.js';
import { checkCompoundFile } from '../storage/files/compound-file.js';
import { crc32c } from '../storage/files/crc32c.js';
import { damaged, hex } from '../storage/files/damage.js';
import { compoundFileName, liveDocsFileName, segmentFileName, segmentName } from '../storage/files/data-files.js';
import type { Directory, StorageFile } from '../storage/files/directory.js';
import { readLiveDocsFile } from '../storage/files/live-docs-file.js';
import { openSegmentFile, verifySegmentFile } from '../storage/files/segment-file.js';
import type { Manifest, ManifestCompound, ManifestSegment } from '../storage/types/manifest.js';

/** Written between two syncs, so that no sync of a server on the same disk waits behind a large backlog. */
const STEP_BYTES = 8 * 1024 * 1024;

/** How the name of a copy ends that is not whole yet. */
export const COPY_SUFFIX = '.copy';

/** One file of a snapshot. */
export type SnapshotFile =
  | { readonly name: string; readonly kind: 'segment'; readonly segment: ManifestSegment }
  | { readonly name: string; readonly kind: 'live-docs'; readonly segment: ManifestSegment }
  | {
      readonly name: string;
      readonly kind: 'compound';
      readonly compound: ManifestCompound;
      /** Those that lie in it, or whose live docs do. */
      readonly segments: readonly ManifestSegment[];
    };

/** The files that `manifest` names, itself excluded. */
export function listSnapshotFiles(manifest: Manifest): SnapshotFile[] {
  const files: SnapshotFile[] = [];
  const parts = new Map<number, Set<ManifestSegment>>();
  for (const { snapshot } of manifest.compounds ?? []) parts.set(snapshot, new Set());
  for (const { segments } of manifest.collections) {
    for (const segment of segments) {
      const { id, place, liveDocs } = segment;
      if (place === undefined) files.push({ name: segmentFileName(id), segment, kind: 'segment' });
      else parts.get(place.compound)?.add(segment);
      if (liveDocs === null) continue;
      const { snapshot } = liveDocs;
      if (liveDocs.place === undefined)
        files.push({ name: liveDocsFileName(id, snapshot), segment, kind: 'live-docs' });
      else parts.get(liveDocs.place.compound)?.add(segment);
    }
  }
  for (const compound of manifest.compounds ?? []) {
    const segments = [...(parts.get(compound.snapshot) ?? [])];
    files.push({ name: compoundFileName(compound.snapshot), kind: 'compound', compound, segments });
  }
  return files;
}

/** Every check of `file` that does not read the whole of a segment. Errors: corrupt_data, io_error. */
function checkFile(directory: Directory, file: SnapshotFile): void {
  if (file.kind === 'live-docs') readLiveDocsFile(directory, file.segment, crc32c);
  else if (file.kind === 'segment') openSegmentFile(directory, file.segment, crc32c).close();
  else {
    const { snapshot } = file.compound;
    checkCompoundFile(directory, file.compound, crc32c);
    for (const segment of file.segments) {
      if (segment.place?.compound === snapshot) openSegmentFile(directory, segment, crc32c).close();
      if (segment.liveDocs?.place?.compound === snapshot) readLiveDocsFile(directory, segment, crc32c);
    }
  }
}

/** Compares the content of every segment in a compound file with its checksum. Errors: corrupt_data, io_error. */
async function verifyParts(
  directory: Directory,
  { snapshot }: ManifestCompound,
  segments: readonly ManifestSegment[],
): Promise<void> {
  for (const segment of segments) {
    if (segment.place?.compound !== snapshot) continue;
    const part = openSegmentFile(directory, segment, crc32c);
    try {
      await verifySegmentFile(part, `${directory.path}/${segmentName(segment)}`, segment, crc32c);
    } finally {
      part.close();
    }
  }
}

/** Compares all of `file` with its checksums. Errors: corrupt_data, io_error. */
export async function verifySnapshotFile(directory: Directory, file: SnapshotFile): Promise<void> {
  checkFile(directory, file);
  if (file.kind === 'compound') await verifyParts(directory, file.compound, file.segments);
  if (file.kind !== 'segment') return;
  const segment = openSegmentFile(directory, file.segment, crc32c);
  try {
    await verifySegmentFile(segment, `${directory.path}/${file.name}`, file.segment, crc32c);
  } finally {
    segment.close();
  }
}

/** Whether `directory` holds `file`, by every check that does not read the whole of a segment. Errors: io_error. */
export function holdsFile(directory: Directory, file: SnapshotFile): boolean {
  try {
    checkFile(directory, file);
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
  const { name, kind } = file;
  const path = `${from.path}/${name}`;
  checkFile(from, file);
  if (kind === 'compound') await verifyParts(from, file.compound, file.segments);
  const temporary = `${name}${COPY_SUFFIX}`;
  try {
    const { bytes, checksum } = await copyBytes(from.open(name, 'read'), to.open(temporary, 'create'), path);
    if (kind === 'segment' && checksum !== file.segment.checksum) {
      const expected = hex(file.segment.checksum);
      throw damaged(path, 'damaged content, checksum', SEGMENT_HEADER_BYTES, expected, hex(checksum));
    }
    to.rename(temporary, name);
    checkFile(to, file);
    if (kind === 'compound') await verifyParts(to, file.compound, file.segments);
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

/** Whether `a` and `b`, of the same name, may be the same file: what both manifests say of it agrees. */
export function isSameFile(a: SnapshotFile, b: SnapshotFile): boolean {
  if (a.kind !== 'compound' || b.kind !== 'compound') return checksumsOf(a).join() === checksumsOf(b).join();
  if (a.compound.bytes !== b.compound.bytes) return false;
  const known = new Map(checksumsOf(a));
  return checksumsOf(b).every(([part, checksum]) => (known.get(part) ?? checksum) === checksum);
}

/** What the manifest says of the content of `file`: files of one name that agree in it are the same. */
export const contentOf = (file: SnapshotFile): string =>
  checksumsOf(file)
    .map(([part, checksum]) => `${part} ${checksum}`)
    .sort()
    .join();

/** The checksums of what lies in `file`, by kind and number. */
function checksumsOf(file: SnapshotFile): [part: string, checksum: number][] {
  if (file.kind === 'segment') return [['segment', file.segment.checksum]];
  if (file.kind === 'live-docs') return [['live docs', file.segment.liveDocs?.checksum ?? 0]];
  const { snapshot } = file.compound;
  const checksums: [part: string, checksum: number][] = [];
  for (const { id, checksum, place, liveDocs } of file.segments) {
    if (place?.compound === snapshot) checksums.push([`segment ${id} at ${place.offset}`, checksum]);
    if (liveDocs?.place?.compound !== snapshot) continue;
    checksums.push([`live docs ${id} at ${liveDocs.place.offset}`, liveDocs.checksum]);
  }
  return checksums;
}

/** Removes a file that may not be there. */
export function tryRemove(directory: Directory, name: string): void {
  try {
    directory.remove(name);
  } catch {
    // What could not be removed is in nobody's way: no manifest names it.
  }
}
