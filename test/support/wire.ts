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
}

export interface CollectionView {
  name: string;
  fields: Required<FieldInput>[];
  typo_tolerance: TypoTolerance;
  default_sorting_field: string | null;
  created_at: number;
  num_documents: number;
  num_segments: number;
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
}

export type Facets = Record<string, Record<string, number>>;

export interface SearchResponse {
  found: number;
  found_is_exact: boolean;
  search_time_ms: number;
  hits: Hit[];
  facets: Facets | null;
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
