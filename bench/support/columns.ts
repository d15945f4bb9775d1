/**
 * Columns of random values, one of each width, for the benchmarks of filters, facets and sorting.
 */
import { ColumnReader } from '../../engine/values/column-reader.js';
import { ColumnBuilder } from '../../engine/values/column-writer.js';
import { createRandom, randomBelow } from '../../perf/random.js';
import { writeViews } from './engine-memory.js';

export interface ColumnShape {
  /** Distinct values that numbers are drawn from, up to 2^32; 0: all 64 bits. */
  readonly values: number;
  /** Most values a document has; above 1 the column is multi-valued. */
  readonly perDocument: number;
  /** Share of documents that have the field. */
  readonly present: number;
}

/** A numeric column of `maxDoc` documents, the same for the same shape. Its smallest key is 0 or thereabouts. */
export function makeColumn(shape: ColumnShape, maxDoc: number): ColumnReader {
  const random = createRandom(shape.values + shape.perDocument);
  const builder = new ColumnBuilder('number');
  for (let doc = 0; doc < maxDoc; doc++) {
    if (shape.present < 1 && random() >= shape.present) continue;
    for (let left = 1 + randomBelow(random, shape.perDocument); left > 0; left--) {
      const lo = randomBelow(random, shape.values === 0 ? 2 ** 32 : shape.values);
      builder.addNumber(doc, shape.values === 0 ? randomBelow(random, 2 ** 31) : 0, lo);
    }
  }
  let offset = 0;
  const views = writeViews(builder.estimateBytes(maxDoc), (out) => {
    offset = builder.write(out, maxDoc);
  });
  return new ColumnReader(views, offset, maxDoc);
}
