/**
 * The query parameters of each endpoint that has some. Those that have bounds are checked by a generated validator, after
 * their text was read as a number or lower-cased. Bounds are the engine's.
 *
 * Doc comments are the descriptions in /openapi.json; one that ends with `Default: x.` names the value of an absent one.
 */
import type { tags } from 'typia';
import type { limits } from '../../../engine/index.js';

/** Read from decimal digits, so whole and not negative. */
type Natural<Max extends number> = number & tags.Maximum<Max>;
type Positive<Max extends number> = number & tags.Minimum<1> & tags.Maximum<Max>;

export interface SearchParameters {
  /** the search query; empty or * matches every document */
  q?: string;
  /** comma-separated text fields (default: all) */
  query_by?: string;
  /** filter expression, e.g. `price:<5000 && brand:=Acme` */
  filter?: string;
  /** e.g. `price:asc,_text_match:desc` (default: relevance) */
  sort?: string;
  /** comma-separated facet fields */
  facet?: string;
  /** values shown of each facet field. Default: 100. */
  facet_limit?: Natural<typeof limits.FACET_LIMIT_MAX> & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 0 }>;
  /** which of them come first: the most frequent, or by value. Default: "count". */
  facet_sort?: 'count' | 'value';
  /** tells the least, largest, sum and average of numeric facet fields. Default: false. */
  facet_stats?: boolean;
  /** `field:text`: of this facet field only values that begin with the text, e.g. `brand:lo` */
  facet_query?: string;
  /** a facet or sortable field: one hit, the best, for each of its values */
  distinct?: string;
  /** results on this page. Default: 10. */
  limit?: Natural<typeof limits.SEARCH_LIMIT_MAX> & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 0 }>;
  /** results to skip; limit and offset together are at most its maximum. Default: 0. */
  offset?: Natural<typeof limits.SEARCH_WINDOW_MAX> & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 0 }>;
  /** the last token also matches what it begins. Default: true. */
  prefix?: boolean;
  /** overrides the setting of the collection */
  typo_tolerance?: boolean;
  /** must all tokens match, or any. Default: "all". */
  match_mode?: 'all' | 'any';
  /** with fewer matches than this, known words are corrected, split and joined too; 0: never. Default: 10. */
  typo_threshold?: Natural<typeof limits.TYPO_THRESHOLD_MAX> & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 0 }>;
  /** bonuses for nearness and exactness, or BM25 alone (default: the collection's) */
  ranking?: 'best' | 'bm25';
  /** comma-separated text fields of which each hit shows a snippet with its matches marked */
  highlight?: string;
  /** stands before a match, at most 256 bytes. Default: "<mark>". */
  highlight_open?: string;
  /** stands after a match, at most 256 bytes. Default: "</mark>". */
  highlight_close?: string;
  /** words of a snippet; 0: the whole value. Default: 30. */
  snippet_tokens?: Natural<typeof limits.SNIPPET_TOKENS_MAX> & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 0 }>;
  /** tells what each hit's score is made of. Default: false. */
  explain?: boolean;
  /** the id of a document: tells at which rank it is, or why it is no hit */
  explain_id?: string;
  /** comma-separated top-level fields that the document of a hit shows (default: all) */
  include_fields?: string;
  /** comma-separated top-level fields that it does not show */
  exclude_fields?: string;
}

type ListName = 'query_by' | 'sort' | 'facet' | 'highlight' | 'include_fields' | 'exclude_fields';

/** Every endpoint has it. */
export interface CommonParameters {
  /** refuses parameters that are not known, which else are ignored and named in the header `warning`. Default: false. */
  strict?: boolean;
}

/** The parameters of a search as a JSON object. */
export type SearchBody = {
  [Name in keyof SearchParameters]: Name extends ListName
    ? SearchParameters[Name] | readonly string[]
    : SearchParameters[Name];
} & CommonParameters;

/** One of several searches: its parameters, and the collection. */
export type SearchOfCollection = SearchBody & { collection: string };

export interface MultiSearchBody extends CommonParameters {
  /** 1 to 50, each of any collection */
  searches: readonly SearchOfCollection[] & tags.MinItems<1> & tags.MaxItems<typeof limits.MULTI_SEARCH_MAX>;
}

export interface ExportParameters {
  /** filter expression, e.g. `price:<5000 && brand:=Acme` (default: all documents) */
  filter?: string;
  /** comma-separated top-level fields that are shown (default: all) */
  include_fields?: string;
  /** comma-separated top-level fields that are not shown */
  exclude_fields?: string;
}

export interface FetchParameters {
  /** comma-separated top-level fields that are shown (default: all) */
  include_fields?: string;
  /** comma-separated top-level fields that are not shown */
  exclude_fields?: string;
}

export interface IndexParameters {
  /** takes all documents; those alone whose ids are new; or those alone whose ids are there. Default: "upsert". */
  action?: 'upsert' | 'create' | 'update';
}

export interface DeleteParameters {
  /** what is deleted; needed */
  filter?: string;
}

export interface ChangeParameters {
  /** only counts the documents that would not fit. Default: false. */
  dry_run?: boolean;
}

export interface DropParameters {
  /** deletes the aliases of the collection too, which else refuse it. Default: false. */
  force?: boolean;
}

export interface SuggestParameters {
  /** partial query; its last token is completed */
  q?: string;
  /** comma-separated text fields (default: all) */
  query_by?: string;
  /** most suggestions. Default: 5. */
  limit?: Positive<typeof limits.SUGGEST_LIMIT_MAX> & tags.JsonSchemaPlugin<{ type: 'integer' }>;
  /** overrides the setting of the collection */
  typo_tolerance?: boolean;
}

export interface AnalyticsParameters {
  /** only this collection (default: all) */
  collection?: string;
  /** most queries; cut to 1 to 500. Default: 20. */
  limit?: number & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 0 }>;
}

export type SearchBounds = Required<
  Pick<
    SearchParameters,
    'limit' | 'offset' | 'match_mode' | 'typo_threshold' | 'snippet_tokens' | 'facet_limit' | 'facet_sort'
  >
> &
  Pick<SearchParameters, 'ranking'>;
export type SuggestBounds = Required<Pick<SuggestParameters, 'limit'>>;
