/**
 * The bytes of a compound file: small segments and live docs that one snapshot wrote into a file together. Little-endian.
 * Written and read by storage/files/compound-file.ts.
 *
 *   offset bytes field      type  meaning
 *        0     8 magic      u8[8] "SABRECMP"
 *        8     4 version    u32   COMPOUND_FORMAT_VERSION
 *       12     4 snapshot   u32   number of the snapshot that wrote the file: part of its name
 *       16     4 checksum   u32   crc32c of bytes 0 to 15
 *       20       parts            one after the other, each the bytes of a whole segment file (layout/segment.ts) or live-docs
 *                                 file (layout/live-docs.ts), with its own magic, version and checksums
 *
 *   The manifest says where each part lies that is in use.
 */

/** "SABR" and "ECMP" as little-endian words. */
export const COMPOUND_MAGIC_LOW = 0x52424153;
export const COMPOUND_MAGIC_HIGH = 0x504d4345;
export const COMPOUND_FORMAT_VERSION = 1;

export const COMPOUND_HEADER_BYTES = 20;
export const COMPOUND_VERSION = 8;
export const COMPOUND_SNAPSHOT = 12;
export const COMPOUND_CHECKSUM = 16;
