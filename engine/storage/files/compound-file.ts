/**
 * Compound files: small segments and live docs of one snapshot in one file, which is synced once (layout/compound.ts).
 *
 * A part of one is read like a file of its own, through the same checks. Written by snapshots; a compound file never changes,
 * and goes when no manifest names it any more (writer/snapshot/compound-policy.ts).
 */
import { assert } from '../../core/assert.js';
import {
  COMPOUND_CHECKSUM,
  COMPOUND_FORMAT_VERSION,
  COMPOUND_HEADER_BYTES,
  COMPOUND_MAGIC_HIGH,
  COMPOUND_MAGIC_LOW,
  COMPOUND_SNAPSHOT,
  COMPOUND_VERSION,
} from '../../layout/compound.js';
import type { CompoundPlace, ManifestCompound } from '../types/manifest.js';
import type { Crc32c } from './crc32c.js';
import { checkMagic, damaged, hex, unknownVersion } from './damage.js';
import { compoundFileName } from './data-files.js';
import type { Directory, StorageFile } from './directory.js';

/** Parts are gathered to this many bytes, and written and synced at once. */
const WRITE_STEP_BYTES = 8 * 1024 * 1024;

/** A part of a compound file, as a file that is only read. */
class PartFile implements StorageFile {
  readonly name: string;
  /** A part starts in the middle of a page, so it is read and never mapped. */
  readonly descriptor = null;
  readonly #file: StorageFile;
  readonly #place: CompoundPlace;

  constructor(file: StorageFile, name: string, place: CompoundPlace) {
    this.name = `${file.name}[${name}]`;
    this.#file = file;
    this.#place = place;
  }

  size(): number {
    const { offset, bytes } = this.#place;
    return Math.max(0, Math.min(bytes, this.#file.size() - offset));
  }

  read(target: Uint8Array, position: number): number {
    const { offset, bytes } = this.#place;
    const wanted = Math.max(0, Math.min(target.length, bytes - position));
    return this.#file.read(target.subarray(0, wanted), offset + position);
  }

  write(): void {
    assert(false, 'a part of a compound file is not written');
  }

  truncate(): void {
    assert(false, 'a part of a compound file is not cut');
  }

  async sync(): Promise<void> {
    assert(false, 'a part of a compound file is not synced');
  }

  syncNow(): void {
    assert(false, 'a part of a compound file is not synced');
  }

  close(): void {
    this.#file.close();
  }
}

/**
 * Opens for reading what would be a file of `bytes` bytes and the name `name`: that file, or the part of a compound file at
 * `place`. Errors: corrupt_data when there is none, or the compound file is none; io_error.
 */
export function openPart(
  directory: Directory,
  name: string,
  bytes: number,
  place: CompoundPlace | undefined,
  crc32c: Crc32c,
): StorageFile {
  if (place === undefined) return openNamedFile(directory, name, bytes);
  const file = openNamedFile(directory, compoundFileName(place.compound), place.offset + place.bytes);
  try {
    checkHeader(file, `${directory.path}/${file.name}`, place.compound, crc32c);
    return new PartFile(file, name, place);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Opens for reading a file that must exist, with `bytes` bytes. Errors: corrupt_data when there is none; io_error. */
function openNamedFile(directory: Directory, name: string, bytes: number): StorageFile {
  try {
    return directory.open(name, 'read');
  } catch (error) {
    if (directory.list().includes(name)) throw error;
    throw damaged(`${directory.path}/${name}`, 'missing', 0, `a file of ${bytes} bytes`, 'none');
  }
}

/** Errors: corrupt_data unless `file` is the compound file of snapshot `snapshot`; io_error. */
function checkHeader(file: StorageFile, path: string, snapshot: number, crc32c: Crc32c): void {
  const header = new Uint8Array(COMPOUND_HEADER_BYTES);
  const got = file.read(header, 0);
  if (got < header.length) throw damaged(path, 'short file', 0, `${header.length} bytes of header`, `${got}`);
  const view = new DataView(header.buffer);
  checkMagic(view, COMPOUND_MAGIC_LOW, COMPOUND_MAGIC_HIGH, 'SABRECMP', path);
  const version = view.getUint32(COMPOUND_VERSION, true);
  if (version !== COMPOUND_FORMAT_VERSION) {
    throw unknownVersion(path, COMPOUND_VERSION, COMPOUND_FORMAT_VERSION, version);
  }
  const stored = view.getUint32(COMPOUND_CHECKSUM, true);
  const computed = crc32c(0, header, 0, COMPOUND_CHECKSUM);
  if (stored !== computed)
    throw damaged(path, 'damaged header, checksum', COMPOUND_CHECKSUM, hex(stored), hex(computed));
  const found = view.getUint32(COMPOUND_SNAPSHOT, true);
  if (found !== snapshot) throw damaged(path, 'of another snapshot', COMPOUND_SNAPSHOT, `${snapshot}`, `${found}`);
}

/** Checks the header and the size of a compound file that a manifest names. Errors: corrupt_data, io_error. */
export function checkCompoundFile(directory: Directory, { snapshot, bytes }: ManifestCompound, crc32c: Crc32c): void {
  const name = compoundFileName(snapshot);
  const path = `${directory.path}/${name}`;
  const file = openNamedFile(directory, name, bytes);
  try {
    checkHeader(file, path, snapshot, crc32c);
    const size = file.size();
    if (size !== bytes) {
      throw damaged(path, 'wrong size, differing', Math.min(size, bytes), `a file of ${bytes} bytes`, `${size}`);
    }
  } finally {
    file.close();
  }
}

/** Writes a compound file, part by part. */
export class CompoundWriter {
  readonly #file: StorageFile;
  readonly #snapshot: number;
  #buffer = new Uint8Array(WRITE_STEP_BYTES);
  #buffered = 0;
  #written = 0;

  /** Creates the file of snapshot `snapshot`. Errors: disk_full, io_error. */
  constructor(directory: Directory, snapshot: number, crc32c: Crc32c) {
    this.#snapshot = snapshot;
    const view = new DataView(this.#buffer.buffer);
    view.setUint32(0, COMPOUND_MAGIC_LOW, true);
    view.setUint32(4, COMPOUND_MAGIC_HIGH, true);
    view.setUint32(COMPOUND_VERSION, COMPOUND_FORMAT_VERSION, true);
    view.setUint32(COMPOUND_SNAPSHOT, snapshot, true);
    view.setUint32(COMPOUND_CHECKSUM, crc32c(0, this.#buffer, 0, COMPOUND_CHECKSUM), true);
    this.#buffered = COMPOUND_HEADER_BYTES;
    this.#file = directory.open(compoundFileName(snapshot), 'create');
  }

  /** Bytes of the file so far. */
  get bytes(): number {
    return this.#written + this.#buffered;
  }

  /** Appends a part, whose bytes are those of `pieces`, each far smaller than a step. Errors: disk_full, io_error. */
  async append(pieces: readonly Uint8Array[]): Promise<CompoundPlace> {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    assert(bytes <= WRITE_STEP_BYTES, 'parts are small');
    if (this.#buffered + bytes > WRITE_STEP_BYTES) await this.#flush();
    const offset = this.bytes;
    for (const piece of pieces) {
      this.#buffer.set(piece, this.#buffered);
      this.#buffered += piece.length;
    }
    return { compound: this.#snapshot, offset, bytes };
  }

  /** Writes what is left; durable on return, once the directory is synced too. Errors: disk_full, io_error. */
  finish(): Promise<void> {
    return this.#flush();
  }

  close(): void {
    this.#file.close();
  }

  async #flush(): Promise<void> {
    this.#file.write([this.#buffer.subarray(0, this.#buffered)], this.#written);
    this.#written += this.#buffered;
    this.#buffered = 0;
    await this.#file.sync();
  }
}
