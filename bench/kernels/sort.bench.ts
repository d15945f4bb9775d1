/**
 * Splitting a block of matches into those that can still enter the top documents and the rest, by score and by column.
 */
import { Bench } from 'tinybench';
import { SCRATCH_ACC, SCRATCH_LIST_A, SCRATCH_LIST_B, SCRATCH_LIST_C } from '../../engine/layout/scratch.js';
import { BLOCK_DOCS_MAX } from '../../engine/query/sort/candidate-filter.js';
import type { ColumnReader } from '../../engine/values/column-reader.js';
import { createRandom } from '../../perf/random.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { makeColumn } from '../support/columns.js';
import { bindingOf } from '../support/engine-memory.js';

/** The share of documents that beat the worst kept one. */
const BETTER_SHARES = [0.001, 0.5];
/** Two blocks of matches would take this many documents. */
const STEP = 2;

function addColumn(bench: Bench, name: string, column: ColumnReader, count: number, share: number): void {
  const { kernels, scratch } = bindingOf(column.views);
  const { ptr } = column.views.region;
  const list = scratch.ptr + SCRATCH_LIST_A;
  const better = scratch.ptr + SCRATCH_LIST_B;
  const ties = scratch.ptr + SCRATCH_LIST_C;
  // Key of the value that `share` of the documents lie above.
  const keyLo = Math.floor((1 - share) * column.maxCodeLo);
  bench.add(work(`splitByColumn, ${name}, ${share * 100} % better`, count, 'matches'), () => {
    kernels.splitByColumn(list, count, 0, ptr, ptr + column.offset, 1, 0, keyLo, better, ties);
  });
}

/** One call splits one block. */
export function suite(size: SuiteSize): Bench {
  const count = size === 'tiny' ? 100 : BLOCK_DOCS_MAX;
  const documents = STEP * count;
  const narrow = makeColumn({ values: 200, perDocument: 1, present: 1 }, documents);
  const wide = makeColumn({ values: 2 ** 31, perDocument: 1, present: 0.8 }, documents);
  const several = makeColumn({ values: 50_000, perDocument: 3, present: 1 }, documents);
  const { kernels, scratch, heap } = bindingOf(narrow.views);
  const random = createRandom(1);
  for (let i = 0; i < count; i++) scratch.u16[SCRATCH_LIST_A / 2 + i] = STEP * i;
  for (let doc = 0; doc < documents; doc++) scratch.f32[SCRATCH_ACC / 4 + doc] = random();
  const list = scratch.ptr + SCRATCH_LIST_A;
  const better = scratch.ptr + SCRATCH_LIST_B;
  const ties = scratch.ptr + SCRATCH_LIST_C;
  heap.reset();
  const spread = heap.allocate(2 * count);
  const bench = new Bench(benchOptions(size, `sort kernels, a block of ${count} matches`));
  for (const share of BETTER_SHARES) {
    bench.add(work(`splitByScore, ${share * 100} % better`, count, 'matches'), () => {
      kernels.splitByScore(list, count, scratch.ptr + SCRATCH_ACC, 1 - share, 1, better, ties);
    });
    addColumn(bench, '1 byte', narrow, count, share);
    addColumn(bench, '4 bytes, some without', wide, count, share);
    addColumn(bench, '2 bytes, several a document', several, count, share);
  }
  return bench
    .add(work('splitByPresence', count, 'matches'), () => {
      const { ptr } = wide.views.region;
      kernels.splitByPresence(list, count, 0, ptr, ptr + wide.offset, better, ties);
    })
    .add(work('spreadList', count, 'matches'), () => kernels.spreadList(list, count, spread));
}
