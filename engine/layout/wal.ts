/**
 * The bytes of a write-ahead log file. Written by storage/file-wal.ts, read by storage/wal-reader.ts. Little-endian.
 *
 *   file wal-000001.log: one header, then frames without gaps, each starting where the one before ends
 *
 *   header, 32 bytes
 *   offset bytes field         type  meaning
 *        0     8 magic         u8[8] "SABREWAL"
 *        8     4 version       u32   WAL_VERSION_1 to WAL_VERSION: what the file's frames are, and what records they hold
 *       12     4 fileNumber    u32   the number in the file's name, from 1
 *       16     8 firstSequence u64   sequence of the file's first frame; frames of earlier files at or past it are void
 *       24     4 salt          u32   random; starts every checksum of the file's frames
 *       28     4 checksum      u32   crc32c of bytes 0 to 27
 *
 *   frame, 32 bytes and the payload
 *        0     4 payloadBytes    u32   0 to WAL_PAYLOAD_BYTES_MAX
 *        4     4 payloadChecksum u32   crc32c of the payload, starting from the salt
 *        8     8 sequence        u64   1 more than the frame before
 *       16     4 unsynced        u32   how many frames up to and with this one were not known to be on disk when it was
 *                                      written, at least 1: a later frame proves that frame sequence - unsynced was synced
 *       20     1 type            u8    meaning of the payload, not 0
 *       21     3 reserved        u8[3] 0
 *       24     4 collection      u32   number of the collection that the record belongs to
 *       28     4 headerChecksum  u32   crc32c of bytes 0 to 27, starting from the salt
 *       32       payload
 *
 * A frame whose payload is damaged still says how long it is, and whose. The salt keeps bytes that a client sent (a
 * document that quotes a log) from passing as a frame.
 *
 *   frame of version 1, 24 bytes and the payload; such files are read, and no longer written
 *        0     4 payloadBytes  u32   0 to WAL_PAYLOAD_BYTES_MAX
 *        4     4 checksum      u32   crc32c of bytes 8 to 23, then the payload, then bytes 0 to 3, starting from the salt
 *        8     8 sequence      u64   as above
 *       16     4 unsynced      u32   as above
 *       20     1 type          u8    as above
 *       21     3 reserved      u8[3] 0
 *       24       payload
 */

/** "SABR" and "EWAL" as little-endian words. */
export const WAL_MAGIC_LO = 0x52424153;
export const WAL_MAGIC_HI = 0x4c415745;
/** The one that is written. Version 2 has the same frames, and was to hold records of types 1 to 6 alone (storage/log/wal-records.ts). */
export const WAL_VERSION = 3;
/** The oldest that is read. */
export const WAL_VERSION_1 = 1;

export const WAL_HEADER_BYTES = 32;
export const WAL_HEADER_VERSION = 8;
export const WAL_HEADER_FILE_NUMBER = 12;
export const WAL_HEADER_FIRST_SEQUENCE = 16;
export const WAL_HEADER_SALT = 24;
export const WAL_HEADER_CHECKSUM = 28;

/** The first fields are where version 1 has them too, in a shorter header. */
export const WAL_FRAME_HEADER_BYTES = 32;
export const WAL_FRAME_1_HEADER_BYTES = 24;
export const WAL_FRAME_PAYLOAD_BYTES = 0;
/** Of the payload; in version 1 of the whole frame. */
export const WAL_FRAME_CHECKSUM = 4;
export const WAL_FRAME_SEQUENCE = 8;
export const WAL_FRAME_UNSYNCED = 16;
export const WAL_FRAME_TYPE = 20;
export const WAL_FRAME_COLLECTION = 24;
export const WAL_FRAME_HEADER_CHECKSUM = 28;

export const WAL_PAYLOAD_BYTES_MAX = 0x40000000;
