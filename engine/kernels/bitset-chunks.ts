/**
 * How kernels read a chunk of CHUNK_KIND_BITSET: impacts of single documents, and the exceptions in step with a walk over
 * the bits. For the other kernels alone; exports nothing to JavaScript. Layout: layout/postings.ts.
 */
import {
  BITSET_DOCS, BITSET_EXCEPTION_COUNT, BITSET_EXCEPTIONS, BITSET_STARTS, BLOCK_POSTINGS,
} from '../layout/postings';

/** What no document of a chunk is. */
export const NO_DOC: u32 = 0x10000;

/** In the memory at PLAN_SPARE, past a list: impacts u8[65536] by document; what unpackBitset needs itself. */
export const SPARE_IMPACTS: usize = 0x20000;
const SPARE_PLACES: usize = 0x30000;

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

/** Appends the places of the bits of the lowest byte of `word`, each plus the lane of `base`, to out u16[]; returns its end. */
@inline
function listByte(word: u64, places: usize, base: v128, out: usize): usize {
  v128.store(out, i16x8.add(v128.load8x8_u(places + (<usize>(word & 0xff) << 3)), base));
  return out + (<usize>popcnt(word & 0xff) << 1);
}

/**
 * Lists the documents of the chunk at list u16[65536], which may be `spare`, and their impacts by document at
 * spare + SPARE_IMPACTS, u8[65536] where those of other documents are undefined; returns how many.
 */
export function unpackBitset(data: usize, list: usize, spare: usize): u32 {
  const common = commonImpacts(data);
  const others = exceptionImpacts(data);
  const impacts = spare + SPARE_IMPACTS;
  // By byte of the bitset, u8[8]: the places of its bits.
  const places = spare + SPARE_PLACES;
  store<u64>(places, 0);
  for (let b: u32 = 1; b < 256; b++) {
    store<u64>(places + (b << 3), (load<u64>(places + ((b & (b - 1)) << 3)) << 8) | <u64>ctz(b));
  }
  let out = list;
  for (let base: u32 = 0; base < 65536; base += 64) {
    const first = base & ~127;
    const bits = data + (base >> 3);
    if (base == first && v128.any_true(v128.load(bits, BITSET_DOCS))) {
      for (let at = first; at < first + BLOCK_POSTINGS; at += 64) {
        v128.store(impacts + at, v128.load(common + at));
        v128.store(impacts + at, v128.load(common + at, 16), 16);
        v128.store(impacts + at, v128.load(common + at, 32), 32);
        v128.store(impacts + at, v128.load(common + at, 48), 48);
      }
      const around = exceptionsAround(data, first);
      const end = around >> 16;
      for (let x = around & 0xffff; x < end; x++) {
        store<u8>(impacts + exceptionDoc(data, x, end, first), load<u8>(others + x));
      }
    }
    const word = load<u64>(bits, BITSET_DOCS);
    if (!word) continue;
    // Eight at a time, the last of them overwritten by the next byte's: a branch per document would be mispredicted. That
    // never passes the end, because at most as many documents as there are come before those of a byte.
    const lanes = i16x8.splat(<i16>base);
    out = listByte(word, places, lanes, out);
    out = listByte(word >> 8, places, i16x8.add(lanes, i16x8.splat(8)), out);
    out = listByte(word >> 16, places, i16x8.add(lanes, i16x8.splat(16)), out);
    out = listByte(word >> 24, places, i16x8.add(lanes, i16x8.splat(24)), out);
    out = listByte(word >> 32, places, i16x8.add(lanes, i16x8.splat(32)), out);
    out = listByte(word >> 40, places, i16x8.add(lanes, i16x8.splat(40)), out);
    out = listByte(word >> 48, places, i16x8.add(lanes, i16x8.splat(48)), out);
    out = listByte(word >> 56, places, i16x8.add(lanes, i16x8.splat(56)), out);
  }
  return <u32>((out - list) >> 1);
}
