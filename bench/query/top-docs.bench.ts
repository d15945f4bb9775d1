/**
 * Keeping the best documents of many matches: by score, by a column, and by both.
 */
import { Bench } from 'tinybench';
import { CHUNK_DOCS, SCRATCH_ACC, SCRATCH_LIST_A } from '../../engine/layout/scratch.js';
import { TEXT_MATCH } from '../../engine/query/sort/parse-sort.js';
import { TopDocs } from '../../engine/query/sort/top-docs.js';
import { createRandom } from '../../perf/random.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { makeColumn } from '../support/columns.js';
import { bindingOf } from '../support/engine-memory.js';

const SEGMENTS = 10;
const SIZES = [10, 250];
const SCORE = { field: TEXT_MATCH, descending: true, keyword: false };
const COLUMN = { field: 0, descending: true, keyword: false };

/** One call is a query whose matches are spread evenly over the segments, half of the documents of each. */
export function suite(size: SuiteSize): Bench {
  const bench = new Bench(benchOptions(size, `best documents over ${SEGMENTS} segments`));
  const documents = size === 'tiny' ? 100 : CHUNK_DOCS;
  const column = makeColumn({ values: 2 ** 31, perDocument: 1, present: 1 }, documents);
  const binding = bindingOf(column.views);
  const { scratch, heap } = binding;
  const source = { binding, maxDoc: documents, column: () => column };
  const random = createRandom(1);
  for (let i = 0; 2 * i < documents; i++) scratch.u16[SCRATCH_LIST_A / 2 + i] = 2 * i;
  // As scores of one word are: few of them are distinct.
  for (let doc = 0; doc < documents; doc++)
    scratch.f32[SCRATCH_ACC / 4 + doc] = Math.floor(40 * random() * random()) / 7;
  const top = new TopDocs();
  for (const keys of [[SCORE], [SCORE, COLUMN], [COLUMN]]) {
    for (const wanted of SIZES) {
      for (const matches of [SEGMENTS * 25, (SEGMENTS * documents) / 2]) {
        const count = Math.min(matches / SEGMENTS, documents / 2);
        const order = keys.map((key) => (key === SCORE ? 'score' : 'column')).join(', ');
        bench.add(work(`the best ${wanted} by ${order}`, SEGMENTS * count, 'matches'), () => {
          top.begin({ keys }, wanted);
          for (let segment = 0; segment < SEGMENTS; segment++) {
            heap.reset();
            top.beginSegment(source, segment);
            top.collectChunk(0, scratch.ptr + SCRATCH_LIST_A, count, scratch.ptr + SCRATCH_ACC);
            top.endSegment();
          }
          top.finish();
        });
      }
    }
  }
  return bench;
}
