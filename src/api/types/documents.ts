/**
 * Documents on the wire, the report of a batch of them, and the answers of searches and suggestions.
 *
 * The engine writes these bodies as bytes; the types are their description. Doc comments are the descriptions in
 * /openapi.json.
 */
import type { tags } from 'typia';
import type { QueryExplanation, ScoreExplanation } from '../../../engine/index.js';
import type { ErrorBody } from './server.js';

/** A flat object: `id` and any fields. Returned exactly as it was sent. */
export interface Document {
  /** 1 to 256 bytes */
  id: string | (number & tags.Type<'int64'>);
  [field: string]: unknown;
}

/** A document as it was sent, or of it what `include_fields` and `exclude_fields` leave. */
export interface ShownDocument {
  /** 1 to 256 bytes; absent where it was not asked for */
  id?: string | (number & tags.Type<'int64'>);
  [field: string]: unknown;
}

export interface BatchReport {
  num_indexed: number & tags.Type<'uint32'>;
  num_failed: number & tags.Type<'uint32'>;
  /** one entry for each document, in the order sent */
  results: readonly DocumentOutcome[];
}

export interface DocumentOutcome {
  success: boolean;
  /** empty when it could not be read */
  id: string;
  /** why it was refused; null: it was not */
  error: string | null;
  /** one of the error codes; null: it was not refused */
  code: string | null;
}

/** What a deletion by filter did. */
export interface DeletedDocuments {
  num_deleted: number & tags.Type<'uint32'>;
}

export interface SearchResponse {
  /** all matching documents; with `distinct` all values of the field among them, and all documents without one */
  found: number & tags.Type<'uint32'>;
  /** always true: every match is counted */
  found_is_exact: boolean;
  search_time_ms: number;
  hits: readonly Hit[];
  /** for each facet field, value to count; null without `facet` */
  facets: { [field: string]: { [value: string]: number & tags.Type<'uint32'> } } | null;
  /** for each facet field of numbers or dates; only with `facet_stats=true`, null without `facet` */
  facet_stats?: { [field: string]: FacetStats } | null;
  /** how the query was read; only with `explain=true` or `explain_id` */
  explain?: QueryExplanation;
}

/** Of the values of all matches, each once a document. Dates in milliseconds. */
export interface FacetStats {
  /** null: there is no value */
  min: number | null;
  max: number | null;
  /** of integers with all digits, also beyond 64 bits; of floats the nearest double, null when that is not finite */
  sum: number | null;
  /** the nearest double; null: there is no value */
  avg: number | null;
}

export interface MultiSearchResponse {
  /** for each search, in the order asked, what it alone would be answered */
  results: readonly (SearchResponse | ErrorBody)[];
}

export interface Hit {
  document: ShownDocument;
  /** relevance: BM25, times the bonuses of ranking `best` */
  text_match: number;
  /** with `distinct`: how many matching documents have the value of this one */
  distinct_count?: number & tags.Type<'uint32'>;
  /** what the score is made of; only with `explain=true` */
  explain?: ScoreExplanation;
  /** with `highlight`: for each of its fields that the document holds */
  highlight?: { [field: string]: Highlight };
}

export interface Highlight {
  /**
   * HTML: the text around the best matches, each between `highlight_open` and `highlight_close`; of an array a snippet for
   * each value with a match, or of the first value when none has
   */
  snippet: string | readonly string[];
  /** the distinct words that matched, as they stand in the text */
  matched: readonly string[];
}

export interface SuggestResponse {
  suggestions: readonly Suggestion[];
  search_time_ms: number;
}

export interface Suggestion {
  /** a term that completes or corrects the last token of the query */
  text: string;
  /** documents that hold the term */
  count: number & tags.Type<'uint32'>;
  /** edits between what was typed and the term */
  typos: number & tags.Type<'uint32'>;
}
