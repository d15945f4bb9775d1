/**
 * Live-docs files: which documents of a stored segment are not deleted (layout/live-docs.ts). Written by snapshots, read
 * by recovery. A file is always read and checked as a whole: it is small, and a wrong bit is a document lost or back.
 */
import { assert } from '../../core/assert.js';
import {
  LIVE_DOCS_CHECKSUM,
  LIVE_DOCS_FORMAT_VERSION,
  LIVE_DOCS_HEADER_BYTES,
  LIVE_DOCS_LIVE_COUNT,
  LIVE_DOCS_MAGIC_HIGH,
  LIVE_DOCS_MAGIC_LOW,
  LIVE_DOCS_MAX_DOC,
  LIVE_DOCS_SEGMENT_ID,
  LIVE_DOCS_SNAPSHOT,
  LIVE_DOCS_VERSION,
} from '../../layout/live-docs.js';
import type { ManifestLiveDocs, ManifestSegment } from '../types/manifest.js';
import { openPart } from './compound-file.js';
import type { Crc32c } from './crc32c.js';
import { checkMagic, damaged, hex, unknownVersion } from './damage.js';
import { liveDocsFileName, liveDocsName } from './data-files.js';
import type { Directory, StorageFile } from './directory.js';

/** What the header of a live-docs file says, checksum excluded. */
export interface LiveDocsHeader {
  readonly segmentId: number;
  /** Number of the snapshot that wrote the file. */
  readonly snapshot: number;
  readonly maxDoc: number;
  readonly liveCount: number;
}

const bitmapBytes = (maxDoc: number): number => Math.ceil(maxDoc / 64) * 8;

const checksumOf = (header: Uint8Array, bitmap: Uint8Array, crc32c: Crc32c): number =>
  crc32c(crc32c(0, header, 0, LIVE_DOCS_CHECKSUM), bitmap, 0, bitmap.length);

/** The bytes of a live-docs file, in pieces, and the checksum for the manifest. */
export interface EncodedLiveDocs {
  readonly pieces: readonly Uint8Array[];
  readonly checksum: number;
}

/** The file of the live docs of a segment, of which `bitmap` holds all bytes and may hold more. */
export function encodeLiveDocs(header: LiveDocsHeader, bitmap: Uint8Array, crc32c: Crc32c): EncodedLiveDocs {
  const { segmentId, snapshot, maxDoc, liveCount } = header;
  const bits = bitmap.subarray(0, bitmapBytes(maxDoc));
  assert(bits.length === bitmapBytes(maxDoc), 'the bitmap covers every document');
  assert(countBits(bits) === liveCount, 'the bitmap has as many bits as documents are live');
  const bytes = new Uint8Array(LIVE_DOCS_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, LIVE_DOCS_MAGIC_LOW, true);
  view.setUint32(4, LIVE_DOCS_MAGIC_HIGH, true);
  view.setUint32(LIVE_DOCS_VERSION, LIVE_DOCS_FORMAT_VERSION, true);
  view.setUint32(LIVE_DOCS_SEGMENT_ID, segmentId, true);
  view.setUint32(LIVE_DOCS_SNAPSHOT, snapshot, true);
  view.setUint32(LIVE_DOCS_MAX_DOC, maxDoc, true);
  view.setUint32(LIVE_DOCS_LIVE_COUNT, liveCount, true);
  const checksum = checksumOf(bytes, bits, crc32c);
  view.setUint32(LIVE_DOCS_CHECKSUM, checksum, true);
  return { pieces: [bytes, bits], checksum };
}

/**
 * Writes the live docs of a segment to a file of their own, as encodeLiveDocs() has them. Durable on return, once the
 * directory is synced too. Returns the checksum for the manifest. Errors: disk_full, io_error.
 */
export async function writeLiveDocsFile(
  directory: Directory,
  header: LiveDocsHeader,
  bitmap: Uint8Array,
  crc32c: Crc32c,
): Promise<number> {
  const { segmentId, snapshot } = header;
  const { pieces, checksum } = encodeLiveDocs(header, bitmap, crc32c);
  const file = directory.open(liveDocsFileName(segmentId, snapshot), 'create');
  try {
    file.write(pieces, 0);
    await file.sync();
  } finally {
    file.close();
  }
  return checksum;
}

/**
 * Reads the live docs of a segment whose manifest entry names such a file: a bitmap of whole 64-bit words. Errors:
 * corrupt_data when anything about the file differs from what it should be, io_error.
 */
export function readLiveDocsFile(directory: Directory, expected: ManifestSegment, crc32c: Crc32c): Uint8Array {
  const { liveDocs } = expected;
  assert(liveDocs !== null, 'the segment has a live-docs file');
  const size = LIVE_DOCS_HEADER_BYTES + bitmapBytes(expected.maxDoc);
  const name = liveDocsFileName(expected.id, liveDocs.snapshot);
  const path = `${directory.path}/${liveDocsName(expected.id, liveDocs)}`;
  const file = openPart(directory, name, size, liveDocs.place, crc32c);
  try {
    const bytes = readWhole(file, path, size);
    const header = bytes.subarray(0, LIVE_DOCS_HEADER_BYTES);
    const bitmap = bytes.subarray(LIVE_DOCS_HEADER_BYTES);
    checkHeader(header, expected, liveDocs, path);
    const computed = checksumOf(header, bitmap, crc32c);
    if (computed !== liveDocs.checksum) {
      throw damaged(path, 'damaged, checksum', LIVE_DOCS_CHECKSUM, hex(liveDocs.checksum), hex(computed));
    }
    checkBitmap(bitmap, expected, path);
    return bitmap;
  } finally {
    file.close();
  }
}

function readWhole(file: StorageFile, path: string, size: number): Uint8Array {
  const found = file.size();
  if (found !== size) {
    throw damaged(path, 'wrong size, differing', Math.min(found, size), `a file of ${size} bytes`, `${found}`);
  }
  const bytes = new Uint8Array(size);
  const got = file.read(bytes, 0);
  if (got < size) throw damaged(path, 'short file', got, `${size} bytes`, `${got}`);
  return bytes;
}

function checkHeader(header: Uint8Array, expected: ManifestSegment, liveDocs: ManifestLiveDocs, path: string): void {
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  checkMagic(view, LIVE_DOCS_MAGIC_LOW, LIVE_DOCS_MAGIC_HIGH, 'SABRELIV', path);
  const version = view.getUint32(LIVE_DOCS_VERSION, true);
  if (version !== LIVE_DOCS_FORMAT_VERSION) {
    throw unknownVersion(path, LIVE_DOCS_VERSION, LIVE_DOCS_FORMAT_VERSION, version);
  }
  const pairs = [
    ['segment', LIVE_DOCS_SEGMENT_ID, expected.id],
    ['snapshot', LIVE_DOCS_SNAPSHOT, liveDocs.snapshot],
    ['documents', LIVE_DOCS_MAX_DOC, expected.maxDoc],
    ['live documents', LIVE_DOCS_LIVE_COUNT, expected.liveCount],
    ['checksum', LIVE_DOCS_CHECKSUM, liveDocs.checksum],
  ] as const;
  for (const [what, offset, wanted] of pairs) {
    const got = view.getUint32(offset, true);
    if (got !== wanted) throw damaged(path, `other live docs, ${what}`, offset, `${wanted}`, `${got}`);
  }
}

/** The checksum held, so what this finds was written wrong. */
function checkBitmap(bitmap: Uint8Array, { maxDoc, liveCount }: ManifestSegment, path: string): void {
  for (let doc = maxDoc; doc < bitmap.length * 8; doc++) {
    if ((bitmap[doc >> 3] & (1 << (doc & 7))) !== 0) {
      throw damaged(path, 'wrong bitmap', LIVE_DOCS_HEADER_BYTES + (doc >> 3), `no bit past ${maxDoc}`, `bit ${doc}`);
    }
  }
  const count = countBits(bitmap);
  if (count !== liveCount) {
    throw damaged(path, 'wrong bitmap', LIVE_DOCS_HEADER_BYTES, `${liveCount} live documents`, `${count}`);
  }
}

function countBits(bitmap: Uint8Array): number {
  let count = 0;
  for (const byte of bitmap) {
    for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  }
  return count;
}
