/**
 * How a value of a field is shown as the name of a JSON member. Used by facet-collector.ts.
 */
import type { JsonWriter } from '../../documents/json-writer.js';
import type { FieldType } from '../../schema/collection-schema.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { floatOfKey, formatIntKey } from '../../values/number-keys.js';

/** Writes a value as the name of a JSON member: of keywords the ordinal `lo` in `column`, else a number's key. */
export function writeValue(writer: JsonWriter, type: FieldType, column: ColumnReader, lo: number, hi: number): void {
  if (type === 'keyword' || type === 'text')
    writer.stringBytes(column.views.u8, column.dictStart(lo), column.dictEnd(lo));
  else if (type === 'bool') writer.string(lo === 1 ? 'true' : 'false');
  else writer.string(type === 'float' ? String(floatOfKey(hi, lo)) : formatIntKey(hi, lo));
}
