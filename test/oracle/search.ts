/**
 * Search over the naive collection: which documents match and with which BM25 score.
 *
 * text_match = sum over tokens and fields of boost * max over the token's terms in that field of weight * idf * tf part.
 * Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; k1 1.2, b 0.75.
 */
import type { OracleCollection, OracleField, StoredDocument } from './collection.js';
import { type Filter, passes } from './filter.js';
import { type Clause, type Expansion, editBudget, parseQuery, weightOf } from './query.js';

const K1 = 1.2;
const B = 0.75;

export interface OracleQuery {
  readonly q: string;
  readonly query_by?: readonly string[];
  readonly filter?: Filter;
  readonly prefix?: boolean;
  readonly typo_tolerance?: boolean;
  readonly match_mode?: 'all' | 'any';
}

export interface OracleMatch {
  readonly stored: StoredDocument;
  readonly text_match: number;
}

/** Longest field, and most occurrences of one word in it, whose scores an engine of one-byte impacts keeps exactly. */
const EXACT_LENGTH_MAX = 16;
const EXACT_TF_MAX = 4;

/** Whether the document's score may be rounded: a field is long, or repeats a word often. */
export function mayBeRounded({ tokens }: StoredDocument): boolean {
  return [...tokens.values()].some((values) => {
    const all = values.flat();
    const counts = new Map<string, number>();
    for (const token of all) counts.set(token, (counts.get(token) ?? 0) + 1);
    return all.length > EXACT_LENGTH_MAX || Math.max(0, ...counts.values()) > EXACT_TF_MAX;
  });
}

interface FieldStatistics {
  readonly field: OracleField;
  readonly averageLength: number;
  /** Term -> documents that hold it in this field. */
  readonly df: ReadonlyMap<string, number>;
}

function fieldTokens(stored: StoredDocument, field: OracleField): string[] {
  return (stored.tokens.get(field.name) ?? []).flat();
}

function statisticsOf(documents: readonly StoredDocument[], field: OracleField): FieldStatistics {
  const lists = documents.map((stored) => fieldTokens(stored, field)).filter((tokens) => tokens.length > 0);
  const df = new Map<string, number>();
  for (const tokens of lists) for (const term of new Set(tokens)) df.set(term, (df.get(term) ?? 0) + 1);
  const total = lists.reduce((sum, tokens) => sum + tokens.length, 0);
  return { field, averageLength: lists.length === 0 ? 0 : total / lists.length, df };
}

/** Matches of one token in every document: document -> score, absent where it does not match. */
function scoreToken(
  documents: readonly StoredDocument[],
  statistics: readonly FieldStatistics[],
  token: string,
  reading: Omit<Expansion, 'isKnown'>,
): Map<StoredDocument, number> {
  const expansion: Expansion = { ...reading, isKnown: statistics.some(({ df }) => df.has(token)) };
  const weights = new Map<string, number>();
  let largestDf = 0;
  for (const { df } of statistics) {
    for (const [term, count] of df) {
      const weight = weightOf(token, term, expansion);
      if (weight === 0) continue;
      weights.set(term, weight);
      largestDf = Math.max(largestDf, count);
    }
  }
  const idf = Math.log(1 + (documents.length - largestDf + 0.5) / (largestDf + 0.5));
  const scores = new Map<StoredDocument, number>();
  for (const stored of documents) {
    for (const { field, averageLength } of statistics) {
      const tokens = fieldTokens(stored, field);
      const best = bestOfField(tokens, weights, averageLength);
      if (best === null) continue;
      scores.set(stored, (scores.get(stored) ?? 0) + (field.boost ?? 1) * idf * best);
    }
  }
  return scores;
}

function bestOfField(
  tokens: readonly string[],
  weights: ReadonlyMap<string, number>,
  averageLength: number,
): number | null {
  const tfs = new Map<string, number>();
  for (const token of tokens) if (weights.has(token)) tfs.set(token, (tfs.get(token) ?? 0) + 1);
  if (tfs.size === 0) return null;
  const norm = K1 * (1 - B + (B * tokens.length) / averageLength);
  return Math.max(...[...tfs].map(([term, tf]) => ((weights.get(term) ?? 0) * tf * (K1 + 1)) / (tf + norm)));
}

/** Whether the tokens stand side by side within one value of one of the fields. */
function holdsPhrase(stored: StoredDocument, fields: readonly OracleField[], phrase: readonly string[]): boolean {
  return fields.some((field) =>
    (stored.tokens.get(field.name) ?? []).some((value) =>
      value.some((_, start) => phrase.every((token, i) => value[start + i] === token)),
    ),
  );
}

function scorePhrase(
  documents: readonly StoredDocument[],
  statistics: readonly FieldStatistics[],
  phrase: readonly string[],
): Map<StoredDocument, number> {
  const exact = { isPrefix: false, hasFallback: false, budget: 0 };
  const perToken = phrase.map((token) => scoreToken(documents, statistics, token, exact));
  const fields = statistics.map(({ field }) => field);
  const scores = new Map<StoredDocument, number>();
  for (const stored of documents) {
    if (!holdsPhrase(stored, fields, phrase)) continue;
    scores.set(
      stored,
      perToken.reduce((sum, scored) => sum + (scored.get(stored) ?? 0), 0),
    );
  }
  return scores;
}

function matchText(
  collection: OracleCollection,
  query: OracleQuery,
  clauses: Clause[],
  prefixTypos: boolean,
): OracleMatch[] {
  const documents = collection.documents;
  const fields = (query.query_by ?? collection.searchableFields().map(({ name }) => name)).map((name) =>
    collection.field(name),
  );
  const statistics = [...new Set(fields)].map((field) => statisticsOf(documents, field));
  const { typo_tolerance: settings } = collection.schema;
  const enabled = query.typo_tolerance ?? settings.enabled;
  const scored = clauses.map(({ tokens, isPhrase }, i) => {
    if (isPhrase) return scorePhrase(documents, statistics, tokens);
    const token = tokens[0] ?? '';
    const isPrefix = i === clauses.length - 1 && (query.prefix ?? true);
    const budget = editBudget(token, { ...settings, enabled });
    return scoreToken(documents, statistics, token, { isPrefix, hasFallback: prefixTypos && isPrefix, budget });
  });
  const isMatch = (stored: StoredDocument): boolean =>
    query.match_mode === 'any' ? scored.some((s) => s.has(stored)) : scored.every((s) => s.has(stored));
  return documents.filter(isMatch).map((stored) => ({
    stored,
    text_match: scored.reduce((sum, s) => sum + (s.get(stored) ?? 0), 0),
  }));
}

/** Every matching document with its score, in order of insertion. */
export function searchOracle(collection: OracleCollection, query: OracleQuery): OracleMatch[] {
  const clauses = parseQuery(query.q);
  const keep = ({ stored }: OracleMatch): boolean =>
    query.filter === undefined || passes(collection, stored.document, query.filter);
  if (clauses.length === 0) {
    return collection.documents.map((stored) => ({ stored, text_match: 0 })).filter(keep);
  }
  const direct = matchText(collection, query, clauses, false).filter(keep);
  // Nothing matches at all, the filter included: the last word is tried once more as a mistyped prefix.
  const fellBack = direct.length === 0 && clauses.at(-1)?.isPhrase === false && (query.prefix ?? true);
  return fellBack ? matchText(collection, query, clauses, true).filter(keep) : direct;
}
