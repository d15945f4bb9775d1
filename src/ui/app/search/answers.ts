/**
 * What the server answers a search with, as far as the search view shows it (docs/api.md).
 */

/** JSON as it comes: a document may hold anything. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Document = Readonly<Record<string, Json>>;

export interface Highlight {
  readonly snippet: string | readonly string[];
  readonly matched: readonly string[];
}

export interface Hit {
  readonly document: Document;
  readonly text_match: number;
  readonly highlight?: Readonly<Record<string, Highlight>>;
}

export type FacetCounts = Readonly<Record<string, number>>;

export interface FacetStatistics {
  readonly min: number | null;
  readonly max: number | null;
}

export interface SearchAnswer {
  readonly found: number;
  readonly search_time_ms: number;
  readonly hits: readonly Hit[];
  readonly facets: Readonly<Record<string, FacetCounts>> | null;
  readonly facet_stats?: Readonly<Record<string, FacetStatistics>> | null;
}

export interface MultiSearchAnswer {
  readonly results: readonly (SearchAnswer | { readonly error: { readonly code: string; readonly message: string } })[];
}

export type TermKind =
  | 'typed'
  | 'completion'
  | 'correction'
  | 'mistyped_prefix'
  | 'stem'
  | 'synonym'
  | 'joined'
  | 'split';

export interface ExplainedTerm {
  readonly term: string;
  readonly kind: TermKind;
  readonly edits: number;
  readonly occurrences: number;
  readonly score: number;
}

export interface ExplainedField {
  readonly field: string;
  readonly boost: number;
  readonly score: number;
  readonly terms: readonly ExplainedTerm[];
}

/** A word of a phrase. */
export interface ExplainedToken {
  readonly token: string;
  readonly fields: readonly ExplainedField[];
}

export interface ExplainedPhrase {
  readonly phrase: string;
  readonly kind: TermKind;
  readonly score: number;
}

/** A word or a phrase of the query, and what a document holds of it. */
export interface ExplainedPart {
  readonly kind: 'token' | 'phrase';
  readonly text: string;
  readonly fields?: readonly ExplainedField[];
  readonly phrases?: readonly ExplainedPhrase[];
  readonly tokens?: readonly ExplainedToken[];
  readonly adds: readonly number[];
}

export interface ScoreExplanation {
  readonly parts: readonly ExplainedPart[];
  readonly bm25: number;
  readonly nearness: number | null;
  readonly exactness: number | null;
  readonly text_match: number;
}

export interface QueryPart {
  readonly text: string;
  readonly documents?: number;
}

export interface QueryExplanation {
  readonly stages: readonly { readonly stage: number; readonly answered: boolean }[];
  readonly parts: readonly QueryPart[];
  readonly dropped: readonly { readonly token: string; readonly reason: 'stop_word' | 'too_many_tokens' }[];
  readonly documents: number;
  readonly document: {
    readonly is_hit: boolean;
    readonly rank: number | null;
    readonly explain: ScoreExplanation | null;
  };
}

export interface ExplainAnswer {
  readonly found: number;
  readonly explain: QueryExplanation;
}
