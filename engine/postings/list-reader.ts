/**
 * Reads postings entry by entry, outside the query's hot path: whole lists for merging and for counting live documents,
 * and where the position stream of a document begins. Kernels read the same bytes for scoring and for phrases.
 */
import { assert } from '../core/assert.js';
import {
  BITSET_DOCS,
  BITSET_EXCEPTIONS,
  BITSET_STARTS,
  CHUNK_BLOCKS,
  CHUNK_KIND_BITSET,
  CHUNK_KIND_DENSE,
  CHUNK_KIND_RANKED,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  POSITION_BLOCK,
  RANKED_IMPACTS,
  RANKED_RANKS,
  TINY_DOCS_MAX,
} from '../layout/postings.js';
import { CHUNK_DOCS } from '../layout/scratch.js';
import type { RegionViews } from '../memory/arena.js';
import { skipPositions } from './encoded-positions.js';
import {
  CHUNK_COUNT_WORD,
  CHUNK_DATA_WORD,
  CHUNK_HEAD_WORD,
  CHUNK_WORDS,
  DF_WORD,
  ENTRY_WORDS,
  headChunk,
  headKind,
  isTailSigned,
  LIST_WORD,
  POSITIONS_WORD,
  signatureBytes,
  TAIL_WORD,
  tailField,
  tailKind,
  tailMaxImpact,
} from './entry-words.js';

/** Of any list; a damaged one may say otherwise. */
const CHUNKS_MAX = 65536;

/** The postings entries of one segment. Entry indexes count over all (term, field) pairs. */
export class PostingsReader {
  readonly views: RegionViews;
  readonly #entries: number;
  readonly #starts: number;
  readonly entryCount: number;
  /** Absolute addresses of the first entry of each term, and of the entries, for kernels. */
  readonly startsPtr: number;
  readonly entriesPtr: number;

  constructor(views: RegionViews, entryStarts: number, entries: number, entryCount: number) {
    this.views = views;
    this.#starts = entryStarts >> 2;
    this.startsPtr = views.region.ptr + entryStarts;
    this.entriesPtr = views.region.ptr + entries;
    this.#entries = entries >> 2;
    this.entryCount = entryCount;
  }

  /** First entry of term `ord`; the entries of a range of terms [low, high) are [firstEntry(low), firstEntry(high)). */
  firstEntry(ord: number): number {
    // Bounded, so that a damaged start is no endless range.
    return Math.min(this.views.u32[this.#starts + ord], this.entryCount);
  }

  /** The term that `entry` belongs to, among `termCount` terms. */
  termOfEntry(entry: number, termCount: number): number {
    let low = 0;
    let high = termCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firstEntry(middle) <= entry) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  df(entry: number): number {
    return this.#word(entry, DF_WORD);
  }

  field(entry: number): number {
    return tailField(this.#word(entry, TAIL_WORD));
  }

  /** ENTRY_KIND_* of `entry`. */
  kind(entry: number): number {
    return tailKind(this.#word(entry, TAIL_WORD));
  }

  /** Largest impact of `entry`. */
  maxImpact(entry: number): number {
    return tailMaxImpact(this.#word(entry, TAIL_WORD));
  }

  /** ENTRY_KIND_SINGLE: the document; else the offset of the list. */
  list(entry: number): number {
    return this.#word(entry, LIST_WORD);
  }

  /** Offset of the signatures of `entry`, u16[df]; 0: it has none. */
  signatures(entry: number): number {
    return isTailSigned(this.#word(entry, TAIL_WORD)) ? this.#word(entry, POSITIONS_WORD) : 0;
  }

  /** Offset of the position offset table of `entry`, or of its stream when it has no table. */
  positions(entry: number): number {
    const offset = this.#word(entry, POSITIONS_WORD);
    return isTailSigned(this.#word(entry, TAIL_WORD)) ? offset + signatureBytes(this.df(entry)) : offset;
  }

  /** Entry of (ord, field), or -1. */
  findEntry(ord: number, field: number): number {
    const end = this.firstEntry(ord + 1);
    for (let entry = this.firstEntry(ord); entry < end; entry++) if (this.field(entry) === field) return entry;
    return -1;
  }

  /** Copies the list of `entry` to docs and impacts from index `from` on; both have room for df(entry) values. Returns df. */
  readList(entry: number, docs: Uint32Array, impacts: Uint8Array, from: number): number {
    const at = this.#entries + entry * ENTRY_WORDS;
    const { u32 } = this.views;
    return readPostings(this.views, u32[at + LIST_WORD], u32[at + DF_WORD], u32[at + TAIL_WORD], docs, impacts, from);
  }

  /** Impact of `doc` in the list of `entry`, of any kind, 0 when it is not there. */
  impactOf(entry: number, doc: number): number {
    const kind = this.kind(entry);
    const list = this.list(entry);
    if (kind === ENTRY_KIND_SINGLE) return list === doc ? this.maxImpact(entry) : 0;
    if (kind !== ENTRY_KIND_TINY) return this.chunkedImpact(entry, doc);
    const { u8, u32 } = this.views;
    const df = Math.min(this.df(entry), TINY_DOCS_MAX);
    for (let i = 0; i < df; i++) if (u32[(list >> 2) + i] === doc) return u8[list + df * 4 + i];
    return 0;
  }

  /** Impact of `doc` in the chunked list of `entry`, 0 when it is not there. */
  chunkedImpact(entry: number, doc: number): number {
    const { u8, u16, u32 } = this.views;
    const entryAt = this.#findChunk(this.list(entry), doc >>> 16);
    if (entryAt < 0) return 0;
    const size = u32[entryAt + CHUNK_COUNT_WORD];
    const data = u32[entryAt + CHUNK_DATA_WORD];
    const inChunk = doc & 0xffff;
    const kind = headKind(u32[entryAt + CHUNK_HEAD_WORD]);
    if (kind === CHUNK_KIND_DENSE) return u8[data + inChunk];
    if (kind === CHUNK_KIND_BITSET) return bitsetImpact(this.views, data, inChunk);
    if (kind === CHUNK_KIND_RANKED) return rankedImpact(this.views, data, inChunk);
    const place = lowerBound(u16, data >> 1, size, inChunk);
    return place < size && u16[(data >> 1) + place] === inChunk ? u8[data + size * 2 + place] : 0;
  }

  /** Byte offset of the positions of posting `index` of `entry`. */
  positionsOf(entry: number, index: number): number {
    const { u8, u32 } = this.views;
    const df = this.df(entry);
    let offset = this.positions(entry);
    let skip = index;
    if (df > POSITION_BLOCK) {
      const blocks = Math.ceil(df / POSITION_BLOCK);
      const block = Math.floor(index / POSITION_BLOCK);
      const stream = offset + (blocks + 1) * 4;
      offset = stream + u32[(offset >> 2) + block];
      skip = index - block * POSITION_BLOCK;
    }
    for (; skip > 0; skip--) offset = skipPositions(u8, offset);
    return offset;
  }

  #word(entry: number, word: number): number {
    return this.views.u32[this.#entries + entry * ENTRY_WORDS + word];
  }

  #findChunk(list: number, chunk: number): number {
    const { u32 } = this.views;
    let low = 0;
    let high = Math.min(u32[list >> 2], CHUNKS_MAX);
    const first = (list >> 2) + 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (headChunk(u32[first + middle * CHUNK_WORDS]) < chunk) low = middle + 1;
      else high = middle;
    }
    const at = first + low * CHUNK_WORDS;
    return low < u32[list >> 2] && headChunk(u32[at]) === chunk ? at : -1;
  }
}

/**
 * Copies the list at `list` with `df` postings to docs and impacts from index `from` on and returns df. `tail` is the
 * entry's last word: field, largest impact and kind.
 */
function readPostings(
  views: RegionViews,
  list: number,
  df: number,
  tail: number,
  docs: Uint32Array,
  impacts: Uint8Array,
  from: number,
): number {
  const { u8, u16, u32 } = views;
  const kind = tailKind(tail);
  if (kind === ENTRY_KIND_SINGLE) {
    docs[from] = list;
    impacts[from] = tailMaxImpact(tail);
    return 1;
  }
  assert(df <= docs.length - from, 'there is room for the postings');
  if (kind === ENTRY_KIND_TINY) {
    for (let i = 0; i < df; i++) {
      docs[from + i] = u32[(list >> 2) + i];
      impacts[from + i] = u8[list + df * 4 + i];
    }
    return df;
  }
  let count = from;
  const chunks = u32[list >> 2];
  assert(chunks <= CHUNKS_MAX, 'a list has at most CHUNKS_MAX chunks');
  for (let c = 0; c < chunks; c++) {
    const entryAt = (list >> 2) + 1 + c * CHUNK_WORDS;
    const base = headChunk(u32[entryAt + CHUNK_HEAD_WORD]) * CHUNK_DOCS;
    const size = u32[entryAt + CHUNK_COUNT_WORD];
    const data = u32[entryAt + CHUNK_DATA_WORD];
    const form = headKind(u32[entryAt + CHUNK_HEAD_WORD]);
    assert(size <= CHUNK_DOCS && count - from <= df, 'a list holds df postings');
    if (form === CHUNK_KIND_RANKED) {
      count = readRanked(views, data, base, docs, impacts, count);
    } else if (form === CHUNK_KIND_BITSET) {
      count = readBitset(views, data, base, docs, impacts, count);
    } else if (form === CHUNK_KIND_DENSE) {
      for (let d = 0; d < CHUNK_DOCS; d++) {
        if (u8[data + d] === 0) continue;
        docs[count] = base + d;
        impacts[count++] = u8[data + d];
      }
    } else {
      for (let i = 0; i < size; i++) {
        docs[count] = base + u16[(data >> 1) + i];
        impacts[count++] = u8[data + size * 2 + i];
      }
    }
  }
  assert(count - from === df, 'a list holds df postings');
  return df;
}

/** Whether the bit of document `d` is set in the bits at byte `bits`. */
const hasBit = (u8: Uint8Array, bits: number, d: number): boolean => ((u8[bits + (d >> 3)] >> (d & 7)) & 1) === 1;

/** Copies a ranked chunk, whose documents begin at `base`, to docs and impacts from index `from` on; returns the end. */
function readRanked(
  { u8, u32 }: RegionViews,
  data: number,
  base: number,
  docs: Uint32Array,
  impacts: Uint8Array,
  from: number,
): number {
  let count = from;
  let impactAt = data + RANKED_IMPACTS;
  for (let first = 0; first < CHUNK_DOCS; first += 32) {
    for (let word = u32[(data + (first >> 3)) >> 2]; word !== 0; word &= word - 1) {
      docs[count] = base + first + 31 - Math.clz32(word & -word);
      impacts[count++] = u8[impactAt++];
    }
  }
  return count;
}

/** Impact of document `d` of a ranked chunk, 0 when it is not there. */
function rankedImpact({ u8, u16 }: RegionViews, data: number, d: number): number {
  if (!hasBit(u8, data, d)) return 0;
  let place = u16[((data + RANKED_RANKS) >> 1) + (d >> 7)];
  for (let before = d & ~127; before < d; before++) place += Number(hasBit(u8, data, before));
  return u8[data + RANKED_IMPACTS + place];
}

/** Copies a bitset chunk, whose documents begin at `base`, to docs and impacts from index `from` on; returns the end. */
function readBitset(
  { u8, u16, u32 }: RegionViews,
  data: number,
  base: number,
  docs: Uint32Array,
  impacts: Uint8Array,
  from: number,
): number {
  const common = data - u32[data >> 2];
  const starts = (data + BITSET_STARTS) >> 1;
  const exceptionDocs = data + BITSET_EXCEPTIONS;
  const exceptionImpacts = exceptionDocs + u16[starts + CHUNK_BLOCKS];
  const words = (data + BITSET_DOCS) >> 2;
  let count = from;
  let x = 0;
  for (let first = 0; first < CHUNK_DOCS; first += 32) {
    const end = u16[starts + (first >> 7) + 1];
    for (let word = u32[words + (first >> 5)]; word !== 0; word &= word - 1) {
      const d = first + 31 - Math.clz32(word & -word);
      const isException = x < end && u8[exceptionDocs + x] === (d & 127);
      docs[count] = base + d;
      impacts[count++] = isException ? u8[exceptionImpacts + x++] : u8[common + d];
    }
  }
  return count;
}

/** Impact of document `d` of a bitset chunk, 0 when it is not there. */
function bitsetImpact({ u8, u16, u32 }: RegionViews, data: number, d: number): number {
  if (!hasBit(u8, data + BITSET_DOCS, d)) return 0;
  const starts = (data + BITSET_STARTS) >> 1;
  const exceptionDocs = data + BITSET_EXCEPTIONS;
  const end = u16[starts + (d >> 7) + 1];
  for (let x = u16[starts + (d >> 7)]; x < end; x++)
    if (u8[exceptionDocs + x] === (d & 127)) return u8[exceptionDocs + u16[starts + CHUNK_BLOCKS] + x];
  return u8[data - u32[data >> 2] + d];
}

/** How many of the `size` ascending values from index `from` on are below `value`. */
function lowerBound(values: Uint16Array, from: number, size: number, value: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[from + middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
