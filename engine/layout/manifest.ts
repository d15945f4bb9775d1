/**
 * The frame of the manifest file, which names everything that a snapshot consists of. Little-endian. Written and read by
 * storage/manifest-file.ts; the payload is MessagePack, storage/manifest.ts has its fields.
 *
 *   offset bytes field        type  meaning
 *        0     8 magic        u8[8] "SABREMAN"
 *        8     4 version      u32   MANIFEST_FORMAT_VERSION, or MANIFEST_STREAM_VERSION
 *       12     4 payloadBytes u32   to the end of the file
 *       16     4 checksum     u32   crc32c of bytes 0 to 15, continued over the payload
 *       20       payload
 */

/** "SABR" and "EMAN" as little-endian words. */
export const MANIFEST_MAGIC_LOW = 0x52424153;
export const MANIFEST_MAGIC_HIGH = 0x4e414d45;
export const MANIFEST_FORMAT_VERSION = 4;
/** Of a manifest with a stream, and only of such: a program that knows no streams must not take its directory for a single node's. */
export const MANIFEST_STREAM_VERSION = 5;
/** Version 1 knew no compound files, version 2 no synonyms and stop words, version 3 no changes of schemas and no aliases; all else is the same. */
export const MANIFEST_FORMAT_VERSION_MIN = 1;

export const MANIFEST_HEADER_BYTES = 20;
export const MANIFEST_VERSION = 8;
export const MANIFEST_PAYLOAD_BYTES = 12;
export const MANIFEST_CHECKSUM = 16;
