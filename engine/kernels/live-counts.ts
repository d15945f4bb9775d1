/**
 * How many live documents lists have: one list, or any of several, a document once. Called by query/live-counts.ts and
 * segment/live-statistics.ts through memory/kernel-instance.ts. Counts of a damaged list are bounded by what a list can have.
 * Layout: layout/postings.ts.
 */
import {
  BITSET_DOCS,
  CHUNK_BLOCKS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_BITSET,
  CHUNK_KIND_DENSE,
  CHUNK_KIND_RANKED,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../layout/scratch';
import { PLAN_NO_FIELD } from '../layout/token-plan';
import { countLiveBits, hasBit } from './bit-lists';
import { itemFlag } from './chunk-forms';
import { markChunk } from './chunk-marks';

/** Postings of a dense chunk whose documents are live; `live` is the chunk's part of the bitmap. */
function countDense(data: usize, live: usize): u32 {
  const absent = i8x16.splat(0);
  let count: u32 = 0;
  for (let d: u32 = 0; d < <u32>CHUNK_DOCS; d += 16) {
    const present = i8x16.bitmask(i8x16.ne(v128.load(data + d), absent));
    count += popcnt(present & <u32>load<u16>(live + (d >> 3)));
  }
  return count;
}

/** Documents in the list of entry `e` whose bit is set in the live docs at `live`. The segment has `chunks` chunks. */
export function countLive(segment: usize, e: usize, live: usize, chunks: u32): u32 {
  const kind = load<u8>(e, ENTRY_KIND);
  const list = load<u32>(e, ENTRY_LIST);
  if (kind == ENTRY_KIND_SINGLE) return hasBit(live, list);
  let count: u32 = 0;
  if (kind == ENTRY_KIND_TINY) {
    const df = min(load<u32>(e, ENTRY_DF), <u32>TINY_DOCS_MAX);
    for (let i: u32 = 0; i < df; i++) count += hasBit(live, load<u32>(segment + list + (i << 2)));
    return count;
  }
  let entry = segment + list + 4;
  const end = entry + <usize>min(load<u32>(segment + list), chunks) * CHUNK_ENTRY_BYTES;
  for (; entry < end; entry += CHUNK_ENTRY_BYTES) {
    count += countIn(segment, entry, live + <usize>load<u16>(entry, CHUNK_ENTRY_CHUNK) * CHUNK_BITSET_BYTES);
  }
  return count;
}

/** Documents of the chunk with the directory entry `at` whose bit is set in `bits`, of the chunk. */
export function countIn(segment: usize, at: usize, bits: usize): u32 {
  const data = segment + <usize>load<u32>(at, CHUNK_ENTRY_DATA);
  const kind = load<u8>(at, CHUNK_ENTRY_KIND);
  if (kind == CHUNK_KIND_DENSE) return countDense(data, bits);
  if (kind == CHUNK_KIND_BITSET) return countLiveBits(data + BITSET_DOCS, bits, CHUNK_BLOCKS);
  if (kind == CHUNK_KIND_RANKED) return countLiveBits(data, bits, CHUNK_BLOCKS);
  const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) count += hasBit(bits, <u32>load<u16>(data + (<usize>i << 1)));
  return count;
}

/** Whether the entry is of a field that `fieldMap` admits. */
@inline
function isAdmitted(e: usize, fieldMap: usize): bool {
  return load<u8>(fieldMap + load<u8>(e, ENTRY_FIELD)) != PLAN_NO_FIELD;
}

/** The directory entry of chunk number `chunk`, or of the first one behind it, in the ascending [at, end). */
function seekChunk(at: usize, end: usize, chunk: u32): usize {
  let low: usize = 0;
  let high = (end - at) / CHUNK_ENTRY_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (<u32>load<u16>(at + middle * CHUNK_ENTRY_BYTES, CHUNK_ENTRY_CHUNK) < chunk) low = middle + 1;
    else high = middle;
  }
  return at + low * CHUNK_ENTRY_BYTES;
}

/** Sets in `bits` those of the documents of chunk number `chunk`, of `blocks` blocks, that the list of entry `e` has. */
function markList(segment: usize, e: usize, chunk: u32, chunks: u32, blocks: u32, bits: usize): void {
  const kind = load<u8>(e, ENTRY_KIND);
  if (kind == ENTRY_KIND_SINGLE || kind == ENTRY_KIND_TINY) {
    const isSingle = kind == ENTRY_KIND_SINGLE;
    const docs = isSingle ? e + ENTRY_LIST : segment + load<u32>(e, ENTRY_LIST);
    const df: u32 = isSingle ? 1 : min(load<u32>(e, ENTRY_DF), <u32>TINY_DOCS_MAX);
    for (let i: u32 = 0; i < df; i++) {
      const doc = load<u32>(docs + (<usize>i << 2));
      if (doc >> 16 != chunk) continue;
      const at = bits + <usize>((doc & 0xffff) >> 3);
      store<u8>(at, <u32>load<u8>(at) | (1 << (doc & 7)));
    }
    return;
  }
  const list = segment + load<u32>(e, ENTRY_LIST);
  const end = list + 4 + <usize>min(load<u32>(list), chunks) * CHUNK_ENTRY_BYTES;
  const at = seekChunk(list + 4, end, chunk);
  if (at == end || <u32>load<u16>(at, CHUNK_ENTRY_CHUNK) != chunk) return;
  const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  markChunk(bits, segment + load<u32>(at, CHUNK_ENTRY_DATA), itemFlag(load<u8>(at, CHUNK_ENTRY_KIND)), n, blocks);
}

/**
 * Documents of a segment of `docs` documents that one of the lists of entries [first, end) in the fields that `fieldMap` admits
 * has, and that are live: their bit is set in `live`, unless that is 0. `bits`: room for those of a chunk.
 */
export function countHolders(
  segment: usize, entries: usize, first: u32, end: u32, fieldMap: usize, live: usize, docs: u32, bits: usize,
): u32 {
  const low = entries + <usize>first * ENTRY_BYTES;
  const high = entries + <usize>end * ENTRY_BYTES;
  const chunks = (docs + CHUNK_DOCS - 1) / CHUNK_DOCS;
  let lists: u32 = 0;
  let one: usize = 0;
  for (let e = low; e < high; e += ENTRY_BYTES) {
    if (!isAdmitted(e, fieldMap)) continue;
    one = e;
    lists++;
  }
  if (lists == 0) return 0;
  if (lists == 1) return live == 0 ? load<u32>(one, ENTRY_DF) : countLive(segment, one, live, chunks);
  let count: u32 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    const blocks = (min(docs - chunk * CHUNK_DOCS, <u32>CHUNK_DOCS) + 127) >> 7;
    memory.fill(bits, 0, CHUNK_BITSET_BYTES);
    for (let e = low; e < high; e += ENTRY_BYTES) {
      if (isAdmitted(e, fieldMap)) markList(segment, e, chunk, chunks, blocks, bits);
    }
    count += countLiveBits(bits, live == 0 ? bits : live + <usize>chunk * CHUNK_BITSET_BYTES, blocks);
  }
  return count;
}
