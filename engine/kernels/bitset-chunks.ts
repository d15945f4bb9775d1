/**
 * How kernels read a chunk of CHUNK_KIND_BITSET: impacts of single documents, and the exceptions in step with a walk over
 * the bits. For the other kernels alone; exports nothing to JavaScript. Layout: layout/postings.ts.
 */
import { BITSET_DOCS, BITSET_EXCEPTION_COUNT, BITSET_EXCEPTIONS, BITSET_STARTS } from '../layout/postings';

/** What no document of a chunk is. */
export const NO_DOC: u32 = 0x10000;

/** Address of the common impacts of the chunk's documents. */
@inline
export function commonImpacts(data: usize): usize {
  return data - load<u32>(data);
}

/** Address of the impacts of the chunk's exceptions, where their documents end. */
@inline
export function exceptionImpacts(data: usize): usize {
  return data + BITSET_EXCEPTIONS + load<u16>(data, BITSET_EXCEPTION_COUNT);
}

/** Exceptions before the 128 documents that document d is of, and in the upper half those before the next 128. */
@inline
export function exceptionsAround(data: usize, d: u32): u32 {
  return load<u32>(data + (<usize>(d >> 7) << 1), BITSET_STARTS);
}

/** The document of exception x, NO_DOC when x is `end`, where those of the 128 documents from `first` on end. */
@inline
export function exceptionDoc(data: usize, x: u32, end: u32, first: u32): u32 {
  return x < end ? first + <u32>load<u8>(data + x, BITSET_EXCEPTIONS) : NO_DOC;
}

/** The impact of document d, which the list has. `common` is commonImpacts(data). */
@inline
export function memberImpact(data: usize, common: usize, d: u32): usize {
  const around = exceptionsAround(data, d);
  const end = around >> 16;
  const wanted = i8x16.splat(<i8>(d & 127));
  let x = around & 0xffff;
  // The first 16 are compared even when there are none: whether there are is what a branch cannot foretell.
  do {
    let mask = i8x16.bitmask(i8x16.eq(v128.load(data + x, BITSET_EXCEPTIONS), wanted));
    mask &= (1 << min(end - x, <u32>16)) - 1;
    if (mask) return load<u8>(exceptionImpacts(data) + x + ctz(mask));
    x += 16;
  } while (x < end);
  return load<u8>(common + d);
}

/** Keeps of list u16[n] the documents that the list has, in `kept`, which may be the same; returns how many. */
@inline
export function keepMembers(data: usize, list: usize, n: u32, kept: usize): u32 {
  let count: u32 = 0;
  // Stored whether it is one or not, as in filterList of kernels/doc-lists.ts.
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    store<u16>(kept + (count << 1), d);
    count += (<u32>load<u8>(data + (d >> 3), BITSET_DOCS) >> (d & 7)) & 1;
  }
  return count;
}

/** Appends the documents of the chunk to out u16[], which has room for all 65,536; returns how many. */
@inline
export function listBits(data: usize, out: usize): u32 {
  let count: u32 = 0;
  for (let base: u32 = 0; base < 65536; base += 64) {
    let word = load<u64>(data + (base >> 3), BITSET_DOCS);
    const next = count + <u32>popcnt(word);
    // Four at a time, the last of them overwritten by the next word's: a branch per document would be mispredicted.
    // That never passes the end, because at most `base` documents come before the 64 of the word.
    for (let i = count; i < next; i += 4) {
      const p = out + (<usize>i << 1);
      store<u16>(p, base + <u32>ctz(word));
      word &= word - 1;
      store<u16>(p, base + <u32>ctz(word), 2);
      word &= word - 1;
      store<u16>(p, base + <u32>ctz(word), 4);
      word &= word - 1;
      store<u16>(p, base + <u32>ctz(word), 6);
      word &= word - 1;
    }
    count = next;
  }
  return count;
}
