/**
 * The column by which the best documents are kept: keys from its values, and which codes can still enter. Called by
 * kernels/score-top.ts, kernels/sweep.ts and query/sort/kernel-top.ts. Layouts: layout/score-top.ts, layout/columns.ts.
 */
import {
  COLUMN_BASE,
  COLUMN_CODES,
  COLUMN_FLAG_MULTI,
  COLUMN_FLAGS,
  COLUMN_PRESENT,
  COLUMN_STARTS,
  COLUMN_WIDTH,
} from '../layout/columns';
import {
  TOP_BASE,
  TOP_BOUND,
  TOP_CAPACITY,
  TOP_CODES,
  TOP_COUNT,
  TOP_FLIP,
  TOP_KEY_BYTES,
  TOP_KEY_COLUMN,
  TOP_KEY_HIGH,
  TOP_KEY_KIND,
  TOP_KEY_LOW,
  TOP_KEY_SCORE_COLUMN,
  TOP_KEY_SCORE_SHIFT,
  TOP_LAST,
  TOP_ORDER_BASE,
  TOP_PRESENT,
  TOP_STARTS,
  TOP_WIDTH,
} from '../layout/score-top';
import { keyAt, placeBits, precedes, rankOf } from './top-keys';

/** Turns the order of signed numbers into that of unsigned ones. */
const SIGN: u64 = 1 << 63;

/** What an offset of the segment is as an address; 0 stays 0. */
function address(segment: usize, offset: u32): u32 {
  return offset === 0 ? 0 : <u32>segment + offset;
}

/**
 * Makes the column at address `column` of the segment at address `segment` the one whose values count; 0: no document of
 * the segment has the field. `orderBase`: the order of the segment's first document.
 */
export function beginTopColumn(top: usize, orderBase: u32, segment: usize, column: usize): void {
  store<u32>(top, orderBase, TOP_ORDER_BASE);
  store<u32>(top, column === 0 ? 0 : load<u32>(column, COLUMN_WIDTH), TOP_WIDTH);
  if (column === 0) return;
  const multi = (load<u32>(column, COLUMN_FLAGS) & COLUMN_FLAG_MULTI) !== 0;
  store<u32>(top, address(segment, load<u32>(column, COLUMN_CODES)), TOP_CODES);
  store<u32>(top, multi ? address(segment, load<u32>(column, COLUMN_STARTS)) : 0, TOP_STARTS);
  store<u32>(top, address(segment, load<u32>(column, COLUMN_PRESENT)), TOP_PRESENT);
  store<u64>(top, load<u64>(column, COLUMN_BASE) ^ SIGN, TOP_BASE);
}

/** Index of the code of document `doc` of the segment that counts; -1 when it has no value. */
function codeIndex(top: usize, doc: u32): i32 {
  const starts = <usize>load<u32>(top, TOP_STARTS);
  if (starts !== 0) {
    const start = load<u32>(starts + (<usize>doc << 2));
    const end = load<u32>(starts + (<usize>doc << 2), 4);
    if (start === end) return -1;
    return load<u32>(top, TOP_LAST) ? end - 1 : start;
  }
  const present = <usize>load<u32>(top, TOP_PRESENT);
  if (present === 0) return doc;
  return (load<u8>(present + (doc >> 3)) >> <u8>(doc & 7)) & 1 ? doc : -1;
}

/** The code at `index`, `width` bytes. */
function codeAt(codes: usize, width: u32, index: usize): u64 {
  if (width === 1) return <u64>load<u8>(codes + index);
  if (width === 2) return <u64>load<u16>(codes + (index << 1));
  if (width === 4) return <u64>load<u32>(codes + (index << 2));
  return load<u64>(codes + (index << 3));
}

/**
 * Writes the key of the document of order `order`, with the bits `score`, at `out`, and returns where the next one goes:
 * there, unless this one exceeds the bound.
 */
export function appendKey(top: usize, out: usize, score: u32, order: u32): usize {
  const width = load<u32>(top, TOP_WIDTH);
  const index = width === 0 ? -1 : codeIndex(top, order - load<u32>(top, TOP_ORDER_BASE));
  const present: u64 = u64(index >= 0);
  let value: u64 = 0;
  if (index >= 0) {
    const code = codeAt(load<u32>(top, TOP_CODES), width, <usize>index);
    value = (load<u64>(top, TOP_BASE) + code) ^ load<u64>(top, TOP_FLIP);
  }
  const kind = load<u32>(top, TOP_KEY_KIND);
  let high: u64;
  let low: u64;
  if (kind <= <u32>TOP_KEY_SCORE_COLUMN) {
    high = (<u64>score << TOP_KEY_SCORE_SHIFT) | (present << 32) | (value >> 32);
    low = (value << 32) | <u64>placeBits(order);
  } else {
    high = (present << 63) | (value >> 1);
    low = value << 63;
    const place = <u64>placeBits(order);
    low |= kind === TOP_KEY_COLUMN ? (place << 31) | <u64>score : (<u64>score << 32) | place;
  }
  store<u64>(out, low, TOP_KEY_LOW);
  store<u64>(out, high, TOP_KEY_HIGH);
  const exceeds = precedes(high, low, load<u64>(top, TOP_BOUND + TOP_KEY_HIGH), load<u64>(top, TOP_BOUND + TOP_KEY_LOW));
  return out + <usize>exceeds * TOP_KEY_BYTES;
}

/** Turns a key with the score in front into one of the same document of kind TOP_KEY_COLUMN_SCORE. */
export function moveScoreBehind(key: usize): void {
  const high = load<u64>(key, TOP_KEY_HIGH);
  const low = load<u64>(key, TOP_KEY_LOW);
  const score = high >> TOP_KEY_SCORE_SHIFT;
  store<u64>(key, (high << 31) | (low >> 33), TOP_KEY_HIGH);
  store<u64>(key, ((low << 31) & SIGN) | (score << 32) | (low & u32.MAX_VALUE), TOP_KEY_LOW);
}

/** Turns a key of `kind`, one with the column in front, into one of the same document with the score in front. */
export function moveScoreToFront(key: usize, kind: u32): void {
  const high = load<u64>(key, TOP_KEY_HIGH);
  const low = load<u64>(key, TOP_KEY_LOW);
  const isLast = kind === TOP_KEY_COLUMN;
  const score = (isLast ? low : low >> 32) & i32.MAX_VALUE;
  const order = (isLast ? low >> 31 : low) & u32.MAX_VALUE;
  store<u64>(key, (score << TOP_KEY_SCORE_SHIFT) | (high >> 31), TOP_KEY_HIGH);
  store<u64>(key, (high << 33) | ((low >> 63) << 32) | order, TOP_KEY_LOW);
}

/** As offerWhileRoomByColumn(), all of them. */
function offerAll(top: usize, orderBase: u32, at: usize, end: usize, acc: usize): usize {
  let out = keyAt(top, load<u32>(top, TOP_COUNT));
  const full = keyAt(top, load<u32>(top, TOP_CAPACITY));
  for (; at < end && out < full; at += 2) {
    const doc = <u32>load<u16>(at);
    out = appendKey(top, out, load<u32>(acc + (<usize>doc << 2)), orderBase + doc);
  }
  store<u32>(top, rankOf(top, out), TOP_COUNT);
  return at;
}

/** As offerWhileRoomByColumn(), those whose code of width sizeof<T> is at least `lowest` and by no more than `span` larger. */
function offerCodes<T>(top: usize, orderBase: u32, at: usize, end: usize, acc: usize, lowest: T, span: T): usize {
  const codes = <usize>load<u32>(top, TOP_CODES);
  const starts = <usize>load<u32>(top, TOP_STARTS);
  const first = orderBase - load<u32>(top, TOP_ORDER_BASE);
  let out = keyAt(top, load<u32>(top, TOP_COUNT));
  const full = keyAt(top, load<u32>(top, TOP_CAPACITY));
  if (starts === 0) {
    const chunk = codes + (<usize>first << alignof<T>());
    for (; at < end && out < full; at += 2) {
      const doc = <u32>load<u16>(at);
      // Most documents of a long list lose, which a branch predictor learns.
      if (<T>(load<T>(chunk + (<usize>doc << alignof<T>())) - lowest) > span) continue;
      out = appendKey(top, out, load<u32>(acc + (<usize>doc << 2)), orderBase + doc);
    }
  } else {
    const last = load<u32>(top, TOP_LAST);
    const chunk = starts + (<usize>first << 2);
    for (; at < end && out < full; at += 2) {
      const doc = <u32>load<u16>(at);
      const codesStart = load<u32>(chunk + (<usize>doc << 2));
      const codesEnd = load<u32>(chunk + (<usize>doc << 2), 4);
      if (codesStart !== codesEnd) {
        const index = last ? codesEnd - 1 : codesStart;
        if (<T>(load<T>(codes + (<usize>index << alignof<T>())) - lowest) > span) continue;
      }
      out = appendKey(top, out, load<u32>(acc + (<usize>doc << 2)), orderBase + doc);
    }
  }
  store<u32>(top, rankOf(top, out), TOP_COUNT);
  return at;
}

/** Whether no document that scores 0 enters, whatever its value: the score comes first. */
export function isClosed(top: usize): bool {
  if (load<u32>(top, TOP_KEY_KIND) > <u32>TOP_KEY_SCORE_COLUMN) return false;
  return load<u64>(top, TOP_BOUND + TOP_KEY_HIGH) >> TOP_KEY_SCORE_SHIFT !== 0;
}

/** Whether the bound is a document with a value: none without one enters. */
export function isBoundPresent(top: usize): bool {
  const high = load<u64>(top, TOP_BOUND + TOP_KEY_HIGH);
  const isScoreFirst = load<u32>(top, TOP_KEY_KIND) <= <u32>TOP_KEY_SCORE_COLUMN;
  return (isScoreFirst ? (high >> 32) & 1 : high >> 63) !== 0;
}

/** The value of the bound, which has one, as an unsigned number. */
function boundValue(top: usize): u64 {
  const high = load<u64>(top, TOP_BOUND + TOP_KEY_HIGH);
  const low = load<u64>(top, TOP_BOUND + TOP_KEY_LOW);
  const isScoreFirst = load<u32>(top, TOP_KEY_KIND) <= <u32>TOP_KEY_SCORE_COLUMN;
  return (isScoreFirst ? (high << 32) | (low >> 32) : (high << 1) | (low >> 63)) ^ load<u64>(top, TOP_FLIP);
}

/** Below this code no document enters; more than highestCode() when none does. The column has codes. */
export function lowestCode(top: usize): u64 {
  if (!isBoundPresent(top)) return 0;
  const limit = boundValue(top);
  const base = load<u64>(top, TOP_BASE);
  if (load<u64>(top, TOP_FLIP) !== 0) return limit < base ? u64.MAX_VALUE : 0;
  return limit > base ? limit - base : 0;
}

/** Above this code no document enters. The column has codes. */
export function highestCode(top: usize): u64 {
  const most = u64.MAX_VALUE >> <u64>(64 - (load<u32>(top, TOP_WIDTH) << 3));
  if (!isBoundPresent(top) || load<u64>(top, TOP_FLIP) === 0) return most;
  const limit = boundValue(top);
  const base = load<u64>(top, TOP_BASE);
  return limit < base ? 0 : min(most, limit - base);
}

/**
 * Offers the documents of the list from `at` to `end` while there is room, and returns where the others begin. The column
 * comes first in the order, or all scores are 0. As for offerScores(), `acc` holds the scores.
 */
export function offerWhileRoomByColumn(top: usize, orderBase: u32, at: usize, end: usize, acc: usize): usize {
  if (isClosed(top)) return end;
  const width = load<u32>(top, TOP_WIDTH);
  if (width === 0) return isBoundPresent(top) ? end : offerAll(top, orderBase, at, end, acc);
  const lowest = lowestCode(top);
  const highest = highestCode(top);
  if (lowest > highest) return end;
  const span = highest - lowest;
  if (width === 1) return offerCodes<u8>(top, orderBase, at, end, acc, <u8>lowest, <u8>span);
  if (width === 2) return offerCodes<u16>(top, orderBase, at, end, acc, <u16>lowest, <u16>span);
  if (width === 4) return offerCodes<u32>(top, orderBase, at, end, acc, <u32>lowest, <u32>span);
  return offerCodes<u64>(top, orderBase, at, end, acc, lowest, span);
}
