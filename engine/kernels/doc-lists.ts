/**
 * Kernels over lists of documents of one chunk, u16 each: drop what is deleted or filtered out, clear what a query left
 * behind, list or count what passes. Called by query/ through memory/kernel-instance.ts.
 */

/** Keeps of list u16[n], in place and in order, the documents whose bit is set in both bitsets (0 = no such test). */
export function filterList(list: usize, n: u32, live: usize, filter: usize): u32 {
  if (!live && !filter) return n;
  const a = live ? live : filter;
  const b = filter ? filter : live;
  let count: u32 = 0;
  // Stored whether it passes or not, and overtaken by the next when it does not: a branch would be mispredicted.
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    const at = d >> 3;
    store<u16>(list + (count << 1), d);
    count += ((<u32>load<u8>(a + at) & <u32>load<u8>(b + at)) >> (d & 7)) & 1;
  }
  return count;
}

/** matched[d] = 0 for the documents of list u16[n]. */
export function clearMatched(matched: usize, list: usize, n: u32): void {
  if (n > 16384) {
    memory.fill(matched, 0, 65536);
    return;
  }
  for (let i: u32 = 0; i < n; i++) store<u8>(matched + load<u16>(list + (i << 1)), 0);
}

/**
 * Appends the documents of the chunk, at most `docs`, whose bit is set in both bitsets (0 = no such test) to `out`, ascending, and
 * returns how many. Stops once `limit` were found.
 */
export function listChunk(live: usize, filter: usize, docs: u32, out: usize, limit: u32): u32 {
  let count: u32 = 0;
  if (!live && !filter) {
    count = min(docs, limit);
    for (let d: u32 = 0; d < count; d++) store<u16>(out + (d << 1), d);
    return count;
  }
  const a = live ? live : filter;
  const b = filter ? filter : live;
  for (let i: u32 = 0; i < docs && count < limit; i += 64) {
    let word = load<u64>(a + (i >> 3)) & load<u64>(b + (i >> 3));
    if (docs - i < 64) word &= (<u64>1 << (docs - i)) - 1;
    while (word) {
      store<u16>(out + (count++ << 1), i + <u32>ctz(word));
      word &= word - 1;
    }
  }
  return min(count, limit);
}
