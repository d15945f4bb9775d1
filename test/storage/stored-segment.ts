/**
 * Segments whose sections are arbitrary bytes, for the tests of what is stored: storage never looks into them.
 */
import {
  FIELD_ENTRY_BYTES,
  SEGMENT_FIELD_COUNT,
  SEGMENT_FIELDS,
  SEGMENT_FORMAT_VERSION,
  SEGMENT_HEADER_BYTES,
  SEGMENT_MAGIC_HIGH,
  SEGMENT_MAGIC_LOW,
  SEGMENT_MAX_DOC,
  SEGMENT_SIZE,
  SEGMENT_VERSION,
} from '../../engine/layout/segment.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { sealSegment } from '../../engine/storage/files/segment-file.js';
import type { ManifestSegment } from '../../engine/storage/types/manifest.js';

export interface SegmentShape {
  readonly id: number;
  readonly maxDoc: number;
  readonly fieldCount: number;
  /** Before and after the field table. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** A segment that was never stored; its field table lies between `before` and `after`. */
export function makeSegment(shape: SegmentShape): Uint8Array {
  const fields = SEGMENT_HEADER_BYTES + shape.before.length;
  const bytes = new Uint8Array(fields + shape.fieldCount * FIELD_ENTRY_BYTES + shape.after.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, SEGMENT_MAGIC_LOW, true);
  view.setUint32(4, SEGMENT_MAGIC_HIGH, true);
  view.setUint32(SEGMENT_VERSION, SEGMENT_FORMAT_VERSION, true);
  view.setUint32(SEGMENT_SIZE, bytes.length, true);
  view.setUint32(SEGMENT_MAX_DOC, shape.maxDoc, true);
  view.setUint32(SEGMENT_FIELD_COUNT, shape.fieldCount, true);
  view.setUint32(SEGMENT_FIELDS, fields, true);
  bytes.set(shape.before, SEGMENT_HEADER_BYTES);
  bytes.fill(0xa5, fields, fields + shape.fieldCount * FIELD_ENTRY_BYTES);
  bytes.set(shape.after, bytes.length - shape.after.length);
  return bytes;
}

/** The same, sealed, with what a manifest says of it. */
export function makeSealedSegment(shape: SegmentShape): { bytes: Uint8Array; entry: ManifestSegment } {
  const bytes = makeSegment(shape);
  const checksum = sealSegment(bytes, shape.id, crc32c);
  const { id, maxDoc } = shape;
  return { bytes, entry: { id, bytes: bytes.length, checksum, maxDoc, liveCount: maxDoc, liveDocs: null } };
}
