/**
 * A search request as the server makes one of a query string that names nothing but what is given.
 */
import type { SearchRequest } from '../../engine/core/requests.js';

/** Of searches and fetches. */
export const ALL_FIELDS = { includeFields: null, excludeFields: null, requiredFilter: null };

export const SEARCH_DEFAULTS: SearchRequest = {
  collection: '',
  q: '',
  queryBy: null,
  filter: null,
  sort: null,
  facet: null,
  facetLimit: 100,
  facetSort: 'count',
  facetStats: false,
  facetQuery: null,
  distinct: null,
  limit: 10,
  offset: 0,
  prefix: true,
  typoTolerance: null,
  matchMode: 'all',
  typoThreshold: 10,
  ranking: null,
  highlight: null,
  highlightOpen: null,
  highlightClose: null,
  snippetTokens: 30,
  explain: false,
  explainId: null,
  ...ALL_FIELDS,
  format: 'json',
  note: null,
};
