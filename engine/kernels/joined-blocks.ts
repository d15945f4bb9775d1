/**
 * The documents of blocks of a chunk that may enter the best ones, block by block: where block maxima of several ranked lists
 * lie side by side, so that bounds of their scores add up. For kernels/joined-sweep.ts alone; exports nothing to JavaScript.
 * Layouts: layout/joined-lists.ts, layout/postings.ts.
 *
 * (Ding & Suel, "Faster top-k document retrieval using block-max indexes", SIGIR 2011.)
 */
import {
  JOINED_BYTES,
  JOINED_COUNT,
  JOINED_DATA,
  JOINED_IS_REQUIRED,
  JOINED_LEAST,
  JOINED_PLACE,
} from '../layout/joined-lists';
import { RANKED_MAXIMA } from '../layout/postings';
import { listBits } from './bit-lists';
import { isRanked } from './joined-matches';
import { boundOfBlock, leastImpact } from './joined-scores';

/**
 * Which of the 16 blocks from `group` on may hold a document that scores above the threshold for which the least impacts of
 * the required lists were found, as bits.
 */
@inline
function openBlocks(first: usize, end: usize, group: u32): u32 {
  let mask: u32 = 0xffff;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_IS_REQUIRED) == 0 || !isRanked(joined)) continue;
    const maxima = v128.load(<usize>load<u32>(joined, JOINED_DATA) + group, RANKED_MAXIMA);
    mask &= i8x16.bitmask(i8x16.ge_u(maxima, i8x16.splat(<i8>load<u32>(joined, JOINED_LEAST))));
  }
  return mask;
}

/** Leaves of the 64 documents from `at` bytes on in the bits of a chunk those that the lists of the records ask for. */
@inline
function askedFor(first: usize, end: usize, place: u32, at: usize, documents: u64): u64 {
  let word = documents;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_COUNT) == 0 || !isRanked(joined)) continue;
    const own = load<u64>(<usize>load<u32>(joined, JOINED_DATA) + at);
    if (load<u32>(joined, JOINED_PLACE) < place) word &= ~own;
    else if (load<u32>(joined, JOINED_IS_REQUIRED)) word &= own;
  }
  return word;
}

/**
 * Lists the documents of `bits` in the blocks [low, high) that may score above `threshold`, at list u16[]; returns how many.
 * They are of all required lists that are ranked, and of none of a place before `place`. Bits of the blocks are changed.
 */
export function listOpenBlocks(
  first: usize, end: usize, place: u32, threshold: f32, bits: usize, live: usize, low: u32, high: u32, places: usize,
  own: usize, list: usize,
): u32 {
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_IS_REQUIRED) == 0 || !isRanked(joined)) continue;
    if (leastImpact(first, end, joined, place, threshold) > 255) return 0;
  }
  let n: u32 = 0;
  for (let group = low & ~15; group < high; group += 16) {
    let mask = openBlocks(first, end, group);
    if (group < low) mask &= 0xffff << (low - group);
    if (high - group < 16) mask &= (1 << (high - group)) - 1;
    while (mask) {
      const block = group + ctz(mask);
      mask &= mask - 1;
      if (boundOfBlock(first, end, place, block) <= threshold) continue;
      const at = <usize>block << 4;
      let lower = askedFor(first, end, place, at, load<u64>(bits + at));
      let upper = askedFor(first, end, place, at + 8, load<u64>(bits + at, 8));
      if (live) {
        lower &= load<u64>(live + at);
        upper &= load<u64>(live + at, 8);
      }
      if (!(lower | upper)) continue;
      store<u64>(own + at, lower);
      store<u64>(own + at, upper, 8);
      n += listBits(own, block << 7, (block + 1) << 7, places, list + (<usize>n << 1));
    }
  }
  return n;
}
