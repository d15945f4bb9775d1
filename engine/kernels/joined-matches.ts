/**
 * Which documents of a chunk some or all of several lists have: as a list, as bits, or only how many. Nothing is scored. For
 * kernels/joined-sweep.ts alone; exports nothing to JavaScript. Layouts: layout/joined-lists.ts, layout/postings.ts.
 */
import { JOINED_BYTES, JOINED_COUNT, JOINED_DATA, JOINED_FLAG } from '../layout/joined-lists';
import { countLiveBits, hasBit, keepBits } from './bit-lists';
import { markDocs, uniteBits } from './chunk-marks';
import { commonDocs } from './common-docs';
import { SEEK_RATIO } from './matching';

/** Whether the chunk of the list is ranked; else it is sparse. */
@inline
export function isRanked(joined: usize): bool {
  return load<u32>(joined, JOINED_FLAG) != 0;
}

/** Fewer documents than this are no vector. */
export const LANES: u32 = 8;

/** Documents that are looked up in a list of more than so many times as many lie far apart in it. */
const FAR_RATIO: u32 = 64;

/** Where the last eight documents of docs u16[m] begin, m >= LANES. */
@inline
export function lastLanes(docs: usize, m: u32): usize {
  return docs + (<usize>(m - LANES) << 1);
}

/**
 * From `at` on, the address of eight documents of an ascending list among which d is, if the list has it. `last`: lastLanes(), so
 * that nothing behind the list is read.
 */
@inline
export function seekLanes(at: usize, last: usize, d: u32): usize {
  while (at < last && <u32>load<u16>(at, 14) < d) at = min(at + 16, last);
  return at;
}

/** So many bytes before the place where a document would be, were all evenly spread, it is hardly ever missed. */
const NEAR_BYTES: usize = 64;

/** As seekLanes(), of docs u16[m] from `docs` on, for documents that lie far apart: begins near the place where d is expected. */
@inline
export function seekNear(docs: usize, m: u32, at: usize, last: usize, d: u32): usize {
  const expected = docs + <usize>(((d * m) >> 16) << 1 & ~15);
  const near = expected > docs + NEAR_BYTES ? expected - NEAR_BYTES : docs;
  // No further than to documents all of which come before d.
  const isBefore = near > at && near < last && <u32>load<u16>(near, 14) < d;
  return seekLanes(isBefore ? near : at, last, d);
}

/** Which of the eight documents at `at` is d, as a bit; 0: none. */
@inline
export function laneOf(at: usize, d: u32): u32 {
  return i16x8.bitmask(i16x8.eq(v128.load(at), i16x8.splat(<i16>d)));
}

/** Place in docs u16[m], ascending, m < LANES, of document d; m when it is not there. */
@inline
export function placeOfFew(docs: usize, m: u32, d: u32): u32 {
  let at: u32 = 0;
  while (at < m && <u32>load<u16>(docs + (at << 1)) != d) at++;
  return at;
}

/**
 * Keeps of list u16[n], ascending, those of its documents that docs u16[m], ascending, has, or with `others` 1 those that it
 * has not, in `kept`, which may be `list`; returns how many.
 */
@inline
function keepDocs(list: usize, n: u32, docs: usize, m: u32, others: u32, kept: usize): u32 {
  let count: u32 = 0;
  if (m < LANES) {
    for (let i: u32 = 0; i < n; i++) {
      const d = <u32>load<u16>(list + (i << 1));
      store<u16>(kept + (count << 1), d);
      count += u32(placeOfFew(docs, m, d) < m) ^ others;
    }
    return count;
  }
  const last = lastLanes(docs, m);
  let at = docs;
  if (n * FAR_RATIO < m) {
    for (let i: u32 = 0; i < n; i++) {
      const d = <u32>load<u16>(list + (i << 1));
      at = seekNear(docs, m, at, last, d);
      store<u16>(kept + (count << 1), d);
      count += u32(laneOf(at, d) != 0) ^ others;
    }
    return count;
  }
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    at = seekLanes(at, last, d);
    store<u16>(kept + (count << 1), d);
    count += u32(laneOf(at, d) != 0) ^ others;
  }
  return count;
}

/** Keeps of list u16[n], ascending, the documents that the list has, in `kept`, which may be `list`; returns how many. */
export function keepJoined(joined: usize, list: usize, n: u32, kept: usize): u32 {
  const data = <usize>load<u32>(joined, JOINED_DATA);
  if (isRanked(joined)) return keepBits(data, list, n, kept);
  const m = load<u32>(joined, JOINED_COUNT);
  return n <= m ? commonDocs(list, n, data, m, kept) : keepDocs(list, n, data, m, 0, kept);
}

/** Sets marks u8[n] to 1 for the documents of list u16[n], ascending, that the list has. */
export function markJoined(joined: usize, list: usize, n: u32, marks: usize): void {
  const data = <usize>load<u32>(joined, JOINED_DATA);
  const m = load<u32>(joined, JOINED_COUNT);
  if (isRanked(joined)) {
    for (let i: u32 = 0; i < n; i++) {
      store<u8>(marks + i, <u32>load<u8>(marks + i) | hasBit(data, load<u16>(list + (i << 1))));
    }
    return;
  }
  const last: usize = m < LANES ? 0 : lastLanes(data, m);
  let at = data;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    if (last != 0) at = seekLanes(at, last, d);
    const isThere = last == 0 ? placeOfFew(data, m, d) < m : laneOf(at, d) != 0;
    store<u8>(marks + i, <u32>load<u8>(marks + i) | u32(isThere));
  }
}

/** Keeps of list u16[n], ascending, in place, the documents that the list does not have; returns how many. */
export function dropJoined(joined: usize, list: usize, n: u32): u32 {
  const data = <usize>load<u32>(joined, JOINED_DATA);
  if (!isRanked(joined)) return keepDocs(list, n, data, load<u32>(joined, JOINED_COUNT), 1, list);
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    store<u16>(list + (count << 1), d);
    count += hasBit(data, d) ^ 1;
  }
  return count;
}

/** out = a & b, of a chunk; returns how many bits are set. */
export function intersectBits(a: usize, b: usize, blocks: u32, out: usize): u32 {
  let count: u64 = 0;
  for (let at: usize = 0; at < <usize>blocks << 4; at += 8) {
    const word = load<u64>(a + at) & load<u64>(b + at);
    store<u64>(out + at, word);
    count += popcnt(word);
  }
  return <u32>count;
}

/** out = bits & passing, of which nothing is read past the last document of the segment; returns how many bits are set. */
export function intersectPassing(bits: usize, passing: usize, blocks: u32, out: usize): u32 {
  let count: u64 = 0;
  for (let at: usize = 0; at < <usize>blocks << 4; at += 8) {
    const word = load<u64>(bits + at);
    const left = word ? word & load<u64>(passing + at) : 0;
    store<u64>(out + at, left);
    count += popcnt(left);
  }
  return <u32>count;
}

/**
 * Address of the bits of the documents that one list or more of the records have: `out`, unless one ranked list is all that
 * there is. 0: no list has any.
 */
export function uniteJoined(first: usize, end: usize, blocks: u32, out: usize): usize {
  let union: usize = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_COUNT) == 0 || !isRanked(joined)) continue;
    const data = <usize>load<u32>(joined, JOINED_DATA);
    if (union != 0) uniteBits(union, data, blocks, out);
    union = union == 0 ? data : out;
  }
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const n = load<u32>(joined, JOINED_COUNT);
    if (n == 0 || isRanked(joined)) continue;
    if (union == 0) memory.fill(out, 0, <usize>blocks << 4);
    else if (union != out) memory.copy(out, union, <usize>blocks << 4);
    union = out;
    markDocs(out, <usize>load<u32>(joined, JOINED_DATA), n);
  }
  return union;
}

/** How many documents of docs u16[n] are not in `bits`, and may match; with `marks` they are set there. */
@inline
function countOthers(bits: usize, docs: usize, n: u32, passing: usize, marks: bool): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    const at = d >> 3;
    const byte = <u32>load<u8>(bits + at);
    const others = passing == 0 ? ~byte : ~byte & <u32>load<u8>(passing + at);
    count += (others >> (d & 7)) & 1;
    if (marks) store<u8>(bits + at, byte | (1 << (d & 7)));
  }
  return count;
}

/** How many documents that may match one list or more of the records have. `bits`: room for those of a chunk; `spare`: for a list. */
export function countUnion(first: usize, end: usize, passing: usize, blocks: u32, bits: usize, spare: usize): u32 {
  let union: usize = 0;
  let count: u32 = 0;
  let sparse: u32 = 0;
  let one: usize = 0;
  let other: usize = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const data = <usize>load<u32>(joined, JOINED_DATA);
    if (load<u32>(joined, JOINED_COUNT) == 0) continue;
    other = one;
    one = joined;
    if (!isRanked(joined)) sparse++;
    else if (union == 0) {
      union = data;
      count = load<u32>(joined, JOINED_COUNT);
    }
    else {
      uniteBits(union, data, blocks, bits);
      union = bits;
    }
  }
  if (passing == 0 && other == 0) return load<u32>(one, JOINED_COUNT);
  if (passing == 0 && union == 0 && sparse == 2 && isUneven(one, other)) return countTwo(one, other, spare);
  if (union != 0 && (passing != 0 || union == bits)) count = countLiveBits(union, passing == 0 ? union : passing, blocks);
  if (sparse == 0) return count;
  if (union == 0) memory.fill(bits, 0, <usize>blocks << 4);
  else if (union != bits && sparse > 1) memory.copy(bits, union, <usize>blocks << 4);
  if (union == 0 || sparse > 1) union = bits;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const n = load<u32>(joined, JOINED_COUNT);
    if (n == 0 || isRanked(joined)) continue;
    const docs = <usize>load<u32>(joined, JOINED_DATA);
    if (--sparse == 0) count += countOthers(union, docs, n, passing, false);
    else count += countOthers(union, docs, n, passing, true);
  }
  return count;
}

/** Whether looking the documents of one list up in the other takes less than going through both. */
function isUneven(one: usize, other: usize): bool {
  const n = load<u32>(one, JOINED_COUNT);
  const m = load<u32>(other, JOINED_COUNT);
  return min(n, m) * SEEK_RATIO < max(n, m);
}

/** countUnion of two sparse lists, without deletions. */
function countTwo(one: usize, other: usize, spare: usize): u32 {
  const n = load<u32>(one, JOINED_COUNT);
  const m = load<u32>(other, JOINED_COUNT);
  const docs = <usize>load<u32>(one, JOINED_DATA);
  const otherDocs = <usize>load<u32>(other, JOINED_DATA);
  return n + m - (n < m ? keepDocs(docs, n, otherDocs, m, 0, spare) : keepDocs(otherDocs, m, docs, n, 0, spare));
}
