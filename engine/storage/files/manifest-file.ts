/**
 * The manifest file: encodes, checks, reads and replaces it (layout/manifest.ts draws its frame, types/manifest.ts names
 * what it holds). Written last by a snapshot and read first by recovery. It changes by renaming alone, never in place.
 */
import { encode } from '@msgpack/msgpack';
import {
  MANIFEST_CHECKSUM,
  MANIFEST_FORMAT_VERSION,
  MANIFEST_FORMAT_VERSION_MIN,
  MANIFEST_HEADER_BYTES,
  MANIFEST_MAGIC_HIGH,
  MANIFEST_MAGIC_LOW,
  MANIFEST_PAYLOAD_BYTES,
  MANIFEST_STREAM_VERSION,
  MANIFEST_VERSION,
} from '../../layout/manifest.js';
import type { Manifest } from '../types/manifest.js';
import type { Crc32c } from './crc32c.js';
import { checkMagic, damaged, hex, unknownVersion } from './damage.js';
import { MANIFEST_FILE, MANIFEST_TEMPORARY_FILE } from './data-files.js';
import { decodeFields } from './decode-fields.js';
import type { Directory } from './directory.js';
import { manifestOf } from './manifest-check.js';

const checksumOf = (bytes: Uint8Array, crc32c: Crc32c): number =>
  crc32c(crc32c(0, bytes, 0, MANIFEST_CHECKSUM), bytes, MANIFEST_HEADER_BYTES, bytes.length);

/** The bytes of a manifest file. */
export function encodeManifest(manifest: Manifest, crc32c: Crc32c): Uint8Array {
  const payload = encode(manifestOf(structuredClone(manifest)));
  const bytes = new Uint8Array(MANIFEST_HEADER_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MANIFEST_MAGIC_LOW, true);
  view.setUint32(4, MANIFEST_MAGIC_HIGH, true);
  const version = manifest.stream === undefined ? MANIFEST_FORMAT_VERSION : MANIFEST_STREAM_VERSION;
  view.setUint32(MANIFEST_VERSION, version, true);
  view.setUint32(MANIFEST_PAYLOAD_BYTES, payload.length, true);
  bytes.set(payload, MANIFEST_HEADER_BYTES);
  view.setUint32(MANIFEST_CHECKSUM, checksumOf(bytes, crc32c), true);
  return bytes;
}

/**
 * Reads the bytes of a whole manifest file; `path` names it in messages. Errors: corrupt_data for a foreign, newer or
 * damaged one, and for one whose checksum holds but that says what no snapshot writes.
 */
export function decodeManifest(bytes: Uint8Array, path: string, crc32c: Crc32c): Manifest {
  if (bytes.length < MANIFEST_HEADER_BYTES) {
    throw damaged(path, 'short file', 0, `${MANIFEST_HEADER_BYTES} bytes of header`, `${bytes.length}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  checkMagic(view, MANIFEST_MAGIC_LOW, MANIFEST_MAGIC_HIGH, 'SABREMAN', path);
  const version = view.getUint32(MANIFEST_VERSION, true);
  if (version < MANIFEST_FORMAT_VERSION_MIN || version > MANIFEST_STREAM_VERSION) {
    throw unknownVersion(path, MANIFEST_VERSION, MANIFEST_STREAM_VERSION, version);
  }
  const payloadBytes = view.getUint32(MANIFEST_PAYLOAD_BYTES, true);
  const size = MANIFEST_HEADER_BYTES + payloadBytes;
  if (size !== bytes.length) {
    throw damaged(path, 'wrong size', MANIFEST_PAYLOAD_BYTES, `a file of ${size} bytes`, `${bytes.length}`);
  }
  const stored = view.getUint32(MANIFEST_CHECKSUM, true);
  const computed = checksumOf(bytes, crc32c);
  if (stored !== computed) throw damaged(path, 'damaged, checksum', MANIFEST_CHECKSUM, hex(stored), hex(computed));
  try {
    return manifestOf(decodeFields(bytes.subarray(MANIFEST_HEADER_BYTES)));
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error);
    throw damaged(path, 'wrong payload', MANIFEST_HEADER_BYTES, 'a manifest', got);
  }
}

/** The manifest of a data directory; null when there is none. Errors: as decodeManifest(), io_error. */
export function readManifest(directory: Directory, crc32c: Crc32c): Manifest | null {
  if (!directory.list().includes(MANIFEST_FILE)) return null;
  const path = `${directory.path}/${MANIFEST_FILE}`;
  const file = directory.open(MANIFEST_FILE, 'read');
  try {
    const bytes = new Uint8Array(file.size());
    const got = file.read(bytes, 0);
    return decodeManifest(bytes.subarray(0, got), path, crc32c);
  } finally {
    file.close();
  }
}

/**
 * Writes a manifest under its temporary name, or under `name`; its bytes are durable on return. Returns how many. Everything it
 * names must be durable before the switch. Errors: disk_full, io_error.
 */
export function writeManifestTemporary(
  directory: Directory,
  manifest: Manifest,
  crc32c: Crc32c,
  name = MANIFEST_TEMPORARY_FILE,
): number {
  const bytes = encodeManifest(manifest, crc32c);
  const file = directory.open(name, 'create');
  try {
    file.write([bytes], 0);
    file.syncNow();
  } finally {
    file.close();
  }
  return bytes.length;
}

/**
 * Makes the temporary manifest the manifest, durably. After an error either may be in force; the files of both must then
 * stay. Errors: io_error.
 */
export function switchManifest(directory: Directory): void {
  directory.rename(MANIFEST_TEMPORARY_FILE, MANIFEST_FILE);
  directory.sync();
}
