/**
 * Segment files: the bytes of a segment as they lie in memory, under a number and two checksums (layout/segment.ts).
 *
 * Sealed and written by whoever takes a snapshot, opened by recovery, verified by triage, merges and inspection. Never
 * looks into the sections: what they mean is not known here.
 */
import { setImmediate } from 'node:timers/promises';
import { assert } from '../../core/assert.js';
import {
  FIELD_ENTRY_BYTES,
  SEGMENT_CONTENT_CHECKSUM,
  SEGMENT_DOCUMENTS,
  SEGMENT_ENTRIES,
  SEGMENT_ENTRY_COUNT,
  SEGMENT_ENTRY_STARTS,
  SEGMENT_FIELD_COUNT,
  SEGMENT_FIELDS,
  SEGMENT_FORMAT_VERSION,
  SEGMENT_FORMAT_VERSION_MIN,
  SEGMENT_HEADER_BYTES,
  SEGMENT_HEADER_CHECKSUM,
  SEGMENT_ID,
  SEGMENT_IDS,
  SEGMENT_MAGIC_HIGH,
  SEGMENT_MAGIC_LOW,
  SEGMENT_MAX_DOC,
  SEGMENT_PREFIX_POSTINGS,
  SEGMENT_PREFIX_POSTINGS_COUNT,
  SEGMENT_SIZE,
  SEGMENT_TERMS,
  SEGMENT_VERSION,
} from '../../layout/segment.js';
import type { ManifestSegment } from '../types/manifest.js';
import { openPart } from './compound-file.js';
import type { Crc32c } from './crc32c.js';
import { checkMagic, damaged, hex, unknownVersion } from './damage.js';
import { segmentFileName } from './data-files.js';
import type { Directory, StorageFile } from './directory.js';

const WRITE_STEP_BYTES = 8 * 1024 * 1024;
const READ_STEP_BYTES = 1024 * 1024;

/** The header of a segment file, and whether its checksums hold. */
export interface SegmentHeader {
  readonly version: number;
  readonly bytes: number;
  readonly maxDoc: number;
  readonly fieldCount: number;
  readonly entryCount: number;
  readonly prefixPostingsCount: number;
  /** Offsets of the sections, as layout/segment.ts names them. */
  readonly terms: number;
  readonly entryStarts: number;
  readonly entries: number;
  readonly ids: number;
  readonly documents: number;
  readonly fields: number;
  readonly prefixPostings: number;
  readonly segmentId: number;
  readonly contentChecksum: number;
  readonly headerChecksum: number;
  readonly isHeaderSound: boolean;
  readonly isContentSound: boolean;
}

type StoredHeader = Omit<SegmentHeader, 'isHeaderSound' | 'isContentSound'>;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function readFields(view: DataView): StoredHeader {
  return {
    version: view.getUint32(SEGMENT_VERSION, true),
    bytes: view.getUint32(SEGMENT_SIZE, true),
    maxDoc: view.getUint32(SEGMENT_MAX_DOC, true),
    fieldCount: view.getUint32(SEGMENT_FIELD_COUNT, true),
    entryCount: view.getUint32(SEGMENT_ENTRY_COUNT, true),
    prefixPostingsCount: view.getUint32(SEGMENT_PREFIX_POSTINGS_COUNT, true),
    terms: view.getUint32(SEGMENT_TERMS, true),
    entryStarts: view.getUint32(SEGMENT_ENTRY_STARTS, true),
    entries: view.getUint32(SEGMENT_ENTRIES, true),
    ids: view.getUint32(SEGMENT_IDS, true),
    documents: view.getUint32(SEGMENT_DOCUMENTS, true),
    prefixPostings: view.getUint32(SEGMENT_PREFIX_POSTINGS, true),
    fields: view.getUint32(SEGMENT_FIELDS, true),
    segmentId: view.getUint32(SEGMENT_ID, true),
    contentChecksum: view.getUint32(SEGMENT_CONTENT_CHECKSUM, true),
    headerChecksum: view.getUint32(SEGMENT_HEADER_CHECKSUM, true),
  };
}

const fieldTableEnd = (header: StoredHeader): number => header.fields + header.fieldCount * FIELD_ENTRY_BYTES;

const isFieldTableInside = (header: StoredHeader, bytes: number): boolean =>
  header.fields >= SEGMENT_HEADER_BYTES && fieldTableEnd(header) <= bytes;

/** Checksum that the header of a whole segment in memory should have; its field table lies inside. */
function headerChecksumOf(bytes: Uint8Array, header: StoredHeader, crc32c: Crc32c): number {
  const crc = crc32c(0, bytes, 0, SEGMENT_HEADER_CHECKSUM);
  return crc32c(crc, bytes, header.fields, fieldTableEnd(header));
}

const contentChecksumOf = (bytes: Uint8Array, crc32c: Crc32c): number =>
  crc32c(0, bytes, SEGMENT_HEADER_BYTES, bytes.length);

/**
 * Fills the number and both checksums into the header of a whole segment in memory. Returns its content checksum; a
 * segment sealed before, under the same number, keeps what it has. Errors: corrupt_data when that was damaged since.
 */
export function sealSegment(bytes: Uint8Array, id: number, crc32c: Crc32c): number {
  const view = viewOf(bytes);
  const header = readFields(view);
  assert(id > 0, 'a stored segment has a number');
  assert(header.bytes === bytes.length, 'the bytes are one whole segment');
  assert(isFieldTableInside(header, bytes.length), 'the field table lies inside the segment');
  if (header.segmentId !== 0) {
    assert(header.segmentId === id, 'a segment keeps its number');
    checkHeaderChecksum(header, headerChecksumOf(bytes, header, crc32c), segmentFileName(id));
    return header.contentChecksum;
  }
  const checksum = contentChecksumOf(bytes, crc32c);
  view.setUint32(SEGMENT_ID, id, true);
  view.setUint32(SEGMENT_CONTENT_CHECKSUM, checksum, true);
  view.setUint32(SEGMENT_HEADER_CHECKSUM, headerChecksumOf(bytes, header, crc32c), true);
  return checksum;
}

/**
 * Writes a sealed segment to its file: durable on return, once the directory is synced too. In steps with a sync after
 * each, so that a sync of the log never waits behind a large backlog. Errors: disk_full, io_error.
 */
export async function writeSegmentFile(directory: Directory, id: number, bytes: Uint8Array): Promise<void> {
  assert(readFields(viewOf(bytes)).segmentId === id, 'the segment is sealed under its number');
  const file = directory.open(segmentFileName(id), 'create');
  try {
    for (let start = 0; start < bytes.length; start += WRITE_STEP_BYTES) {
      file.write([bytes.subarray(start, start + WRITE_STEP_BYTES)], start);
      await file.sync();
    }
  } finally {
    file.close();
  }
}

/** The first SEGMENT_HEADER_BYTES of a file whose format this program knows. Errors: corrupt_data. */
function readHeaderBytes(file: StorageFile, path: string): Uint8Array {
  const bytes = new Uint8Array(SEGMENT_HEADER_BYTES);
  const got = file.read(bytes, 0);
  if (got < bytes.length) throw damaged(path, 'short file', 0, `${bytes.length} bytes of header`, `${got}`);
  const view = viewOf(bytes);
  checkMagic(view, SEGMENT_MAGIC_LOW, SEGMENT_MAGIC_HIGH, 'SABRESEG', path);
  const version = view.getUint32(SEGMENT_VERSION, true);
  if (version < SEGMENT_FORMAT_VERSION_MIN || version > SEGMENT_FORMAT_VERSION) {
    throw unknownVersion(path, SEGMENT_VERSION, SEGMENT_FORMAT_VERSION, version);
  }
  return bytes;
}

/** Continues `crc` over bytes `start` to `end` of a file, a step at a time: one yielded value a step, then the result. */
function* checksumSteps(
  file: StorageFile,
  path: string,
  crc: number,
  start: number,
  end: number,
  crc32c: Crc32c,
): Generator<number, number, void> {
  const buffer = new Uint8Array(Math.max(Math.min(READ_STEP_BYTES, end - start), 0));
  let result = crc;
  for (let position = start; position < end; position += buffer.length) {
    const step = buffer.subarray(0, Math.min(buffer.length, end - position));
    const got = file.read(step, position);
    if (got < step.length) throw damaged(path, 'short file', position, `${end} bytes`, `${position + got}`);
    result = crc32c(result, step, 0, step.length);
    yield step.length;
  }
  return result;
}

/** The same at once. */
function checksumOf(file: StorageFile, path: string, crc: number, start: number, end: number, crc32c: Crc32c): number {
  const steps = checksumSteps(file, path, crc, start, end, crc32c);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function checkHeaderChecksum(header: StoredHeader, computed: number, path: string): void {
  if (header.headerChecksum === computed) return;
  const stored = hex(header.headerChecksum);
  throw damaged(path, 'damaged header, checksum', SEGMENT_HEADER_CHECKSUM, stored, hex(computed));
}

function checkContentChecksum(expected: number, computed: number, path: string): void {
  if (expected === computed) return;
  throw damaged(path, 'damaged content, checksum', SEGMENT_HEADER_BYTES, hex(expected), hex(computed));
}

/** Checksum that the header in `file` should have. Errors: corrupt_data when its field table lies outside. */
function readHeaderChecksum(
  file: StorageFile,
  path: string,
  headerBytes: Uint8Array,
  size: number,
  crc32c: Crc32c,
): number {
  const header = readFields(viewOf(headerBytes));
  const end = fieldTableEnd(header);
  if (!isFieldTableInside(header, size)) {
    const expected = `a field table in bytes ${SEGMENT_HEADER_BYTES} to ${size}`;
    throw damaged(path, 'damaged header', SEGMENT_FIELDS, expected, `${header.fields} to ${end}`);
  }
  const crc = crc32c(0, headerBytes, 0, SEGMENT_HEADER_CHECKSUM);
  return checksumOf(file, path, crc, header.fields, end, crc32c);
}

function checkFast(file: StorageFile, path: string, expected: ManifestSegment, crc32c: Crc32c): void {
  const size = file.size();
  if (size !== expected.bytes) {
    const offset = Math.min(size, expected.bytes);
    throw damaged(path, 'wrong size, differing', offset, `a file of ${expected.bytes} bytes`, `${size}`);
  }
  const headerBytes = readHeaderBytes(file, path);
  const header = readFields(viewOf(headerBytes));
  checkHeaderChecksum(header, readHeaderChecksum(file, path, headerBytes, size, crc32c), path);
  const pairs = [
    ['size', SEGMENT_SIZE, expected.bytes, header.bytes],
    ['number', SEGMENT_ID, expected.id, header.segmentId],
    ['documents', SEGMENT_MAX_DOC, expected.maxDoc, header.maxDoc],
    ['content checksum', SEGMENT_CONTENT_CHECKSUM, expected.checksum, header.contentChecksum],
  ] as const;
  for (const [what, offset, wanted, got] of pairs) {
    const show = offset === SEGMENT_CONTENT_CHECKSUM ? hex : String;
    if (wanted !== got) throw damaged(path, `another segment, ${what}`, offset, show(wanted), show(got));
  }
}

/**
 * Opens the file of a segment that a manifest names, after every check that does not read the whole of it: size, header,
 * field table, and that both agree with the manifest. Errors: corrupt_data, also when there is no such file; io_error.
 */
export function openSegmentFile(directory: Directory, expected: ManifestSegment, crc32c: Crc32c): StorageFile {
  const { id, bytes, place } = expected;
  const file = openPart(directory, segmentFileName(id), bytes, place, crc32c);
  try {
    checkFast(file, `${directory.path}/${file.name}`, expected, crc32c);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Compares the whole content of an opened segment file with the manifest's checksum, reading little at a time and letting
 * other work run between. `onBytes` hears of each piece. Errors: corrupt_data, io_error.
 */
export async function verifySegmentFile(
  file: StorageFile,
  path: string,
  expected: ManifestSegment,
  crc32c: Crc32c,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  const steps = checksumSteps(file, path, 0, SEGMENT_HEADER_BYTES, expected.bytes, crc32c);
  let step = steps.next();
  while (!step.done) {
    onBytes?.(step.value);
    await setImmediate();
    step = steps.next();
  }
  checkContentChecksum(expected.checksum, step.value, path);
}

/**
 * Compares a whole segment in memory with the checksums of its own header; one that was never sealed passes. `where` is
 * its name in messages. Errors: corrupt_data.
 */
export function verifySegmentBytes(bytes: Uint8Array, where: string, crc32c: Crc32c): void {
  const header = readFields(viewOf(bytes));
  if (header.segmentId === 0 && header.contentChecksum === 0 && header.headerChecksum === 0) return;
  if (header.bytes !== bytes.length) {
    throw damaged(where, 'wrong size', SEGMENT_SIZE, `${bytes.length}`, `${header.bytes}`);
  }
  if (!isFieldTableInside(header, bytes.length)) {
    const expected = `a field table in bytes ${SEGMENT_HEADER_BYTES} to ${bytes.length}`;
    throw damaged(where, 'damaged header', SEGMENT_FIELDS, expected, `offset ${header.fields}`);
  }
  checkHeaderChecksum(header, headerChecksumOf(bytes, header, crc32c), where);
  checkContentChecksum(header.contentChecksum, contentChecksumOf(bytes, crc32c), where);
}

/**
 * Reads the header of any segment file, damaged or not, and compares both of its checksums with the file. Errors:
 * corrupt_data when it is no segment file of a format that this program knows; io_error.
 */
export function readSegmentHeader(file: StorageFile, path: string, crc32c: Crc32c): SegmentHeader {
  const size = file.size();
  const headerBytes = readHeaderBytes(file, path);
  const header = readFields(viewOf(headerBytes));
  const isHeaderSound =
    isFieldTableInside(header, size) &&
    header.headerChecksum === readHeaderChecksum(file, path, headerBytes, size, crc32c);
  const content = checksumOf(file, path, 0, SEGMENT_HEADER_BYTES, size, crc32c);
  return { ...header, isHeaderSound, isContentSound: header.contentChecksum === content };
}
