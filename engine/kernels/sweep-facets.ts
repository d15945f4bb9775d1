/**
 * Counts facets of what a sweep matches in a segment, of which its chunks' matches are lists, bits, or those of its only list. For the
 * kernels of sweeps alone; exports nothing to JavaScript. Layouts: layout/facet-counts.ts, layout/sweep.ts.
 */
import { FACET_BYTES, FACET_CODE_COUNT, FACET_COLUMN, FACET_COUNTS } from '../layout/facet-counts';
import {
  BLOCK_POSTINGS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  ENTRY_LIST,
} from '../layout/postings';
import { CHUNK_DOCS, SCRATCH_FILTER_BITS, SCRATCH_LIST_A } from '../layout/scratch';
import { ROW_MAX_DOC, ROW_SEGMENT, SWEEP_FACETS, SWEEP_FACETS_END, SWEEP_SCRATCH } from '../layout/sweep';
import { filterList, listChunk } from './doc-lists';
import { countCodes, countCodesOfBits } from './facets';
import { isJoinable } from './joined-lists';
import { intersectPassing } from './joined-matches';
import { passingOf } from './passing';

/** Fewer bits than one of so many documents are listed, and not gone through for each facet. */
const LISTED_SHARE: u32 = 128;

/** Whether matches are counted by value. */
@inline
export function hasFacets(sweep: usize): bool {
  return load<u32>(sweep, SWEEP_FACETS) != load<u32>(sweep, SWEEP_FACETS_END);
}

/** Counts the values of the n documents of chunk number `chunk` at list u16[]. */
export function countListed(sweep: usize, row: usize, chunk: u32, list: usize, n: u32): void {
  const end = <usize>load<u32>(sweep, SWEEP_FACETS_END);
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  for (let facet = <usize>load<u32>(sweep, SWEEP_FACETS); facet < end; facet += FACET_BYTES) {
    const counts = <usize>load<u32>(facet, FACET_COUNTS);
    const column = <usize>load<u32>(facet, FACET_COLUMN);
    countCodes(list, n, chunk * CHUNK_DOCS, segment, column, counts, load<u32>(facet, FACET_CODE_COUNT));
  }
}

/** Counts the values of the n documents of chunk number `chunk` whose bits are set, none of them past the last of the segment. */
export function countBits(sweep: usize, row: usize, chunk: u32, bits: usize, n: u32): void {
  const end = <usize>load<u32>(sweep, SWEEP_FACETS_END);
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  const docs = min(load<u32>(row, ROW_MAX_DOC) - chunk * CHUNK_DOCS, <u32>CHUNK_DOCS);
  if (n * LISTED_SHARE <= docs) {
    const list = <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_LIST_A;
    countListed(sweep, row, chunk, list, listChunk(bits, 0, docs, list, docs));
    return;
  }
  for (let facet = <usize>load<u32>(sweep, SWEEP_FACETS); facet < end; facet += FACET_BYTES) {
    const counts = <usize>load<u32>(facet, FACET_COUNTS);
    const column = <usize>load<u32>(facet, FACET_COLUMN);
    countCodesOfBits(bits, docs, chunk * CHUNK_DOCS, segment, column, counts, load<u32>(facet, FACET_CODE_COUNT));
  }
}

/** Whether countList() can read the list of `entry`, chunked, in a segment of `chunks` chunks. */
export function canCountList(row: usize, entry: usize, chunks: u32): bool {
  const list = <usize>load<u32>(row, ROW_SEGMENT) + load<u32>(entry, ENTRY_LIST);
  return isJoinable(list + 4, list + 4 + <usize>min(load<u32>(list), chunks) * CHUNK_ENTRY_BYTES);
}

/** Counts the values of the documents of the list of `entry` that may match. */
export function countList(sweep: usize, row: usize, entry: usize, chunks: u32): void {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  const directory = segment + load<u32>(entry, ENTRY_LIST);
  const end = directory + 4 + <usize>min(load<u32>(directory), chunks) * CHUNK_ENTRY_BYTES;
  for (let at = directory + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    const chunk = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK);
    if (chunk >= chunks) return;
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const passing = passingOf(sweep, row, chunk);
    if (load<u8>(at, CHUNK_ENTRY_KIND) == CHUNK_KIND_RANKED) {
      countPassing(sweep, row, chunk, data, n, passing, scratch + SCRATCH_FILTER_BITS);
      continue;
    }
    const list = scratch + SCRATCH_LIST_A;
    memory.copy(list, data, <usize>n << 1);
    countListed(sweep, row, chunk, list, filterList(list, n, passing, 0));
  }
}

/** As countBits(), of those documents that may match: `passing`, 0 for all of them. `room`: for bits of a chunk, which may be `bits`. */
function countPassing(sweep: usize, row: usize, chunk: u32, bits: usize, n: u32, passing: usize, room: usize): void {
  if (passing == 0) {
    countBits(sweep, row, chunk, bits, n);
    return;
  }
  const docs = min(load<u32>(row, ROW_MAX_DOC) - chunk * CHUNK_DOCS, <u32>CHUNK_DOCS);
  const left = intersectPassing(bits, passing, (docs + BLOCK_POSTINGS - 1) / BLOCK_POSTINGS, room);
  if (left != 0) countBits(sweep, row, chunk, room, left);
}
