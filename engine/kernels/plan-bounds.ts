/**
 * What the tokens of a sweep score at most in each block of 128 documents of a chunk, whatever lists they stand for: from the block maxima
 * of lists that have bits by document, and from each posting of others. For kernels/chunk-candidates.ts alone; exports nothing to
 * JavaScript. Layouts: layout/postings.ts, layout/token-plan.ts.
 *
 * (Ding & Suel, "Faster top-k document retrieval using block-max indexes", SIGIR 2011.)
 */
import { BITSET_MAXIMA, CHUNK_BLOCKS, DENSE_MAXIMA, RANKED_MAXIMA } from '../layout/postings';
import {
  PLAN_CHUNK_LOW,
  PLAN_FIELD_COUNT,
  PLAN_ITEM_BITSET,
  PLAN_ITEM_BYTES,
  PLAN_ITEM_COUNT,
  PLAN_ITEM_COUNT_MASK,
  PLAN_ITEM_DATA,
  PLAN_ITEM_DENSE,
  PLAN_ITEM_RANKED,
  PLAN_ITEM_STARTS,
  PLAN_ITEM_WEIGHT,
  PLAN_ITEMS,
  PLAN_LOOSE,
  PLAN_LOOSE_STARTS,
  PLAN_LUT,
  PLAN_SCALES,
  PLAN_WEIGHTS,
} from '../layout/token-plan';
import { greater } from './matching';

/** Of f32 by block. */
export const BOUNDS_BYTES: usize = <usize>CHUNK_BLOCKS << 2;

/** bounds[block] = the greater of it and `score`. */
@inline
function raiseBlock(bounds: usize, block: usize, score: f32): void {
  const at = bounds + (block << 2);
  store<f32>(at, greater(load<f32>(at), score));
}

/** Address of the block maxima of an item, by block of documents; 0: it has none. */
@inline
function blockMaximaOf(data: usize, packed: u32): usize {
  if (packed & PLAN_ITEM_RANKED) return data + RANKED_MAXIMA;
  if (packed & PLAN_ITEM_BITSET) return data + BITSET_MAXIMA;
  return packed & PLAN_ITEM_DENSE ? data + DENSE_MAXIMA : 0;
}

/** Raises `bounds` to what an item scores, weighted `w`, by `lut`; `table`: the largest score of any impact up to each. */
function raiseToItem(item: usize, w: f32, lut: usize, table: usize, blocks: u32, bounds: usize): void {
  const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
  const packed = load<u32>(item, PLAN_ITEM_COUNT);
  const maxima = blockMaximaOf(data, packed);
  if (maxima != 0) {
    for (let block: usize = 0; block < <usize>blocks; block++) {
      raiseBlock(bounds, block, w * load<f32>(table + (<usize>load<u8>(maxima + block) << 2)));
    }
    return;
  }
  const n = packed & PLAN_ITEM_COUNT_MASK;
  const impacts = data + (<usize>n << 1);
  for (let i: usize = 0; i < <usize>n; i++) {
    raiseBlock(bounds, <usize>load<u16>(data + (i << 1)) >> 7, w * load<f32>(lut + (<usize>load<u8>(impacts + i) << 2)));
  }
}

/**
 * bounds f32[CHUNK_BLOCKS] += what the token of `plan` scores at most in each block of the chunk. `tables`: by queried field f32[256], the
 * largest score of any impact up to each. `own`: room for as many bounds.
 */
export function addPlanBounds(plan: usize, chunk: u32, blocks: u32, tables: usize, own: usize, bounds: usize): void {
  const fields = load<u32>(plan, PLAN_FIELD_COUNT);
  const weights = <usize>load<u32>(plan, PLAN_WEIGHTS);
  const itemStarts = <usize>load<u32>(plan, PLAN_ITEM_STARTS);
  const looseStarts = <usize>load<u32>(plan, PLAN_LOOSE_STARTS);
  const loose = <usize>load<u32>(plan, PLAN_LOOSE);
  for (let field: u32 = 0; field < fields; field++) {
    const bucket = <usize>((chunk - load<u32>(plan, PLAN_CHUNK_LOW)) * fields + field) << 2;
    const scale = load<f32>(<usize>load<u32>(plan, PLAN_SCALES) + (<usize>field << 2));
    const lut = <usize>load<u32>(plan, PLAN_LUT) + (<usize>field << 10);
    const table = tables + (<usize>field << 10);
    memory.fill(own, 0, BOUNDS_BYTES);
    const itemEnd = load<u32>(itemStarts + bucket);
    for (let i: u32 = bucket == 0 ? 0 : load<u32>(itemStarts + bucket - 4); i < itemEnd; i++) {
      const item = <usize>load<u32>(plan, PLAN_ITEMS) + <usize>i * PLAN_ITEM_BYTES;
      const w = load<f32>(weights + (<usize>load<u32>(item, PLAN_ITEM_WEIGHT) << 2)) * scale;
      raiseToItem(item, w, lut, table, blocks, own);
    }
    const looseEnd = load<u32>(looseStarts + bucket);
    for (let i: u32 = bucket == 0 ? 0 : load<u32>(looseStarts + bucket - 4); i < looseEnd; i++) {
      const packed = load<u32>(loose + (<usize>i << 2));
      const w = load<f32>(weights + (<usize>(packed >> 24) << 2)) * scale;
      raiseBlock(own, <usize>(packed & 0xffff) >> 7, w * load<f32>(lut + (<usize>((packed >> 16) & 0xff) << 2)));
    }
    for (let at: usize = 0; at < BOUNDS_BYTES; at += 16) {
      v128.store(bounds + at, f32x4.add(v128.load(bounds + at), v128.load(own + at)));
    }
  }
}
