/**
 * Finds which candidates hold a token's terms: entries are walked once, and what they list is looked up among the
 * candidates, or the candidates in a long list. Used by kernels/candidates.ts. Layouts:
 * layout/occurrences.ts, layout/postings.ts.
 */
import {
  CANDIDATE_DOC_SHIFT,
  CANDIDATE_SEGMENT_SHIFT,
  HIT_BYTES,
  HIT_CURSOR,
  HIT_CURSOR_BYTES,
  HIT_CURSOR_ENTRY,
  HIT_CURSOR_INDEX,
  HIT_CURSOR_PTR,
  HIT_CURSOR_SEGMENT,
  HIT_NEXT,
  HIT_NTH_SHIFT,
  HIT_POSTING,
  HIT_SIGNATURE,
  HIT_SOURCE,
  OCCURRENCES_CANDIDATES,
  OCCURRENCES_CURSOR,
  OCCURRENCES_CURSORS,
  OCCURRENCES_CURSOR_COUNT,
  OCCURRENCES_DOCS,
  OCCURRENCES_ENTRIES,
  OCCURRENCES_ENTRY,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_FIELD_MAP,
  OCCURRENCES_FILTER,
  OCCURRENCES_HEADS,
  OCCURRENCES_HITS,
  OCCURRENCES_HIT_COUNT,
  OCCURRENCES_LOOKED_UP,
  OCCURRENCES_RANGE,
  OCCURRENCES_RECORD,
  OCCURRENCES_SEARCHED,
  OCCURRENCES_SEARCHED_TO,
  OCCURRENCES_SEGMENT,
  OCCURRENCES_SIGNATURES,
  OCCURRENCES_STEPS,
  OCCURRENCES_TO,
  OCCURRENCE_FILTER_BYTES,
  OCCURRENCE_HITS_MAX,
  OCCURRENCE_RANGE_BYTES,
  OCCURRENCE_RANGE_HIGH,
  OCCURRENCE_RANGE_LOW,
  OCCURRENCE_RANGE_SOURCE,
  OCCURRENCE_RECORD_RANGES,
  OCCURRENCE_RECORD_RANGE_COUNT,
  RUNS_MAX,
} from '../layout/occurrences';
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
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { PLAN_NO_FIELD } from '../layout/token-plan';
import { hasBit } from './bit-lists';
import { enterSegment } from './occurrence-runs';
import { gallop, rankInBlock, signatureAt } from './position-stream';
import { rankOfDoc } from './ranked-chunks';

/** What findHits() returns: all hits of the part are found; there is no room for all; its steps are used up. */
export const FOUND_ALL = 0;
export const FOUND_TOO_MANY = 1;
export const FINDING = 2;

/** Index of `doc` among the candidates of the segment being searched, or -1. */
@inline
function findCandidate(state: usize, doc: u32): i32 {
  const bit = doc & 8191;
  if (!(load<u8>(state + OCCURRENCES_FILTER + (bit >> 3)) & (1 << (bit & 7)))) return -1;
  const docs = state + OCCURRENCES_DOCS;
  let low = load<u32>(state, OCCURRENCES_SEARCHED);
  let high = load<u32>(state, OCCURRENCES_SEARCHED_TO);
  const end = high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(docs + (middle << 2)) < doc) low = middle + 1;
    else high = middle;
  }
  return low < end && load<u32>(docs + (low << 2)) == doc ? <i32>low : -1;
}

/** The cursor of the entry at `entry`, the one being walked: index, made at its first hit. */
@inline
function cursorOf(state: usize, entry: usize): u32 {
  const made = load<u32>(state, OCCURRENCES_CURSOR);
  if (made) return made - 1;
  const index = load<u32>(state, OCCURRENCES_CURSOR_COUNT);
  const cursor = state + OCCURRENCES_CURSORS + <usize>index * HIT_CURSOR_BYTES;
  store<u32>(cursor, <u32>entry, HIT_CURSOR_ENTRY);
  store<u32>(cursor, 0, HIT_CURSOR_INDEX);
  store<u32>(cursor, 0, HIT_CURSOR_PTR);
  store<u32>(cursor, load<u32>(state, OCCURRENCES_SEGMENT), HIT_CURSOR_SEGMENT);
  store<u32>(state, index + 1, OCCURRENCES_CURSOR_COUNT);
  store<u32>(state, index + 1, OCCURRENCES_CURSOR);
  return index;
}

/** Notes that `candidate` is posting `posting` of the entry, which has that signature; false when there is no room. */
function addHit(
  state: usize,
  candidate: u32,
  place: u32,
  source: u32,
  entry: usize,
  posting: u32,
  signature: u32,
): bool {
  const group = candidate * load<u32>(state, OCCURRENCES_FIELD_COUNT) + place;
  const head = state + OCCURRENCES_HEADS + (group << 2);
  const hits = state + OCCURRENCES_HITS;
  const last = load<u32>(head);
  let nth: u32 = 0;
  if (last) {
    const before = hits + <usize>(last - 1) * HIT_BYTES;
    if (<u32>load<u16>(before, HIT_SOURCE) == source) nth = (load<u32>(before, HIT_CURSOR) >> HIT_NTH_SHIFT) + 1;
    if (nth == RUNS_MAX) return true;
  }
  const index = load<u32>(state, OCCURRENCES_HIT_COUNT);
  if (index == <u32>OCCURRENCE_HITS_MAX) return false;
  const hit = hits + <usize>index * HIT_BYTES;
  store<u32>(hit, last, HIT_NEXT);
  store<u16>(hit, <u16>source, HIT_SOURCE);
  store<u16>(hit, <u16>signature, HIT_SIGNATURE);
  store<u32>(hit, cursorOf(state, entry) | (nth << HIT_NTH_SHIFT), HIT_CURSOR);
  store<u32>(hit, posting, HIT_POSTING);
  store<u32>(head, index + 1);
  store<u32>(state, index + 1, OCCURRENCES_HIT_COUNT);
  return true;
}

/**
 * Looks the segment's candidates up in the chunked list of the entry, and writes those that it has, with their postings, to
 * LOOKED_UP; returns how many. Candidates and chunks ascend. No branch depends on whether the list has a document of a long chunk: so those of
 * many are waited for at once.
 */
@inline
function lookUp(state: usize, entry: usize): u32 {
  const segment = <usize>load<u32>(state, OCCURRENCES_SEGMENT);
  const docs = state + OCCURRENCES_DOCS;
  const end = load<u32>(state, OCCURRENCES_SEARCHED_TO);
  const list = segment + load<u32>(entry, ENTRY_LIST);
  const df = load<u32>(entry, ENTRY_DF);
  const chunks = min(load<u32>(list), <u32>CHUNK_DOCS);
  const first = state + OCCURRENCES_LOOKED_UP;
  let out = first;
  let i = load<u32>(state, OCCURRENCES_SEARCHED);
  for (let c: u32 = 0; c < chunks && i < end; c++) {
    const directory = list + 4 + <usize>c * CHUNK_ENTRY_BYTES;
    const chunk = <u32>load<u16>(directory, CHUNK_ENTRY_CHUNK);
    while (i < end && load<u32>(docs + (i << 2)) >> 16 < chunk) i++;
    const data = segment + load<u32>(directory, CHUNK_ENTRY_DATA);
    const count = min(load<u32>(directory, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const before = load<u32>(directory, CHUNK_ENTRY_FIRST);
    const kind = load<u8>(directory, CHUNK_ENTRY_KIND);
    let at: u32 = 0;
    for (; i < end; i++) {
      const doc = load<u32>(docs + (i << 2));
      if (doc >> 16 != chunk) break;
      const d = doc & 0xffff;
      let isThere: u32 = 1;
      if (kind == CHUNK_KIND_RANKED) {
        isThere = hasBit(data, d);
        at = rankOfDoc(data, d);
      } else if (kind == CHUNK_KIND_DENSE) {
        if (!load<u8>(data + d)) continue;
        at = <u32>load<u16>(data + ((d >> 7) << 1), DENSE_RANKS);
        at += rankInBlock(data + (d & ~127), d);
      } else {
        at = gallop(data, count, at, d);
        if (at == count) {
          // No later candidate of the chunk is there either, but the next chunk has its own.
          while (i < end && load<u32>(docs + (i << 2)) >> 16 == chunk) i++;
          break;
        }
        if (<u32>load<u16>(data + (at << 1)) != d) continue;
      }
      store<u32>(out, i);
      store<u32>(out, before + at, 4);
      // A damaged chunk may name more postings than the list has.
      out += <usize>(isThere & u32(before + at < df)) << 3;
    }
  }
  return <u32>((out - first) >> 3);
}

/** Notes the segment's candidates that the chunked list of the entry has as hits of `source`; false when there is no room. */
function findInChunks(state: usize, entry: usize, place: u32, source: u32): bool {
  const count = lookUp(state, entry);
  if (count == 0) return true;
  const lookedUp = state + OCCURRENCES_LOOKED_UP;
  const signatures = state + OCCURRENCES_SIGNATURES;
  const segment = <usize>load<u32>(state, OCCURRENCES_SEGMENT);
  // All of them first: they lie far from one another.
  for (let i: u32 = 0; i < count; i++) {
    const signature = signatureAt(segment, entry, load<u32>(lookedUp + (i << 3), 4));
    store<u16>(signatures + (i << 1), <u16>signature);
  }
  for (let i: u32 = 0; i < count; i++) {
    const candidate = load<u32>(lookedUp + (i << 3));
    const posting = load<u32>(lookedUp + (i << 3), 4);
    const signature = <u32>load<u16>(signatures + (i << 1));
    if (!addHit(state, candidate, place, source, entry, posting, signature)) return false;
  }
  return true;
}

/** Clears `bytes` bytes, and up to 15 more: areas end in 16 bytes that nobody needs, or on a multiple of 16. */
@inline
export function clear(ptr: usize, bytes: u32): void {
  const end = ptr + bytes;
  for (let p = ptr; p < end; p += 16) v128.store(p, i64x2.splat(0));
}

/** Goes on to the segment of candidate `from`, and finds where the part's candidates of it end. */
function beginSegment(state: usize, from: u32): void {
  const candidates = state + OCCURRENCES_CANDIDATES;
  const first = load<u64>(candidates + (from << 3));
  const last = load<u32>(state, OCCURRENCES_TO);
  const filter = state + OCCURRENCES_FILTER;
  enterSegment(state, first);
  clear(filter, OCCURRENCE_FILTER_BYTES);
  let to = from;
  for (; to < last; to++) {
    const candidate = load<u64>(candidates + (to << 3));
    if (candidate >> CANDIDATE_SEGMENT_SHIFT != first >> CANDIDATE_SEGMENT_SHIFT) break;
    const doc = <u32>(candidate >> CANDIDATE_DOC_SHIFT);
    const byte = filter + ((doc & 8191) >> 3);
    store<u8>(byte, load<u8>(byte) | (<u8>1 << <u8>(doc & 7)));
  }
  store<u32>(state, to, OCCURRENCES_SEARCHED_TO);
  store<u32>(state, 0, OCCURRENCES_RANGE);
  store<u32>(state, 0, OCCURRENCES_ENTRY);
}

/** Notes the candidates that the entries [low, high) list, in queried fields, as hits of `source`. */
function findInEntries(state: usize, low: u32, high: u32, source: u32): bool {
  const fieldMap = <usize>load<u32>(state, OCCURRENCES_FIELD_MAP);
  const segment = <usize>load<u32>(state, OCCURRENCES_SEGMENT);
  let entry = <usize>load<u32>(state, OCCURRENCES_ENTRIES) + <usize>low * ENTRY_BYTES;
  for (let e = low; e < high; e++, entry += ENTRY_BYTES) {
    const place = <u32>load<u8>(fieldMap + load<u8>(entry, ENTRY_FIELD));
    if (place == PLAN_NO_FIELD) continue;
    store<u32>(state, 0, OCCURRENCES_CURSOR);
    const kind = <u32>load<u8>(entry, ENTRY_KIND);
    if (kind == ENTRY_KIND_SINGLE) {
      const candidate = findCandidate(state, load<u32>(entry, ENTRY_LIST));
      if (candidate >= 0 && !addHit(state, candidate, place, source, entry, 0, signatureAt(segment, entry, 0))) return false;
    } else if (kind == ENTRY_KIND_TINY) {
      const list = segment + load<u32>(entry, ENTRY_LIST);
      const df = min(load<u32>(entry, ENTRY_DF), <u32>TINY_DOCS_MAX);
      for (let i: u32 = 0; i < df; i++) {
        const candidate = findCandidate(state, load<u32>(list + (i << 2)));
        if (candidate >= 0 && !addHit(state, candidate, place, source, entry, i, signatureAt(segment, entry, i))) return false;
      }
    } else if (!findInChunks(state, entry, place, source)) return false;
  }
  return true;
}

/** Looks through the ranges of the segment being searched, from where that stopped; FOUND_ALL: of this segment. */
function findInRanges(state: usize): u32 {
  const record = <usize>load<u32>(state, OCCURRENCES_RECORD);
  const ranges = <usize>load<u32>(record, OCCURRENCE_RECORD_RANGES);
  const count = load<u32>(record, OCCURRENCE_RECORD_RANGE_COUNT);
  let left = load<i32>(state, OCCURRENCES_STEPS);
  for (let i = load<u32>(state, OCCURRENCES_RANGE); i < count; i++) {
    const range = ranges + <usize>i * OCCURRENCE_RANGE_BYTES;
    const low = max(load<u32>(range, OCCURRENCE_RANGE_LOW), load<u32>(state, OCCURRENCES_ENTRY));
    const end = load<u32>(range, OCCURRENCE_RANGE_HIGH);
    if (left <= 0) {
      store<u32>(state, i, OCCURRENCES_RANGE);
      store<u32>(state, low, OCCURRENCES_ENTRY);
      return FINDING;
    }
    const high = min(end, low + <u32>left);
    if (!findInEntries(state, low, high, load<u32>(range, OCCURRENCE_RANGE_SOURCE))) return FOUND_TOO_MANY;
    left -= <i32>(high - low);
    if (high < end) {
      store<u32>(state, high, OCCURRENCES_ENTRY);
      i--;
    } else store<u32>(state, 0, OCCURRENCES_ENTRY);
  }
  store<i32>(state, left, OCCURRENCES_STEPS);
  return FOUND_ALL;
}

/** Finds the hits of the part's candidates from where that stopped, or was to begin, on. */
export function findHits(state: usize): u32 {
  const to = load<u32>(state, OCCURRENCES_TO);
  let from = load<u32>(state, OCCURRENCES_SEARCHED);
  while (from < to) {
    if (load<u32>(state, OCCURRENCES_SEARCHED_TO) == from) beginSegment(state, from);
    const found = findInRanges(state);
    if (found != FOUND_ALL) return found;
    from = load<u32>(state, OCCURRENCES_SEARCHED_TO);
    store<u32>(state, from, OCCURRENCES_SEARCHED);
  }
  return FOUND_ALL;
}
