/**
 * The cursors of a phrase, one a token and field: which postings of the chunk being read a list has, where the posting of a
 * document lies and what its impact is. For the other kernels alone; exports nothing to JavaScript. Layouts:
 * layout/phrase-cursor.ts, layout/postings.ts.
 */
import {
  CURSOR_COUNT,
  CURSOR_DATA,
  CURSOR_DF,
  CURSOR_FIRST,
  CURSOR_FORM,
  CURSOR_IMPACT,
  CURSOR_INDEX,
  CURSOR_KIND,
  CURSOR_LIST,
  CURSOR_PLACE,
  CURSOR_PTR,
  CURSOR_SEGMENT,
  CURSOR_SIGNATURES,
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
  ENTRY_DF,
  ENTRY_KIND,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  POSITION_BLOCK,
  RANKED_IMPACTS,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { hasBit } from './bit-lists';
import { gallop, positionBlock, positionsOf, rankInBlock, signaturesOf } from './position-stream';
import { rankOfDoc } from './ranked-chunks';

/** Makes `cursor` one of the list of the entry at `entry`, in no chunk. */
export function openCursor(cursor: usize, segment: usize, entry: usize): void {
  const kind = load<u8>(entry, ENTRY_KIND);
  const df = load<u32>(entry, ENTRY_DF);
  const list = load<u32>(entry, ENTRY_LIST);
  store<u32>(cursor, kind == ENTRY_KIND_SINGLE ? list : <u32>segment + list, CURSOR_LIST);
  store<u32>(cursor, kind == ENTRY_KIND_TINY ? min(df, <u32>TINY_DOCS_MAX) : df, CURSOR_DF);
  store<u8>(cursor, kind, CURSOR_KIND);
  store<u8>(cursor, load<u8>(entry, ENTRY_MAX_IMPACT), CURSOR_IMPACT);
  store<u32>(cursor, df > <u32>POSITION_BLOCK ? <u32>positionsOf(segment, entry) : 0, CURSOR_TABLE);
  store<u32>(cursor, <u32>positionBlock(segment, entry, 0), CURSOR_STREAM);
  store<u32>(cursor, <u32>segment, CURSOR_SEGMENT);
  store<u32>(cursor, <u32>signaturesOf(segment, entry), CURSOR_SIGNATURES);
}

/** Makes chunk number `chunk` the one being read. Neither chunks nor postings in one can be more than 65,536. */
export function enterChunk(cursor: usize, chunk: u32): void {
  store<u32>(cursor, 0, CURSOR_COUNT);
  const df = load<u32>(cursor, CURSOR_DF);
  if (df == 0) return;
  store<u32>(cursor, 0, CURSOR_INDEX);
  store<u32>(cursor, load<u32>(cursor, CURSOR_STREAM), CURSOR_PTR);
  store<u32>(cursor, 0, CURSOR_PLACE);
  const kind = load<u8>(cursor, CURSOR_KIND);
  const list = <usize>load<u32>(cursor, CURSOR_LIST);
  if (kind == ENTRY_KIND_SINGLE) {
    if (<u32>list >> 16 == chunk) store<u32>(cursor, 1, CURSOR_COUNT);
    return;
  }
  if (kind != ENTRY_KIND_CHUNKED) {
    let count: u32 = 0;
    for (let i: u32 = 0; i < df; i++) if (load<u32>(list + (i << 2)) >> 16 == chunk) count++;
    store<u32>(cursor, count, CURSOR_COUNT);
    return;
  }
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
  const count = min(load<u32>(entry, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  const first = load<u32>(entry, CHUNK_ENTRY_FIRST);
  // Only a damaged chunk has postings that the list does not have.
  if (count > df || first > df - count) return;
  store<u32>(cursor, load<u32>(cursor, CURSOR_SEGMENT) + load<u32>(entry, CHUNK_ENTRY_DATA), CURSOR_DATA);
  store<u32>(cursor, count, CURSOR_COUNT);
  store<u32>(cursor, first, CURSOR_FIRST);
  store<u8>(cursor, load<u8>(entry, CHUNK_ENTRY_KIND), CURSOR_FORM);
}

/** Whether the list of the cursor is a chunk of CHUNK_KIND_* `form` in the chunk being read. */
@inline
export function isForm(cursor: usize, form: u32): bool {
  return load<u8>(cursor, CURSOR_KIND) == ENTRY_KIND_CHUNKED && <u32>load<u8>(cursor, CURSOR_FORM) == form;
}

/** Index of document `doc` in the cursor's short list, or -1. */
function findShort(cursor: usize, doc: u32): i32 {
  const list = load<u32>(cursor, CURSOR_LIST);
  if (load<u8>(cursor, CURSOR_KIND) == ENTRY_KIND_SINGLE) return list == doc ? 0 : -1;
  const df = load<u32>(cursor, CURSOR_DF);
  for (let i: u32 = 0; i < df; i++) if (load<u32>(<usize>list + (i << 2)) == doc) return i;
  return -1;
}

/** Index of the posting of document d of the chunk being read in the cursor's whole list, or -1; documents ascend. */
export function findPosting(cursor: usize, chunk: u32, d: u32): i32 {
  const count = load<u32>(cursor, CURSOR_COUNT);
  if (count == 0) return -1;
  if (load<u8>(cursor, CURSOR_KIND) != ENTRY_KIND_CHUNKED) return findShort(cursor, (chunk << 16) | d);
  const data = <usize>load<u32>(cursor, CURSOR_DATA);
  const first = load<u32>(cursor, CURSOR_FIRST);
  const form = load<u8>(cursor, CURSOR_FORM);
  if (form == CHUNK_KIND_RANKED) return hasBit(data, d) ? first + rankOfDoc(data, d) : -1;
  if (form == CHUNK_KIND_DENSE) {
    if (!load<u8>(data + d)) return -1;
    const block = d >> 7;
    const rank = <u32>load<u16>(data + (block << 1), DENSE_RANKS);
    return first + rank + rankInBlock(data + (block << 7), d);
  }
  const place = gallop(data, count, load<u32>(cursor, CURSOR_PLACE), d);
  store<u32>(cursor, place, CURSOR_PLACE);
  return place < count && <u32>load<u16>(data + (place << 1)) == d ? first + place : -1;
}

/** Impact of document d of the chunk being read, 0 when it is not in the list; documents ascend. */
export function impactOf(cursor: usize, chunk: u32, d: u32): u32 {
  const count = load<u32>(cursor, CURSOR_COUNT);
  if (count == 0) return 0;
  if (load<u8>(cursor, CURSOR_KIND) != ENTRY_KIND_CHUNKED) {
    const index = findShort(cursor, (chunk << 16) | d);
    if (index < 0) return 0;
    if (load<u8>(cursor, CURSOR_KIND) == ENTRY_KIND_SINGLE) return load<u8>(cursor, CURSOR_IMPACT);
    return load<u8>(<usize>load<u32>(cursor, CURSOR_LIST) + (load<u32>(cursor, CURSOR_DF) << 2) + index);
  }
  const data = <usize>load<u32>(cursor, CURSOR_DATA);
  const form = load<u8>(cursor, CURSOR_FORM);
  if (form == CHUNK_KIND_RANKED) return hasBit(data, d) ? load<u8>(data + rankOfDoc(data, d), RANKED_IMPACTS) : 0;
  if (form == CHUNK_KIND_DENSE) return load<u8>(data + d);
  const place = gallop(data, count, load<u32>(cursor, CURSOR_PLACE), d);
  store<u32>(cursor, place, CURSOR_PLACE);
  return place < count && <u32>load<u16>(data + (place << 1)) == d ? load<u8>(data + (count << 1) + place) : 0;
}

/** Has findPosting() and impactOf() begin anew with the documents of the chunk being read. */
@inline
export function restartChunk(cursor: usize): void {
  store<u32>(cursor, 0, CURSOR_PLACE);
}
