/**
 * Which documents of a chunk all clauses match, of which each reads one list of a field or more: as a list, or as bits. Nothing
 * is scored. For kernels/joined-sweep.ts alone; exports nothing to JavaScript. Layout: layout/joined-lists.ts.
 */
import { JOINED_BYTES, JOINED_COUNT, JOINED_DATA } from '../layout/joined-lists';
import { CHUNK_BITSET_BYTES } from '../layout/scratch';
import { intersectBits, intersectPassing, isRanked, keepJoined, markJoined, uniteJoined } from './joined-matches';

/** The only list with postings of the clause whose records lie from `clause` to `end`; 0: there are several. */
export function onlyList(clause: usize, end: usize): usize {
  let only: usize = 0;
  for (let joined = clause; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_COUNT) == 0) continue;
    if (only != 0) return 0;
    only = joined;
  }
  return only;
}

/** Postings of the lists of a clause. */
function countOf(clause: usize, end: usize): u32 {
  let count: u32 = 0;
  for (let joined = clause; joined < end; joined += JOINED_BYTES) count += load<u32>(joined, JOINED_COUNT);
  return count;
}

/** The clause with the fewest postings, of those from `first` to `end` that have `bytes` of records each; 0: one has none. */
export function shortestClause(first: usize, end: usize, bytes: usize): usize {
  let shortest: usize = 0;
  let least = u32.MAX_VALUE;
  for (let clause = first; clause < end; clause += bytes) {
    const count = countOf(clause, clause + bytes);
    if (count == 0) return 0;
    if (count >= least) continue;
    least = count;
    shortest = clause;
  }
  return shortest;
}

/** Whether some list of the records is ranked. */
export function isAnyRanked(first: usize, end: usize): bool {
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_COUNT) != 0 && isRanked(joined)) return true;
  }
  return false;
}

/** Merges a u16[n] and b u16[m], both ascending, in `out`, without repetitions; returns how many there are. */
function mergeDocs(a: usize, n: u32, b: usize, m: u32, out: usize): u32 {
  const aEnd = a + (<usize>n << 1);
  const bEnd = b + (<usize>m << 1);
  let at = out;
  while (a < aEnd && b < bEnd) {
    const x = <u32>load<u16>(a);
    const y = <u32>load<u16>(b);
    store<u16>(at, min(x, y));
    a += <usize>u32(x <= y) << 1;
    b += <usize>u32(y <= x) << 1;
    at += 2;
  }
  memory.copy(at, a, aEnd - a);
  at += aEnd - a;
  memory.copy(at, b, bEnd - b);
  return <u32>((at + (bEnd - b) - out) >> 1);
}

/** Lists the documents of the lists of a clause, all sparse, at list u16[]; `spare`: room for as many. Returns how many. */
export function listClause(clause: usize, end: usize, list: usize, spare: usize): u32 {
  let n: u32 = 0;
  for (let joined = clause; joined < end; joined += JOINED_BYTES) {
    const m = load<u32>(joined, JOINED_COUNT);
    if (m == 0) continue;
    memory.copy(spare, list, <usize>n << 1);
    n = mergeDocs(spare, n, <usize>load<u32>(joined, JOINED_DATA), m, list);
  }
  return n;
}

/** Keeps of list u16[n], ascending, the documents that a list of the clause has, in place; returns how many. `marks`: u8[n]. */
export function keepClause(clause: usize, end: usize, list: usize, n: u32, marks: usize): u32 {
  const only = onlyList(clause, end);
  if (only != 0) return keepJoined(only, list, n, list);
  memory.fill(marks, 0, n);
  for (let joined = clause; joined < end; joined += JOINED_BYTES) {
    if (load<u32>(joined, JOINED_COUNT) != 0) markJoined(joined, list, n, marks);
  }
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    store<u16>(list + (count << 1), load<u16>(list + (i << 1)));
    count += load<u8>(marks + i);
  }
  return count;
}

/**
 * The passing documents that all clauses from `first` to `end` have, of `bytes` of records each, of a chunk of `blocks` blocks, as bits,
 * behind which is room for as many; returns how many.
 */
export function intersectClauses(first: usize, end: usize, bytes: usize, passing: usize, blocks: u32, bits: usize): u32 {
  const spare = bits + CHUNK_BITSET_BYTES;
  let from = uniteJoined(first, first + bytes, blocks, bits);
  let count: u32 = 0;
  for (let clause = first + bytes; clause < end; clause += bytes) {
    count = intersectBits(from, uniteJoined(clause, clause + bytes, blocks, spare), blocks, bits);
    from = bits;
    if (count == 0) return 0;
  }
  return passing == 0 ? count : intersectPassing(bits, passing, blocks, bits);
}
