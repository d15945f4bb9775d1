/**
 * How many live documents lists have: one list, or any of several, a document once. Called by kernels/term-frequencies.ts, and by
 * query/live-counts.ts and segment/live-statistics.ts through memory/kernel-instance.ts. Counts of a damaged list are bounded by what a list can have.
 * Layout: layout/postings.ts.
 */
import {
  BITSET_DOCS,
  CHUNK_BLOCKS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_BITSET,
  CHUNK_KIND_DENSE,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../layout/scratch';
import { PLAN_NO_FIELD } from '../layout/token-plan';
import { countLiveBits, hasBit } from './bit-lists';
import { itemFlag } from './chunk-forms';
import { markChunk } from './chunk-marks';

/** Postings of short lists that are compared with one another. */
const SHORT_POSTINGS_MAX: u32 = 64;
/** Documents of a chunk that are counted by their list: of more, all bits are sooner cleared and counted. */
const LISTED_MAX: u32 = 256;

/** Postings of a dense chunk whose documents are live; `live` is the chunk's part of the bitmap. */
function countDense(data: usize, live: usize): u32 {
  const absent = i8x16.splat(0);
  let count: u32 = 0;
  for (let d: u32 = 0; d < <u32>CHUNK_DOCS; d += 16) {
    const present = i8x16.bitmask(i8x16.ne(v128.load(data + d), absent));
    count += popcnt(present & <u32>load<u16>(live + (d >> 3)));
  }
  return count;
}

/** Documents in the list of entry `e` whose bit is set in the live docs at `live`. The segment has `chunks` chunks. */
export function countLive(segment: usize, e: usize, live: usize, chunks: u32): u32 {
  const kind = load<u8>(e, ENTRY_KIND);
  const list = load<u32>(e, ENTRY_LIST);
  if (kind == ENTRY_KIND_SINGLE) return hasBit(live, list);
  let count: u32 = 0;
  if (kind == ENTRY_KIND_TINY) {
    const df = min(load<u32>(e, ENTRY_DF), <u32>TINY_DOCS_MAX);
    for (let i: u32 = 0; i < df; i++) count += hasBit(live, load<u32>(segment + list + (i << 2)));
    return count;
  }
  let entry = segment + list + 4;
  const end = entry + <usize>min(load<u32>(segment + list), chunks) * CHUNK_ENTRY_BYTES;
  for (; entry < end; entry += CHUNK_ENTRY_BYTES) {
    count += countIn(segment, entry, live + <usize>load<u16>(entry, CHUNK_ENTRY_CHUNK) * CHUNK_BITSET_BYTES);
  }
  return count;
}

/** Documents of the chunk with the directory entry `at` whose bit is set in `bits`, of the chunk. */
export function countIn(segment: usize, at: usize, bits: usize): u32 {
  const data = segment + <usize>load<u32>(at, CHUNK_ENTRY_DATA);
  const kind = load<u8>(at, CHUNK_ENTRY_KIND);
  if (kind == CHUNK_KIND_DENSE) return countDense(data, bits);
  if (kind == CHUNK_KIND_BITSET) return countLiveBits(data + BITSET_DOCS, bits, CHUNK_BLOCKS);
  if (kind == CHUNK_KIND_RANKED) return countLiveBits(data, bits, CHUNK_BLOCKS);
  const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) count += hasBit(bits, <u32>load<u16>(data + (<usize>i << 1)));
  return count;
}

/** Whether the entry is of a field that `fieldMap` admits. */
@inline
function isAdmitted(e: usize, fieldMap: usize): bool {
  return load<u8>(fieldMap + load<u8>(e, ENTRY_FIELD)) != PLAN_NO_FIELD;
}

/** The directory entry of chunk number `chunk`, or of the first one behind it, in the ascending [at, end). */
function seekChunk(at: usize, end: usize, chunk: u32): usize {
  let low: usize = 0;
  let high = (end - at) / CHUNK_ENTRY_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (<u32>load<u16>(at + middle * CHUNK_ENTRY_BYTES, CHUNK_ENTRY_CHUNK) < chunk) low = middle + 1;
    else high = middle;
  }
  return at + low * CHUNK_ENTRY_BYTES;
}

/** Of the list of entry `e`, which has documents by number: their address, and how many there are. */
@inline
function shortDocs(segment: usize, e: usize): usize {
  return load<u8>(e, ENTRY_KIND) == ENTRY_KIND_SINGLE ? e + ENTRY_LIST : segment + <usize>load<u32>(e, ENTRY_LIST);
}

@inline
function shortCount(e: usize): u32 {
  return load<u8>(e, ENTRY_KIND) == ENTRY_KIND_SINGLE ? 1 : min(load<u32>(e, ENTRY_DF), <u32>TINY_DOCS_MAX);
}

/** Whether one of the entries [low, e), all short and of admitted fields or passed over, has document d. */
function isBefore(segment: usize, low: usize, e: usize, fieldMap: usize, d: u32): bool {
  for (let before = low; before < e; before += ENTRY_BYTES) {
    if (!isAdmitted(before, fieldMap)) continue;
    const docs = shortDocs(segment, before);
    const n = shortCount(before);
    for (let i: u32 = 0; i < n; i++) if (load<u32>(docs + (<usize>i << 2)) == d) return true;
  }
  return false;
}

/** As countHolders(), of lists that are all short. */
function countShort(segment: usize, low: usize, high: usize, fieldMap: usize, live: usize, docs: u32): u32 {
  let count: u32 = 0;
  for (let e = low; e < high; e += ENTRY_BYTES) {
    if (!isAdmitted(e, fieldMap)) continue;
    const list = shortDocs(segment, e);
    const n = shortCount(e);
    for (let i: u32 = 0; i < n; i++) {
      const d = load<u32>(list + (<usize>i << 2));
      if (d >= docs || (live != 0 && !hasBit(live, d))) continue;
      if (!isBefore(segment, low, e, fieldMap, d)) count++;
    }
  }
  return count;
}

/**
 * At least as many documents as countHolders() would count: exactly as many where the lists have few documents by number, else
 * all their postings.
 */
export function boundHolders(
  segment: usize, entries: usize, first: u32, end: u32, fieldMap: usize, live: usize, docs: u32,
): u32 {
  const low = entries + <usize>first * ENTRY_BYTES;
  const high = entries + <usize>end * ENTRY_BYTES;
  let postings: u32 = 0;
  let areShort = true;
  for (let e = low; e < high; e += ENTRY_BYTES) {
    if (!isAdmitted(e, fieldMap)) continue;
    postings += load<u32>(e, ENTRY_DF);
    if (load<u8>(e, ENTRY_KIND) == ENTRY_KIND_CHUNKED) areShort = false;
  }
  return areShort && postings <= SHORT_POSTINGS_MAX ? countShort(segment, low, high, fieldMap, live, docs) : postings;
}

/** The first chunk from `from` on in which the list of entry `e` has documents; `chunks`: there is none. */
function nextChunk(segment: usize, e: usize, from: u32, chunks: u32): u32 {
  if (load<u8>(e, ENTRY_KIND) != ENTRY_KIND_CHUNKED) {
    const docs = shortDocs(segment, e);
    const n = shortCount(e);
    for (let i: u32 = 0; i < n; i++) {
      const chunk = load<u32>(docs + (<usize>i << 2)) >> 16;
      if (chunk >= from) return min(chunk, chunks);
    }
    return chunks;
  }
  const list = segment + load<u32>(e, ENTRY_LIST);
  const end = list + 4 + <usize>min(load<u32>(list), chunks) * CHUNK_ENTRY_BYTES;
  const at = seekChunk(list + 4, end, from);
  return at == end ? chunks : min(<u32>load<u16>(at, CHUNK_ENTRY_CHUNK), chunks);
}

/** The directory entry of chunk number `chunk` of the list of entry `e`, which is chunked; 0: it has none. */
function entryOf(segment: usize, e: usize, chunk: u32, chunks: u32): usize {
  const list = segment + load<u32>(e, ENTRY_LIST);
  const end = list + 4 + <usize>min(load<u32>(list), chunks) * CHUNK_ENTRY_BYTES;
  const at = seekChunk(list + 4, end, chunk);
  return at == end || <u32>load<u16>(at, CHUNK_ENTRY_CHUNK) != chunk ? 0 : at;
}

/** Appends the documents of chunk number `chunk` that the list of entry `e` has to list u16[n]; returns how many it has then, more than LISTED_MAX: they are too many, or have no list. */
function listChunk(segment: usize, e: usize, chunk: u32, chunks: u32, list: usize, n: u32): u32 {
  if (load<u8>(e, ENTRY_KIND) != ENTRY_KIND_CHUNKED) {
    const docs = shortDocs(segment, e);
    const count = shortCount(e);
    for (let i: u32 = 0; i < count; i++) {
      const d = load<u32>(docs + (<usize>i << 2));
      if (d >> 16 != chunk) continue;
      if (n == LISTED_MAX) return LISTED_MAX + 1;
      store<u16>(list + (<usize>n << 1), d);
      n++;
    }
    return n;
  }
  const at = entryOf(segment, e, chunk, chunks);
  if (at == 0) return n;
  const count = load<u32>(at, CHUNK_ENTRY_COUNT);
  if (load<u8>(at, CHUNK_ENTRY_KIND) != CHUNK_KIND_SPARSE || count > LISTED_MAX - n) return LISTED_MAX + 1;
  memory.copy(list + (<usize>n << 1), segment + <usize>load<u32>(at, CHUNK_ENTRY_DATA), <usize>count << 1);
  return n + count;
}

/** How many different documents below `size` list u16[n] has whose bit is set in `live`, unless that is 0. `bits`: room for those of a chunk. */
function countListed(list: usize, n: u32, size: u32, live: usize, bits: usize): u32 {
  for (let i: u32 = 0; i < n; i++) store<u8>(bits + (<usize>load<u16>(list + (<usize>i << 1)) >> 3), 0);
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (<usize>i << 1));
    if (d >= size || hasBit(bits, d)) continue;
    const at = bits + (d >> 3);
    store<u8>(at, <u32>load<u8>(at) | (1 << (d & 7)));
    count += live == 0 ? 1 : hasBit(live, d);
  }
  return count;
}

/** Sets in `bits` those of the documents of chunk number `chunk`, of `blocks` blocks, that the list of entry `e` has. */
function markList(segment: usize, e: usize, chunk: u32, chunks: u32, blocks: u32, bits: usize): void {
  if (load<u8>(e, ENTRY_KIND) != ENTRY_KIND_CHUNKED) {
    const docs = shortDocs(segment, e);
    const count = shortCount(e);
    for (let i: u32 = 0; i < count; i++) {
      const doc = load<u32>(docs + (<usize>i << 2));
      if (doc >> 16 != chunk) continue;
      const at = bits + <usize>((doc & 0xffff) >> 3);
      store<u8>(at, <u32>load<u8>(at) | (1 << (doc & 7)));
    }
    return;
  }
  const at = entryOf(segment, e, chunk, chunks);
  if (at == 0) return;
  const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  markChunk(bits, segment + load<u32>(at, CHUNK_ENTRY_DATA), itemFlag(load<u8>(at, CHUNK_ENTRY_KIND)), n, blocks);
}

/**
 * Documents of a segment of `docs` documents that one of the lists of entries [first, end) in the fields that `fieldMap` admits
 * has, and that are live: their bit is set in `live`, unless that is 0. `bits`: room for those of two chunks. Goes through the chunks
 * that a list has documents in, and where these are few through them alone.
 */
export function countHolders(
  segment: usize, entries: usize, first: u32, end: u32, fieldMap: usize, live: usize, docs: u32, bits: usize,
): u32 {
  const low = entries + <usize>first * ENTRY_BYTES;
  const high = entries + <usize>end * ENTRY_BYTES;
  const chunks = (docs + CHUNK_DOCS - 1) / CHUNK_DOCS;
  let lists: u32 = 0;
  let one: usize = 0;
  for (let e = low; e < high; e += ENTRY_BYTES) {
    if (!isAdmitted(e, fieldMap)) continue;
    one = e;
    lists++;
  }
  if (lists == 0) return 0;
  if (lists == 1) return live == 0 ? load<u32>(one, ENTRY_DF) : countLive(segment, one, live, chunks);
  const list = bits + CHUNK_BITSET_BYTES;
  let count: u32 = 0;
  for (let from: u32 = 0; from < chunks; ) {
    let chunk = chunks;
    for (let e = low; e < high; e += ENTRY_BYTES) {
      if (isAdmitted(e, fieldMap)) chunk = min(chunk, nextChunk(segment, e, from, chunks));
    }
    if (chunk == chunks) break;
    from = chunk + 1;
    const liveBits = live == 0 ? 0 : live + <usize>chunk * CHUNK_BITSET_BYTES;
    let listed: u32 = 0;
    for (let e = low; e < high && listed <= LISTED_MAX; e += ENTRY_BYTES) {
      if (isAdmitted(e, fieldMap)) listed = listChunk(segment, e, chunk, chunks, list, listed);
    }
    const size = min(docs - chunk * CHUNK_DOCS, <u32>CHUNK_DOCS);
    if (listed <= LISTED_MAX) {
      count += countListed(list, listed, size, liveBits, bits);
      continue;
    }
    const blocks = (size + 127) >> 7;
    memory.fill(bits, 0, CHUNK_BITSET_BYTES);
    for (let e = low; e < high; e += ENTRY_BYTES) {
      if (isAdmitted(e, fieldMap)) markList(segment, e, chunk, chunks, blocks, bits);
    }
    count += countLiveBits(bits, live == 0 ? bits : liveBits, blocks);
  }
  return count;
}
