/**
 * Tells of the best documents of a query what bonuses they get for its only token, where one term at most stands for all of it and the
 * others are its completions: a completion gives one to a field that it is all of, which the field's length tells. Called by
 * query/bonuses/own-terms.ts. Layouts: layout/own-terms.ts, layout/bonus-window.ts, layout/postings.ts.
 */
import {
  WINDOW_BEGINS,
  WINDOW_COUNT,
  WINDOW_MEASURED,
  WINDOW_PLACES,
  WINDOW_STATES,
  WINDOW_WHOLE_VALUE,
} from '../layout/bonus-window';
import {
  OWN_TERMS_ENTRY,
  OWN_TERMS_LENGTHS,
  OWN_TERMS_LENGTH_WIDTH,
  OWN_TERMS_ROW_BYTES,
  OWN_TERMS_SEGMENT,
} from '../layout/own-terms';
import {
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_DF,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { hasBit } from './bit-lists';
import { isExact, signatureAt, SIGNATURE_UNKNOWN } from './position-stream';
import { rankOfDoc } from './ranked-chunks';

/** Of a document, instead of a signature: the list does not have it. */
const NOT_THERE: u32 = 0x10000;

/** Tokens of a document's field. */
@inline
function lengthOf(row: usize, doc: u32): u32 {
  const lengths = <usize>load<u32>(row, OWN_TERMS_LENGTHS);
  const width = load<u32>(row, OWN_TERMS_LENGTH_WIDTH);
  if (width == 1) return <u32>load<u8>(lengths + doc);
  return width == 2 ? <u32>load<u16>(lengths + (<usize>doc << 1)) : load<u32>(lengths + (<usize>doc << 2));
}

/** Place of document `d` among the `count` of a sparse chunk, or of the next one that is there. */
function placeIn(data: usize, count: u32, d: u32): u32 {
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (<u32>load<u16>(data + (<usize>middle << 1)) < d) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The signature of `doc` in the list of `entry`: SIGNATURE_UNKNOWN if it has none, NOT_THERE if the list does not hold it. */
function signatureOf(segment: usize, entry: usize, doc: u32): u32 {
  const kind = load<u8>(entry, ENTRY_KIND);
  const list = segment + load<u32>(entry, ENTRY_LIST);
  const df = load<u32>(entry, ENTRY_DF);
  if (kind == ENTRY_KIND_SINGLE) return load<u32>(entry, ENTRY_LIST) == doc ? SIGNATURE_UNKNOWN : NOT_THERE;
  if (kind == ENTRY_KIND_TINY) {
    const n = min(df, <u32>TINY_DOCS_MAX);
    for (let i: u32 = 0; i < n; i++) if (load<u32>(list + (<usize>i << 2)) == doc) return SIGNATURE_UNKNOWN;
    return NOT_THERE;
  }
  const d = doc & 0xffff;
  const end = list + 4 + <usize>min(load<u32>(list), <u32>CHUNK_DOCS) * CHUNK_ENTRY_BYTES;
  for (let at = list + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    const chunk = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK);
    if (chunk < doc >> 16) continue;
    if (chunk > doc >> 16) break;
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const form = load<u8>(at, CHUNK_ENTRY_KIND);
    let place: u32;
    if (form == CHUNK_KIND_RANKED) {
      if (!hasBit(data, d)) break;
      place = rankOfDoc(data, d);
    } else if (form == CHUNK_KIND_SPARSE) {
      const count = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
      place = placeIn(data, count, d);
      if (place == count || <u32>load<u16>(data + (<usize>place << 1)) != d) break;
    } else return SIGNATURE_UNKNOWN;
    const index = load<u32>(at, CHUNK_ENTRY_FIRST) + place;
    return index < df ? signatureAt(segment, entry, index) : SIGNATURE_UNKNOWN;
  }
  return NOT_THERE;
}

/** Bits of WINDOW_STATES of a document; 0: they are not told. */
function stateOf(row: usize, doc: u32, gainsByCompletions: bool): u32 {
  const isAll = lengthOf(row, doc) == 1;
  const entry = <usize>load<u32>(row, OWN_TERMS_ENTRY);
  const signature = entry == 0 ? NOT_THERE : signatureOf(<usize>load<u32>(row, OWN_TERMS_SEGMENT), entry, doc);
  if (signature == NOT_THERE) return isAll && gainsByCompletions ? WINDOW_MEASURED | WINDOW_BEGINS : WINDOW_MEASURED;
  if (isAll) return WINDOW_MEASURED | WINDOW_WHOLE_VALUE;
  if (!isExact(signature)) return signature & 1 ? 0 : WINDOW_MEASURED;
  return signature & 1 ? WINDOW_MEASURED | WINDOW_BEGINS : WINDOW_MEASURED;
}

/**
 * Before a filled window is begun: tells the bonuses of its documents, by the rows of all segments at `table`. Returns of how many
 * documents they are still not known. `gainsByCompletions`: documents may get them for completions.
 */
export function judgeByOwnTerms(window: usize, table: usize, gainsByCompletions: bool): u32 {
  const count = load<u32>(window, WINDOW_COUNT);
  let unknown: u32 = 0;
  for (let rank: u32 = 0; rank < count; rank++) {
    const at = window + WINDOW_STATES + rank;
    if (load<u8>(at) & WINDOW_MEASURED) continue;
    const place = load<u64>(window + WINDOW_PLACES + (<usize>rank << 3));
    const state = stateOf(table + <usize>(place >> 32) * OWN_TERMS_ROW_BYTES, <u32>place, gainsByCompletions);
    if (state == 0) unknown++;
    else store<u8>(at, <u8>state);
  }
  return unknown;
}
