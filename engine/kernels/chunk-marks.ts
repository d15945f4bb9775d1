/**
 * The documents of chunks of lists as bits: where a chunk has them, and setting those of one that has none. For the other
 * kernels alone; exports nothing to JavaScript. Layout: layout/postings.ts; forms are told by PLAN_ITEM_* (layout/token-plan.ts).
 */
import { BITSET_DOCS } from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { PLAN_ITEM_BITSET, PLAN_ITEM_DENSE, PLAN_ITEM_RANKED } from '../layout/token-plan';

/** Address of the bits of a chunk that `flags` tell the form of; 0: it has none. */
@inline
export function bitsAt(data: usize, flags: u32): usize {
  if (flags & PLAN_ITEM_BITSET) return data + BITSET_DOCS;
  return flags & PLAN_ITEM_RANKED ? data : 0;
}

/** out = a | b, of a chunk. */
export function uniteBits(a: usize, b: usize, blocks: u32, out: usize): void {
  for (let at: usize = 0; at < <usize>blocks << 4; at += 16) {
    v128.store(out + at, v128.or(v128.load(a + at), v128.load(b + at)));
  }
}

/** Sets the bits of docs u16[n]. */
export function markDocs(bits: usize, docs: usize, n: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    const at = bits + (d >> 3);
    store<u8>(at, <u32>load<u8>(at) | (1 << (d & 7)));
  }
}

/** Sets the bits of the documents that a dense chunk has. */
function markDense(bits: usize, data: usize): void {
  for (let d: usize = 0; d < <usize>CHUNK_DOCS; d += 16) {
    const there = i8x16.bitmask(i8x16.ne(v128.load(data + d), i8x16.splat(0)));
    const at = bits + (d >> 3);
    store<u16>(at, <u32>load<u16>(at) | there);
  }
}

/** Sets the bits of the documents of a chunk with n postings, that `flags` tell the form of, of which `blocks` blocks count. */
export function markChunk(bits: usize, data: usize, flags: u32, n: u32, blocks: u32): void {
  if (bitsAt(data, flags) != 0) uniteBits(bits, bitsAt(data, flags), blocks, bits);
  else if (flags & PLAN_ITEM_DENSE) markDense(bits, data);
  else markDocs(bits, data, n);
}
