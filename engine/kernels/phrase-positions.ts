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
  CURSOR_STREAM,
  CURSOR_TABLE,
} from '../layout/phrase-cursor';
import { POSITION_BLOCK } from '../layout/postings';
import { SEGMENT_SIZE } from '../layout/segment';
import { skipPostings } from './position-stream';

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

/** Makes the cursor ready to read the positions of posting `index`; its first position becomes the current one. */
export function openPosting(cursor: usize, index: u32): void {
  let at = load<u32>(cursor, CURSOR_INDEX);
  let p = <usize>load<u32>(cursor, CURSOR_PTR);
  const table = <usize>load<u32>(cursor, CURSOR_TABLE);
  const block = index / POSITION_BLOCK;
  if (at > index || (table && block != at / POSITION_BLOCK)) {
    at = table ? block * POSITION_BLOCK : 0;
    p = <usize>load<u32>(cursor, CURSOR_STREAM) + (table ? <usize>load<u32>(table + (block << 2)) : 0);
  }
  // No list of a segment has more positions than the segment has bytes, unless it is damaged.
  const positionsMax = load<u32>(<usize>load<u32>(cursor, CURSOR_SEGMENT), SEGMENT_SIZE);
  p = skipPostings(p, index - at, <usize>load<u32>(cursor, CURSOR_SEGMENT) + positionsMax);
  store<u32>(cursor, index, CURSOR_INDEX);
  store<u32>(cursor, <u32>p, CURSOR_PTR);
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
  do {
    const start = load<u32>(cursors, CURSOR_POSITION);
    let matched: u32 = 1;
    for (; matched < tokens; matched++) {
      const cursor = cursors + <usize>matched * CURSOR_BYTES;
      const wanted = start + matched;
      while (load<u32>(cursor, CURSOR_POSITION) < wanted) if (!nextPosition(cursor)) return false;
      if (load<u32>(cursor, CURSOR_POSITION) != wanted) break;
    }
    if (matched == tokens) return true;
  } while (nextPosition(cursors));
  return false;
}
