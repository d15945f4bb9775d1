/**
 * The requests that a state of the search view stands for. Pure: what is sent, and what is shown of it.
 *
 * Values that people choose are quoted, so that nothing of them is read as a part of the filter's grammar.
 */
import type { CollectionView, FieldView, SearchOf, SearchParams } from '../../../client/client.js';
import { withQuery } from '../../../client/transport.js';
import { facetFields, rangeFields, searchedFields } from './search-fields.js';
import type { Range, SearchState } from './search-state.js';

/** What the server puts around matches: characters that mean nothing anywhere, so that texts cannot hold them by chance. */
export const MARK_OPEN = '\uE000';
export const MARK_CLOSE = '\uE001';
const FACET_VALUES = 100;
const LAST_MOMENT_OF_DAY = 'T23:59:59.999Z';

const quote = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&')}"`;

function rangeFilters({ name, type }: FieldView, { min, max }: Range): string[] {
  const isDay = (value: string): boolean => type === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const last = isDay(max) ? `${max}${LAST_MOMENT_OF_DAY}` : max;
  const parts = [];
  if (min !== '') parts.push(`${name}:>=${quote(min)}`);
  if (last !== '') parts.push(`${name}:<=${quote(last)}`);
  return parts;
}

/** Returns the filter expression of `state`, '' for none; without the chosen values of the facet `except`. */
export function filterOf(state: SearchState, collection: CollectionView, except = ''): string {
  const parts: string[] = [];
  for (const { name } of facetFields(collection)) {
    const values = state.facets.get(name) ?? [];
    if (values.length > 0 && name !== except) parts.push(`${name}:=[${values.map(quote).join(',')}]`);
  }
  for (const field of rangeFields(collection)) {
    const range = state.ranges.get(field.name);
    if (range !== undefined) parts.push(...rangeFilters(field, range));
  }
  const own = state.filter.trim();
  if (own !== '') parts.push(parts.length === 0 ? own : `(${own})`);
  return parts.join(' && ');
}

/** Without those that are undefined or ''. */
const given = (params: SearchParams): SearchParams =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''));

/** What the words of the query are looked for in, and how: the same for every request of `state`. */
function matching(state: SearchState, collection: CollectionView): SearchParams {
  const isUsual = state.typos === null || state.typos === collection.typo_tolerance.enabled;
  return {
    q: state.q,
    query_by: state.queryBy.join(','),
    typo_tolerance: isUsual ? undefined : (state.typos ?? undefined),
    prefix: state.prefix ? undefined : false,
    match_mode: state.mode === 'all' ? undefined : state.mode,
  };
}

/** The parameters of the search for `state`, without what only this page needs. */
function searchParams(state: SearchState, collection: CollectionView): SearchParams {
  const numbers = rangeFields(collection).filter(({ facet }) => facet);
  const facets = [...facetFields(collection), ...numbers].map(({ name }) => name);
  return given({
    ...matching(state, collection),
    filter: filterOf(state, collection),
    sort: state.sort,
    facet: facets.join(','),
    facet_stats: numbers.length > 0 ? true : undefined,
    highlight: searchedFields(collection)
      .map(({ name }) => name)
      .join(','),
    limit: state.limit === 10 ? undefined : state.limit,
    offset: state.page === 1 ? undefined : (state.page - 1) * state.limit,
  });
}

/** The search as the page asks it. `name` is the collection's, or an alias. */
export function sentSearch(name: string, state: SearchState, collection: CollectionView): SearchOf {
  const marks = { highlight_open: MARK_OPEN, highlight_close: MARK_CLOSE, facet_limit: FACET_VALUES };
  return { collection: name, ...searchParams(state, collection), ...marks };
}

/** The path of the search as somebody else would ask it: with the usual marks. */
export const shownPath = (name: string, state: SearchState, collection: CollectionView): string =>
  withQuery(`/collections/${encodeURIComponent(name)}/search`, { ...searchParams(state, collection) });

/** The search that explains the document `id` under `state`. */
export function explainSearch(name: string, state: SearchState, collection: CollectionView, id: string): SearchOf {
  const found = { ...matching(state, collection), filter: filterOf(state, collection), sort: state.sort };
  return { collection: name, ...given(found), limit: 0, explain: true, explain_id: id };
}

/**
 * Searches that only count, for the facets with chosen values: each without its own, so that the other values can be chosen,
 * too. In the form of /multi-search.
 */
export function countingSearches(name: string, state: SearchState, collection: CollectionView) {
  return facetFields(collection)
    .filter((field) => (state.facets.get(field.name) ?? []).length > 0)
    .map((field) => ({
      field: field.name,
      search: {
        collection: name,
        ...given({ ...matching(state, collection), filter: filterOf(state, collection, field.name) }),
        facet: [field.name],
        facet_limit: FACET_VALUES,
        limit: 0,
      },
    }));
}

/** A command line that asks the same. The key is named, never shown. */
export function curlCommand(origin: string, path: string, hasKey: boolean): string {
  const header = hasKey ? `-H "x-service-api-key: $SABRE_KEY" ` : '';
  return `curl ${header}'${origin}${path.replaceAll("'", '%27')}'`;
}
