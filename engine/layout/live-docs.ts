/**
 * The bytes of a live-docs file: which documents of one segment are not deleted. Little-endian. Written and read by
 * storage/live-docs-file.ts.
 *
 *   offset bytes field      type  meaning
 *        0     8 magic      u8[8] "SABRELIV"
 *        8     4 version    u32   LIVE_DOCS_FORMAT_VERSION
 *       12     4 segmentId  u32   the segment
 *       16     4 snapshot   u32   number of the snapshot that wrote the file
 *       20     4 maxDoc     u32   documents of the segment
 *       24     4 liveCount  u32   bits set
 *       28     4 checksum   u32   crc32c of bytes 0 to 27, continued over the bitmap
 *       32       bitmap           ceil(maxDoc / 64) * 8 bytes: bit d & 7 of byte d >> 3 is 1 when document d is live
 */

/** "SABR" and "ELIV" as little-endian words. */
export const LIVE_DOCS_MAGIC_LOW = 0x52424153;
export const LIVE_DOCS_MAGIC_HIGH = 0x56494c45;
export const LIVE_DOCS_FORMAT_VERSION = 1;

export const LIVE_DOCS_HEADER_BYTES = 32;
export const LIVE_DOCS_VERSION = 8;
export const LIVE_DOCS_SEGMENT_ID = 12;
export const LIVE_DOCS_SNAPSHOT = 16;
export const LIVE_DOCS_MAX_DOC = 20;
export const LIVE_DOCS_LIVE_COUNT = 24;
export const LIVE_DOCS_CHECKSUM = 28;
