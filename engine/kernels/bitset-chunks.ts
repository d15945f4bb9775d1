/**
 * How kernels read a chunk of CHUNK_KIND_BITSET: impacts of single documents, and the exceptions in step with a walk over
 * the bits. For the other kernels alone; exports nothing to JavaScript. Layout: layout/postings.ts.
 */
import {
  BITSET_DOCS, BITSET_EXCEPTION_COUNT, BITSET_EXCEPTIONS, BITSET_STARTS, BLOCK_POSTINGS,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { listAll } from './bit-lists';

/** What no document of a chunk is. */
const NO_DOC: u32 = 0x10000;

/** In the memory at PLAN_SPARE, past a list: impacts u8[65536] by document. */
export const SPARE_IMPACTS: usize = 0x20000;

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

/** Where the exceptions of 128 documents end, of which exceptionsAround() tells: of damaged bytes too they are no more than 128. */
@inline
export function exceptionsEnd(around: u32): u32 {
  return min(around >> 16, (around & 0xffff) + <u32>BLOCK_POSTINGS);
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
  const end = exceptionsEnd(around);
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

/**
 * Lists the documents of the chunk at list u16[65536], which may be `spare`, and their impacts by document at
 * spare + SPARE_IMPACTS, u8[65536] where those of other documents are undefined; returns how many.
 */
export function unpackBitset(data: usize, list: usize, spare: usize): u32 {
  const common = commonImpacts(data);
  const others = exceptionImpacts(data);
  const impacts = spare + SPARE_IMPACTS;
  const count = listAll(data + BITSET_DOCS, spare, list);
  for (let first: u32 = 0; first < <u32>CHUNK_DOCS; first += BLOCK_POSTINGS) {
    if (!v128.any_true(v128.load(data + (first >> 3), BITSET_DOCS))) continue;
    for (let at = first; at < first + BLOCK_POSTINGS; at += 64) {
      v128.store(impacts + at, v128.load(common + at));
      v128.store(impacts + at, v128.load(common + at, 16), 16);
      v128.store(impacts + at, v128.load(common + at, 32), 32);
      v128.store(impacts + at, v128.load(common + at, 48), 48);
    }
    const around = exceptionsAround(data, first);
    const end = exceptionsEnd(around);
    for (let x = around & 0xffff; x < end; x++) {
      store<u8>(impacts + exceptionDoc(data, x, end, first), load<u8>(others + x));
    }
  }
  return count;
}
