/**
 * What kernels do for one document of a token's postings: match it, and find it in a sparse chunk. For the other kernels
 * alone; exports nothing to JavaScript.
 */

/** Matches document d with score v as token number t: 0 = first of `all`, or any token of `any`. Returns the new count. */
@inline
export function match(d: u32, v: f32, t: u32, acc: usize, stage: usize, out: usize, count: u32): u32 {
  const s = <u32>load<u8>(stage + d);
  const a = acc + (<usize>d << 2);
  if (s == t) {
    store<u8>(stage + d, t + 1);
    store<f32>(a, t == 0 ? v : load<f32>(a) + v);
    store<u16>(out + (<usize>count << 1), d);
    return count + 1;
  }
  if (s > t) store<f32>(a, load<f32>(a) + v);
  return count;
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
