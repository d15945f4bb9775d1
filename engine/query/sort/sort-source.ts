/**
 * What sorting and faceting see of one segment during a query. Made by the evaluator, one a segment.
 */
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { ColumnReader } from '../../values/column-reader.js';

export interface SortSource {
  /** Kernels, scratch and heap of the arena that holds the segment. */
  readonly binding: ArenaBinding;
  readonly maxDoc: number;
  /** The column of schema field `fieldIndex`, or null when no document of the segment has the field. */
  column(fieldIndex: number): ColumnReader | null;
}
