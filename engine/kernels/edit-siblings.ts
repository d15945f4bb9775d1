/**
 * Which of sixteen sibling nodes of a trie a walk with the edit automaton has to look at, by their labels and by their masks.
 * For kernels/terms.ts alone; exports nothing to JavaScript. Layouts: layout/terms.ts.
 */
import { WALK_CHARS } from '../layout/terms';

/** Of the 16 siblings from `labels` on, those that are one of the token's code points at `relevant`, as bits. */
@inline
export function relevantSiblings(walk: usize, block: v128, relevant: u64): u32 {
  let hits = i8x16.splat(0);
  for (let bits = relevant; bits !== 0; bits &= bits - 1) {
    hits = v128.or(hits, i8x16.eq(block, v128.load_splat<u8>(walk + <usize>ctz(bits), WALK_CHARS)));
  }
  return <u32>i8x16.bitmask(hits);
}

/** Of the 16 masks from `masks` on, those that have all bits of one of `all`, `all2`, or of `one` but for one, as bits. */
@inline
export function masksWith(masks: usize, all: u32, all2: u32, one: u32): u32 {
  const every = i32x4.splat(all);
  const every2 = i32x4.splat(all2);
  const most = i32x4.splat(one);
  const zero = i32x4.splat(0);
  const minus = i32x4.splat(-1);
  let bits: u32 = 0;
  for (let i: u32 = 0; i < 16; i += 4) {
    const mask = v128.load(masks + (<usize>i << 2));
    const missing = v128.andnot(most, mask);
    const few = v128.and(missing, i32x4.add(missing, minus));
    const fits = v128.or(
      i32x4.eq(few, zero),
      v128.or(i32x4.eq(v128.andnot(every, mask), zero), i32x4.eq(v128.andnot(every2, mask), zero)),
    );
    bits |= <u32>i32x4.bitmask(fits) << i;
  }
  return bits;
}
