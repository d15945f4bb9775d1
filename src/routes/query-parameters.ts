/**
 * The parameters of a search in a query string. Made by search.ts for each that was not read before.
 */
import { parseQueryString, type QueryPair, readBoolean, readInteger } from '../http/query-string.js';
import type { ParameterName, SearchParameterSource } from './parameter-source.js';

/** Where the value of each parameter is. Written down, so that reading one is an access by a number. */
const PLACES: { readonly [Name in ParameterName]: number } = {
  q: 0,
  query_by: 1,
  filter: 2,
  sort: 3,
  facet: 4,
  limit: 5,
  offset: 6,
  prefix: 7,
  typo_tolerance: 8,
  match_mode: 9,
  typo_threshold: 10,
  ranking: 11,
  highlight: 12,
  highlight_open: 13,
  highlight_close: 14,
  snippet_tokens: 15,
  explain: 16,
  explain_id: 17,
  include_fields: 18,
  exclude_fields: 19,
  facet_limit: 20,
  facet_sort: 21,
  facet_stats: 22,
  facet_query: 23,
  distinct: 24,
};

/** The names of all parameters of a search. */
export const SEARCH_PARAMETERS: readonly string[] = Object.keys(PLACES);

export class QueryParameters implements SearchParameterSource {
  readonly whole = 'query parameters';
  readonly what = 'query parameter';
  readonly prefix = '';
  readonly #values: readonly (string | null)[];

  /** Throws `invalid_query` when `query` cannot be read. What it has beside the parameters is appended to `others`. */
  constructor(query: string, others: QueryPair[]) {
    this.#values = parseQueryString(query, SEARCH_PARAMETERS, others);
  }

  origin(): this {
    return this;
  }

  text(name: ParameterName): string | null {
    return this.#values[PLACES[name]] ?? null;
  }

  list(name: ParameterName): string | null {
    return this.text(name);
  }

  integer(name: ParameterName, byDefault: number): number {
    return readInteger(name, this.text(name), byDefault);
  }

  boolean<Default>(name: ParameterName, byDefault: Default): boolean | Default {
    return readBoolean(name, this.text(name), byDefault);
  }
}
