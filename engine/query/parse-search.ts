/**
 * Parses a search request: every string is read and checked against the schema, every default filled in.
 *
 * Called once per search, before any segment is looked at; everything a client can get wrong is found here.
 */
import { EngineError } from '../core/errors.js';
import { DOCUMENT_ID_BYTES_MAX, FILTER_BYTES_MAX, SEARCH_LIMIT_MAX, SEARCH_WINDOW_MAX } from '../core/limits.js';
import type { Ranking, SearchRequest } from '../core/requests.js';
import type { KeptFields } from '../documents/kept-fields.js';
import { type CollectionSchema, isSearchable, type TypoTolerance } from '../schema/collection-schema.js';
import type { Analyzer } from '../text/analyzer.js';
import { analyzeQuery } from '../text/query-tokens.js';
import { parseDistinct } from './distinct/parse-distinct.js';
import { findStemmedFields, type StemmedFields } from './expand/stem-terms.js';
import { type FacetOptions, parseFacetOptions, parseFacets } from './facets/parse-facets.js';
import { type ParsedFilter, RecentFilters } from './filter/recent-filters.js';
import { type HighlightSpec, parseHighlight } from './highlight/parse-highlight.js';
import { parseKeptFields } from './parse-kept-fields.js';
import { makeClauses, type QueryClauses } from './query-clauses.js';
import { RememberedSpecs } from './remembered-specs.js';
import { parseSort, type SortSpec } from './sort/parse-sort.js';

/** The text fields a query reads. */
export interface QueriedFields {
  /** Indexes into the schema's fields, in schema order. */
  readonly indexes: readonly number[];
  /** Relevance multiplier of each. */
  readonly boosts: readonly number[];
}

export interface ParsedSearch extends QueryClauses {
  readonly fields: QueriedFields;
  /** Names them. */
  readonly fieldKey: string;
  /** Those of the fields that have stems. */
  readonly stemmed: readonly StemmedFields[];
  readonly typos: TypoTolerance;
  /** With fewer matches than this, tokens that are known are corrected too. */
  readonly typoThreshold: number;
  /** Every clause must match; else at least one. */
  readonly matchAll: boolean;
  readonly filter: ParsedFilter | null;
  readonly sort: SortSpec;
  readonly ranking: Ranking;
  /** Fields whose values are counted: the facets, and the one that documents are grouped by, which comes last. */
  readonly facets: readonly number[] | null;
  /** Some of them are facets, and are shown. */
  readonly showsFacets: boolean;
  /** The field of which each value has one hit; null: each document is one. */
  readonly distinct: number | null;
  readonly facetOptions: FacetOptions;
  readonly highlight: HighlightSpec | null;
  /** What is shown of each hit; null: all of it. */
  readonly kept: KeptFields | null;
  /** Each hit tells what its score is made of. */
  readonly explainsHits: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Best documents that are put in order: to the end of the page, or all that may be when a rank is asked for. */
  readonly ranked: number;
  /** The rank of one document is asked for, whichever page it is on. */
  readonly isRankAsked: boolean;
}

/** The queried fields, and what goes with them. */
interface FieldSpec {
  readonly fields: QueriedFields;
  readonly fieldKey: string;
  readonly stemmed: readonly StemmedFields[];
}

/** Of these groups are made first; where they are of too few, the others are looked at (distinct/unseen-top.ts). */
const DISTINCT_RANKED_MIN = 1000;
const DOCUMENTS_A_GROUP = 4;

const fieldSpecs = new RememberedSpecs<FieldSpec>((queryBy, schema) => {
  const fields = parseQueryBy(queryBy, schema);
  return { fields, fieldKey: fields.indexes.join(), stemmed: findStemmedFields(fields.indexes, schema) };
});
const sortSpecs = new RememberedSpecs<SortSpec>(parseSort);
const recentFilters = new RecentFilters();

/** Parses and checks `request`. Errors: invalid_query. */
export function parseSearch(request: SearchRequest, schema: CollectionSchema, analyzer: Analyzer): ParsedSearch {
  checkWindow(request.limit, request.offset);
  checkExplainId(request.explainId);
  const matchAll = request.matchMode === 'all';
  const { fields, fieldKey, stemmed } = fieldSpecs.get(request.queryBy, schema);
  // One by one: an object that is spread is built many times slower.
  const { clauses, slots, excluded } = makeClauses(analyzeQuery(request.q, analyzer), request.prefix, matchAll);
  const typos = overrideTypos(request.typoTolerance, schema);
  const facets = parseFacets(request.facet, schema);
  const distinct = parseDistinct(request, schema);
  return {
    clauses,
    slots,
    excluded,
    fields,
    fieldKey,
    stemmed,
    typos,
    typoThreshold: request.typoThreshold,
    matchAll,
    filter: parseOptionalFilter(request, schema),
    sort: sortSpecs.get(request.sort, schema),
    ranking: request.ranking ?? schema.ranking ?? 'best',
    facets: distinct === null ? facets : [...(facets ?? []), distinct],
    showsFacets: facets !== null,
    distinct,
    facetOptions: parseFacetOptions(request, facets, schema, typos, analyzer),
    highlight: parseHighlight(request, schema),
    kept: parseKeptFields(request),
    explainsHits: request.explain,
    limit: request.limit,
    offset: request.offset,
    isRankAsked: request.explainId !== null,
    ranked: rankedOf(request),
  };
}

/** How many of the best documents `request` asks to be put in order. */
function rankedOf({ limit, offset, explainId, distinct }: SearchRequest): number {
  if (explainId !== null) return SEARCH_WINDOW_MAX;
  if (distinct === null || limit === 0) return offset + limit;
  return Math.min(SEARCH_WINDOW_MAX, Math.max(DISTINCT_RANKED_MIN, DOCUMENTS_A_GROUP * (offset + limit)));
}

/** The fields of a comma-separated `query_by`, or all searchable ones. Errors: invalid_query. */
export function parseQueryBy(queryBy: string | null, schema: CollectionSchema): QueriedFields {
  const chosen = new Set<number>();
  if (queryBy === null) {
    for (const [index, field] of schema.fields.entries()) if (isSearchable(field)) chosen.add(index);
  } else for (const name of new Set(queryBy.split(','))) chosen.add(findSearchable(name.trim(), schema));
  const indexes = [...chosen].sort((a, b) => a - b);
  return { indexes, boosts: indexes.map((index) => schema.fields[index].boost ?? 1) };
}

function notSearchable(got: string, { fields }: CollectionSchema): EngineError {
  const names = fields.filter(isSearchable).map((field) => field.name);
  return new EngineError('invalid_query', `query_by: expected an indexed text field (${names.join(', ')}), got ${got}`);
}

function findSearchable(name: string, schema: CollectionSchema): number {
  if (name === '') throw notSearchable('a blank name', schema);
  const index = schema.fields.findIndex((field) => field.name === name);
  if (index < 0) throw notSearchable(`the unknown field "${name}"`, schema);
  const field = schema.fields[index];
  if (field.type !== 'text') throw notSearchable(`"${name}" of type ${field.type}`, schema);
  if (!field.index) throw notSearchable(`"${name}" with "index": false`, schema);
  return index;
}

/** The collection's typo settings as a query overrides them. A query can turn on what the collection turned off. */
export function overrideTypos(wanted: boolean | null, schema: CollectionSchema): TypoTolerance {
  const { one_typo_min_len, two_typo_min_len, max_typos } = schema.typo_tolerance;
  return wanted === null ? schema.typo_tolerance : { enabled: wanted, one_typo_min_len, two_typo_min_len, max_typos };
}

function parseOptionalFilter(
  { filter, requiredFilter }: Pick<SearchRequest, 'filter' | 'requiredFilter'>,
  schema: CollectionSchema,
): ParsedFilter | null {
  const bytes = filter === null ? 0 : Buffer.byteLength(filter, 'utf8');
  if (bytes > FILTER_BYTES_MAX)
    throw new EngineError('invalid_query', `filter: expected at most ${FILTER_BYTES_MAX} bytes, got ${bytes}`);
  const own = filter === null || filter.trim() === '' ? null : filter;
  return own === null && requiredFilter === null ? null : recentFilters.get(own, requiredFilter, schema);
}

function checkExplainId(id: string | null): void {
  if (id === null) return;
  const bytes = Buffer.byteLength(id, 'utf8');
  if (bytes === 0 || bytes > DOCUMENT_ID_BYTES_MAX)
    throw new EngineError(
      'invalid_query',
      `explain_id: expected the id of a document, of 1 to ${DOCUMENT_ID_BYTES_MAX} bytes, got ${bytes} bytes`,
    );
}

function checkWindow(limit: number, offset: number): void {
  if (limit > SEARCH_LIMIT_MAX)
    throw new EngineError('invalid_query', `limit: expected at most ${SEARCH_LIMIT_MAX}, got ${limit}`);
  if (offset + limit > SEARCH_WINDOW_MAX)
    throw new EngineError(
      'invalid_query',
      `offset + limit: expected at most ${SEARCH_WINDOW_MAX}, got ${offset + limit}`,
    );
}
