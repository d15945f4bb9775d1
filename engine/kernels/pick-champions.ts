/**
 * Picks the champions of a chunked list for its outline, as postings/champion-picker.ts does. For kernels/list-outline.ts alone; exports
 * nothing to JavaScript. Layouts: layout/champions.ts, layout/postings.ts.
 */
import {
  CHAMPION_BEGUN,
  CHAMPION_BYTES,
  CHAMPION_DOC,
  CHAMPION_IMPACT,
  CHAMPION_KIND,
  CHAMPION_KINDS,
  CHAMPION_PLAIN,
  CHAMPION_SIGNATURE,
  CHAMPION_WHOLE,
  CHAMPIONS_COMPLETE,
  CHAMPIONS_COUNTS,
  CHAMPIONS_FIRST,
  CHAMPIONS_LEAST,
  CHAMPIONS_MAX,
} from '../layout/champions';
import {
  BLOCK_POSTINGS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  ENTRY_LIST,
  RANKED_IMPACTS,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { blocksOf } from './chunk-forms';
import { signaturesOf } from './position-stream';
import { nthBit, postingsOfBlock, rankOfBlock } from './ranked-chunks';

/** While they are picked those of each kind lie apart, by rank, behind how many they are, u32[4]. */
const RANKS: usize = 16;
const KIND_BYTES: usize = CHAMPIONS_MAX * CHAMPION_BYTES;
/** Bytes of memory that picking takes. */
export const PICKING_BYTES: usize = RANKS + CHAMPION_KINDS * KIND_BYTES;

/** Which kind of champion a posting may become. */
@inline
function kindOf(impact: u32, signature: u32, whole: u32): u32 {
  if (impact == whole) return CHAMPION_WHOLE;
  return signature & 1 ? CHAMPION_BEGUN : CHAMPION_PLAIN;
}

/** What a posting of the kind has to exceed to become a champion. */
@inline
function floorOf(picking: usize, kind: u32): u32 {
  if (load<u32>(picking + (<usize>kind << 2)) < <u32>CHAMPIONS_MAX) return 0;
  return load<u8>(picking + RANKS + <usize>kind * KIND_BYTES + KIND_BYTES - CHAMPION_BYTES, CHAMPION_IMPACT);
}

/** Takes a posting that exceeds the floor of its kind; those of smaller documents have come before. */
function take(picking: usize, kind: u32, doc: u32, impact: u32, signature: u32): void {
  const count = load<u32>(picking + (<usize>kind << 2));
  const first = picking + RANKS + <usize>kind * KIND_BYTES;
  let at = first + <usize>min(count, <u32>(CHAMPIONS_MAX - 1)) * CHAMPION_BYTES;
  for (; at > first && <u32>load<u8>(at - CHAMPION_BYTES, CHAMPION_IMPACT) < impact; at -= CHAMPION_BYTES) {
    store<u64>(at, load<u64>(at - CHAMPION_BYTES));
  }
  store<u32>(at, doc, CHAMPION_DOC);
  store<u16>(at, <u16>signature, CHAMPION_SIGNATURE);
  store<u8>(at, <u8>impact, CHAMPION_IMPACT);
  store<u8>(at, <u8>kind, CHAMPION_KIND);
  if (count < <u32>CHAMPIONS_MAX) store<u32>(picking + (<usize>kind << 2), count + 1);
}

/** Looks at the n postings of a block: documents as bits at `bits`, or, where that is 0, as u16[] at `docs`, counted from `firstDoc`. */
function pickBlock(
  picking: usize, impacts: usize, signatures: usize, n: u32, whole: u32, firstDoc: u32, bits: usize, docs: usize,
): void {
  const least = min(min(floorOf(picking, CHAMPION_PLAIN), floorOf(picking, CHAMPION_BEGUN)), floorOf(picking, CHAMPION_WHOLE));
  const floor = i8x16.splat(<i8>least);
  for (let base: u32 = 0; base < n; base += 16) {
    let hits: u32 = i8x16.bitmask(i8x16.gt_u(v128.load(impacts + base), floor));
    if (n - base < 16) hits &= (1 << (n - base)) - 1;
    for (; hits; hits &= hits - 1) {
      const i = base + ctz(hits);
      const impact = <u32>load<u8>(impacts + i);
      const signature = <u32>load<u16>(signatures + (<usize>i << 1));
      const kind = kindOf(impact, signature, whole);
      if (impact <= floorOf(picking, kind)) continue;
      take(picking, kind, firstDoc + (bits == 0 ? <u32>load<u16>(docs + (<usize>i << 1)) : nthBit(bits, i)), impact, signature);
    }
  }
}

/** Picks the champions of the list of `entry`, which countList() counts; `picking`: PICKING_BYTES of memory. */
export function pickChampions(segment: usize, entry: usize, chunks: u32, whole: u32, picking: usize): void {
  memory.fill(picking, 0, RANKS);
  const directory = segment + load<u32>(entry, ENTRY_LIST);
  const end = directory + 4 + <usize>min(load<u32>(directory), chunks) * CHUNK_ENTRY_BYTES;
  for (let at = directory + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    const kind = <u32>load<u8>(at, CHUNK_ENTRY_KIND);
    const isRanked = kind == CHUNK_KIND_RANKED;
    const size = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const impacts = isRanked ? data + RANKED_IMPACTS : data + (<usize>size << 1);
    const signatures = signaturesOf(segment, entry) + (<usize>load<u32>(at, CHUNK_ENTRY_FIRST) << 1);
    const blocks = blocksOf(kind, size);
    const firstDoc = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK) * CHUNK_DOCS;
    for (let block: u32 = 0; block < blocks; block++) {
      const first = isRanked ? rankOfBlock(data, block, size) : block * BLOCK_POSTINGS;
      const n = isRanked ? postingsOfBlock(data, block, size) : min(size - first, <u32>BLOCK_POSTINGS);
      pickBlock(
        picking, impacts + first, signatures + (<usize>first << 1), n, whole, isRanked ? firstDoc + (block << 7) : firstDoc,
        isRanked ? data + (<usize>block << 4) : 0, data + (<usize>first << 1),
      );
    }
  }
}

/** The champion with the smallest document of those from `at` up to `end`, of one kind. */
function firstOf(at: usize, end: usize): usize {
  let first = at;
  for (; at < end; at += CHAMPION_BYTES) {
    if (load<u32>(at, CHAMPION_DOC) < load<u32>(first, CHAMPION_DOC)) first = at;
  }
  return first;
}

/** Sorts the champions from `at` up to `end` by document. */
function sortByDoc(at: usize, end: usize): void {
  for (; at < end; at += CHAMPION_BYTES) {
    const first = firstOf(at, end);
    const record = load<u64>(first);
    store<u64>(first, load<u64>(at));
    store<u64>(at, record);
  }
}

/**
 * Writes the champions that were picked to `out`, a multiple of 4; returns their bytes. The list has so many plain postings, such that
 * begin their field, and such that are all of it.
 */
export function writeChampions(picking: usize, plain: u32, begun: u32, wholes: u32, out: usize): u32 {
  let record = out + CHAMPIONS_FIRST;
  let complete: u32 = 0;
  memory.fill(out, 0, CHAMPIONS_FIRST);
  for (let kind: u32 = 0; kind < <u32>CHAMPION_KINDS; kind++) {
    const count = load<u32>(picking + (<usize>kind << 2));
    const bytes = <usize>count * CHAMPION_BYTES;
    const all = kind == CHAMPION_PLAIN ? plain : kind == CHAMPION_BEGUN ? begun : wholes;
    if (count == all) complete |= 1 << kind;
    store<u8>(out + kind, <u8>count, CHAMPIONS_COUNTS);
    if (count == 0) continue;
    memory.copy(record, picking + RANKS + <usize>kind * KIND_BYTES, bytes);
    record += bytes;
    store<u8>(out + kind, load<u8>(record - CHAMPION_BYTES, CHAMPION_IMPACT), CHAMPIONS_LEAST);
  }
  store<u8>(out, <u8>complete, CHAMPIONS_COMPLETE);
  sortByDoc(out + CHAMPIONS_FIRST, record);
  return <u32>(record - out);
}
