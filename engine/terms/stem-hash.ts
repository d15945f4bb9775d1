/**
 * The hash of a stem. Stored in segments, so changing it means a new format version. Used by the writer and the reader of
 * stem indexes.
 */

/** FNV-1a over bytes[start..end), finished with a xor-shift so that the low bits can number a bucket. */
export function hashStem(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** What gives a term its stem, as text/stemmer.ts does. */
export interface TermStemmer {
  /** The stem of bytes[start..end), valid until the next call. */
  stem(bytes: Uint8Array, start: number, end: number): Uint8Array;
}
