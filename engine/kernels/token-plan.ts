/**
 * Planning kernels: how often the terms of a range occur (largestFrequency, nextFrequentEntry); what a query token matches, laid
 * out by chunk and field (makePlan). Called by query/ through memory/kernel-instance.ts, once a token and segment. Counts of a damaged list are bounded by what a list can
 * have, so that nothing is written past its room.
 * Layouts: layout/postings.ts, layout/token-plan.ts.
 */
import {
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import {
  PLAN_CHUNK_HIGH,
  PLAN_CHUNK_LOW,
  PLAN_ENTRIES,
  PLAN_FIELD_COUNT,
  PLAN_FIELD_MAP,
  PLAN_ITEM_BYTES,
  PLAN_ITEM_COUNT,
  PLAN_ITEM_DATA,
  PLAN_ITEM_STARTS,
  PLAN_ITEM_WEIGHT,
  PLAN_ITEMS,
  PLAN_LOOSE,
  PLAN_LOOSE_STARTS,
  PLAN_NO_FIELD,
  PLAN_RANGE_BYTES,
  PLAN_RANGE_COUNT,
  PLAN_RANGES,
  PLAN_SEGMENT,
} from '../layout/token-plan';
import { itemFlag } from './chunk-forms';

/** The largest df of entries [low, high), over fields that `fieldMap` admits. */
export function largestFrequency(entries: usize, low: u32, high: u32, fieldMap: usize): u32 {
  let best: u32 = 0;
  const end = entries + <usize>high * ENTRY_BYTES;
  for (let e = entries + <usize>low * ENTRY_BYTES; e < end; e += ENTRY_BYTES) {
    if (load<u8>(fieldMap + load<u8>(e, ENTRY_FIELD)) == PLAN_NO_FIELD) continue;
    const df = load<u32>(e, ENTRY_DF);
    if (df > best) best = df;
  }
  return best;
}

/** The first entry in [low, high) of an admitted field with df > threshold; high when there is none. */
export function nextFrequentEntry(entries: usize, low: u32, high: u32, fieldMap: usize, threshold: u32): u32 {
  for (let i = low; i < high; i++) {
    const e = entries + <usize>i * ENTRY_BYTES;
    if (load<u32>(e, ENTRY_DF) > threshold && load<u8>(fieldMap + load<u8>(e, ENTRY_FIELD)) != PLAN_NO_FIELD) return i;
  }
  return high;
}

@inline
function bump(starts: usize, bucket: u32, count: u32): void {
  const p = starts + ((<usize>bucket + 1) << 2);
  store<u32>(p, load<u32>(p) + count);
}

/** The bits that count of a document's or list's chunk: none where a plan has one chunk, so that no list need be read. */
@inline
function chunkMaskOf(chunkLow: u32, chunkHigh: u32): u32 {
  return chunkLow == 0 && chunkHigh == 1 ? 0 : 0xffff;
}

/**
 * Reads the beginning of each list that is not in its entry, one load independent of the other: those that are not in the
 * cache come in side by side, whereas the passes to come would wait for each. Returns what means nothing, so that it is done.
 */
function touchLists(plan: usize): u32 {
  const segment = <usize>load<u32>(plan, PLAN_SEGMENT);
  const entries = <usize>load<u32>(plan, PLAN_ENTRIES);
  let range = <usize>load<u32>(plan, PLAN_RANGES);
  const rangesEnd = range + <usize>load<u32>(plan, PLAN_RANGE_COUNT) * PLAN_RANGE_BYTES;
  let seen: u32 = 0;
  for (; range < rangesEnd; range += PLAN_RANGE_BYTES) {
    const end = entries + <usize>load<u32>(range, 4) * ENTRY_BYTES;
    for (let e = entries + <usize>load<u32>(range) * ENTRY_BYTES; e < end; e += ENTRY_BYTES) {
      const isInEntry = load<u8>(e, ENTRY_KIND) == ENTRY_KIND_SINGLE;
      seen |= load<u32>(select(e, segment + load<u32>(e, ENTRY_LIST), isInEntry));
    }
  }
  return seen;
}

/**
 * First pass of laying out a token by (chunk, field): counts chunk lists into itemStarts[bucket + 1] and single postings
 * into looseStarts[bucket + 1]; both arrays are zero on entry and prefix sums on return.
 */
function planCount(plan: usize): void {
  const segment = <usize>load<u32>(plan, PLAN_SEGMENT);
  const entries = <usize>load<u32>(plan, PLAN_ENTRIES);
  const fieldMap = <usize>load<u32>(plan, PLAN_FIELD_MAP);
  const fieldCount = load<u32>(plan, PLAN_FIELD_COUNT);
  const chunkLow = load<u32>(plan, PLAN_CHUNK_LOW);
  const chunkHigh = load<u32>(plan, PLAN_CHUNK_HIGH);
  const chunkMask = chunkMaskOf(chunkLow, chunkHigh);
  const itemStarts = <usize>load<u32>(plan, PLAN_ITEM_STARTS);
  const looseStarts = <usize>load<u32>(plan, PLAN_LOOSE_STARTS);
  const rangeCount = load<u32>(plan, PLAN_RANGE_COUNT);
  let range = <usize>load<u32>(plan, PLAN_RANGES);
  for (let r: u32 = 0; r < rangeCount; r++, range += PLAN_RANGE_BYTES) {
    let e = entries + <usize>load<u32>(range) * ENTRY_BYTES;
    const end = entries + <usize>load<u32>(range, 4) * ENTRY_BYTES;
    for (; e < end; e += ENTRY_BYTES) {
      const field = <u32>load<u8>(fieldMap + load<u8>(e, ENTRY_FIELD));
      if (field == PLAN_NO_FIELD) continue;
      const kind = load<u8>(e, ENTRY_KIND);
      const list = load<u32>(e, ENTRY_LIST);
      if (kind == ENTRY_KIND_SINGLE) {
        const chunk = (list >> 16) & chunkMask;
        if (chunk >= chunkLow && chunk < chunkHigh) bump(looseStarts, (chunk - chunkLow) * fieldCount + field, 1);
      } else if (kind == ENTRY_KIND_TINY) {
        const df = min(load<u32>(e, ENTRY_DF), <u32>TINY_DOCS_MAX);
        if (chunkMask == 0) {
          bump(looseStarts, field, df);
          continue;
        }
        const docs = segment + list;
        for (let i: u32 = 0; i < df; i++) {
          const chunk = load<u32>(docs + (i << 2)) >> 16;
          if (chunk >= chunkLow && chunk < chunkHigh) bump(looseStarts, (chunk - chunkLow) * fieldCount + field, 1);
        }
      } else if (chunkMask == 0) {
        bump(itemStarts, field, 1);
      } else {
        let entry = segment + list + 4;
        const entriesEnd = entry + <usize>min(load<u32>(segment + list), chunkHigh) * CHUNK_ENTRY_BYTES;
        for (; entry < entriesEnd; entry += CHUNK_ENTRY_BYTES) {
          const chunk = <u32>load<u16>(entry, CHUNK_ENTRY_CHUNK);
          if (chunk >= chunkLow && chunk < chunkHigh) bump(itemStarts, (chunk - chunkLow) * fieldCount + field, 1);
        }
      }
    }
  }
  const buckets = (chunkHigh - chunkLow) * fieldCount;
  let items: u32 = 0;
  let loose: u32 = 0;
  for (let b: u32 = 1; b <= buckets; b++) {
    items += load<u32>(itemStarts + (b << 2));
    loose += load<u32>(looseStarts + (b << 2));
    store<u32>(itemStarts + (b << 2), items);
    store<u32>(looseStarts + (b << 2), loose);
  }
}

@inline
function take(starts: usize, bucket: u32): u32 {
  const p = starts + (<usize>bucket << 2);
  const i = load<u32>(p);
  store<u32>(p, i + 1);
  return i;
}

@inline
function putLoose(loose: usize, index: u32, doc: u32, impact: u32, weight: u32): void {
  store<u32>(loose + (<usize>index << 2), (doc & 0xffff) | (impact << 16) | (weight << 24));
}

/**
 * Second pass: writes the items and loose postings. On return itemStarts and looseStarts are shifted by one: bucket b
 * lies in [starts[b - 1], starts[b]), with 0 before the first.
 */
function planFill(plan: usize): void {
  const segment = <usize>load<u32>(plan, PLAN_SEGMENT);
  const entries = <usize>load<u32>(plan, PLAN_ENTRIES);
  const fieldMap = <usize>load<u32>(plan, PLAN_FIELD_MAP);
  const fieldCount = load<u32>(plan, PLAN_FIELD_COUNT);
  const chunkLow = load<u32>(plan, PLAN_CHUNK_LOW);
  const chunkHigh = load<u32>(plan, PLAN_CHUNK_HIGH);
  const chunkMask = chunkMaskOf(chunkLow, chunkHigh);
  const itemStarts = <usize>load<u32>(plan, PLAN_ITEM_STARTS);
  const looseStarts = <usize>load<u32>(plan, PLAN_LOOSE_STARTS);
  const items = <usize>load<u32>(plan, PLAN_ITEMS);
  const loose = <usize>load<u32>(plan, PLAN_LOOSE);
  const rangeCount = load<u32>(plan, PLAN_RANGE_COUNT);
  let range = <usize>load<u32>(plan, PLAN_RANGES);
  for (let r: u32 = 0; r < rangeCount; r++, range += PLAN_RANGE_BYTES) {
    let e = entries + <usize>load<u32>(range) * ENTRY_BYTES;
    const end = entries + <usize>load<u32>(range, 4) * ENTRY_BYTES;
    const weight = load<u32>(range, 8);
    for (; e < end; e += ENTRY_BYTES) {
      const field = <u32>load<u8>(fieldMap + load<u8>(e, ENTRY_FIELD));
      if (field == PLAN_NO_FIELD) continue;
      const kind = load<u8>(e, ENTRY_KIND);
      const list = load<u32>(e, ENTRY_LIST);
      if (kind == ENTRY_KIND_SINGLE) {
        const chunk = (list >> 16) & chunkMask;
        if (chunk < chunkLow || chunk >= chunkHigh) continue;
        const at = take(looseStarts, (chunk - chunkLow) * fieldCount + field);
        putLoose(loose, at, list, load<u8>(e, ENTRY_MAX_IMPACT), weight);
      } else if (kind == ENTRY_KIND_TINY) {
        const df = min(load<u32>(e, ENTRY_DF), <u32>TINY_DOCS_MAX);
        const docs = segment + list;
        const impacts = docs + (df << 2);
        for (let i: u32 = 0; i < df; i++) {
          const doc = load<u32>(docs + (i << 2));
          const chunk = (doc >> 16) & chunkMask;
          if (chunk < chunkLow || chunk >= chunkHigh) continue;
          const at = take(looseStarts, (chunk - chunkLow) * fieldCount + field);
          putLoose(loose, at, doc, load<u8>(impacts + i), weight);
        }
      } else {
        let entry = segment + list + 4;
        const chunks = chunkMask == 0 ? 1 : min(load<u32>(segment + list), chunkHigh);
        const entriesEnd = entry + <usize>chunks * CHUNK_ENTRY_BYTES;
        for (; entry < entriesEnd; entry += CHUNK_ENTRY_BYTES) {
          const chunk = <u32>load<u16>(entry, CHUNK_ENTRY_CHUNK) & chunkMask;
          if (chunk < chunkLow || chunk >= chunkHigh) continue;
          const at = take(itemStarts, (chunk - chunkLow) * fieldCount + field);
          const item = items + <usize>at * PLAN_ITEM_BYTES;
          const flag = itemFlag(load<u8>(entry, CHUNK_ENTRY_KIND));
          store<u32>(item, <u32>segment + load<u32>(entry, CHUNK_ENTRY_DATA), PLAN_ITEM_DATA);
          store<u32>(item, min(load<u32>(entry, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS) | flag, PLAN_ITEM_COUNT);
          store<u32>(item, weight, PLAN_ITEM_WEIGHT);
        }
      }
    }
  }
}

/**
 * Lays out what the ranges of `plan` hold in chunks [chunkLow, chunkHigh), in the memory from `heap` to `heapEnd`, both 4-byte
 * aligned: fills in PLAN_ITEM_STARTS, ITEMS, LOOSE_STARTS and LOOSE. Returns the end of what it took, 16-byte aligned; 0 when
 * there is no room.
 */
export function makePlan(plan: usize, heap: usize, heapEnd: usize): usize {
  const buckets =
    <usize>(load<u32>(plan, PLAN_CHUNK_HIGH) - load<u32>(plan, PLAN_CHUNK_LOW)) * load<u32>(plan, PLAN_FIELD_COUNT);
  const startsBytes = (buckets + 1) << 2;
  const looseStarts = heap + startsBytes;
  const items = looseStarts + startsBytes;
  if (items > heapEnd) return 0;
  memory.fill(heap, 0, startsBytes << 1);
  store<u32>(plan, <u32>heap, PLAN_ITEM_STARTS);
  store<u32>(plan, <u32>looseStarts, PLAN_LOOSE_STARTS);
  store<u32>(plan, touchLists(plan), PLAN_ITEMS);
  planCount(plan);
  const itemBytes = <u64>load<u32>(heap + (buckets << 2)) * PLAN_ITEM_BYTES;
  const looseBytes = <u64>load<u32>(looseStarts + (buckets << 2)) << 2;
  if (<u64>items + itemBytes + looseBytes + 15 > <u64>heapEnd) return 0;
  const loose = items + <usize>itemBytes;
  store<u32>(plan, <u32>items, PLAN_ITEMS);
  store<u32>(plan, <u32>loose, PLAN_LOOSE);
  planFill(plan);
  return (loose + <usize>looseBytes + 15) & ~(<usize>15);
}

/** True when the token has a posting in the chunk. */
export function chunkHasPostings(plan: usize, chunk: u32): u32 {
  const fieldCount = load<u32>(plan, PLAN_FIELD_COUNT);
  const itemStarts = <usize>load<u32>(plan, PLAN_ITEM_STARTS);
  const looseStarts = <usize>load<u32>(plan, PLAN_LOOSE_STARTS);
  const low = (chunk - load<u32>(plan, PLAN_CHUNK_LOW)) * fieldCount;
  const high = low + fieldCount - 1;
  const items = load<u32>(itemStarts + (high << 2)) - (low == 0 ? 0 : load<u32>(itemStarts + ((low - 1) << 2)));
  const loose = load<u32>(looseStarts + (high << 2)) - (low == 0 ? 0 : load<u32>(looseStarts + ((low - 1) << 2)));
  return items + loose;
}
