/**
 * Which documents of a segment of a sweep may match at all: what is not deleted and passes what is asked beside the text. For the
 * kernels of sweeps alone; exports nothing to JavaScript. Layout: layout/sweep.ts.
 */
import { CHUNK_BITSET_BYTES, CHUNK_DOCS, SCRATCH_FILTER_BITS } from '../layout/scratch';
import { ROW_LIVE, ROW_LOSSES, ROW_MAX_DOC, ROW_PASSING, SWEEP_SCRATCH } from '../layout/sweep';
import { bitsetMeet } from './bitsets';

/** Behind the bits that lists are joined in. */
const PASSING_BITS: usize = SCRATCH_FILTER_BITS + 2 * CHUNK_BITSET_BYTES;

/** Whether all documents of the segment of `row` may match. One in which nothing passes has none to the sweep, though its lists do. */
@inline
export function mayAllPass(row: usize): bool {
  return (load<u32>(row, ROW_LIVE) | load<u32>(row, ROW_PASSING)) == 0 && load<u32>(row, ROW_MAX_DOC) != 0;
}

/** Whether all documents of the segment of `row` may match but those of its losses, of which some may be none. */
@inline
export function mayAllBut(row: usize): bool {
  return mayAllPass(row) || (load<u32>(row, ROW_LOSSES) != 0 && load<u32>(row, ROW_PASSING) == 0);
}

/**
 * Address of the bits of the documents of chunk number `chunk` that may match, valid until the next call; 0: all may. There need
 * be none past those of the segment.
 */
export function passingOf(sweep: usize, row: usize, chunk: u32): usize {
  const bits = <usize>load<u32>(row, ROW_LIVE);
  const live: usize = bits == 0 ? 0 : bits + <usize>chunk * CHUNK_BITSET_BYTES;
  const table = <usize>load<u32>(row, ROW_PASSING);
  if (table == 0) return live;
  const passing = <usize>load<u32>(table + (<usize>chunk << 2));
  if (live == 0) return passing;
  const docs = min(load<u32>(row, ROW_MAX_DOC) - chunk * CHUNK_DOCS, <u32>CHUNK_DOCS);
  return bitsetMeet(<usize>load<u32>(sweep, SWEEP_SCRATCH) + PASSING_BITS, live, passing, docs);
}
