/**
 * What a filter needs of a segment. Implemented above, by whoever holds the segment's readers.
 */
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { ColumnReader } from '../../values/column-reader.js';

export interface FilterSource {
  /** Of the arena in which the segment lies. */
  readonly binding: ArenaBinding;
  readonly maxDoc: number;
  /** The column of schema field `fieldIndex`; null: no document of the segment has the field. */
  column(fieldIndex: number): ColumnReader | null;
  /** The document with this id, deleted or not; -1: none. */
  findDocument(id: Uint8Array): number;
}
