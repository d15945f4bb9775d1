/**
 * What depends on the kind of a chunk: how a plan marks it (layout/token-plan.ts), where its block maxima lie, and the impact
 * of a document. For the other kernels alone; exports nothing to JavaScript. Layout: layout/postings.ts.
 */
import {
  BITSET_DOCS,
  BITSET_MAXIMA,
  BLOCK_POSTINGS,
  CHUNK_BLOCKS,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_BITSET,
  CHUNK_KIND_DENSE,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  DENSE_MAXIMA,
  RANKED_MAXIMA,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { PLAN_ITEM_BITSET, PLAN_ITEM_DENSE, PLAN_ITEM_RANKED } from '../layout/token-plan';
import { hasBit } from './bit-lists';
import { commonImpacts, memberImpact } from './bitset-chunks';
import { findDoc } from './matching';
import { rankedImpact } from './ranked-chunks';

/** PLAN_ITEM_* of a chunk of `kind`; 0 for a sparse one. */
@inline
export function itemFlag(kind: u32): u32 {
  if (kind == CHUNK_KIND_RANKED) return PLAN_ITEM_RANKED;
  if (kind == CHUNK_KIND_BITSET) return PLAN_ITEM_BITSET;
  return kind == CHUNK_KIND_DENSE ? PLAN_ITEM_DENSE : 0;
}

/** Blocks of a chunk of `kind` with n postings. */
@inline
export function blocksOf(kind: u32, n: u32): u32 {
  return kind == CHUNK_KIND_SPARSE ? (n + BLOCK_POSTINGS - 1) / BLOCK_POSTINGS : <u32>CHUNK_BLOCKS;
}

/** Address of the block maxima of a chunk of `kind` with n postings. */
export function maximaOf(data: usize, kind: u32, n: u32): usize {
  if (kind == CHUNK_KIND_RANKED) return data + RANKED_MAXIMA;
  if (kind == CHUNK_KIND_DENSE) return data + DENSE_MAXIMA;
  return kind == CHUNK_KIND_BITSET ? data + BITSET_MAXIMA : data + n * 3;
}

/** Impact of document d of the chunk with the directory entry `at`; 0 when the list does not have it. */
export function impactOf(segment: usize, at: usize, d: u32): usize {
  const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
  const kind = load<u8>(at, CHUNK_ENTRY_KIND);
  if (kind == CHUNK_KIND_DENSE) return load<u8>(data + d);
  if (kind == CHUNK_KIND_BITSET) {
    return hasBit(data + BITSET_DOCS, d) ? memberImpact(data, commonImpacts(data), d) : 0;
  }
  if (kind == CHUNK_KIND_RANKED) return hasBit(data, d) ? rankedImpact(data, d) : 0;
  const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  const found = findDoc(data, n, d);
  return found < 0 ? 0 : <usize>load<u8>(data + (n << 1) + found);
}

/** The smallest impact that scores above `threshold`; 256 when there is none. None below `from` does. */
export function firstClassAbove(lut: usize, weight: f32, threshold: f32, from: u32): u32 {
  const weights = f32x4.splat(weight);
  const floor = f32x4.splat(threshold);
  for (let i = from & ~3; i < 256; i += 4) {
    const scores = f32x4.mul(weights, v128.load(lut + (<usize>i << 2)));
    const above = i32x4.bitmask(f32x4.gt(scores, floor));
    if (above) return max(i + ctz(above), <u32>1);
  }
  return 256;
}
