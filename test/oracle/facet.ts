/**
 * Facet counts: per field the 100 most frequent values, a document counted once per value.
 */
import type { Scalar } from '../support/wire.js';
import { columnValues, compareText, type OracleCollection, type StoredDocument } from './collection.js';

const FACET_VALUES_MAX = 100;

/** Value (as its key is written) -> count, the most frequent first, equal counts by value. */
export function facetOracle(
  collection: OracleCollection,
  matches: readonly StoredDocument[],
  fieldName: string,
): [string, number][] {
  const field = collection.field(fieldName);
  const counts = new Map<Scalar, number>();
  for (const { document } of matches) {
    for (const value of new Set(columnValues(field, document))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const byValue = (a: Scalar, b: Scalar): number =>
    typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || byValue(a, b))
    .slice(0, FACET_VALUES_MAX)
    .map(([value, count]) => [String(value), count]);
}
