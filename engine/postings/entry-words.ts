/**
 * Entries and directory entries of chunks as 32-bit words: where each field of layout/postings.ts lies in them. Used by
 * all that writes or reads postings outside the kernels, which load the bytes themselves.
 */
import {
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_ENTRY_MAX_IMPACT,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  ENTRY_POSITIONS,
  ENTRY_SIGNED,
} from '../layout/postings.js';

/** Words of an entry. The last holds field, largest impact, kind, and whether it is signed. */
export const ENTRY_WORDS = ENTRY_BYTES >> 2;
export const LIST_WORD = ENTRY_LIST >> 2;
export const DF_WORD = ENTRY_DF >> 2;
export const POSITIONS_WORD = ENTRY_POSITIONS >> 2;
export const TAIL_WORD = ENTRY_FIELD >> 2;

const MAX_IMPACT_SHIFT = (ENTRY_MAX_IMPACT - ENTRY_FIELD) * 8;
const KIND_SHIFT = (ENTRY_KIND - ENTRY_FIELD) * 8;
const SIGNED_SHIFT = (ENTRY_SIGNED - ENTRY_FIELD) * 8;

/** The last word of an entry, which is not signed. */
export const packTail = (field: number, maxImpact: number, kind: number): number =>
  field | (maxImpact << MAX_IMPACT_SHIFT) | (kind << KIND_SHIFT);
export const tailField = (tail: number): number => tail & 0xff;
export const tailMaxImpact = (tail: number): number => (tail >>> MAX_IMPACT_SHIFT) & 0xff;
/** ENTRY_KIND_* */
export const tailKind = (tail: number): number => (tail >>> KIND_SHIFT) & 0xff;

/** `tail` of an entry whose positions begin with signatures. */
export const signTail = (tail: number): number => (tail | (1 << SIGNED_SHIFT)) >>> 0;
export const isTailSigned = (tail: number): boolean => tail >>> SIGNED_SHIFT !== 0;

/** Bytes of the signatures of a list with `df` postings. */
export const signatureBytes = (df: number): number => ((df + 1) & ~1) * 2;

/** Words of a chunk's directory entry. The first holds chunk, kind and largest impact. */
export const CHUNK_WORDS = CHUNK_ENTRY_BYTES >> 2;
export const CHUNK_HEAD_WORD = CHUNK_ENTRY_CHUNK >> 2;
export const CHUNK_COUNT_WORD = CHUNK_ENTRY_COUNT >> 2;
export const CHUNK_DATA_WORD = CHUNK_ENTRY_DATA >> 2;
export const CHUNK_FIRST_WORD = CHUNK_ENTRY_FIRST >> 2;

const CHUNK_KIND_SHIFT = CHUNK_ENTRY_KIND * 8;
const CHUNK_MAX_IMPACT_SHIFT = CHUNK_ENTRY_MAX_IMPACT * 8;

/** The first word of a chunk's directory entry. */
export const packHead = (chunk: number, kind: number, maxImpact: number): number =>
  chunk | (kind << CHUNK_KIND_SHIFT) | (maxImpact << CHUNK_MAX_IMPACT_SHIFT);
export const headChunk = (head: number): number => head & 0xffff;
/** CHUNK_KIND_* */
export const headKind = (head: number): number => (head >>> CHUNK_KIND_SHIFT) & 0xff;
export const headMaxImpact = (head: number): number => head >>> CHUNK_MAX_IMPACT_SHIFT;
