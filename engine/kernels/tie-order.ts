/**
 * The place of the nth document of an impact among all that a sweep's only clause reads, where that is one list a segment: which of the
 * documents that score alike are the first ones. For kernels/foreseen-page.ts alone; exports nothing to JavaScript. Layouts:
 * layout/sweep.ts, layout/postings.ts.
 */
import {
  CHUNK_BLOCKS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  ENTRY_DF,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  RANKED_IMPACTS,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../layout/scratch';
import { ROW_BYTES, ROW_LIVE, ROW_MAX_DOC, ROW_ORDER_BASE, ROW_SEGMENT, SWEEP_OUTER, SWEEP_ROW_COUNT, SWEEP_ROWS } from '../layout/sweep';
import { hasBit, isLive } from './bit-lists';
import { nthBit, rankOfBlock } from './ranked-chunks';
import { shortListOf } from './short-list';
import { findLists } from './swept-lists';

/** Stands for no place: behind all documents. */
const NOWHERE: u32 = 0xffffffff;

/** How many of u8[n] at `impacts` are `impact`. */
function countEqual(impacts: usize, n: u32, impact: u32): u32 {
  const wanted = i8x16.splat(<i8>impact);
  let count: u32 = 0;
  let i: u32 = 0;
  for (; i + 16 <= n; i += 16) count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(impacts + i), wanted)));
  for (; i < n; i++) count += u32(<u32>load<u8>(impacts + i) == impact);
  return count;
}

/** Index of the nth of u8[] at `impacts` that is `impact`, of at least as many. */
function nthEqual(impacts: usize, nth: u32, impact: u32): u32 {
  let i: u32 = 0;
  for (let left = nth - u32(<u32>load<u8>(impacts) == impact); left > 0; ) left -= u32(<u32>load<u8>(impacts + ++i) == impact);
  return i;
}

/** The document of posting `index` of a chunk's data. */
function docAt(data: usize, isRanked: bool, size: u32, index: u32): u32 {
  if (!isRanked) return <u32>load<u16>(data + (<usize>index << 1));
  let block: u32 = 0;
  while (block + 1 < <u32>CHUNK_BLOCKS && rankOfBlock(data, block + 1, size) <= index) block++;
  let left = index - rankOfBlock(data, block, size);
  for (let base = block << 7; base < <u32>CHUNK_DOCS; base += 64) {
    let bits = load<u64>(data + (base >> 3));
    const here = <u32>popcnt(bits);
    if (left >= here) {
      left -= here;
      continue;
    }
    for (; left > 0; left--) bits &= bits - 1;
    return base + <u32>ctz(bits);
  }
  return CHUNK_DOCS;
}

/**
 * The document of the nth posting with `impact` of a chunk whose bit is set in `live`; CHUNK_DOCS: it has fewer, as many as were added to
 * u32 at `seen`.
 */
function nthLive(data: usize, isRanked: bool, size: u32, impacts: usize, impact: u32, live: usize, nth: u32, seen: usize): u32 {
  const wanted = i8x16.splat(<i8>impact);
  let block: u32 = 0;
  for (let base: u32 = 0; base < size; base += 16) {
    let hits: u32 = i8x16.bitmask(i8x16.eq(v128.load(impacts + base), wanted));
    if (size - base < 16) hits &= (1 << (size - base)) - 1;
    for (; hits; hits &= hits - 1) {
      const index = base + ctz(hits);
      if (isRanked) while (block + 1 < <u32>CHUNK_BLOCKS && rankOfBlock(data, block + 1, size) <= index) block++;
      const doc = isRanked
        ? (block << 7) + nthBit(data + (<usize>block << 4), (index - rankOfBlock(data, block, size)) & 127)
        : <u32>load<u16>(data + (<usize>index << 1));
      if (!hasBit(live, doc)) continue;
      store<u32>(seen, load<u32>(seen) + 1);
      if (load<u32>(seen) == nth) return doc;
    }
  }
  return CHUNK_DOCS;
}

/** As nthOfImpact() in the chunked list of `entry` in the segment of `row`; NOWHERE: it has fewer, as many as were added to u32 at `seen`. */
function nthInChunks(row: usize, entry: usize, impact: u32, nth: u32, seen: usize): u32 {
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  const chunks = (load<u32>(row, ROW_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
  const live = <usize>load<u32>(row, ROW_LIVE);
  const directory = segment + load<u32>(entry, ENTRY_LIST);
  const end = directory + 4 + <usize>min(load<u32>(directory), chunks) * CHUNK_ENTRY_BYTES;
  for (let at = directory + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    const isRanked = load<u8>(at, CHUNK_ENTRY_KIND) == CHUNK_KIND_RANKED;
    const size = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const impacts = isRanked ? data + RANKED_IMPACTS : data + (<usize>size << 1);
    const chunk = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK);
    if (live != 0) {
      const doc = nthLive(data, isRanked, size, impacts, impact, live + <usize>chunk * CHUNK_BITSET_BYTES, nth, seen);
      if (doc < <u32>CHUNK_DOCS) return load<u32>(row, ROW_ORDER_BASE) + chunk * CHUNK_DOCS + doc;
      continue;
    }
    const count = countEqual(impacts, size, impact);
    const before = load<u32>(seen);
    if (before + count >= nth) {
      const doc = docAt(data, isRanked, size, nthEqual(impacts, nth - before, impact));
      return load<u32>(row, ROW_ORDER_BASE) + chunk * CHUNK_DOCS + doc;
    }
    store<u32>(seen, before + count);
  }
  return NOWHERE;
}

/** As nthInChunks() for a list that is not chunked. */
function nthInShort(row: usize, entry: usize, impact: u32, nth: u32, seen: usize): u32 {
  const live = <usize>load<u32>(row, ROW_LIVE);
  const isSingle = load<u8>(entry, ENTRY_KIND) == ENTRY_KIND_SINGLE;
  const n: u32 = isSingle ? 1 : min(load<u32>(entry, ENTRY_DF), <u32>TINY_DOCS_MAX);
  const docs = isSingle ? entry + ENTRY_LIST : <usize>load<u32>(row, ROW_SEGMENT) + load<u32>(entry, ENTRY_LIST);
  const impacts = isSingle ? entry + ENTRY_MAX_IMPACT : docs + (<usize>n << 2);
  for (let i: u32 = 0; i < n; i++) {
    if (<u32>load<u8>(impacts + i) != impact) continue;
    if (live != 0 && !isLive(live, load<u32>(row, ROW_MAX_DOC), load<u32>(docs + (<usize>i << 2)))) continue;
    store<u32>(seen, load<u32>(seen) + 1);
    if (load<u32>(seen) == nth) return load<u32>(row, ROW_ORDER_BASE) + load<u32>(docs + (<usize>i << 2));
  }
  return NOWHERE;
}

/**
 * The order of the nth live document with `impact` in the lists of all rows, one each, in which all of these may match. At `ranges` lies where the ranges
 * of each begin, then where those of the last end. `seen`: room for u32.
 */
export function nthOfImpact(sweep: usize, ranges: usize, impact: u32, nth: u32, seen: usize): u32 {
  const rows = <usize>load<u32>(sweep, SWEEP_ROWS);
  const rowCount = load<u32>(sweep, SWEEP_ROW_COUNT);
  store<u32>(seen, 0);
  for (let r: u32 = 0; r < rowCount; r++) {
    const row = rows + <usize>r * ROW_BYTES;
    const own = ranges + (<usize>r << 2);
    if (load<u32>(own) == load<u32>(own, 4)) continue;
    let order: u32 = NOWHERE;
    if (findLists(sweep, row, own)) order = nthInChunks(row, <usize>load<u32>(sweep, SWEEP_OUTER), impact, nth, seen);
    else {
      const entry = shortListOf(sweep, row, own);
      if (entry != 0) order = nthInShort(row, entry, impact, nth, seen);
    }
    if (order != NOWHERE) return order;
  }
  return NOWHERE;
}
