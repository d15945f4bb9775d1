/**
 * What kernels do for one document of a token's postings: match it, and find it in a sparse chunk. For the other kernels
 * alone; exports nothing to JavaScript.
 */

/** Matches document d with score v as token number t: 0 = first of `all`, or any token of `any`. Returns the new count. */
@inline
export function match(d: u32, v: f32, t: u32, acc: usize, matched: usize, out: usize, count: u32): u32 {
  const s = <u32>load<u8>(matched + d);
  const a = acc + (<usize>d << 2);
  if (s == t) {
    store<u8>(matched + d, t + 1);
    store<f32>(a, t == 0 ? v : load<f32>(a) + v);
    store<u16>(out + (<usize>count << 1), d);
    return count + 1;
  }
  if (s > t) store<f32>(a, load<f32>(a) + v);
  return count;
}

/** The greater of two numbers, neither of them NaN, without the branches of max(). */
@inline
export function greater(a: f32, b: f32): f32 {
  return f32x4.extract_lane(f32x4.pmax(f32x4.splat(a), f32x4.splat(b)), 0);
}

/** match() at t = 0 for lists of which no branch could foretell whether a document has matched before. */
@inline
export function matchAgain(d: u32, v: f32, acc: usize, matched: usize, out: usize, count: u32): u32 {
  const s = <u32>load<u8>(matched + d);
  const a = acc + (<usize>d << 2);
  store<u8>(matched + d, 1);
  // Plus 0 when it is new: choosing between floats is a branch.
  store<f32>(a, reinterpret<f32>(load<u32>(a) & (0 - s)) + v);
  // Stored whether it is new or not, and overtaken by the next that is. No room is left once the whole chunk matches.
  if (count < 65536) store<u16>(out + (<usize>count << 1), d);
  return count + (s ^ 1);
}

/** Index of document d in docs u16[n], or -1. */
@inline
export function findDoc(docs: usize, n: u32, d: u32): i32 {
  let low: u32 = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (<u32>load<u16>(docs + (middle << 1)) < d) low = middle + 1;
    else high = middle;
  }
  return low < n && <u32>load<u16>(docs + (low << 1)) == d ? <i32>low : -1;
}

/** Below this share of candidates to postings a search per candidate beats a pass over the postings. */
export const SEEK_RATIO: u32 = 24;
