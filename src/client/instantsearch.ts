/**
 * `sabre-search/instantsearch`: a search client for instantsearch.js and react-instantsearch, which asks a Sabre server.
 *
 * It reads the requests of these libraries and answers in the shape that Algolia documents for its search API. All searches
 * of one state go in one POST /multi-search. Hierarchical facets, geo search and rules are not there.
 */
import type { SabreClient } from './client.js';
import { type FilterParams, filterOf } from './instantsearch-filters.js';
import {
  type HighlightResult,
  highlightFacet,
  highlightResult,
  type Marks,
  snippetResult,
} from './instantsearch-highlights.js';
import { SabreError } from './sabre-error.js';
import type { Hit, SearchOf, SearchParams, SearchResponse } from './types.js';

const HITS_PER_PAGE = 20;
const LIMIT_MAX = 250;
const WINDOW_MAX = 10_000;
const SEARCHES_MAX = 50;
const FACETS_MAX = 1000;

type Values = Readonly<Record<string, unknown>>;

/** What InstantSearch asks with, as far as it has an effect here. */
export interface InstantSearchParams extends FilterParams {
  readonly query?: string;
  readonly page?: number;
  readonly hitsPerPage?: number;
  readonly offset?: number;
  readonly length?: number;
  readonly facets?: string | readonly string[];
  readonly maxValuesPerFacet?: number;
  readonly sortFacetValuesBy?: string;
  readonly attributesToRetrieve?: readonly string[];
  readonly attributesToHighlight?: readonly string[];
  readonly attributesToSnippet?: readonly string[];
  readonly restrictSearchableAttributes?: readonly string[];
  readonly highlightPreTag?: string;
  readonly highlightPostTag?: string;
  readonly snippetEllipsisText?: string;
  readonly typoTolerance?: boolean | string;
  readonly queryType?: string;
  /** a field: one hit for each of its values; true: that of `attributeForDistinct` */
  readonly distinct?: boolean | number | string;
  readonly attributeForDistinct?: string;
  readonly facetName?: string;
  readonly facetQuery?: string;
  readonly maxFacetHits?: number;
}

/** `indexName`: a collection or an alias, and how it is sorted: `products/sort/price:asc`. */
export interface InstantSearchRequest {
  readonly indexName: string;
  readonly params?: object;
}

export interface InstantSearchOptions {
  readonly client: SabreClient;
  /** parameters of all searches, e.g. `query_by` or `ranking`; a function: by collection */
  readonly params?: Partial<SearchParams> | ((collection: string) => Partial<SearchParams>);
  /** text fields that are highlighted. Default: all, as the server tells of the collection; a scoped key may not ask that. */
  readonly highlight?: readonly string[];
  /** field that `tagFilters` are of. Default: `tags`. */
  readonly tagsField?: string;
}

export type InstantSearchHit = Values & {
  readonly objectID: string;
  readonly _highlightResult?: Readonly<Record<string, HighlightResult>>;
  readonly _snippetResult?: Readonly<Record<string, HighlightResult>>;
};

export interface InstantSearchResult {
  readonly index: string;
  readonly hits: readonly InstantSearchHit[];
  readonly nbHits: number;
  readonly page: number;
  readonly nbPages: number;
  readonly hitsPerPage: number;
  readonly processingTimeMS: number;
  readonly query: string;
  readonly params: string;
  readonly exhaustiveNbHits: boolean;
  readonly exhaustiveFacetsCount: boolean;
  readonly facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly facets_stats: Readonly<Record<string, { min: number; max: number; avg: number; sum: number }>>;
}

export interface FacetHits {
  readonly facetHits: readonly { readonly value: string; readonly highlighted: string; readonly count: number }[];
  readonly exhaustiveFacetsCount: boolean;
  readonly processingTimeMS: number;
}

/** What `instantsearch({ searchClient })` takes. */
export interface InstantSearchClient {
  search(requests: readonly InstantSearchRequest[]): Promise<{ results: InstantSearchResult[] }>;
  searchForFacetValues(requests: readonly InstantSearchRequest[]): Promise<FacetHits[]>;
}

const paramsOf = (request: InstantSearchRequest): InstantSearchParams =>
  ({ ...request, ...request.params }) as object as InstantSearchParams;

/** The collection or alias that `request` names, and how it is sorted. */
function indexOf({ indexName }: InstantSearchRequest): { collection: string; sort: string | undefined } {
  const [collection = '', sort] = indexName.split('/sort/');
  return { collection, sort };
}

const listOf = (names: string | readonly string[] | undefined): readonly string[] =>
  typeof names === 'string' ? [names] : (names ?? []);

const marksOf = ({ highlightPreTag = '<em>', highlightPostTag = '</em>' }: InstantSearchParams): Marks => ({
  open: highlightPreTag,
  close: highlightPostTag,
});

/** Where the page of `params` begins, and how long it is; of a page beyond what may be asked nothing is shown. */
function windowOf({ page = 0, hitsPerPage = HITS_PER_PAGE, offset, length }: InstantSearchParams) {
  const size = Math.min(LIMIT_MAX, length ?? hitsPerPage);
  const first = offset ?? page * size;
  return first + size > WINDOW_MAX ? { limit: 0, offset: 0, size } : { limit: size, offset: first, size };
}

/** Fields of a collection, as they are needed to translate what names none. */
interface Fields {
  readonly text: readonly string[];
  readonly facet: readonly string[];
}

/** Makes the search client of `options.client`. Its methods fail with a SabreError, which InstantSearch shows as an event `error`. */
export function createInstantSearch(options: InstantSearchOptions): InstantSearchClient {
  const { client, highlight, tagsField = 'tags' } = options;
  const known = new Map<string, Promise<Fields>>();

  async function askFields(collection: string): Promise<Fields> {
    try {
      const { fields } = await client.collection(collection).view();
      return {
        text: fields.filter(({ type, index }) => type === 'text' && index).map(({ name }) => name),
        facet: fields.filter(({ facet }) => facet).map(({ name }) => name),
      };
    } catch (error) {
      // What the search says of it is clearer; a scoped key may search all the same.
      known.delete(collection);
      if (error instanceof SabreError && (error.status === 403 || error.status === 404)) return { text: [], facet: [] };
      throw error;
    }
  }
  function fieldsOf(collection: string): Promise<Fields> {
    const fields = known.get(collection) ?? askFields(collection);
    known.set(collection, fields);
    return fields;
  }

  async function highlightedFields(collection: string, params: InstantSearchParams): Promise<readonly string[]> {
    const named = params.attributesToHighlight;
    if (named?.length === 0) return [];
    const all = highlight ?? (await fieldsOf(collection)).text;
    return named === undefined || named.includes('*') ? all : all.filter((field) => named.includes(field));
  }

  async function searchOf(request: InstantSearchRequest): Promise<SearchOf> {
    const params = paramsOf(request);
    const { collection, sort } = indexOf(request);
    const { limit, offset } = windowOf(params);
    const { open, close } = marksOf(params);
    const filter = filterOf(params, tagsField);
    const facets = listOf(params.facets);
    const facet = facets.includes('*') ? (await fieldsOf(collection)).facet : facets;
    const fields = limit > 0 ? await highlightedFields(collection, params) : [];
    const shown = params.attributesToRetrieve;
    const distinct = typeof params.distinct === 'string' ? params.distinct : params.attributeForDistinct;
    const own = typeof options.params === 'function' ? options.params(collection) : options.params;
    return {
      ...own,
      collection,
      q: params.query ?? '',
      limit,
      offset,
      ...(sort !== undefined && { sort }),
      ...(filter !== '' && { filter: own?.filter === undefined ? filter : `(${own.filter}) && ${filter}` }),
      ...(facet.length > 0 && { facet, facet_stats: true }),
      ...(params.maxValuesPerFacet !== undefined && { facet_limit: Math.min(params.maxValuesPerFacet, FACETS_MAX) }),
      ...(params.sortFacetValuesBy === 'alpha' && { facet_sort: 'value' }),
      ...(fields.length > 0 && { highlight: fields, highlight_open: open, highlight_close: close, snippet_tokens: 0 }),
      ...(shown !== undefined && !shown.includes('*') && { include_fields: ['id', ...shown] }),
      ...(params.restrictSearchableAttributes?.length && { query_by: params.restrictSearchableAttributes }),
      ...(params.typoTolerance !== undefined && { typo_tolerance: String(params.typoTolerance) !== 'false' }),
      ...(params.queryType === 'prefixNone' && { prefix: false }),
      ...(params.distinct && distinct !== undefined && { distinct }),
    };
  }

  /** Asks all at once, and throws the first error. */
  async function ask(searches: readonly SearchOf[]): Promise<SearchResponse[]> {
    const responses: SearchResponse[] = [];
    for (let at = 0; at < searches.length; at += SEARCHES_MAX) {
      for (const result of await client.multiSearch(searches.slice(at, at + SEARCHES_MAX))) {
        if ('error' in result) throw new SabreError(result.error.code, result.error.message, { status: 200 });
        responses.push(result);
      }
    }
    return responses;
  }

  /**
   * Answers the searches that `translate` makes of `requests`. When one is refused that was made of fields known from before, it may
   * name one that was dropped since, or an alias may point elsewhere: then they are made anew, once.
   */
  async function answer(
    requests: readonly InstantSearchRequest[],
    translate: (request: InstantSearchRequest) => Promise<SearchOf>,
  ): Promise<SearchResponse[]> {
    const remembered = requests.map((request) => indexOf(request).collection).filter((name) => known.has(name));
    const askOnce = async (): Promise<SearchResponse[]> => ask(await Promise.all(requests.map(translate)));
    try {
      return await askOnce();
    } catch (error) {
      if (!(error instanceof SabreError && error.code === 'invalid_query') || remembered.length === 0) throw error;
      for (const name of remembered) known.delete(name);
      return await askOnce();
    }
  }

  return {
    async search(requests) {
      const responses = await answer(requests, searchOf);
      return { results: requests.map((request, at) => resultOf(request, responses[at] as SearchResponse)) };
    },
    async searchForFacetValues(requests) {
      const responses = await answer(requests, async (request) => {
        const { facetName: facet = '', facetQuery = '', maxFacetHits = 10 } = paramsOf(request);
        const { sort: _, ...search } = await searchOf({
          ...request,
          params: { ...request.params, facets: [], hitsPerPage: 0 },
        });
        return { ...search, facet: [facet], facet_limit: maxFacetHits, facet_query: `${facet}:${facetQuery}` };
      });
      return requests.map((request, at) => facetHitsOf(paramsOf(request), responses[at] as SearchResponse));
    },
  };
}

function hitOf({ document, highlight, distinct_count }: Hit, params: InstantSearchParams): InstantSearchHit {
  const marks = marksOf(params);
  const highlighted = highlightResult(document, highlight, params.query ?? '', marks);
  const snippets = params.attributesToSnippet ?? [];
  const hasHighlights = params.attributesToHighlight?.length !== 0;
  return {
    ...document,
    objectID: String(document.id),
    ...(distinct_count !== undefined && { _distinctCount: distinct_count }),
    ...(hasHighlights && { _highlightResult: highlighted }),
    ...(snippets.length > 0 && {
      _snippetResult: snippetResult(highlighted, snippets, marks, params.snippetEllipsisText ?? '…'),
    }),
  };
}

function resultOf(request: InstantSearchRequest, response: SearchResponse): InstantSearchResult {
  const params = paramsOf(request);
  const { size } = windowOf(params);
  const { found, hits, facets, facet_stats, search_time_ms } = response;
  const reachable = Math.min(found, Math.floor(WINDOW_MAX / Math.max(size, 1)) * size);
  const stats: Record<string, { min: number; max: number; avg: number; sum: number }> = {};
  for (const [field, { min, max, avg, sum }] of Object.entries(facet_stats ?? {}))
    if (min !== null && max !== null && avg !== null) stats[field] = { min, max, avg, sum: sum ?? 0 };
  return {
    index: request.indexName,
    hits: hits.map((hit) => hitOf(hit, params)),
    nbHits: found,
    page: params.page ?? 0,
    nbPages: size === 0 ? 0 : Math.ceil(reachable / size),
    hitsPerPage: size,
    processingTimeMS: Math.ceil(search_time_ms),
    query: params.query ?? '',
    params: '',
    exhaustiveNbHits: true,
    exhaustiveFacetsCount: true,
    facets: facets ?? {},
    facets_stats: stats,
  };
}

function facetHitsOf(params: InstantSearchParams, { facets, search_time_ms }: SearchResponse): FacetHits {
  const { facetName = '', facetQuery = '' } = params;
  const facetHits = Object.entries(facets?.[facetName] ?? {})
    .map(([value, count]) => ({ value, highlighted: highlightFacet(value, facetQuery, marksOf(params)), count }))
    // The keys of an object that are whole numbers do not come in the order they were sent.
    .sort((a, b) => b.count - a.count);
  return { facetHits, exhaustiveFacetsCount: true, processingTimeMS: Math.ceil(search_time_ms) };
}
