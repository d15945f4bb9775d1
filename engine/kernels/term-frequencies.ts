/**
 * Passes over the terms of a segment that too few documents hold, for suggestions (query/top-terms.ts). Layout:
 * layout/postings.ts.
 */
import { ENTRY_BYTES, ENTRY_DF, ENTRY_FIELD } from '../layout/postings';
import { PLAN_NO_FIELD } from '../layout/token-plan';
import { boundHolders } from './live-counts';

/**
 * The first of the terms [low, high) of which boundHolders() says that `wanted` > 0 documents or more may hold it; `high` when there is
 * none. `starts` has the first of the `entryCount` entries of each term. `live`, `docs`: as there.
 */
export function nextFrequentTerm(
  segment: usize, starts: usize, entries: usize, entryCount: u32, low: u32, high: u32, fieldMap: usize, wanted: u32,
  live: usize, docs: u32,
): u32 {
  let first = min(load<u32>(starts + (<usize>low << 2)), entryCount);
  const last = min(load<u32>(starts + (<usize>high << 2)), entryCount);
  // Every term has an entry at least; where none has two, which are most segments of one text field, they need no starts.
  if (last - first == high - low) {
    let entry = entries + <usize>first * ENTRY_BYTES;
    for (let ord = low; ord < high; ord++, entry += ENTRY_BYTES) {
      if (load<u32>(entry, ENTRY_DF) < wanted) continue;
      if (boundHolders(segment, entry, 0, 1, fieldMap, live, docs) >= wanted) return ord;
    }
    return high;
  }
  for (let ord = low; ord < high; ord++) {
    const begin = first;
    const end = min(load<u32>(starts + (<usize>ord << 2), 4), entryCount);
    let postings: u32 = 0;
    for (; first < end; first++) {
      const entry = entries + <usize>first * ENTRY_BYTES;
      if (load<u8>(fieldMap + load<u8>(entry, ENTRY_FIELD)) != PLAN_NO_FIELD) postings += load<u32>(entry, ENTRY_DF);
    }
    if (postings >= wanted && boundHolders(segment, entries, begin, end, fieldMap, live, docs) >= wanted) return ord;
  }
  return high;
}
