/**
 * The documents of a chunk that all tokens of a sweep match, found by bits before any is scored: where the first token has many, most of
 * them lack another one. For kernels/sweep.ts alone; exports nothing to JavaScript. Layouts: layout/sweep.ts, layout/token-plan.ts.
 */
import { CHUNK_BLOCKS } from '../layout/postings';
import {
  CHUNK_BITSET_BYTES,
  SCRATCH_ACC,
  SCRATCH_FILTER_BITS,
  SCRATCH_LIST_A,
  SCRATCH_MATCHED,
} from '../layout/scratch';
import { SWEEP_CLAUSE_COUNT, SWEEP_PLAN_BYTES, SWEEP_PLANS, SWEEP_SCRATCH } from '../layout/sweep';
import {
  PLAN_CHUNK_LOW,
  PLAN_FIELD_COUNT,
  PLAN_ITEM_BYTES,
  PLAN_ITEM_COUNT,
  PLAN_ITEM_COUNT_MASK,
  PLAN_ITEM_DATA,
  PLAN_ITEM_STARTS,
  PLAN_ITEMS,
  PLAN_LOOSE,
  PLAN_LOOSE_STARTS,
  PLAN_SPARE,
} from '../layout/token-plan';
import { hasBit, listAll } from './bit-lists';
import { bitsAt, markChunk } from './chunk-marks';
import { makeBoundTables } from './joined-begin';
import { intersectBits, intersectPassing } from './joined-matches';
import { addPlanBounds, BOUNDS_BYTES } from './plan-bounds';

/** Of fewer postings, those of the first token are sooner scored all. */
const POSTINGS_MIN: u32 = 1024;

/** What matchBits() returns where nothing is to be gained. */
export const NOT_RESTRICTED: u32 = u32.MAX_VALUE;

/** Index of the first of what a plan has of a chunk, in its items or its loose postings of which the buckets end at `starts`. */
@inline
function firstOf(plan: usize, starts: usize, chunk: u32): u32 {
  const bucket = (chunk - load<u32>(plan, PLAN_CHUNK_LOW)) * load<u32>(plan, PLAN_FIELD_COUNT);
  return bucket == 0 ? 0 : load<u32>(starts + (<usize>(bucket - 1) << 2));
}

/** Address of item number i of a plan. */
@inline
function itemAt(plan: usize, i: u32): usize {
  return <usize>load<u32>(plan, PLAN_ITEMS) + <usize>i * PLAN_ITEM_BYTES;
}

/** Postings that a plan has in the chunk. */
function countPostings(plan: usize, chunk: u32): u32 {
  const starts = <usize>load<u32>(plan, PLAN_ITEM_STARTS);
  const end = firstOf(plan, starts, chunk + 1);
  const looseStarts = <usize>load<u32>(plan, PLAN_LOOSE_STARTS);
  let count = firstOf(plan, looseStarts, chunk + 1) - firstOf(plan, looseStarts, chunk);
  for (let i = firstOf(plan, starts, chunk); i < end; i++) {
    count += load<u32>(itemAt(plan, i), PLAN_ITEM_COUNT) & PLAN_ITEM_COUNT_MASK;
  }
  return count;
}

/** Postings that the token with the fewest has in the chunk. */
export function fewestPostings(sweep: usize, chunk: u32): u32 {
  const planBytes = <usize>load<u32>(sweep, SWEEP_PLAN_BYTES);
  let plan = <usize>load<u32>(sweep, SWEEP_PLANS);
  let fewest: u32 = u32.MAX_VALUE;
  for (let left = load<u32>(sweep, SWEEP_CLAUSE_COUNT); left > 0; left--, plan += planBytes) {
    fewest = min(fewest, countPostings(plan, chunk));
  }
  return fewest;
}

/** Address of the bits of an item; 0: it has none. */
@inline
function bitsOf(item: usize): usize {
  return bitsAt(<usize>load<u32>(item, PLAN_ITEM_DATA), load<u32>(item, PLAN_ITEM_COUNT));
}

/** Address of the bits of the documents that a plan has in the chunk, of which it has some: `out`, unless one list has them all. */
function unitePlan(plan: usize, chunk: u32, blocks: u32, out: usize): usize {
  const starts = <usize>load<u32>(plan, PLAN_ITEM_STARTS);
  const first = firstOf(plan, starts, chunk);
  const end = firstOf(plan, starts, chunk + 1);
  const looseStarts = <usize>load<u32>(plan, PLAN_LOOSE_STARTS);
  const loose = <usize>load<u32>(plan, PLAN_LOOSE);
  const looseFirst = firstOf(plan, looseStarts, chunk);
  const looseEnd = firstOf(plan, looseStarts, chunk + 1);
  if (end - first == 1 && looseFirst == looseEnd && bitsOf(itemAt(plan, first)) != 0) return bitsOf(itemAt(plan, first));
  memory.fill(out, 0, CHUNK_BITSET_BYTES);
  for (let i = first; i < end; i++) {
    const item = itemAt(plan, i);
    const data = <usize>load<u32>(item, PLAN_ITEM_DATA);
    const packed = load<u32>(item, PLAN_ITEM_COUNT);
    markChunk(out, data, packed & ~PLAN_ITEM_COUNT_MASK, packed & PLAN_ITEM_COUNT_MASK, blocks);
  }
  for (let i = looseFirst; i < looseEnd; i++) {
    const doc = <usize>load<u16>(loose + (<usize>i << 2));
    store<u8>(out + (doc >> 3), <u32>load<u8>(out + (doc >> 3)) | (1 << <u32>(doc & 7)));
  }
  return out;
}

/** Sums of up to SUMMANDS_MAX bounds in another order are rounded otherwise: by less than this share of them. */
const ROUNDING: f32 = 1.000002;
const SUMMANDS_MAX: u32 = 16;

/** Behind the bits of documents that lists are joined in, and those that may match. */
const BOUNDS: usize = SCRATCH_FILTER_BITS + 3 * CHUNK_BITSET_BYTES;

/** By block of the chunk, f32: what the tokens behind the first score at most. */
@inline
function restBounds(sweep: usize): usize {
  return <usize>load<u32>(sweep, SWEEP_SCRATCH) + BOUNDS;
}

/** By block of the chunk, f32: what all tokens score at most. */
@inline
function allBounds(sweep: usize): usize {
  return restBounds(sweep) + BOUNDS_BYTES;
}

/** Bits of the blocks that bestCandidates() has listed, behind these bounds and those of one token. */
@inline
function listedBlocks(sweep: usize): usize {
  return restBounds(sweep) + 3 * BOUNDS_BYTES;
}

/** Finds restBounds() and allBounds(). */
function boundBlocks(sweep: usize, chunk: u32, blocks: u32): void {
  const first = <usize>load<u32>(sweep, SWEEP_PLANS);
  const planBytes = <usize>load<u32>(sweep, SWEEP_PLAN_BYTES);
  const end = first + <usize>load<u32>(sweep, SWEEP_CLAUSE_COUNT) * planBytes;
  const rest = restBounds(sweep);
  const all = allBounds(sweep);
  const own = all + BOUNDS_BYTES;
  const tables = makeBoundTables(sweep);
  memory.fill(rest, 0, BOUNDS_BYTES);
  for (let plan = first + planBytes; plan < end; plan += planBytes) addPlanBounds(plan, chunk, blocks, tables, own, rest);
  memory.copy(all, rest, BOUNDS_BYTES);
  addPlanBounds(first, chunk, blocks, tables, own, all);
}

/** Where candidates have their bits. */
@inline
function candidateBits(sweep: usize): usize {
  return <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_FILTER_BITS;
}

/** Lists the candidates at SCRATCH_LIST_A, ascending; returns how many. */
function listCandidates(sweep: usize): u32 {
  const spare = <usize>load<u32>(<usize>load<u32>(sweep, SWEEP_PLANS), PLAN_SPARE);
  return listAll(candidateBits(sweep), spare, <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_LIST_A);
}

/**
 * Finds the documents of the chunk, of `blocks` blocks, that all tokens match, whose bit is set in `passing` unless that is 0; returns how
 * many there are, or NOT_RESTRICTED. All clauses are tokens, and have postings in the chunk.
 */
export function matchBits(sweep: usize, chunk: u32, blocks: u32, passing: usize): u32 {
  const first = <usize>load<u32>(sweep, SWEEP_PLANS);
  const planBytes = <usize>load<u32>(sweep, SWEEP_PLAN_BYTES);
  const clauses = load<u32>(sweep, SWEEP_CLAUSE_COUNT);
  const end = first + <usize>clauses * planBytes;
  if (clauses == 1 || clauses * load<u32>(first, PLAN_FIELD_COUNT) > SUMMANDS_MAX) return NOT_RESTRICTED;
  if (countPostings(first, chunk) < POSTINGS_MIN) return NOT_RESTRICTED;
  const bits = candidateBits(sweep);
  let from = unitePlan(first, chunk, blocks, bits);
  let found: u32 = 0;
  for (let plan = first + planBytes; plan < end; plan += planBytes) {
    found = intersectBits(from, unitePlan(plan, chunk, blocks, bits + CHUNK_BITSET_BYTES), blocks, bits);
    if (found == 0) return 0;
    from = bits;
  }
  if (passing != 0) found = intersectPassing(bits, passing, blocks, bits);
  // Blocks past the last one are not read above.
  memory.fill(bits + (<usize>blocks << 4), 0, <usize>CHUNK_BITSET_BYTES - (<usize>blocks << 4));
  return found;
}

/**
 * Lists at SCRATCH_LIST_A, ascending, those of what matchBits() has found that may score above `threshold`; `isRest`: that bestCandidates()
 * has not listed. Returns how many.
 */
export function hopefulCandidates(sweep: usize, chunk: u32, blocks: u32, threshold: f32, isRest: bool): u32 {
  const bits = candidateBits(sweep);
  const listed = listedBlocks(sweep);
  boundBlocks(sweep, chunk, blocks);
  const all = allBounds(sweep);
  for (let block: usize = 0; block < <usize>blocks; block++) {
    const isOpen = load<f32>(all + (block << 2)) * ROUNDING > threshold;
    if (!isOpen || (isRest && hasBit(listed, <u32>block))) v128.store(bits + (block << 4), i64x2.splat(0));
  }
  return listCandidates(sweep);
}

/** How much lower blocks are looked for when those with the largest bounds have too few candidates. */
const NEXT_BOUND: f32 = 0.9;
/** So often that is done at most: then all blocks are taken. */
const BOUND_STEPS: u32 = 24;

/** Candidates in block `block`. */
@inline
function candidatesIn(bits: usize, block: usize): u32 {
  return <u32>popcnt(load<u64>(bits + (block << 4))) + <u32>popcnt(load<u64>(bits + (block << 4), 8));
}

/**
 * Lists at SCRATCH_LIST_A, ascending, those of what matchBits() has found that lie in the blocks with the largest bounds: `wanted` or more,
 * of which there are. Returns how many.
 */
export function bestCandidates(sweep: usize, chunk: u32, blocks: u32, wanted: u32): u32 {
  const bits = candidateBits(sweep);
  const listed = listedBlocks(sweep);
  boundBlocks(sweep, chunk, blocks);
  const all = allBounds(sweep);
  let bound: f32 = 0;
  for (let block: usize = 0; block < <usize>blocks; block++) {
    if (candidatesIn(bits, block) > 0) bound = max(bound, load<f32>(all + (block << 2)));
  }
  let count: u32 = 0;
  // Once nothing is below it any more, all are in.
  for (let left: u32 = BOUND_STEPS; count < wanted && left > 0; left--, bound = left == 1 ? 0 : bound * NEXT_BOUND) {
    count = 0;
    for (let block: usize = 0; block < <usize>blocks; block++) {
      if (load<f32>(all + (block << 2)) >= bound) count += candidatesIn(bits, block);
    }
    if (count >= wanted) break;
  }
  memory.fill(listed, 0, CHUNK_BLOCKS >> 3);
  for (let block: usize = 0; block < <usize>blocks; block++) {
    if (load<f32>(all + (block << 2)) >= bound) {
      const at = listed + (block >> 3);
      store<u8>(at, <u32>load<u8>(at) | (1 << (<u32>block & 7)));
    } else v128.store(bits + (block << 4), i64x2.splat(0));
  }
  return listCandidates(sweep);
}

/**
 * Keeps of list u16[n], in place, the documents that may score above `threshold` once the tokens behind the first are scored, too, and takes
 * back that the others have matched the first; returns how many. The chunk was the last that bounds were found for.
 */
export function keepHopeful(sweep: usize, list: usize, n: u32, threshold: f32): u32 {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const rest = restBounds(sweep);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <usize>load<u16>(list + (<usize>i << 1));
    const most = load<f32>(scratch + SCRATCH_ACC + (d << 2)) + load<f32>(rest + ((d >> 7) << 2));
    const may = u32(most * ROUNDING > threshold);
    store<u16>(list + (<usize>kept << 1), <u32>d);
    store<u8>(scratch + SCRATCH_MATCHED + d, 1 + may);
    kept += may;
  }
  return kept;
}
