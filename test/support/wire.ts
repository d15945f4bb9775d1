/**
 * The interface's JSON shapes as the tests write them down, independently of the server's own types.
 */

export type FieldType = 'text' | 'keyword' | 'int' | 'float' | 'bool' | 'date';

export interface FieldInput {
  name: string;
  type: FieldType;
  facet?: boolean | null;
  filter?: boolean | null;
  sort?: boolean | null;
  index?: boolean | null;
  optional?: boolean | null;
  boost?: number | null;
  stem?: string | null;
}

export interface TypoTolerance {
  enabled: boolean;
  one_typo_min_len: number;
  two_typo_min_len: number;
  max_typos: number;
}

export interface SchemaInput {
  name: string;
  fields: FieldInput[];
  typo_tolerance?: Partial<TypoTolerance> | null;
  default_sorting_field?: string | null;
  ranking?: 'best' | 'bm25' | null;
  near_ties?: boolean | null;
  compress_documents?: boolean | null;
}

export interface CollectionView {
  name: string;
  fields: Required<FieldInput>[];
  typo_tolerance: TypoTolerance;
  default_sorting_field: string | null;
  ranking?: 'best' | 'bm25';
  near_ties?: boolean;
  compress_documents?: boolean;
  created_at: number;
  num_documents: number;
  num_segments: number;
  change?: { state: 'running' | 'refused'; documents: number; message: string | null };
}

export type Scalar = string | number | boolean;
export type FieldValue = Scalar | Scalar[] | null;
export type WireDocument = { id?: unknown; [field: string]: unknown };

export interface BatchResult {
  success: boolean;
  id: string;
  error: string | null;
  code: string | null;
}

export interface BatchReport {
  num_indexed: number;
  num_failed: number;
  results: BatchResult[];
}

export interface Hit {
  document: WireDocument & { id: string | number };
  text_match: number;
  highlight?: Record<string, { snippet: string | string[]; matched: string[] }>;
}

export type Facets = Record<string, Record<string, number>>;

export interface SearchResponse {
  found: number;
  found_is_exact: boolean;
  search_time_ms: number;
  hits: Hit[];
  facets: Facets | null;
  facet_stats?: Record<string, Record<'min' | 'max' | 'sum' | 'avg', number | null>> | null;
}

/** Of a score: what is checked of it. */
export interface Explanation {
  parts: {
    text: string;
    repeats: number;
    idf?: number;
    fields?: {
      field: string;
      boost: number;
      terms: { term: string; kind: string; edits: number; weight: number; tf: number; length: number }[];
    }[];
    phrases?: { phrase: string; kind: string; weight: number; tokens: { idf: number }[] }[];
    adds: number[];
  }[];
  bm25: number;
  nearness: number | null;
  exactness: number | null;
  text_match: number;
}

export interface DocumentExplanation {
  id: string;
  exists: boolean;
  is_hit: boolean;
  rank: number | null;
  passes_filter: boolean | null;
  missing: string[];
  excluded_by: string[];
  explain: Explanation | null;
}

/** The response of a search that asks for explanations. */
export interface Explained extends SearchResponse {
  hits: (Hit & { explain: Explanation })[];
  explain: {
    ranking: string;
    near_ties: boolean;
    stages: { stage: number; found: number | null; answered: boolean }[];
    parts: {
      text: string;
      known?: boolean;
      completed?: boolean;
      documents?: number;
      idf?: number;
      terms?: {
        kind: string;
        edits: number;
        weight: number;
        count: number;
        most_frequent: { term: string; documents: number }[];
      }[];
      phrases?: { phrase: string; kind: string; weight: number }[];
    }[];
    dropped: { token: string; reason: string }[];
    excluded: string[];
    documents: number;
    fields: { field: string; documents: number; average_length: number }[];
    document?: DocumentExplanation;
  };
}

export interface Suggestion {
  text: string;
  count: number;
  typos: number;
}

export interface SuggestResponse {
  suggestions: Suggestion[];
  search_time_ms: number;
}

export interface QueryEntry {
  query: string;
  collection: string;
  count: number;
  zero_result_count: number;
  last_result_count: number;
  avg_latency_ms: number;
  last_seen: number;
}

export interface QueriesResponse {
  queries: QueryEntry[];
  tracked_queries: number;
  dropped_queries: number;
}

export interface LatencyResponse {
  count: number;
  mean_ms: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  max_ms: number;
  total_searches: number;
  uptime_seconds: number;
  queries_per_second: number;
}

export interface ErrorBody {
  error: { code: string; message: string };
}
