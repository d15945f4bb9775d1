/**
 * Bits of one chunk of documents, one bit a document, as lists of documents: which are set, which of a list are, and how many.
 * For the other kernels alone; exports nothing to JavaScript.
 */
import { CHUNK_DOCS } from '../layout/scratch';

/** Appends the places of the bits of the lowest byte of `word`, each plus the lane of `base`, to out u16[]; returns its end. */
@inline
function listByte(word: u64, places: usize, base: v128, out: usize): usize {
  v128.store(out, i16x8.add(v128.load8x8_u(places + (<usize>(word & 0xff) << 3)), base));
  return out + (<usize>popcnt(word & 0xff) << 1);
}

/** Appends the places of the at most four bits of `word`, each plus `base`, to out u16[]; returns its end. */
@inline
function listFew(word: u64, base: u32, out: usize): usize {
  const end = out + (<usize>popcnt(word) << 1);
  store<u16>(out, base + <u32>ctz(word));
  word &= word - 1;
  store<u16>(out, base + <u32>ctz(word), 2);
  word &= word - 1;
  store<u16>(out, base + <u32>ctz(word), 4);
  word &= word - 1;
  store<u16>(out, base + <u32>ctz(word), 6);
  return end;
}

/** Makes at `places` what listBits needs, 2 KiB: by byte of a bitset, u8[8], the places of its bits. */
export function makePlaces(places: usize): void {
  store<u64>(places, 0);
  for (let b: u32 = 1; b < 256; b++) {
    store<u64>(places + (b << 3), (load<u64>(places + ((b & (b - 1)) << 3)) << 8) | <u64>ctz(b));
  }
}

/**
 * Lists the documents from `low` to `high`, multiples of 64, whose bit is set in `bits`, at list u16[high - low]; returns how
 * many. `places`: of makePlaces.
 */
export function listBits(bits: usize, low: u32, high: u32, places: usize, list: usize): u32 {
  let out = list;
  // What is stored past the last document is overwritten by the next ones. That never passes the end, because at most as
  // many documents as there are come before those of a word. A branch per document would be mispredicted.
  for (let base = low; base < high; base += 64) {
    const word = load<u64>(bits + (base >> 3));
    if (!word) continue;
    if (popcnt(word) <= 4) {
      out = listFew(word, base, out);
      continue;
    }
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

/** In the memory at PLAN_SPARE: what makePlaces() makes. */
export const SPARE_PLACES: usize = 0x30000;

/** Lists the documents of a chunk whose bit is set in `bits` at `list`, which may be `spare` (PLAN_SPARE); returns how many. */
export function listAll(bits: usize, spare: usize, list: usize): u32 {
  makePlaces(spare + SPARE_PLACES);
  return listBits(bits, 0, CHUNK_DOCS, spare + SPARE_PLACES, list);
}

/** 1 when the bit of document d is set, else 0. */
@inline
export function hasBit(bits: usize, d: u32): u32 {
  return (<u32>load<u8>(bits + (d >> 3)) >> (d & 7)) & 1;
}

/** Whether document d of a segment of `maxDoc` documents is not deleted: its bit is set in `live`. In damaged bytes it may be any. */
@inline
export function isLive(live: usize, maxDoc: u32, d: u32): bool {
  return d < maxDoc && hasBit(live, d) != 0;
}

/** Keeps of list u16[n] the documents whose bit is set, in `kept`, which may be the same; returns how many. */
@inline
export function keepBits(bits: usize, list: usize, n: u32, kept: usize): u32 {
  let count: u32 = 0;
  // Stored whether it is one or not, as in filterList of kernels/doc-lists.ts.
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    store<u16>(kept + (count << 1), d);
    count += hasBit(bits, d);
  }
  return count;
}

/** How many bits of the first `blocks` times 128 documents are set in `bits` and, among the live docs of the chunk, in `live`. */
export function countLiveBits(bits: usize, live: usize, blocks: u32): u32 {
  let count: u64 = 0;
  for (let at: usize = 0; at < <usize>blocks << 4; at += 8) {
    const word = load<u64>(bits + at);
    // Past the last document of the segment there are no live docs.
    if (word) count += popcnt(word & load<u64>(live + at));
  }
  return <u32>count;
}
