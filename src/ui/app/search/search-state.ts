/**
 * What a person has chosen in the search view, as the URL keeps it. Pure: the view reads it from the route and writes it back.
 *
 * Parameters have the names of the server's where they mean the same; `f.FIELD` are the chosen values of a facet, as a JSON
 * array, `r.FIELD` a range, `MIN..MAX` with either end open.
 */

export type MatchMode = 'all' | 'any';
export const LIMITS = [10, 25, 50] as const;
const LIMIT_DEFAULT = 10;
/** The server shows the first 10,000 hits. */
export const REACH = 10_000;

export interface Range {
  /** As typed; '' is open. */
  readonly min: string;
  readonly max: string;
}

export interface SearchState {
  readonly q: string;
  /** Empty: all text fields. */
  readonly queryBy: readonly string[];
  /** '' is by relevance. */
  readonly sort: string;
  /** An expression, beside facets and ranges. */
  readonly filter: string;
  readonly facets: ReadonlyMap<string, readonly string[]>;
  readonly ranges: ReadonlyMap<string, Range>;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly prefix: boolean;
  /** null: as the collection says. */
  readonly typos: boolean | null;
  readonly mode: MatchMode;
}

const split = (list: string): string[] => list.split(',').filter((each) => each !== '');

function readValues(text: string): string[] {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

function readRange(text: string): Range {
  const [min = '', max = ''] = text.split('..');
  return { min, max };
}

function readPage(text: string | undefined): number {
  const page = Number(text);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** Returns what `params` say; what they say wrongly is as if it were not there. */
export function readState(params: ReadonlyMap<string, string>): SearchState {
  const facets = new Map<string, readonly string[]>();
  const ranges = new Map<string, Range>();
  for (const [name, value] of params) {
    if (name.startsWith('f.')) facets.set(name.slice(2), readValues(value));
    if (name.startsWith('r.')) ranges.set(name.slice(2), readRange(value));
  }
  const typos = params.get('typo_tolerance');
  const limit = LIMITS.find((each) => String(each) === params.get('limit')) ?? LIMIT_DEFAULT;
  return {
    q: params.get('q') ?? '',
    queryBy: split(params.get('query_by') ?? ''),
    sort: params.get('sort') ?? '',
    filter: params.get('filter') ?? '',
    facets: new Map([...facets].filter(([, values]) => values.length > 0)),
    ranges: new Map([...ranges].filter(([, { min, max }]) => min !== '' || max !== '')),
    page: Math.min(readPage(params.get('page')), Math.floor(REACH / limit)),
    limit,
    prefix: params.get('prefix') !== 'false',
    typos: typos === 'true' || typos === 'false' ? typos === 'true' : null,
    mode: params.get('match_mode') === 'any' ? 'any' : 'all',
  };
}

/** Returns the parameters that say `state`; what is as it is by default is left out. */
export function writeState(state: SearchState): Map<string, string> {
  const params = new Map<string, string>();
  const set = (name: string, value: string, usual = ''): void => {
    if (value !== usual) params.set(name, value);
  };
  set('q', state.q);
  set('query_by', state.queryBy.join(','));
  set('sort', state.sort);
  set('filter', state.filter);
  for (const [field, values] of state.facets) if (values.length > 0) set(`f.${field}`, JSON.stringify(values));
  for (const [field, { min, max }] of state.ranges) set(`r.${field}`, `${min}..${max}`, '..');
  set('page', String(state.page), '1');
  set('limit', String(state.limit), String(LIMIT_DEFAULT));
  set('prefix', String(state.prefix), 'true');
  if (state.typos !== null) set('typo_tolerance', String(state.typos));
  set('match_mode', state.mode, 'all');
  return params;
}

/** `state` with the value of a facet chosen, or not any more. */
export function toggleFacet(state: SearchState, field: string, value: string): SearchState {
  const chosen = state.facets.get(field) ?? [];
  const values = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
  return { ...state, page: 1, facets: new Map([...state.facets, [field, values]]) };
}

/** `state` with nothing narrowed down. */
export const withoutFilters = (state: SearchState): SearchState => ({
  ...state,
  ...{ page: 1, filter: '', facets: new Map(), ranges: new Map() },
});

/** How many filters are set. */
export const filterCount = ({ facets, ranges, filter }: SearchState): number =>
  [...facets.values()].reduce((sum, values) => sum + values.length, 0) + ranges.size + (filter === '' ? 0 : 1);
