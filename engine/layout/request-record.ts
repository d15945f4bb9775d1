/**
 * The bytes of a write as a replicated log has it: what was asked for, before anybody knows what comes of it. Written and read by
 * writer/state/request-records.ts. Little-endian.
 *
 *   offset bytes field       type  meaning
 *        0     1 version     u8    REQUEST_VERSION
 *        1     1 kind        u8    REQUEST_CREATE to REQUEST_CHANGE_END
 *        2     2 reserved    u8[2] 0
 *        4     4 checksum    u32   crc32c of bytes 8 to the end, then of bytes 0 to 3
 *        8     8 number      f64   of the write, in the life of the engine that proposed it
 *       16     4 fieldsBytes u32
 *       20       fields            MessagePack, an array (storage/types/requests.ts)
 *                body              of documents, or of a merge patch, as it was sent; else nothing
 */

/** The only one that there is. A new kind, or another meaning of one, is a new version. */
export const REQUEST_VERSION = 1;

export const REQUEST_RECORD_VERSION = 0;
export const REQUEST_RECORD_KIND = 1;
export const REQUEST_RECORD_CHECKSUM = 4;
export const REQUEST_RECORD_NUMBER = 8;
export const REQUEST_RECORD_FIELDS_BYTES = 16;
export const REQUEST_RECORD_HEADER_BYTES = 20;

export const REQUEST_CREATE = 1;
export const REQUEST_DROP = 2;
export const REQUEST_ALIAS = 3;
export const REQUEST_INDEX = 4;
export const REQUEST_DELETE = 5;
export const REQUEST_DELETE_MATCHING = 6;
export const REQUEST_SYNONYM = 7;
export const REQUEST_STOP_WORDS = 8;
export const REQUEST_CHANGE = 9;
/** A change of a schema that is under way is decided here: in force, or refused. */
export const REQUEST_CHANGE_END = 10;
