/**
 * Tells damage from a bug. Segments are mapped from files whose full checksums are compared only on demand; a kernel or a
 * reader that meets bytes which make no sense throws, and then the checksum says whose fault it was.
 */
import { EngineError } from '../core/errors.js';
import { ReadStopped } from '../core/read-stopped.js';
import { SEGMENT_ID } from '../layout/segment.js';
import type { RegionViews } from '../memory/arena.js';
import { crc32c } from '../storage/files/crc32c.js';
import { segmentFileName } from '../storage/files/data-files.js';
import { verifySegmentBytes } from '../storage/files/segment-file.js';

/** Throws corrupt_data when the bytes of a segment that came from a file are not what was stored. */
export function checkSegment(views: RegionViews): void {
  verifySegmentBytes(views.u8, segmentFileName(views.u32[SEGMENT_ID >> 2]), crc32c);
}

/**
 * What `error`, which was thrown while `segments` were read, is about: corrupt_data when it is none of ours and one of the segments proves
 * to be damaged; else it is itself, and a bug unless it is one of ours.
 */
export function causeOf(error: unknown, segments: Iterable<RegionViews>): unknown {
  if (error instanceof EngineError || error instanceof ReadStopped) return error;
  try {
    for (const views of segments) checkSegment(views);
  } catch (damage) {
    return damage;
  }
  return error;
}

/** Runs `read`, which reads `segments`; what it throws is what causeOf() says. */
export function readingSegments<T>(segments: () => Iterable<RegionViews>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw causeOf(error, segments());
  }
}
