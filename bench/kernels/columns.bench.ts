/**
 * Columns by kernels, a chunk at a time: filters by range and by set, per width of the codes, and facet histograms.
 */
import { Bench } from 'tinybench';
import {
  CHUNK_BITSET_BYTES,
  CHUNK_DOCS,
  SCRATCH_FILTER_BITS,
  SCRATCH_LIST_A,
  SCRATCH_OUT_DOCS,
} from '../../engine/layout/scratch.js';
import type { ColumnReader } from '../../engine/values/column-reader.js';
import { createRandom } from '../../perf/random.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { makeColumn } from '../support/columns.js';
import { bindingOf } from '../support/engine-memory.js';

/** Numbers of distinct values that make codes of 1, 2, 4 and 8 bytes. */
const VALUES_BY_WIDTH = [200, 50_000, 2 ** 31, 0];
/** Share of documents in the list whose values are counted. */
const MATCH_SHARE = 0.25;
const SET_RANGES = 40;

/** The middle half of a column's codes, as 32-bit halves. */
function middleHalf({ maxCodeHi, maxCodeLo }: ColumnReader): readonly [number, number, number, number] {
  if (maxCodeHi === 0) return [maxCodeLo >>> 2, 0, maxCodeLo - (maxCodeLo >>> 2), 0];
  return [0, maxCodeHi >>> 2, 0xffffffff, maxCodeHi - (maxCodeHi >>> 2)];
}

/** What the column kernels are told of a column before anything else: all of it is worked on. */
const operandsOf = (
  out: number,
  { codesPtr, width, startsPtr, valueCount, zonesPtr }: ColumnReader,
  documents: number,
) => [out, codesPtr, width, startsPtr, valueCount, zonesPtr, 0, documents] as const;

function addRanges(bench: Bench, column: ColumnReader, documents: number): void {
  const { kernels, scratch } = bindingOf(column.views);
  const out = scratch.ptr + SCRATCH_FILTER_BITS;
  const [loLo, loHi, hiLo, hiHi] = middleHalf(column);
  const { codesPtr, width, zonesPtr, multi, valueCount } = column;
  if (multi) {
    const operands = operandsOf(out, column, documents);
    bench.add(work(`columnMatchRangeMulti, ${width} bytes`, valueCount, 'values'), () => {
      kernels.columnMatchRangeMulti(...operands, loLo, loHi, hiLo, hiHi);
    });
  } else {
    bench.add(work(`columnMatchRange, ${width} bytes`, documents, 'documents'), () => {
      kernels.columnMatchRange(out, codesPtr, width, zonesPtr, 0, documents, loLo, loHi, hiLo, hiHi);
    });
  }
}

/** A set of single codes spread over the column: by table where there is one, else by binary search. */
function addSet(bench: Bench, column: ColumnReader, documents: number, withTable: boolean): void {
  const { kernels, scratch, heap } = bindingOf(column.views);
  const out = scratch.ptr + SCRATCH_FILTER_BITS;
  const rangesPtr = heap.allocate(16 * SET_RANGES);
  const tablePtr = withTable ? heap.allocate(column.maxCodeLo + 1) : 0;
  if (withTable) scratch.u8.fill(0, tablePtr - scratch.ptr, tablePtr - scratch.ptr + column.maxCodeLo + 1);
  for (let i = 0; i < SET_RANGES; i++) {
    const code = Math.floor((i * column.maxCodeLo) / SET_RANGES);
    scratch.u32.set([code, 0, code, 0], (rangesPtr - scratch.ptr) / 4 + 4 * i);
    if (withTable) scratch.u8[tablePtr - scratch.ptr + code] = 1;
  }
  const { width, multi } = column;
  const operands = operandsOf(out, column, documents);
  const of = multi ? ', several a document' : '';
  const name = `columnMatchSet, ${width} bytes${of}, ${withTable ? 'table' : `search in ${SET_RANGES} ranges`}`;
  bench.add(work(name, documents, 'documents'), () => {
    kernels.columnMatchSet(...operands, tablePtr, rangesPtr, SET_RANGES);
  });
}

function addHistogram(bench: Bench, name: string, column: ColumnReader, list: number, matches: number): void {
  const { kernels, heap } = bindingOf(column.views);
  const { ptr } = column.views.region;
  const codeCount = column.maxCodeLo + 1;
  const counts = heap.allocate(4 * Math.max(codeCount + 1, 0x10000));
  bench.add(work(`countCodes, ${name}`, matches, 'matches'), () => {
    kernels.countCodes(list, matches, 0, ptr, ptr + column.offset, counts, codeCount);
  });
}

/** One call works on one chunk. */
export function suite(size: SuiteSize): Bench {
  const documents = size === 'tiny' ? 1000 : CHUNK_DOCS;
  const bench = new Bench(benchOptions(size, `column kernels, a chunk of ${documents} documents`));
  const single = VALUES_BY_WIDTH.map((values) => makeColumn({ values, perDocument: 1, present: 1 }, documents));
  const tags = makeColumn({ values: 200, perDocument: 4, present: 1 }, documents);
  const partial = makeColumn({ values: 200, perDocument: 1, present: 0.8 }, documents);
  const { scratch, heap, kernels } = bindingOf(tags.views);
  heap.reset();
  const bits = scratch.ptr + SCRATCH_FILTER_BITS + CHUNK_BITSET_BYTES;
  for (const column of [...single, tags]) addRanges(bench, column, documents);
  addSet(bench, single[0], documents, true);
  addSet(bench, single[1], documents, true);
  addSet(bench, single[2], documents, false);
  addSet(bench, tags, documents, true);
  bench.add(work('bitsetAnd', documents, 'documents'), () => {
    kernels.bitsetAnd(scratch.ptr + SCRATCH_FILTER_BITS, bits, documents);
  });
  const random = createRandom(1);
  let matches = 0;
  for (let doc = 0; doc < documents; doc++)
    if (random() < MATCH_SHARE) scratch.u16[SCRATCH_LIST_A / 2 + matches++] = doc;
  const list = scratch.ptr + SCRATCH_LIST_A;
  addHistogram(bench, '200 values', single[0], list, matches);
  addHistogram(bench, '50,000 values', single[1], list, matches);
  addHistogram(bench, '200 values, some without', partial, list, matches);
  addHistogram(bench, '200 values, several a document', tags, list, matches);
  bench.add(work('clearCounts', 65_536, 'bytes'), () => {
    kernels.clearCounts(scratch.ptr + SCRATCH_OUT_DOCS, 65_536);
  });
  return bench;
}
