/**
 * Reads a search from its parameters, wherever they come from: defaults are filled in, bounds are checked.
 *
 * What names fields and what has a grammar is the engine's to read.
 */
import { limits, RequestNote, type ResponseFormat, type SearchRequest } from '../../engine/index.js';
import { describeViolation } from '../api/describe-violation.js';
import { validateSearchBounds } from '../api/generated/validators.js';
import type { SearchBounds } from '../api/types/parameters.js';
import { RequestError } from '../http/request-error.js';
import type { KeyScope } from '../keys/key-scope.js';
import type { ParameterName, SearchParameterSource } from './parameter-source.js';
import { checkAsked, checkCollection, scopedParameters } from './scoped-reads.js';

const LIMIT_DEFAULT = 10;
const TYPO_THRESHOLD_DEFAULT = 10;
const SNIPPET_TOKENS_DEFAULT = 30;
const FACET_LIMIT_DEFAULT = 100;

/** Reads the parameters that have bounds, and checks them. */
function readBounds(source: SearchParameterSource): SearchBounds {
  const checked = validateSearchBounds({
    limit: source.integer('limit', LIMIT_DEFAULT),
    offset: source.integer('offset', 0),
    match_mode: source.text('match_mode')?.toLowerCase() ?? 'all',
    typo_threshold: source.integer('typo_threshold', TYPO_THRESHOLD_DEFAULT),
    snippet_tokens: source.integer('snippet_tokens', SNIPPET_TOKENS_DEFAULT),
    ranking: source.text('ranking')?.toLowerCase(),
    facet_limit: source.integer('facet_limit', FACET_LIMIT_DEFAULT),
    facet_sort: source.text('facet_sort')?.toLowerCase() ?? 'count',
  });
  if (!checked.success) {
    const name = checked.errors[0]?.path.replace('$input.', '') as ParameterName;
    const { what, prefix } = source.origin(name);
    throw new RequestError('invalid_query', describeViolation(what, checked.errors, prefix));
  }
  const { data } = checked;
  if (data.offset + data.limit > limits.SEARCH_WINDOW_MAX) {
    const got = `${data.offset} + ${data.limit}`;
    // The limit is small: it is the offset that asks for too much.
    const { whole } = source.origin('offset');
    throw new RequestError(
      'invalid_query',
      `${whole}, offset + limit: expected at most ${limits.SEARCH_WINDOW_MAX}, got ${got}`,
    );
  }
  return data;
}

/**
 * Reads the search that `given` describes, asked of `collection` within `scope` and answered in `format`. Throws `invalid_query`,
 * `forbidden`.
 */
export function readSearchRequest(
  given: SearchParameterSource,
  collection: string,
  format: ResponseFormat,
  scope: KeyScope | null,
): SearchRequest {
  checkCollection(scope, collection);
  const source = scopedParameters(scope, given);
  const bounds = readBounds(source);
  const request: SearchRequest = {
    collection,
    q: source.text('q') ?? '',
    queryBy: source.list('query_by'),
    filter: source.text('filter'),
    sort: source.list('sort'),
    facet: source.list('facet'),
    facetLimit: bounds.facet_limit,
    facetSort: bounds.facet_sort,
    facetStats: source.boolean('facet_stats', false),
    facetQuery: source.text('facet_query'),
    distinct: source.text('distinct'),
    limit: bounds.limit,
    offset: bounds.offset,
    prefix: source.boolean('prefix', true),
    typoTolerance: source.boolean('typo_tolerance', null),
    matchMode: bounds.match_mode,
    typoThreshold: bounds.typo_threshold,
    ranking: bounds.ranking ?? null,
    highlight: source.list('highlight'),
    highlightOpen: source.text('highlight_open'),
    highlightClose: source.text('highlight_close'),
    snippetTokens: bounds.snippet_tokens,
    explain: source.boolean('explain', false),
    explainId: source.text('explain_id'),
    includeFields: source.list('include_fields'),
    excludeFields: source.list('exclude_fields'),
    requiredFilter: scope?.filter ?? null,
    format,
    note: new RequestNote(),
  };
  checkAsked(scope, request);
  return request;
}
