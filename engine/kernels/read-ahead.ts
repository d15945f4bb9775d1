/**
 * Reads a byte or two of what a list's best blocks lie in before they are scored: each lies anywhere in memory, and which they are is told by
 * their maxima alone, so that all are waited for together and not one after the other. For kernels/list-sweep.ts alone; exports
 * nothing to JavaScript. Layout: layout/postings.ts.
 */
import {
  BLOCK_POSTINGS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  CHUNK_ENTRY_MAX_IMPACT,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  RANKED_IMPACTS,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { blocksOf, maximaOf } from './chunk-forms';
import { rankOfBlock } from './ranked-chunks';

/** So many chunks and blocks are looked at: as many as memory is asked for at once, about. */
const CHUNKS_AHEAD: u32 = 24;
const BLOCKS_AHEAD: u32 = 12;
const LINE_BYTES: usize = 64;

/** Postings of the chunk with the directory entry at `at`. */
@inline
function countOf(at: usize): u32 {
  return min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
}

/** Reads from block `block` of a ranked or sparse chunk with n postings; returns a sum. */
@inline
function readBlock(data: usize, isRanked: bool, n: u32, block: u32): u32 {
  if (isRanked) {
    const impacts = data + RANKED_IMPACTS + rankOfBlock(data, block, n);
    return <u32>load<u8>(data + (<usize>block << 4)) + <u32>load<u8>(impacts) + <u32>load<u8>(impacts + LINE_BYTES);
  }
  const docs = data + (<usize>(block * BLOCK_POSTINGS) << 1);
  const impacts = data + (<usize>n << 1) + <usize>(block * BLOCK_POSTINGS);
  const sum = <u32>load<u8>(impacts) + <u32>load<u8>(docs) + <u32>load<u8>(docs + LINE_BYTES);
  if (n - block * BLOCK_POSTINGS <= <u32>BLOCK_POSTINGS / 2) return sum;
  return sum + <u32>load<u8>(impacts + LINE_BYTES) + <u32>load<u8>(docs + 2 * LINE_BYTES) + <u32>load<u8>(docs + 3 * LINE_BYTES);
}

/** Reads from the blocks of the chunk at `at` whose maxima reach `classMin`, of the first `most` of them; returns how many, and above 32 bits a sum. */
function readChunk(segment: usize, at: usize, classMin: u32, most: u32): u64 {
  const kind = load<u8>(at, CHUNK_ENTRY_KIND);
  const n = countOf(at);
  const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
  const maxima = maximaOf(data, kind, n);
  const blocks = blocksOf(kind, n);
  const floor = i8x16.splat(<i8>classMin);
  let count: u32 = 0;
  let sum: u32 = 0;
  for (let group: u32 = 0; group < blocks && count < most; group += 16) {
    let mask = i8x16.bitmask(i8x16.ge_u(v128.load(maxima + group), floor));
    if (blocks - group < 16) mask &= (1 << (blocks - group)) - 1;
    for (; mask && count < most; mask &= mask - 1) {
      sum += readBlock(data, kind == CHUNK_KIND_RANKED, n, group + ctz(mask));
      count++;
    }
  }
  return (<u64>sum << 32) | <u64>count;
}

/** Reads from the first blocks of the chunks [from, end) of a directory whose maxima reach `classMin`; returns a sum. */
export function readBlocksAhead(segment: usize, from: usize, end: usize, classMin: u32): u32 {
  let sum: u32 = 0;
  let chunks = CHUNKS_AHEAD;
  for (let at = from; at < end && chunks > 0; at += CHUNK_ENTRY_BYTES) {
    if (<u32>load<u8>(at, CHUNK_ENTRY_MAX_IMPACT) < classMin) continue;
    chunks--;
    sum += <u32>load<u8>(maximaOf(segment + load<u32>(at, CHUNK_ENTRY_DATA), load<u8>(at, CHUNK_ENTRY_KIND), countOf(at)));
  }
  let blocks = BLOCKS_AHEAD;
  for (let at = from; at < end && blocks > 0; at += CHUNK_ENTRY_BYTES) {
    const kind = load<u8>(at, CHUNK_ENTRY_KIND);
    if (<u32>load<u8>(at, CHUNK_ENTRY_MAX_IMPACT) < classMin || (kind != CHUNK_KIND_SPARSE && kind != CHUNK_KIND_RANKED)) continue;
    const both = readChunk(segment, at, classMin, blocks);
    blocks -= <u32>both;
    sum += <u32>(both >> 32);
  }
  return sum;
}
