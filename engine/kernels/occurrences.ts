/**
 * Finds which candidates hold a token's terms: entries are walked once, and what they list is looked up among the
 * candidates, or the candidates in a long list. Called by query/bonuses/segment-occurrences.ts. Layouts:
 * layout/occurrences.ts, layout/postings.ts.
 */
import {
  HIT_BYTES,
  HIT_CURSOR,
  HIT_CURSOR_BYTES,
  HIT_CURSOR_ENTRY,
  HIT_CURSOR_INDEX,
  HIT_CURSOR_PTR,
  HIT_NEXT,
  HIT_NTH,
  HIT_POSTING,
  HIT_SOURCE,
  CANDIDATE_IF_WHOLE,
  OCCURRENCE_DOCS_MAX,
  OCCURRENCE_FILTER_BYTES,
  OCCURRENCE_HITS_MAX,
  OCCURRENCE_RANGE_BYTES,
  OCCURRENCE_RANGE_HIGH,
  OCCURRENCE_RANGE_LOW,
  OCCURRENCE_RANGE_SOURCE,
  OCCURRENCES_CANDIDATES,
  OCCURRENCES_CURSOR,
  OCCURRENCES_CURSOR_COUNT,
  OCCURRENCES_CURSORS,
  OCCURRENCES_DOC_COUNT,
  OCCURRENCES_DOCS,
  OCCURRENCES_ENTRIES,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_FIELD_MAP,
  OCCURRENCES_FILTER,
  OCCURRENCES_HEADS,
  OCCURRENCES_HIT_COUNT,
  OCCURRENCES_HITS,
  OCCURRENCES_RANGES,
  OCCURRENCES_SEGMENT,
  OCCURRENCES_SOURCE_COUNT,
  OCCURRENCES_SOURCES,
  OCCURRENCES_VERDICTS,
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
  DENSE_BLOCKS,
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
import { mayBeWhole } from './occurrence-fields';
import { gallop, rankInBlock } from './position-stream';

/** Index of `doc` among the candidates, or -1. */
@inline
function findCandidate(state: usize, doc: u32): i32 {
  const bit = doc & 8191;
  if (!(load<u8>(state + OCCURRENCES_FILTER + (bit >> 3)) & (1 << (bit & 7)))) return -1;
  const docs = state + OCCURRENCES_DOCS;
  let low: u32 = 0;
  let high = load<u32>(state, OCCURRENCES_DOC_COUNT);
  const count = high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(docs + (middle << 2)) < doc) low = middle + 1;
    else high = middle;
  }
  return low < count && load<u32>(docs + (low << 2)) == doc ? <i32>low : -1;
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
  store<u32>(state, index + 1, OCCURRENCES_CURSOR_COUNT);
  store<u32>(state, index + 1, OCCURRENCES_CURSOR);
  return index;
}

/** Notes that `candidate` is posting `posting` of the entry; false when there is no room. */
function addHit(state: usize, candidate: u32, place: u32, source: u32, entry: usize, posting: u32): bool {
  const group = candidate * load<u32>(state, OCCURRENCES_FIELD_COUNT) + place;
  const head = state + OCCURRENCES_HEADS + (group << 2);
  const hits = state + OCCURRENCES_HITS;
  const last = load<u32>(head);
  let nth: u32 = 0;
  if (last) {
    const before = hits + <usize>(last - 1) * HIT_BYTES;
    if (<u32>load<u16>(before, HIT_SOURCE) == source) nth = <u32>load<u16>(before, HIT_NTH) + 1;
    if (nth == RUNS_MAX) return true;
  }
  const index = load<u32>(state, OCCURRENCES_HIT_COUNT);
  if (index == <u32>OCCURRENCE_HITS_MAX) return false;
  const hit = hits + <usize>index * HIT_BYTES;
  store<u32>(hit, last, HIT_NEXT);
  store<u16>(hit, <u16>source, HIT_SOURCE);
  store<u16>(hit, <u16>nth, HIT_NTH);
  store<u32>(hit, cursorOf(state, entry), HIT_CURSOR);
  store<u32>(hit, posting, HIT_POSTING);
  store<u32>(head, index + 1);
  store<u32>(state, index + 1, OCCURRENCES_HIT_COUNT);
  return true;
}

/** Looks the candidates up in the chunked list of the entry. Candidates and chunks ascend. */
function findInChunks(state: usize, entry: usize, place: u32, source: u32): bool {
  const segment = <usize>load<u32>(state, OCCURRENCES_SEGMENT);
  const docs = state + OCCURRENCES_DOCS;
  const docCount = load<u32>(state, OCCURRENCES_DOC_COUNT);
  const list = segment + load<u32>(entry, ENTRY_LIST);
  const df = load<u32>(entry, ENTRY_DF);
  const chunks = min(load<u32>(list), <u32>CHUNK_DOCS);
  let i: u32 = 0;
  for (let c: u32 = 0; c < chunks && i < docCount; c++) {
    const directory = list + 4 + <usize>c * CHUNK_ENTRY_BYTES;
    const chunk = <u32>load<u16>(directory, CHUNK_ENTRY_CHUNK);
    while (i < docCount && load<u32>(docs + (i << 2)) >> 16 < chunk) i++;
    const data = segment + load<u32>(directory, CHUNK_ENTRY_DATA);
    const count = min(load<u32>(directory, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const first = load<u32>(directory, CHUNK_ENTRY_FIRST);
    const dense = load<u8>(directory, CHUNK_ENTRY_KIND) == CHUNK_KIND_DENSE;
    let at: u32 = 0;
    for (; i < docCount; i++) {
      const doc = load<u32>(docs + (i << 2));
      if (doc >> 16 != chunk) break;
      const d = doc & 0xffff;
      if (dense) {
        if (!load<u8>(data + d)) continue;
        at = <u32>load<u16>(data + CHUNK_DOCS + DENSE_BLOCKS + ((d >> 7) << 1));
        at += rankInBlock(data + (d & ~127), d);
      } else {
        at = gallop(data, count, at, d);
        if (at == count) {
          // No later candidate of the chunk is there either, but the next chunk has its own.
          while (i < docCount && load<u32>(docs + (i << 2)) >> 16 == chunk) i++;
          break;
        }
        if (<u32>load<u16>(data + (at << 1)) != d) continue;
      }
      // A damaged chunk may name more postings than the list has.
      if (first + at < df && !addHit(state, i, place, source, entry, first + at)) return false;
    }
  }
  return true;
}

/** Puts u64[count] at `keys` in ascending order. (Shell, 1959; gaps of Ciura, 2001.) */
function sortKeys(keys: usize, count: u32): void {
  for (let gap: u32 = count > 57 ? 57 : count > 23 ? 23 : count > 10 ? 10 : count > 4 ? 4 : 1; ; ) {
    for (let i = gap; i < count; i++) {
      const key = load<u64>(keys + (i << 3));
      let at = i;
      while (at >= gap && load<u64>(keys + ((at - gap) << 3)) > key) {
        store<u64>(keys + (at << 3), load<u64>(keys + ((at - gap) << 3)));
        at -= gap;
      }
      store<u64>(keys + (at << 3), key);
    }
    if (gap == 1) return;
    gap = gap == 57 ? 23 : gap == 23 ? 10 : gap == 10 ? 4 : 1;
  }
}

/** Clears `bytes` bytes, and up to 15 more: areas end in 16 bytes that nobody needs, or on a multiple of 16. */
@inline
function clear(ptr: usize, bytes: u32): void {
  const end = ptr + bytes;
  for (let p = ptr; p < end; p += 16) v128.store(p, i64x2.splat(0));
}

/** Leaves those out that matter only if they are what was typed, and cannot be; returns how many candidates are left. */
function dropCandidates(state: usize): u32 {
  const count = min(load<u32>(state, OCCURRENCES_DOC_COUNT), <u32>OCCURRENCE_DOCS_MAX);
  const candidates = state + OCCURRENCES_CANDIDATES;
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const candidate = load<u64>(candidates + (i << 3));
    if (candidate & CANDIDATE_IF_WHOLE && !mayBeWhole(state, <u32>(candidate >> 32))) continue;
    store<u64>(candidates + (kept << 3), candidate);
    kept++;
  }
  store<u32>(state, kept, OCCURRENCES_DOC_COUNT);
  return kept;
}

/**
 * Leaves out candidates that do not matter, puts the others in order of document, and forgets the hits of those before.
 * Returns how many there are.
 */
export function beginCandidates(state: usize): u32 {
  const count = dropCandidates(state);
  const candidates = state + OCCURRENCES_CANDIDATES;
  const docs = state + OCCURRENCES_DOCS;
  const filter = state + OCCURRENCES_FILTER;
  const groups = count * load<u32>(state, OCCURRENCES_FIELD_COUNT);
  sortKeys(candidates, count);
  clear(filter, OCCURRENCE_FILTER_BYTES);
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(candidates + (i << 3), 4);
    const byte = filter + ((doc & 8191) >> 3);
    store<u32>(docs + (i << 2), doc);
    store<u8>(byte, load<u8>(byte) | (<u8>1 << <u8>(doc & 7)));
  }
  clear(state + OCCURRENCES_HEADS, groups << 2);
  clear(state + OCCURRENCES_VERDICTS, groups);
  clear(state + OCCURRENCES_SOURCES, load<u32>(state, OCCURRENCES_SOURCE_COUNT) << 3);
  store<u32>(state, 0, OCCURRENCES_HIT_COUNT);
  store<u32>(state, 0, OCCURRENCES_CURSOR_COUNT);
  return count;
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
      if (candidate >= 0 && !addHit(state, candidate, place, source, entry, 0)) return false;
    } else if (kind == ENTRY_KIND_TINY) {
      const list = segment + load<u32>(entry, ENTRY_LIST);
      const df = min(load<u32>(entry, ENTRY_DF), <u32>TINY_DOCS_MAX);
      for (let i: u32 = 0; i < df; i++) {
        const candidate = findCandidate(state, load<u32>(list + (i << 2)));
        if (candidate >= 0 && !addHit(state, candidate, place, source, entry, i)) return false;
      }
    } else if (!findInChunks(state, entry, place, source)) return false;
  }
  return true;
}

/**
 * Notes the candidates that the entries of the first `count` ranges list as hits of their sources. Returns 0 when there is
 * no room for all of them.
 */
export function findHits(state: usize, count: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const range = state + OCCURRENCES_RANGES + i * OCCURRENCE_RANGE_BYTES;
    const low = load<u32>(range, OCCURRENCE_RANGE_LOW);
    const high = load<u32>(range, OCCURRENCE_RANGE_HIGH);
    if (!findInEntries(state, low, high, load<u32>(range, OCCURRENCE_RANGE_SOURCE))) return 0;
  }
  return 1;
}
