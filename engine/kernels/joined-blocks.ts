/**
 * Goes through the blocks of 128 documents of a chunk in which a document may still enter the best ones: where block maxima of
 * several lists lie side by side, so that bounds of their scores add up. Few documents of a block are only listed, to be looked
 * up in each list; where they are many, all postings of the block are scored. For kernels/joined-sweep.ts alone; exports nothing
 * to JavaScript. Layouts: layout/joined-lists.ts, layout/postings.ts.
 *
 * (Ding & Suel, "Faster top-k document retrieval using block-max indexes", SIGIR 2011.)
 */
import {
  JOINED_AT,
  JOINED_BOUNDS,
  JOINED_BYTES,
  JOINED_CHUNK_BOUND,
  JOINED_COUNT,
  JOINED_DATA,
  JOINED_IS_REQUIRED,
  JOINED_PLACE,
  JOINED_TABLE,
  JOINED_WEIGHT,
} from '../layout/joined-lists';
import { BLOCK_POSTINGS, CHUNK_BLOCKS, RANKED_IMPACTS, RANKED_MAXIMA } from '../layout/postings';
import { listBits } from './bit-lists';
import { boundOfImpact } from './joined-lists';
import { isRanked } from './joined-matches';
import { rankOfBlock } from './ranked-chunks';

/** Sums in another order, or of all but one, are rounded otherwise: by less than this share of the whole. */
const ROUNDING: f64 = 1.000002;
/** Looking a document up in a list takes as long as scoring this many postings one after the other. */
const LOOKUP_POSTINGS: u32 = 2;
/** What scoring the postings of a block takes beside, in postings. */
const SCATTER_POSTINGS: u32 = 24;

/** bounds f32[blocks] += what the ranked chunk at `data` scores at most in each block. */
@inline
function boundRanked(joined: usize, data: usize, bounds: usize, blocks: u32): void {
  const w = load<f32>(joined, JOINED_WEIGHT);
  const table = <usize>load<u32>(joined, JOINED_BOUNDS);
  for (let block: usize = 0; block < <usize>blocks; block++) {
    const at = bounds + (block << 2);
    const own = w * load<f32>(table + (<usize>load<u8>(data + block, RANKED_MAXIMA) << 2));
    store<f32>(at, load<f32>(at) + own);
  }
}

/** bounds f32[] += what a posting of the sparse chunk at `data`, of n, scores at most, where it has one in the block. */
@inline
function boundSparse(joined: usize, data: usize, n: u32, bounds: usize): void {
  const own = load<f32>(joined, JOINED_CHUNK_BOUND);
  let last: u32 = CHUNK_BLOCKS;
  for (let i: u32 = 0; i < n; i++) {
    const block = <u32>load<u16>(data + (<usize>i << 1)) >> 7;
    if (block == last) continue;
    last = block;
    const at = bounds + (<usize>block << 2);
    store<f32>(at, load<f32>(at) + own);
  }
}

/**
 * Before blocks are read: bounds f32[blocks] = what a document scores at most that only lists of places from `place` on have, by
 * block.
 */
export function boundBlocks(first: usize, end: usize, place: u32, bounds: usize, blocks: u32): void {
  // Blocks are looked at sixteen at a time.
  memory.fill(bounds, 0, <usize>((blocks + 15) & ~15) << 2);
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    store<u32>(joined, 0, JOINED_AT);
    const n = load<u32>(joined, JOINED_COUNT);
    if (n == 0 || load<u32>(joined, JOINED_PLACE) < place) continue;
    const data = <usize>load<u32>(joined, JOINED_DATA);
    if (isRanked(joined)) boundRanked(joined, data, bounds, blocks);
    else boundSparse(joined, data, n, bounds);
  }
}

/** Which of the 16 blocks from `group` on may hold a document that scores above `threshold`, as bits. */
@inline
function openBlocks(bounds: usize, group: u32, threshold: f32): u32 {
  const floor = f32x4.splat(threshold);
  const at = bounds + (<usize>group << 2);
  const mask =
    i32x4.bitmask(f32x4.gt(v128.load(at), floor)) |
    (i32x4.bitmask(f32x4.gt(v128.load(at, 16), floor)) << 4) |
    (i32x4.bitmask(f32x4.gt(v128.load(at, 32), floor)) << 8) |
    (i32x4.bitmask(f32x4.gt(v128.load(at, 48), floor)) << 12);
  return mask;
}

/** Keeps of list u16[n], in place, the documents of blocks in which one may score above `threshold`; returns how many. */
export function keepOpen(bounds: usize, list: usize, n: u32, threshold: f32): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    store<u16>(list + (count << 1), d);
    count += u32(load<f32>(bounds + (<usize>(d >> 7) << 2)) > threshold);
  }
  return count;
}

/** Goes on to the first posting of a sparse list from document d on; returns its place. */
@inline
function seekPosting(joined: usize, data: usize, n: u32, d: u32): u32 {
  let at = load<u32>(joined, JOINED_AT);
  while (at + 8 < n && <u32>load<u16>(data + (<usize>at << 1), 14) < d) at += 8;
  while (at < n && <u32>load<u16>(data + (<usize>at << 1)) < d) at++;
  store<u32>(joined, at, JOINED_AT);
  return at;
}

/** What the list scores at most in the block. */
@inline
function boundIn(joined: usize, block: u32): f32 {
  const data = <usize>load<u32>(joined, JOINED_DATA);
  if (isRanked(joined)) return boundOfImpact(joined, load<u8>(data + block, RANKED_MAXIMA));
  const n = load<u32>(joined, JOINED_COUNT);
  const at = seekPosting(joined, data, n, block << 7);
  const isThere = at < n && <u32>load<u16>(data + (<usize>at << 1)) < (block + 1) << 7;
  return isThere ? load<f32>(joined, JOINED_CHUNK_BOUND) : 0;
}

/** The documents of a sparse list in the half of 64 documents from `from` on, as bits. */
function sparseBits(joined: usize, from: u32): u64 {
  const data = <usize>load<u32>(joined, JOINED_DATA);
  const n = load<u32>(joined, JOINED_COUNT);
  let word: u64 = 0;
  for (let i = load<u32>(joined, JOINED_AT); i < n; i++) {
    const d = <u32>load<u16>(data + (<usize>i << 1)) - from;
    if (<i32>d >= 64) break;
    if (<i32>d >= 0) word |= (<u64>1) << d;
  }
  return word;
}

/** Adds the scores of the postings of those of 64 documents that `bits` tells to acc; returns where their impacts end. */
@inline
function scatterWord(bits: u64, impacts: usize, w: f32, lut: usize, acc: usize): usize {
  let word = bits;
  let at = impacts;
  while (word) {
    const a = acc + (<usize>ctz(word) << 2);
    word &= word - 1;
    store<f32>(a, load<f32>(a) + w * load<f32>(lut + (<usize>load<u8>(at) << 2)));
    at++;
  }
  return at;
}

/** acc[d] = the score of d in the lists of the records, for all documents of the block. */
function scatterBlock(first: usize, end: usize, block: u32, acc: usize): void {
  const own = acc + (<usize>block << 9);
  memory.fill(own, 0, BLOCK_POSTINGS << 2);
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const n = load<u32>(joined, JOINED_COUNT);
    if (n == 0) continue;
    const data = <usize>load<u32>(joined, JOINED_DATA);
    const w = load<f32>(joined, JOINED_WEIGHT);
    const lut = <usize>load<u32>(joined, JOINED_TABLE);
    if (isRanked(joined)) {
      const bits = data + (<usize>block << 4);
      const impacts = data + RANKED_IMPACTS + rankOfBlock(data, block, n);
      scatterWord(load<u64>(bits, 8), scatterWord(load<u64>(bits), impacts, w, lut, own), w, lut, own + 256);
      continue;
    }
    const high = (block + 1) << 7;
    for (let i = load<u32>(joined, JOINED_AT); i < n; i++) {
      const d = <u32>load<u16>(data + (<usize>i << 1));
      if (d >= high) break;
      const a = acc + (<usize>d << 2);
      store<f32>(a, load<f32>(a) + w * load<f32>(lut + (<usize>load<u8>(data + (n << 1) + i) << 2)));
    }
  }
}

/** Which of 64 documents score above `threshold`, as bits. */
@inline
function above(acc: usize, threshold: f32): u64 {
  const floor = f32x4.splat(threshold);
  let word: u64 = 0;
  for (let i: u32 = 0; i < 64; i += 4) {
    word |= <u64>i32x4.bitmask(f32x4.gt(v128.load(acc + (<usize>i << 2)), floor)) << i;
  }
  return word;
}

/** Postings of the ranked lists in the block. */
@inline
function postingsOf(first: usize, end: usize, block: u32): u32 {
  let postings: u32 = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const n = load<u32>(joined, JOINED_COUNT);
    if (n == 0 || !isRanked(joined)) continue;
    const data = <usize>load<u32>(joined, JOINED_DATA);
    postings += rankOfBlock(data, block + 1, n) - rankOfBlock(data, block, n);
  }
  return postings;
}

/** Number of records that have postings in the chunk. */
function listsIn(first: usize, end: usize): u32 {
  let lists: u32 = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) lists += u32(load<u32>(joined, JOINED_COUNT) != 0);
  return lists;
}

/** The documents of the list in half `half` of the block, as bits. */
@inline
function bitsIn(joined: usize, block: u32, half: u32): u64 {
  if (isRanked(joined)) return load<u64>(<usize>load<u32>(joined, JOINED_DATA) + (<usize>block << 4) + (<usize>half << 3));
  return sparseBits(joined, (block << 7) + (half << 6));
}

/**
 * Of the documents of `bits` in the blocks [low, high), of which boundBlocks() made `bounds`, lists those that may score above
 * `threshold` at list u16[], and those that do, with acc[d] set, at scored u16[], but for those that lists of a place before
 * `place` have. Returns how many are listed, and how many scored times 2 to the power of 32. `passing`: 0, or the bits of what may match of the
 * chunk; `own`: room for bits of a chunk, which may be `bits`. Blocks ascend from call to call.
 */
export function readOpenBlocks(
  first: usize, end: usize, place: u32, threshold: f32, bounds: usize, bits: usize, passing: usize, low: u32, high: u32,
  places: usize, own: usize, list: usize, scored: usize, acc: usize,
): u64 {
  const lookup = listsIn(first, end) * LOOKUP_POSTINGS;
  let n: u32 = 0;
  let m: u32 = 0;
  for (let group = low & ~15; group < high; group += 16) {
    let mask = openBlocks(bounds, group, threshold);
    if (group < low) mask &= 0xffff << (low - group);
    if (high - group < 16) mask &= (1 << (high - group)) - 1;
    while (mask) {
      const block = group + ctz(mask);
      mask &= mask - 1;
      const at = <usize>block << 4;
      let lower = load<u64>(bits + at);
      let upper = load<u64>(bits + at, 8);
      if (passing) {
        lower &= load<u64>(passing + at);
        upper &= load<u64>(passing + at, 8);
      }
      const bound = <f64>load<f32>(bounds + (<usize>block << 2));
      for (let joined = first; joined < end && (lower | upper) != 0; joined += JOINED_BYTES) {
        if (load<u32>(joined, JOINED_COUNT) == 0) continue;
        const most = <f64>boundIn(joined, block);
        if (load<u32>(joined, JOINED_PLACE) < place) {
          lower &= ~bitsIn(joined, block, 0);
          upper &= ~bitsIn(joined, block, 1);
        } else if (load<u32>(joined, JOINED_IS_REQUIRED) || bound * ROUNDING - most <= <f64>threshold) {
          lower &= bitsIn(joined, block, 0);
          upper &= bitsIn(joined, block, 1);
        }
      }
      if (!(lower | upper)) continue;
      const count = <u32>(popcnt(lower) + popcnt(upper));
      const isScored = count * lookup > postingsOf(first, end, block) + SCATTER_POSTINGS;
      if (isScored) {
        scatterBlock(first, end, block, acc);
        lower &= above(acc + (<usize>block << 9), threshold);
        upper &= above(acc + (<usize>block << 9) + 256, threshold);
        if (!(lower | upper)) continue;
      }
      store<u64>(own + at, lower);
      store<u64>(own + at, upper, 8);
      const out = isScored ? scored + (<usize>m << 1) : list + (<usize>n << 1);
      const listed = listBits(own, block << 7, (block + 1) << 7, places, out);
      if (isScored) m += listed;
      else n += listed;
    }
  }
  return <u64>n | (<u64>m << 32);
}
