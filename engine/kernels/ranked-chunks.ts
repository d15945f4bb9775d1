/**
 * How kernels read a chunk of CHUNK_KIND_RANKED, of which the bits of its documents come first: where a document's posting
 * lies among those of the chunk, and which document a posting is of. For the other kernels alone; exports nothing to JavaScript. Layout: layout/postings.ts.
 */
import { BLOCK_POSTINGS, CHUNK_BLOCKS, RANKED_IMPACTS, RANKED_RANKS } from '../layout/postings';

/** Postings of the chunk before document d: where that of d lies, when the list has it. At most 65,535 and 64. */
@inline
export function rankOfDoc(data: usize, d: u32): u32 {
  const before = <u32>load<u16>(data + (<usize>(d >> 7) << 1), RANKED_RANKS);
  const block = data + (<usize>(d >> 7) << 4);
  // The lower half of the block counts as a whole for a document of the upper one.
  const lower = load<u64>(block) & (0 - <u64>((d >> 6) & 1));
  const own = load<u64>(data + (<usize>(d >> 6) << 3)) & (((<u64>1) << (d & 63)) - 1);
  return before + <u32>popcnt(lower) + <u32>popcnt(own);
}

/** The impact of document d, which the list has. */
@inline
export function rankedImpact(data: usize, d: u32): usize {
  return load<u8>(data + rankOfDoc(data, d), RANKED_IMPACTS);
}

/** Postings before block `block` of `count` of the chunk; before block CHUNK_BLOCKS come all. */
@inline
export function rankOfBlock(data: usize, block: u32, count: u32): u32 {
  return block < <u32>CHUNK_BLOCKS ? <u32>load<u16>(data + (block << 1), RANKED_RANKS) : count;
}

/** Postings of block `block` of `count` of the chunk: no more than a block has, though ranks be damaged. */
@inline
export function postingsOfBlock(data: usize, block: u32, count: u32): u32 {
  return min(rankOfBlock(data, block + 1, count) - rankOfBlock(data, block, count), <u32>BLOCK_POSTINGS);
}

/** Place of the nth bit, from 0 on, of the 128 bits at `bits`, which has so many. */
@inline
export function nthBit(bits: usize, nth: u32): u32 {
  let word = load<u64>(bits);
  let place: u32 = 0;
  const lower = <u32>popcnt(word);
  if (nth >= lower) {
    nth -= lower;
    place = 64;
    word = load<u64>(bits, 8);
  }
  for (let width: u32 = 32; width >= 8; width >>= 1) {
    const count = <u32>popcnt(word & (((<u64>1) << width) - 1));
    // Without a branch: nobody could foretell it.
    const isBehind = u32(nth >= count);
    nth -= count * isBehind;
    place += width * isBehind;
    word >>= width * isBehind;
  }
  for (; nth > 0; nth--) word &= word - 1;
  return place + <u32>ctz(word);
}
