/**
 * Compares positions of the tokens of a phrase in one document. For the other kernels alone; exports nothing to JavaScript.
 * Layouts: layout/phrase-cursor.ts, layout/postings.ts.
 */
import {
  CURSOR_BYTES,
  CURSOR_INDEX,
  CURSOR_LEFT,
  CURSOR_POSITION,
  CURSOR_PTR,
  CURSOR_READ,
  CURSOR_SEGMENT,
  CURSOR_SIGNATURES,
  CURSOR_STREAM,
  CURSOR_TABLE,
} from '../layout/phrase-cursor';
import { POSITION_BLOCK } from '../layout/postings';
import { SEGMENT_SIZE } from '../layout/segment';
import { beginFew, FEW_BYTES_SHIFT, FEW_SOME, MORE_POSITIONS, stepFew } from './few-positions';
import { isExact, skipPostings } from './position-stream';

/** Positions and bytes gone through since it was asked last. */
let walked: u64 = 0;

/** Tells what was gone through since it was asked last, in steps of a nanosecond or so. */
export function takeWalked(): u32 {
  const steps = walked;
  walked = 0;
  return <u32>min(steps, <u64>0x0fffffff);
}

/** Bytes of a bit a position, of the first positions of a field: those of nearly every text. */
const WINDOW_BYTES: usize = 64;
const WINDOW_POSITIONS: u32 = 512;

/** Reads the varint at the cursor's read pointer and moves past it. */
@inline
function readVarint(cursor: usize): u32 {
  let p = <usize>load<u32>(cursor, CURSOR_READ);
  let byte = <u32>load<u8>(p++);
  let value = byte & 127;
  for (let shift: u32 = 7; byte > 127; shift += 7) {
    byte = <u32>load<u8>(p++);
    value |= (byte & 127) << shift;
  }
  store<u32>(cursor, <u32>p, CURSOR_READ);
  return value;
}

/** Moves the cursor to posting `index` of its list; returns where that begins. */
function seekPosting(cursor: usize, index: u32): usize {
  let at = load<u32>(cursor, CURSOR_INDEX);
  let p = <usize>load<u32>(cursor, CURSOR_PTR);
  const table = <usize>load<u32>(cursor, CURSOR_TABLE);
  const block = index / POSITION_BLOCK;
  if (at > index || (table && block != at / POSITION_BLOCK)) {
    at = table ? block * POSITION_BLOCK : 0;
    p = <usize>load<u32>(cursor, CURSOR_STREAM) + (table ? <usize>load<u32>(table + (block << 2)) : 0);
  }
  if (at < index) {
    const from = p;
    p = skipPostings(p, index - at, endOfSegment(cursor));
    walked += p - from;
  }
  store<u32>(cursor, index, CURSOR_INDEX);
  store<u32>(cursor, <u32>p, CURSOR_PTR);
  return p;
}

@inline
function endOfSegment(cursor: usize): usize {
  const segment = <usize>load<u32>(cursor, CURSOR_SEGMENT);
  return segment + load<u32>(segment, SEGMENT_SIZE);
}

/** Sets the bits of the window at `bits` of the positions of posting `index`; returns whether there are others. */
function fillWindow(cursor: usize, index: u32, bits: usize): bool {
  for (let i: usize = 0; i < WINDOW_BYTES; i += 16) v128.store(bits + i, i64x2.splat(0));
  const signatures = <usize>load<u32>(cursor, CURSOR_SIGNATURES);
  if (signatures) {
    const signature = <u32>load<u16>(signatures + (<usize>index << 1));
    if (isExact(signature)) {
      store<u16>(bits, signature);
      return false;
    }
  }
  const begin = seekPosting(cursor, index);
  let p = begin;
  // Past its end only damage leads.
  const end = endOfSegment(cursor);
  let left: u32 = 1;
  let position: u32 = 0;
  let isHead = true;
  for (; left > 0 && p < end; left--) {
    let value = <u32>load<u8>(p++);
    if (value > 127) {
      let byte = value;
      value &= 127;
      for (let shift: u32 = 7; byte > 127 && shift < 32; shift += 7) {
        byte = <u32>load<u8>(p++);
        value |= (byte & 127) << shift;
      }
    }
    if (isHead) {
      isHead = false;
      if (!(value & 1)) {
        left = (value >> 1) + 1;
        continue;
      }
      value >>= 1;
    }
    position += value;
    if (position >= WINDOW_POSITIONS) continue;
    const word = bits + ((position >> 6) << 3);
    store<u64>(word, load<u64>(word) | (<u64>1 << (position & 63)));
  }
  walked += p - begin;
  // The next posting mostly is the next that is asked for.
  store<u32>(cursor, <u32>begin, CURSOR_READ);
  store<u32>(cursor, index + 1, CURSOR_INDEX);
  store<u32>(cursor, <u32>p, CURSOR_PTR);
  return position >= WINDOW_POSITIONS;
}

/** Leaves at `ends` the positions behind one of them that are at `bits`; returns whether there is any. */
function stepWindow(ends: usize, bits: usize): bool {
  let carried: u64 = 0;
  let any: u64 = 0;
  for (let i: usize = 0; i < WINDOW_BYTES; i += 8) {
    const word = load<u64>(ends + i);
    const next = ((word << 1) | carried) & load<u64>(bits + i);
    store<u64>(ends + i, next);
    carried = word >> 63;
    any |= next;
  }
  return any != 0;
}

/** What followsInWindow() returns. */
const FOLLOWS_NOT: u32 = 0;
export const FOLLOWS: u32 = 1;
export const FOLLOWS_PERHAPS: u32 = 2;

/** Has the first `count` cursors forget that they have read their postings, which begin at CURSOR_READ: these are read again. */
function moveBack(cursors: usize, count: u32, indexes: usize): void {
  for (let t: u32 = 0; t < count; t++) {
    const cursor = cursors + <usize>t * CURSOR_BYTES;
    const index = load<u32>(indexes + (<usize>t << 2));
    if (hasExact(cursor, index)) continue;
    store<u32>(cursor, index, CURSOR_INDEX);
    store<u32>(cursor, load<u32>(cursor, CURSOR_READ), CURSOR_PTR);
  }
}

/**
 * Whether some position p of the posting of the first cursor is followed by p + 1, p + 2, ... of the others; perhaps, where
 * none is and some positions are beyond the window. Posting of cursor t: u32 at `indexes` + 4 t. `windows`: room for two.
 */
export function followsInWindow(cursors: usize, tokens: u32, indexes: usize, windows: usize): u32 {
  const bits = windows + WINDOW_BYTES;
  let isMore = fillWindow(cursors, load<u32>(indexes), windows);
  for (let t: u32 = 1; t < tokens; t++) {
    if (fillWindow(cursors + <usize>t * CURSOR_BYTES, load<u32>(indexes + (<usize>t << 2)), bits)) isMore = true;
    if (stepWindow(windows, bits)) continue;
    if (!isMore) return FOLLOWS_NOT;
    moveBack(cursors, t + 1, indexes);
    return FOLLOWS_PERHAPS;
  }
  return FOLLOWS;
}

/** Whether the signature of posting `index` says exactly where its token stands. */
@inline
function hasExact(cursor: usize, index: u32): bool {
  const signatures = <usize>load<u32>(cursor, CURSOR_SIGNATURES);
  return signatures != 0 && isExact(<u32>load<u16>(signatures + (<usize>index << 1)));
}

/**
 * As followsInWindow(), by the first positions of each posting; FOLLOWS_PERHAPS where one of these lies far behind another, where more
 * positions than these count, or where a signature says all.
 */
export function followsFew(cursors: usize, tokens: u32, indexes: usize, room: usize): u32 {
  for (let t: u32 = 0; t < tokens; t++) {
    if (hasExact(cursors + <usize>t * CURSOR_BYTES, load<u32>(indexes + (<usize>t << 2)))) return FOLLOWS_PERHAPS;
  }
  let isMore = false;
  for (let t: u32 = 0; t < tokens; t++) {
    const cursor = cursors + <usize>t * CURSOR_BYTES;
    const index = load<u32>(indexes + (<usize>t << 2));
    const p = seekPosting(cursor, index);
    let bytes: u32 = 0;
    let isLeft = true;
    // Past its end only damage leads.
    if (p < endOfSegment(cursor)) {
      if (t == 0) bytes = beginFew(p, room);
      else {
        const step = stepFew(p, room);
        bytes = step >> FEW_BYTES_SHIFT;
        isLeft = (step & FEW_SOME) != 0;
      }
    }
    if (bytes == MORE_POSITIONS) isMore = true;
    if (bytes == 0 || (isMore && !isLeft)) {
      moveBack(cursors, t, indexes);
      return FOLLOWS_PERHAPS;
    }
    // The next posting mostly is the next that is asked for.
    store<u32>(cursor, <u32>p, CURSOR_READ);
    if (bytes != MORE_POSITIONS) {
      store<u32>(cursor, index + 1, CURSOR_INDEX);
      store<u32>(cursor, <u32>p + bytes, CURSOR_PTR);
    }
    if (!isLeft) return FOLLOWS_NOT;
  }
  return FOLLOWS;
}

/** Makes the cursor ready to read the positions of posting `index`; its first position becomes the current one. */
export function openPosting(cursor: usize, index: u32): void {
  const p = seekPosting(cursor, index);
  // No list of a segment has more positions than the segment has bytes, unless it is damaged.
  const positionsMax = load<u32>(<usize>load<u32>(cursor, CURSOR_SEGMENT), SEGMENT_SIZE);
  store<u32>(cursor, <u32>p, CURSOR_READ);
  const head = readVarint(cursor);
  const single = head & 1;
  store<u32>(cursor, single ? 0 : min((head >> 1) - 1, positionsMax), CURSOR_LEFT);
  store<u32>(cursor, single ? head >> 1 : readVarint(cursor), CURSOR_POSITION);
}

/** Moves to the next position of the posting; false when there is none. */
@inline
function nextPosition(cursor: usize): bool {
  const left = load<u32>(cursor, CURSOR_LEFT);
  if (left == 0) return false;
  store<u32>(cursor, left - 1, CURSOR_LEFT);
  store<u32>(cursor, load<u32>(cursor, CURSOR_POSITION) + readVarint(cursor), CURSOR_POSITION);
  return true;
}

/** Whether some position p of the first cursor is followed by p + 1, p + 2, ... of the others, which only ever advance. */
export function isAdjacent(cursors: usize, tokens: u32): bool {
  const follows = findAdjacent(cursors, tokens);
  for (let t: u32 = 0; t < tokens; t++) {
    const cursor = cursors + <usize>t * CURSOR_BYTES;
    walked += load<u32>(cursor, CURSOR_READ) - load<u32>(cursor, CURSOR_PTR);
  }
  return follows;
}

function findAdjacent(cursors: usize, tokens: u32): bool {
  do {
    const start = load<u32>(cursors, CURSOR_POSITION);
    let matched: u32 = 1;
    for (; matched < tokens; matched++) {
      const cursor = cursors + <usize>matched * CURSOR_BYTES;
      const wanted = start + matched;
      while (load<u32>(cursor, CURSOR_POSITION) < wanted) if (!nextPosition(cursor)) return false;
      if (load<u32>(cursor, CURSOR_POSITION) != wanted) break;
    }
    walked += matched;
    if (matched == tokens) return true;
  } while (nextPosition(cursors));
  return false;
}
