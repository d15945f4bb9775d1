/**
 * Reads the `sort` parameter: `field:asc|desc`, comma-separated.
 *
 * Called once a query by parse-search.ts. Every complaint about a sort expression is worded here.
 */
import { EngineError } from '../../core/errors.js';
import { SORT_KEYS_MAX } from '../../core/limits.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';

/** In SortKey.field: the relevance score instead of a field. */
export const TEXT_MATCH = -1;
const TEXT_MATCH_NAME = '_text_match';

export interface SortKey {
  /** Index into the schema's fields, or TEXT_MATCH. */
  readonly field: number;
  readonly descending: boolean;
  /** The field's values are keywords: its codes in different segments do not compare. */
  readonly keyword: boolean;
}

/** The keys that decide in turn, at least one; what they leave equal is in insertion order. */
export interface SortSpec {
  readonly keys: readonly SortKey[];
}

/**
 * The effective order for `text`: its keys, or `_text_match:desc` when it is null or blank; then the default sorting
 * field, descending, unless it is a key already. Throws invalid_query, with the 0-based character position, for
 * anything that is not a list of at most SORT_KEYS_MAX distinct sortable fields with their directions.
 */
export function parseSort(text: string | null, schema: CollectionSchema): SortSpec {
  const keys: SortKey[] = [];
  if (text === null || text.trim() === '') keys.push({ field: TEXT_MATCH, descending: true, keyword: false });
  else parseKeys(text, schema, keys);
  const fallback = schema.fields.findIndex((field) => field.name === schema.default_sorting_field);
  // A key on the same field in ascending order still leaves ties to break: by the largest of several values.
  const isKey = keys.some((key) => key.field === fallback && key.descending);
  if (fallback >= 0 && !isKey) keys.push(fieldKey(schema, fallback, true));
  return { keys };
}

function parseKeys(text: string, schema: CollectionSchema, keys: SortKey[]): void {
  let position = 0;
  for (const part of text.split(',')) {
    const key = parseKey(part, position, schema);
    if (keys.some((other) => other.field === key.field)) {
      throw fault(`"${part.split(':')[0].trim()}" is given twice`, position + leadingSpace(part));
    }
    if (keys.length === SORT_KEYS_MAX) throw fault(`expected at most ${SORT_KEYS_MAX} fields, got more`, position);
    keys.push(key);
    position += part.length + 1;
  }
}

function parseKey(part: string, partPosition: number, schema: CollectionSchema): SortKey {
  const position = partPosition + leadingSpace(part);
  if (part.trim() === '') throw fault('expected a field and a direction such as "price:asc", got nothing', position);
  const colon = part.indexOf(':');
  const name = (colon < 0 ? part : part.slice(0, colon)).trim();
  if (name === '') throw fault('expected a field name before ":"', position);
  const direction = colon < 0 ? '' : part.slice(colon + 1).trim();
  const descending = direction.toLowerCase() === 'desc';
  if (!descending && direction.toLowerCase() !== 'asc') {
    const at = colon < 0 ? position : partPosition + colon + 1;
    throw fault(
      `expected ":asc" or ":desc" after "${name}", got ${direction === '' ? 'nothing' : `"${direction}"`}`,
      at,
    );
  }
  if (name === TEXT_MATCH_NAME) return { field: TEXT_MATCH, descending, keyword: false };
  const index = schema.fields.findIndex((field) => field.name === name);
  if (index < 0) throw fault(`unknown field "${name}"`, position);
  if (!schema.fields[index].sort)
    throw fault(`field "${name}" is not sortable: its schema lacks "sort": true`, position);
  return fieldKey(schema, index, descending);
}

function fieldKey(schema: CollectionSchema, field: number, descending: boolean): SortKey {
  const { type } = schema.fields[field];
  return { field, descending, keyword: type === 'keyword' || type === 'text' };
}

function leadingSpace(part: string): number {
  return part.length - part.trimStart().length;
}

function fault(what: string, position: number): EngineError {
  return new EngineError('invalid_query', `sort: ${what} (at position ${position})`);
}
