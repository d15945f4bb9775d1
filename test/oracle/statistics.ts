/**
 * What scores take from the collection, counted anew for every search.
 */
import type { OracleField, StoredDocument } from './collection.js';

export interface FieldStatistics {
  readonly field: OracleField;
  readonly averageLength: number;
  /** Term -> documents that hold it in this field. */
  readonly df: ReadonlyMap<string, number>;
}

/** The documents as a search sees them: through the fields that it queries. */
export interface Corpus {
  readonly documents: readonly StoredDocument[];
  readonly statistics: readonly FieldStatistics[];
}

/** All tokens of the document's field, over the values of an array. */
export function fieldTokens(stored: StoredDocument, field: OracleField): string[] {
  return (stored.tokens.get(field.name) ?? []).flat();
}

export function makeCorpus(documents: readonly StoredDocument[], fields: readonly OracleField[]): Corpus {
  return { documents, statistics: [...new Set(fields)].map((field) => statisticsOf(documents, field)) };
}

function statisticsOf(documents: readonly StoredDocument[], field: OracleField): FieldStatistics {
  const lists = documents.map((stored) => fieldTokens(stored, field)).filter((tokens) => tokens.length > 0);
  const df = new Map<string, number>();
  for (const tokens of lists) for (const term of new Set(tokens)) df.set(term, (df.get(term) ?? 0) + 1);
  const total = lists.reduce((sum, tokens) => sum + tokens.length, 0);
  return { field, averageLength: lists.length === 0 ? 0 : total / lists.length, df };
}

/** Documents that hold `term` in the field where most do; 0: it is no term of the queried fields. */
export function frequencyOf({ statistics }: Corpus, term: string): number {
  return Math.max(0, ...statistics.map(({ df }) => df.get(term) ?? 0));
}

/** Every distinct term of the queried fields. */
export function vocabularyOf({ statistics }: Corpus): string[] {
  return [...new Set(statistics.flatMap(({ df }) => [...df.keys()]))];
}
