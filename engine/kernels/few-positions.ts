/**
 * Whether the tokens of a phrase stand side by side in a document, where each has few positions there, close to one another, as in
 * texts of some hundred words: the positions are the lanes of two vectors. For kernels/phrase-positions.ts alone; exports nothing
 * to JavaScript. Layout of postings: layout/postings.ts.
 */

/** Positions of a posting that are looked at. */
const POSITIONS_MAX: u32 = 16;
/** In the place of the bytes of a posting: it has more positions. */
export const MORE_POSITIONS: u32 = 0xff;
/** Bytes of two vectors of positions, u16[POSITIONS_MAX]. */
const LANES_BYTES: usize = 32;

/**
 * Lanes without a position: of the first token, and of those behind it. What the first become as they are counted on is never one of
 * the second, nor a position: these stay below 16 times 128.
 */
const NO_BEGINNING: i16 = 0x4000;
const NO_POSITION: i16 = -1;

/** Of eight values, each with all before it added. */
@inline
function addUp(values: v128): v128 {
  const zero = i16x8.splat(0);
  let sums = i16x8.add(values, v128.shuffle<i16>(zero, values, 7, 8, 9, 10, 11, 12, 13, 14));
  sums = i16x8.add(sums, v128.shuffle<i16>(zero, sums, 6, 7, 8, 9, 10, 11, 12, 13));
  return i16x8.add(sums, v128.shuffle<i16>(zero, sums, 4, 5, 6, 7, 8, 9, 10, 11));
}

/**
 * Writes the first positions of the encoded posting at p to `lanes`, and `none` to the lanes that are left; returns the bytes of the
 * posting, MORE_POSITIONS, or 0: one of them takes more than a byte. Up to 17 bytes from p on are read.
 */
@inline
function readLanes(p: usize, none: i16, lanes: usize): u32 {
  const head = <u32>load<u8>(p);
  const rest = i16x8.splat(none);
  if (head > 127) return 0;
  if (head & 1) {
    v128.store(lanes, i16x8.replace_lane(rest, 0, <i16>(head >> 1)));
    v128.store(lanes, rest, 16);
    return 1;
  }
  const count = min(head >> 1, POSITIONS_MAX);
  const bytes = v128.load(p, 1);
  if (i8x16.bitmask(bytes) & ((1 << count) - 1)) return 0;
  const lane = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  const counts = i16x8.splat(<i16>count);
  const first = addUp(i16x8.extend_low_i8x16_u(bytes));
  const second = i16x8.add(addUp(i16x8.extend_high_i8x16_u(bytes)), i16x8.splat(i16x8.extract_lane_s(first, 7)));
  v128.store(lanes, v128.bitselect(first, rest, i16x8.lt_s(lane, counts)));
  v128.store(lanes, v128.bitselect(second, rest, i16x8.lt_s(i16x8.add(lane, i16x8.splat(8)), counts)), 16);
  return head >> 1 > POSITIONS_MAX ? MORE_POSITIONS : 1 + count;
}

/** Lanes of `wanted` that are one of the eight lanes of `there`, all bits set. */
@inline
function lanesIn(wanted: v128, there: v128): v128 {
  let found = i16x8.eq(wanted, there);
  found = v128.or(found, i16x8.eq(wanted, v128.shuffle<i16>(there, there, 1, 2, 3, 4, 5, 6, 7, 0)));
  found = v128.or(found, i16x8.eq(wanted, v128.shuffle<i16>(there, there, 2, 3, 4, 5, 6, 7, 0, 1)));
  found = v128.or(found, i16x8.eq(wanted, v128.shuffle<i16>(there, there, 3, 4, 5, 6, 7, 0, 1, 2)));
  found = v128.or(found, i16x8.eq(wanted, v128.shuffle<i16>(there, there, 4, 5, 6, 7, 0, 1, 2, 3)));
  found = v128.or(found, i16x8.eq(wanted, v128.shuffle<i16>(there, there, 5, 6, 7, 0, 1, 2, 3, 4)));
  found = v128.or(found, i16x8.eq(wanted, v128.shuffle<i16>(there, there, 6, 7, 0, 1, 2, 3, 4, 5)));
  return v128.or(found, i16x8.eq(wanted, v128.shuffle<i16>(there, there, 7, 0, 1, 2, 3, 4, 5, 6)));
}

/** Lanes of `wanted` that are one of the positions at `lanes`, all bits set. */
@inline
function lanesAt(wanted: v128, lanes: usize, isLong: bool): v128 {
  const found = lanesIn(wanted, v128.load(lanes));
  return isLong ? v128.or(found, lanesIn(wanted, v128.load(lanes, 16))) : found;
}

/** Reads the posting at p of the first token: its positions go to `ends`. Returns what readLanes() does. */
export function beginFew(p: usize, ends: usize): u32 {
  return readLanes(p, NO_BEGINNING, ends);
}

/** What stepFew() returns beside the bytes of a posting, in the lowest bits. */
const FEW_NONE: u32 = 1;
export const FEW_SOME: u32 = 2;
export const FEW_BYTES_SHIFT: u32 = 2;

/**
 * Reads the posting at p of the next token, and leaves of `ends` what its positions go on with. Returns 0: it cannot be told
 * here; or whether anything is left, FEW_NONE or FEW_SOME, and from bit FEW_BYTES_SHIFT on what readLanes() does. `ends` has room
 * for twice LANES_BYTES.
 */
export function stepFew(p: usize, ends: usize): u32 {
  const lanes = ends + LANES_BYTES;
  const bytes = readLanes(p, NO_POSITION, lanes);
  if (bytes == 0) return 0;
  const isLong = bytes > 9;
  const one = i16x8.splat(1);
  const none = i16x8.splat(NO_BEGINNING);
  let wanted = i16x8.add(v128.load(ends), one);
  let found = lanesAt(wanted, lanes, isLong);
  let any = found;
  v128.store(ends, v128.bitselect(wanted, none, found));
  const more = v128.load(ends, 16);
  if (v128.any_true(i16x8.ne(more, none))) {
    wanted = i16x8.add(more, one);
    found = lanesAt(wanted, lanes, isLong);
    any = v128.or(any, found);
    v128.store(ends, v128.bitselect(wanted, none, found), 16);
  }
  return (bytes << FEW_BYTES_SHIFT) | (v128.any_true(any) ? FEW_SOME : FEW_NONE);
}
