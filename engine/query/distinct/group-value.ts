/**
 * The value by which a document is grouped: its least one, where it has several.
 *
 * Read of the best documents alone; all matches are counted by facets/.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { ColumnReader } from '../../values/column-reader.js';

export interface GroupValue {
  /** A column that has it. */
  readonly column: ColumnReader;
  /** Keywords: its ordinal there; numbers: the low half of its key. */
  readonly lo: number;
  /** Numbers: the high half of its key; else 0. */
  readonly hi: number;
  /** Equal for equal values of the field, whatever the segment. */
  readonly key: string;
}

/** The value of `doc` in `field`; null: it has none, and is a group of its own. */
export function groupValueOf(segment: SearchableSegment, field: number, doc: number): GroupValue | null {
  const column = segment.column(field);
  if (column === null) return null;
  const index = column.firstIndex(doc);
  if (index === column.endIndex(doc)) return null;
  const codeLo = column.codeLo(index);
  if (column.kind === 'keyword') {
    const { buffer, byteOffset } = column.views.u8;
    const [start, end] = [column.dictStart(codeLo), column.dictEnd(codeLo)];
    const key = Buffer.from(buffer, byteOffset + start, end - start).toString('latin1');
    return { column, lo: codeLo, hi: 0, key };
  }
  const lo = column.keyLo(codeLo);
  const hi = column.keyHi(codeLo, column.codeHi(index));
  return { column, lo, hi, key: `${hi} ${lo}` };
}

/**
 * Where `value` is in another column of its field: the low and the high half of its code; null: the column does not have it.
 */
export function codeIn(column: ColumnReader, value: GroupValue): { readonly lo: number; readonly hi: number } | null {
  if (column.kind === 'keyword') {
    if (column === value.column) return { lo: value.lo, hi: 0 };
    const home = value.column;
    const ord = column.findOrd(home.views.u8, home.dictStart(value.lo), home.dictEnd(value.lo));
    return ord < 0 ? null : { lo: ord, hi: 0 };
  }
  // The code is the key less the base of the column; one below the base has none.
  const lo = (value.lo - column.baseLo) >>> 0;
  const borrow = value.lo < column.baseLo ? 1 : 0;
  const difference = value.hi - column.baseHi - borrow;
  return difference < 0 ? null : { lo, hi: difference >>> 0 };
}
