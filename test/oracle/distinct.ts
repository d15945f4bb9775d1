/**
 * One hit for each value of a field: of documents in order the first of each group, and how many the group has.
 */
import { columnValues, compareText, type OracleCollection, type OracleDocument } from './collection.js';

/** A hit that stands for its group. */
export interface OracleGroup<Hit> {
  readonly hit: Hit;
  readonly count: number;
}

/** The value that groups `document`, as text: its least one; null: it has none, and stands for itself. */
export function groupOf(collection: OracleCollection, document: OracleDocument, fieldName: string): string | null {
  const field = collection.field(fieldName);
  const values = columnValues(field, document);
  const sorted = [...values].sort((a, b) =>
    typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b),
  );
  const [least] = sorted;
  // -0 is 0.
  return least === undefined ? null : String(typeof least === 'number' ? least + 0 : least);
}

/** The groups of `hits`, all in order, by what `groupAt` says of each. */
export function groupsOf<Hit>(hits: readonly Hit[], groupAt: (hit: Hit) => string | null): OracleGroup<Hit>[] {
  const values = hits.map(groupAt);
  return hits.flatMap((hit, i) => {
    const value = values[i];
    if (value === null) return [{ hit, count: 1 }];
    return values.indexOf(value) < i ? [] : [{ hit, count: values.filter((other) => other === value).length }];
  });
}
