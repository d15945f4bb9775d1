/**
 * Counts what a list holds by impact, and by whether the field begins with the token: outlines of lists, and lists so short that
 * they need none. Called by query/expand/list-outlines.ts through memory/kernel-instance.ts, and by kernels/foreseen-page.ts.
 * Layouts: layout/list-outline.ts, layout/postings.ts.
 */
import { CHAMPIONS_BYTES_MAX } from '../layout/champions';
import {
  OUTLINE_CLASSES,
  OUTLINE_CLASS_ALL,
  OUTLINE_CLASS_BYTES,
  OUTLINE_CLASS_COUNT,
  OUTLINE_CLASS_DOES,
  OUTLINE_CLASS_IMPACT,
  OUTLINE_CLASS_MAY,
  OUTLINE_GROUPS,
  OUTLINE_GROUP_BLOCKS,
  OUTLINE_GROUP_BYTES,
  OUTLINE_GROUP_WHOLES,
} from '../layout/list-outline';
import { UNION_OUTLINE } from '../layout/list-union';
import {
  BLOCK_POSTINGS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  ENTRY_POSITIONS,
  ENTRY_SIGNED,
  RANKED_IMPACTS,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { isLive } from './bit-lists';
import { blocksOf } from './chunk-forms';
import { canJudge } from './judged-list';
import { pickChampions, writeChampions } from './pick-champions';
import { isExact, signaturesOf } from './position-stream';
import { postingsOfBlock, rankOfBlock } from './ranked-chunks';

/** Of counts by impact, u32[256] each: of all postings, of those that may begin their field, and of those that surely do. */
export const OUTLINE_COUNTS_BYTES: usize = 3072;
export const OUTLINE_MAY: usize = 1024;
export const OUTLINE_DOES: usize = 2048;
/** Behind the counts, while an outline is made. */
const PICKING: usize = OUTLINE_COUNTS_BYTES;

/** Beside an impact. */
const HAS_WHOLE: u32 = 256;

@inline
function count(counts: usize, impact: u32): void {
  const at = counts + (<usize>impact << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Counts a posting; returns its impact if it may begin its field but is not all of it, HAS_WHOLE if it is. */
@inline
export function countPosting(impact: u32, signature: u32, whole: u32, counts: usize): u32 {
  count(counts, impact);
  const begins = (signature & 1) != 0;
  if (!begins && impact != whole) return 0;
  count(counts + OUTLINE_MAY, impact);
  if (begins && (isExact(signature) || impact == whole)) count(counts + OUTLINE_DOES, impact);
  return impact == whole ? HAS_WHOLE : impact;
}

/**
 * Counts n postings with impacts u8[] and signatures u16[]; returns the largest impact of those that may begin their field but are not
 * all of it, and HAS_WHOLE if there are such.
 */
function countBlock(impacts: usize, signatures: usize, n: u32, whole: u32, counts: usize): u32 {
  let largest: u32 = 0;
  let wholes: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const seen = countPosting(load<u8>(impacts + i), load<u16>(signatures + (<usize>i << 1)), whole, counts);
    if (seen == HAS_WHOLE) wholes = HAS_WHOLE;
    else largest = max(largest, seen);
  }
  return largest | wholes;
}

/**
 * Adds the postings of the list of `entry`, chunked, to `counts`, and writes the groups of an outline to `groups`, unless that is 0;
 * returns how many there are of these, 0: what its postings are is not told. `whole`: the impact of a term that is all its field has.
 */
export function countList(segment: usize, entry: usize, chunks: u32, whole: u32, counts: usize, groups: usize): u32 {
  const directory = segment + load<u32>(entry, ENTRY_LIST);
  const end = directory + 4 + <usize>min(load<u32>(directory), chunks) * CHUNK_ENTRY_BYTES;
  let written: u32 = 0;
  for (let at = directory + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    if (!canJudge(entry, at)) return 0;
    const kind = <u32>load<u8>(at, CHUNK_ENTRY_KIND);
    const isRanked = kind == CHUNK_KIND_RANKED;
    const size = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const impacts = isRanked ? data + RANKED_IMPACTS : data + (<usize>size << 1);
    const signatures = signaturesOf(segment, entry) + (<usize>load<u32>(at, CHUNK_ENTRY_FIRST) << 1);
    const blocks = blocksOf(kind, size);
    for (let block: u32 = 0; block < blocks; block++) {
      const group = groups + <usize>(written + block / OUTLINE_GROUP_BLOCKS) * OUTLINE_GROUP_BYTES;
      const place: u32 = block % OUTLINE_GROUP_BLOCKS;
      if (groups != 0 && place == 0) memory.fill(group, 0, OUTLINE_GROUP_BYTES);
      const first = isRanked ? rankOfBlock(data, block, size) : block * BLOCK_POSTINGS;
      const n = isRanked ? postingsOfBlock(data, block, size) : min(size - first, <u32>BLOCK_POSTINGS);
      const seen = countBlock(impacts + first, signatures + (<usize>first << 1), n, whole, counts);
      if (groups == 0) continue;
      store<u8>(group + place, seen);
      if (seen & HAS_WHOLE) store<u16>(group, <u32>load<u16>(group, OUTLINE_GROUP_WHOLES) | (1 << place), OUTLINE_GROUP_WHOLES);
    }
    written += groupsOf(blocks);
  }
  return written;
}

/** Groups of an outline that `blocks` blocks of a chunk have. */
export function groupsOf(blocks: u32): u32 {
  return (blocks + OUTLINE_GROUP_BLOCKS - 1) / OUTLINE_GROUP_BLOCKS;
}

/**
 * Adds the postings of the list of `entry`, not chunked, to `counts`: their fields may begin with the token. `live`: bits of the documents
 * that are not deleted, `maxDoc` of them; 0: none is.
 */
export function countShortList(segment: usize, entry: usize, live: usize, maxDoc: u32, counts: usize): void {
  if (load<u8>(entry, ENTRY_KIND) == ENTRY_KIND_SINGLE) {
    if (live != 0 && !isLive(live, maxDoc, load<u32>(entry, ENTRY_LIST))) return;
    count(counts, load<u8>(entry, ENTRY_MAX_IMPACT));
    count(counts + OUTLINE_MAY, load<u8>(entry, ENTRY_MAX_IMPACT));
    return;
  }
  const n = min(load<u32>(entry, ENTRY_DF), <u32>TINY_DOCS_MAX);
  const impacts = segment + load<u32>(entry, ENTRY_LIST) + (<usize>n << 2);
  for (let i: u32 = 0; i < n; i++) {
    const doc = load<u32>(segment + load<u32>(entry, ENTRY_LIST) + (<usize>i << 2));
    if (live != 0 && !isLive(live, maxDoc, doc)) continue;
    count(counts, load<u8>(impacts + i));
    count(counts + OUTLINE_MAY, load<u8>(impacts + i));
  }
}

/** Adds what an outline tells to `counts`, and a damaged one no more than there is room for. */
export function addOutline(outline: usize, counts: usize): void {
  const classes = <usize>min(load<u32>(outline, OUTLINE_CLASS_COUNT), <u32>255);
  const end = outline + OUTLINE_CLASSES + classes * OUTLINE_CLASS_BYTES;
  for (let at = outline + OUTLINE_CLASSES; at < end; at += OUTLINE_CLASS_BYTES) {
    const all = counts + (<usize>(load<u32>(at, OUTLINE_CLASS_IMPACT) & 255) << 2);
    store<u32>(all, load<u32>(all) + load<u32>(at, OUTLINE_CLASS_ALL));
    store<u32>(all, load<u32>(all, OUTLINE_MAY) + load<u32>(at, OUTLINE_CLASS_MAY), OUTLINE_MAY);
    store<u32>(all, load<u32>(all, OUTLINE_DOES) + load<u32>(at, OUTLINE_CLASS_DOES), OUTLINE_DOES);
  }
}

/** The largest impact that an outline tells of; one of a damaged outline is within bounds, too. */
@inline
export function largestImpact(outline: usize): u32 {
  return load<u32>(outline + OUTLINE_CLASSES, OUTLINE_CLASS_IMPACT) & 255;
}

/** The smallest one, not 0. */
@inline
export function smallestImpact(outline: usize): u32 {
  const classes = <usize>max(min(load<u32>(outline, OUTLINE_CLASS_COUNT), <u32>255), <u32>1);
  return max(load<u32>(outline + OUTLINE_CLASSES + (classes - 1) * OUTLINE_CLASS_BYTES, OUTLINE_CLASS_IMPACT) & 255, <u32>1);
}

/** Adds how many postings have each impact, as an outline tells, to u32[256] at `counts`; returns how many they are. */
export function addImpacts(outline: usize, counts: usize): u32 {
  const classes = <usize>min(load<u32>(outline, OUTLINE_CLASS_COUNT), <u32>255);
  const end = outline + OUTLINE_CLASSES + classes * OUTLINE_CLASS_BYTES;
  let postings: u32 = 0;
  for (let at = outline + OUTLINE_CLASSES; at < end; at += OUTLINE_CLASS_BYTES) {
    const all = counts + (<usize>(load<u32>(at, OUTLINE_CLASS_IMPACT) & 255) << 2);
    store<u32>(all, load<u32>(all) + load<u32>(at, OUTLINE_CLASS_ALL));
    postings += load<u32>(at, OUTLINE_CLASS_ALL);
  }
  return postings;
}

/** Writes the classes of what was counted to `at`, a multiple of 4; returns their end. */
export function writeClasses(counts: usize, at: usize): usize {
  for (let impact: i32 = 255; impact > 0; impact--) {
    const own = counts + (<usize>impact << 2);
    if (load<u32>(own) == 0) continue;
    store<u32>(at, impact, OUTLINE_CLASS_IMPACT);
    store<u32>(at, load<u32>(own), OUTLINE_CLASS_ALL);
    store<u32>(at, load<u32>(own, OUTLINE_MAY), OUTLINE_CLASS_MAY);
    store<u32>(at, load<u32>(own, OUTLINE_DOES), OUTLINE_CLASS_DOES);
    at += OUTLINE_CLASS_BYTES;
  }
  return at;
}

/**
 * Writes the outline of the list of `entry`, chunked, to `out`, 4-byte aligned, and returns its bytes; 0: what its postings are is
 * not told. `counts`: room for OUTLINE_COUNTS_BYTES and PICKING_BYTES; room for all impacts and groups is at `out`. `whole` as for countList().
 */
export function writeOutline(
  segment: usize, entry: usize, chunks: u32, whole: u32, counts: usize, out: usize,
): u32 {
  memory.fill(counts, 0, OUTLINE_COUNTS_BYTES);
  // The classes come before the groups, and are known after them.
  const room = out + OUTLINE_CLASSES + 256 * OUTLINE_CLASS_BYTES + CHAMPIONS_BYTES_MAX;
  const groups = countList(segment, entry, chunks, whole, counts, room);
  if (groups == 0) return 0;
  pickChampions(segment, entry, chunks, whole, counts + PICKING);
  const wholes = load<u32>(counts + (<usize>whole << 2));
  let at = writeClasses(counts, out + OUTLINE_CLASSES);
  let all: u32 = 0;
  let may: u32 = 0;
  for (let own = out + OUTLINE_CLASSES; own < at; own += OUTLINE_CLASS_BYTES) {
    all += load<u32>(own, OUTLINE_CLASS_ALL);
    may += load<u32>(own, OUTLINE_CLASS_MAY);
  }
  store<u32>(out, <u32>((at - out - OUTLINE_CLASSES) / OUTLINE_CLASS_BYTES), OUTLINE_CLASS_COUNT);
  at += writeChampions(counts + PICKING, all - may, may - wholes, wholes, at);
  store<u32>(out, <u32>(at - out), OUTLINE_GROUPS);
  memory.copy(at, room, <usize>groups * OUTLINE_GROUP_BYTES);
  return <u32>(at - out) + groups * OUTLINE_GROUP_BYTES;
}

/** Copies an outline of `bytes` bytes behind `entry`, which becomes the one that stands for it, beside one of `field`. */
export function placeOutline(segment: usize, field: u32, outline: usize, bytes: u32, entry: usize): void {
  const place = entry + ENTRY_BYTES;
  memory.copy(place, outline, bytes);
  // Who reads lists one after the other finds none here.
  store<u32>(entry, <u32>(place - segment), ENTRY_LIST);
  store<u32>(entry, 0, ENTRY_DF);
  store<u32>(entry, UNION_OUTLINE, ENTRY_POSITIONS);
  store<u8>(entry, <u8>field, ENTRY_FIELD);
  store<u8>(entry, 0, ENTRY_MAX_IMPACT);
  store<u8>(entry, <u8>ENTRY_KIND_TINY, ENTRY_KIND);
  store<u8>(entry, 0, ENTRY_SIGNED);
}
