/**
 * The stack of a walk with the edit automaton, and its outputs. For kernels/terms.ts and kernels/edit-tails.ts alone;
 * exports nothing to JavaScript. Memory is drawn in layout/terms.ts.
 */
import {
  CORRECTION_WORDS,
  ITEM_BITS,
  ITEM_BLOCK,
  ITEM_BYTES,
  ITEM_END,
  ITEM_PARTIAL,
  ITEM_R0,
  ITEM_R1,
  ITEM_R2,
  ITEM_ROW_INDEX,
  ITEM_SKIP2,
  ITEM_SWAP1,
  ITEM_SWAP2,
  PREFIX_RANGE_WORDS,
  TERMS_ORD_MASK,
  WALK_ANSWERS_MAX,
  WALK_FIRST_CHILD,
  WALK_LABELS,
  WALK_LOW_ORDS,
  WALK_MASKED_COUNT,
  WALK_MASKS,
  WALK_NODE_COUNT,
  WALK_PREFIX_COUNT,
  WALK_STACK,
  WALK_STACK_TOP,
  WALK_STEP_ANSWERS,
  WALK_TAKEN,
  WALK_TAKEN_ITEMS,
  WALK_TAKEN_SIBLINGS,
  WALK_TERM_COUNT,
  WALK_TOUCHED,
  WALK_WIDE_BYTES,
  WALK_WORD_COUNT,
} from '../layout/terms';

/**
 * Takes items off the stack, which ends at `top` and has some, and copies them to WALK_TAKEN; returns how many. One node alone
 * when there is much on it: so it stays as short as a path is.
 */
export function takeItems(walk: usize, top: usize): u32 {
  const stack: usize = load<u32>(walk, WALK_STACK);
  const taken: usize = load<u32>(walk, WALK_TAKEN);
  let count: u32 = 0;
  if (top > stack + WALK_WIDE_BYTES) {
    const item = top - ITEM_BYTES;
    const bits = <u32>load<u16>(item, ITEM_BITS);
    memory.copy(taken, item, ITEM_BYTES);
    store<u16>(taken, bits & (0 - bits), ITEM_BITS);
    store<u16>(item, bits & (bits - 1), ITEM_BITS);
    if ((bits & (bits - 1)) === 0) top = item;
    count = 1;
  } else {
    let siblings: u32 = 0;
    const from = top;
    while (top > stack && count < <u32>WALK_TAKEN_ITEMS && siblings < <u32>WALK_TAKEN_SIBLINGS) {
      top -= ITEM_BYTES;
      siblings += popcnt(<u32>load<u16>(top, ITEM_BITS));
      count++;
    }
    memory.copy(taken, top, from - top);
  }
  store<u32>(walk, <u32>top, WALK_STACK_TOP);
  return count;
}

/** Reads where the children of the first `count` taken items lie, all at once: each by itself would be waited for. */
export function touchChildren(walk: usize, count: u32): void {
  const labels: usize = load<u32>(walk, WALK_LABELS);
  const firstChild: usize = load<u32>(walk, WALK_FIRST_CHILD);
  const masks: usize = load<u32>(walk, WALK_MASKS);
  const nodeCount = load<u32>(walk, WALK_NODE_COUNT);
  const maskedCount = load<u32>(walk, WALK_MASKED_COUNT);
  let item: usize = load<u32>(walk, WALK_TAKEN);
  let touched: u32 = 0;
  for (let i: u32 = 0; i < count; i++, item += ITEM_BYTES) {
    const block = load<u32>(item, ITEM_BLOCK);
    for (let bits = <u32>load<u16>(item, ITEM_BITS); bits !== 0; bits &= bits - 1) {
      const first = min(load<u32>(firstChild + (<usize>(block + ctz(bits)) << 2)), nodeCount);
      touched += <u32>load<u8>(labels + first);
      if (first < maskedCount) touched += load<u32>(masks + (<usize>first << 2));
    }
  }
  store<u32>(walk, touched, WALK_TOUCHED);
}

/** Writes what an item begins with. */
@inline
export function writeItem(item: usize, block: u32, bits: u32, end: u32, rowIndex: u32, best: u32): void {
  store<u32>(item, block, ITEM_BLOCK);
  store<u32>(item, end, ITEM_END);
  store<u32>(item, rowIndex | (best << 8) | (bits << 16), ITEM_ROW_INDEX);
}

/** Writes that `pending` bytes are still to come of the code point that leads to it, of which `partial` is known. */
@inline
export function writePartial(item: usize, pending: u32, partial: u32): void {
  store<u32>(item, (pending << 24) | partial, ITEM_PARTIAL);
}

/** Completes the item at `top` with all rows of the automaton; returns the new top. */
@inline
export function pushRows(top: usize, r0: u64, r1: u64, r2: u64, swap1: u64, swap2: u64, skip2: u64): usize {
  store<u64>(top, r0, ITEM_R0);
  store<u64>(top, r1, ITEM_R1);
  store<u64>(top, r2, ITEM_R2);
  store<u64>(top, swap1, ITEM_SWAP1);
  store<u64>(top, swap2, ITEM_SWAP2);
  store<u64>(top, skip2, ITEM_SKIP2);
  return top + ITEM_BYTES;
}

/** The node where the terms below `node` end, of an item with ITEM_END `end`. */
@inline
export function endOf(end: u32, node: u32): u32 {
  return end === 0 ? node + 1 : end;
}

/** Whether [`first`, `last`) can be children of `node`: they lie behind it. In damaged bytes a walk could go in circles. */
@inline
export function areChildren(node: u32, first: u32, last: u32, nodeCount: u32): bool {
  return first < last && first > node && last <= nodeCount;
}

/** Whether another step could overflow an output. */
@inline
export function isNearlyFull(walk: usize): bool {
  return (
    max(load<u32>(walk, WALK_WORD_COUNT), load<u32>(walk, WALK_PREFIX_COUNT)) > <u32>(WALK_ANSWERS_MAX - WALK_STEP_ANSWERS)
  );
}

/** Appends a term to the answers; only in damaged bytes there may be too many. */
@inline
export function addWord(walk: usize, words: usize, ord: u32, edits: u32): void {
  const count = load<u32>(walk, WALK_WORD_COUNT);
  if (count === WALK_ANSWERS_MAX) return;
  const slot = words + <usize>count * (CORRECTION_WORDS * 4);
  store<u32>(slot, ord);
  store<u32>(slot, edits, 4);
  store<u32>(walk, count + 1, WALK_WORD_COUNT);
}

/** Appends the terms [`low`, `high`) to the answers, or extends the last range. */
export function addRange(walk: usize, ranges: usize, low: u32, high: u32, edits: u32): void {
  const count = load<u32>(walk, WALK_PREFIX_COUNT);
  if (count === WALK_ANSWERS_MAX) return;
  const slot = ranges + <usize>count * (PREFIX_RANGE_WORDS * 4);
  if (count > 0 && load<u32>(slot - 8) === low && load<u32>(slot - 4) === edits) {
    store<u32>(slot - 8, high);
    return;
  }
  store<u32>(slot, low);
  store<u32>(slot, high, 4);
  store<u32>(slot, edits, 8);
  store<u32>(walk, count + 1, WALK_PREFIX_COUNT);
}

/** The first term at or behind `node`, which may be the end of all nodes. */
@inline
export function firstOrdAt(walk: usize, node: u32): u32 {
  if (node >= load<u32>(walk, WALK_NODE_COUNT)) return load<u32>(walk, WALK_TERM_COUNT);
  return load<u32>(<usize>load<u32>(walk, WALK_LOW_ORDS) + (<usize>node << 2)) & TERMS_ORD_MASK;
}
