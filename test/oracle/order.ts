/**
 * Sort orders: a comparison of two hits as the sort expression, the default sorting field and insertion demand.
 */
import type { Scalar } from '../support/wire.js';
import { columnValues, compareText, type OracleCollection, type StoredDocument } from './collection.js';

export interface SortKey {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export interface Ranked {
  readonly stored: StoredDocument;
  readonly text_match: number;
}

export const TEXT_MATCH = '_text_match';

/** The sort expression of the `sort` parameter. */
export function writeSort(keys: readonly SortKey[]): string {
  return keys.map(({ field, direction }) => `${field}:${direction}`).join(',');
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return Number(a) - Number(b);
}

/** The value a document sorts by: the smallest of many ascending, the largest descending; null when it has none. */
function sortValue(collection: OracleCollection, stored: StoredDocument, key: SortKey): Scalar | null {
  const field = collection.field(key.field);
  const values = columnValues(field, stored.document);
  values.sort(compareScalars);
  return (key.direction === 'asc' ? values[0] : values.at(-1)) ?? null;
}

/** Missing values come last in both directions. */
function compareByKey(collection: OracleCollection, a: Ranked, b: Ranked, key: SortKey): number {
  const sign = key.direction === 'asc' ? 1 : -1;
  if (key.field === TEXT_MATCH) return sign * (a.text_match - b.text_match);
  const left = sortValue(collection, a.stored, key);
  const right = sortValue(collection, b.stored, key);
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return sign * compareScalars(left, right);
}

/**
 * The total order of hits: the keys (relevance when there are none), then the default sorting field descending, then
 * insertion. Uses the scores it is given, so a server's own scores can be put to the test.
 */
export function orderOf(collection: OracleCollection, keys: readonly SortKey[]): (a: Ranked, b: Ranked) => number {
  const inserted = new Map(collection.documents.map((stored, i) => [stored, i]));
  const all: SortKey[] = keys.length === 0 ? [{ field: TEXT_MATCH, direction: 'desc' }] : [...keys];
  const { default_sorting_field: fallback } = collection.schema;
  if (fallback !== null) all.push({ field: fallback, direction: 'desc' });
  return (a, b) => {
    for (const key of all) {
      const order = compareByKey(collection, a, b, key);
      if (order !== 0) return order;
    }
    return (inserted.get(a.stored) ?? 0) - (inserted.get(b.stored) ?? 0);
  };
}
