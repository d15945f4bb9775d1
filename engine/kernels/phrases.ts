/**
 * Phrase kernels: which candidate documents of a chunk have a phrase's tokens next to each other in one field. Called by
 * query/match/phrase-matcher.ts through memory/kernel-instance.ts. Candidates mostly ascend, and so do the cursors: a cursor
 * goes back to the start of the chunk only when a candidate does. Layouts: layout/phrase-cursor.ts, layout/postings.ts.
 */
import {
  CURSOR_BYTES,
  CURSOR_COUNT,
  CURSOR_DATA,
  CURSOR_DENSE,
  CURSOR_DF,
  CURSOR_FIRST,
  CURSOR_INDEX,
  CURSOR_KIND,
  CURSOR_LEFT,
  CURSOR_LIST,
  CURSOR_PLACE,
  CURSOR_POSITION,
  CURSOR_PTR,
  CURSOR_RANKED,
  CURSOR_READ,
  CURSOR_SEGMENT,
  CURSOR_STREAM,
  CURSOR_TABLE,
} from '../layout/phrase-cursor';
import {
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_DENSE,
  CHUNK_KIND_RANKED,
  DENSE_RANKS,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_SINGLE,
  POSITION_BLOCK,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { SEGMENT_SIZE } from '../layout/segment';
import { hasBit } from './bit-lists';
import { gallop, rankInBlock, skipPostings } from './position-stream';
import { rankOfDoc } from './ranked-chunks';

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

/** Puts the cursor before the first posting of `chunk`. Neither chunks nor postings in one can be more than 65,536. */
function enterChunk(cursor: usize, chunk: u32): void {
  store<u32>(cursor, 0, CURSOR_PLACE);
  store<u32>(cursor, 0, CURSOR_INDEX);
  store<u32>(cursor, load<u32>(cursor, CURSOR_STREAM), CURSOR_PTR);
  store<u32>(cursor, 0, CURSOR_DATA);
  if (load<u32>(cursor, CURSOR_KIND) != ENTRY_KIND_CHUNKED) return;
  const list = <usize>load<u32>(cursor, CURSOR_LIST);
  let low: u32 = 0;
  const chunks = min(load<u32>(list), <u32>CHUNK_DOCS);
  let high = chunks;
  const entries = list + 4;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (<u32>load<u16>(entries + middle * CHUNK_ENTRY_BYTES, CHUNK_ENTRY_CHUNK) < chunk) low = middle + 1;
    else high = middle;
  }
  const entry = entries + low * CHUNK_ENTRY_BYTES;
  if (low == chunks || <u32>load<u16>(entry, CHUNK_ENTRY_CHUNK) != chunk) return;
  const segment = load<u32>(cursor, CURSOR_SEGMENT);
  const kind = load<u8>(entry, CHUNK_ENTRY_KIND);
  const form: u32 = kind == CHUNK_KIND_RANKED ? CURSOR_RANKED : kind == CHUNK_KIND_DENSE ? CURSOR_DENSE : 0;
  store<u32>(cursor, segment + load<u32>(entry, CHUNK_ENTRY_DATA), CURSOR_DATA);
  store<u32>(cursor, min(load<u32>(entry, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS) | form, CURSOR_COUNT);
  store<u32>(cursor, load<u32>(entry, CHUNK_ENTRY_FIRST), CURSOR_FIRST);
}

/** Index of the posting of document d (of the chunk) in the cursor's whole list, or -1. */
function findPosting(cursor: usize, chunk: u32, d: u32): i32 {
  const kind = load<u32>(cursor, CURSOR_KIND);
  const list = load<u32>(cursor, CURSOR_LIST);
  if (kind == ENTRY_KIND_SINGLE) return list == ((chunk << 16) | d) ? 0 : -1;
  if (kind != ENTRY_KIND_CHUNKED) {
    const df = min(load<u32>(cursor, CURSOR_DF), <u32>TINY_DOCS_MAX);
    const doc = (chunk << 16) | d;
    for (let i: u32 = 0; i < df; i++) if (load<u32>(<usize>list + (i << 2)) == doc) return i;
    return -1;
  }
  const data = <usize>load<u32>(cursor, CURSOR_DATA);
  if (!data) return -1;
  const count = load<u32>(cursor, CURSOR_COUNT);
  const first = load<u32>(cursor, CURSOR_FIRST);
  if (count & CURSOR_RANKED) return hasBit(data, d) ? first + rankOfDoc(data, d) : -1;
  if (count & CURSOR_DENSE) {
    if (!load<u8>(data + d)) return -1;
    const block = d >> 7;
    const rank = <u32>load<u16>(data + (block << 1), DENSE_RANKS);
    return first + rank + rankInBlock(data + (block << 7), d);
  }
  const place = gallop(data, count, load<u32>(cursor, CURSOR_PLACE), d);
  store<u32>(cursor, place, CURSOR_PLACE);
  return place < count && <u32>load<u16>(data + (place << 1)) == d ? first + place : -1;
}

/** Makes the cursor ready to read the positions of posting `index`; its first position becomes the current one. */
function openPosting(cursor: usize, index: u32): void {
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
function isAdjacent(cursors: usize, tokens: u32): bool {
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

/**
 * Sets marks[i] = 1 for each document list[i] of u16[count] that has the phrase in the field of `cursors`
 * (tokens x CURSOR_BYTES, in the order typed). Marks already set are kept and not looked at.
 */
export function markPhrase(cursors: usize, tokens: u32, chunk: u32, list: usize, count: u32, marks: usize): void {
  let last: u32 = 0x10000;
  for (let i: u32 = 0; i < count; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    if (d < last) for (let t: u32 = 0; t < tokens; t++) enterChunk(cursors + <usize>t * CURSOR_BYTES, chunk);
    last = d;
    if (load<u8>(marks + i)) continue;
    let t: u32 = 0;
    for (; t < tokens; t++) {
      const cursor = cursors + <usize>t * CURSOR_BYTES;
      const index = findPosting(cursor, chunk, d);
      // A negative one, or one that a damaged chunk gives.
      if (<u32>index >= load<u32>(cursor, CURSOR_DF)) break;
      openPosting(cursor, index);
    }
    if (t == tokens && isAdjacent(cursors, tokens)) store<u8>(marks + i, 1);
  }
}

/** Makes the marks of `count` candidates all `mark`. */
export function startMarks(marks: usize, count: u32, mark: u32): void {
  memory.fill(marks, <u8>mark, count);
}

/** Writes the marked documents of list u16[count] to docs, their scores acc[d] to scores; returns how many. */
export function takeMarked(list: usize, count: u32, marks: usize, acc: usize, docs: usize, scores: usize): u32 {
  let taken: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (!load<u8>(marks + i)) continue;
    const d = <u32>load<u16>(list + (i << 1));
    store<u16>(docs + (taken << 1), d);
    store<f32>(scores + (taken << 2), load<f32>(acc + (<usize>d << 2)));
    taken++;
  }
  return taken;
}
