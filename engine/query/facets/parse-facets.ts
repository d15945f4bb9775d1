/**
 * Reads the parameters of facets: field names, comma-separated, and what is shown of their values.
 *
 * Called once a query by parse-search.ts. Every complaint about a facet list or query is worded here.
 */
import { EngineError } from '../../core/errors.js';
import { FACET_LIMIT_MAX, QUERY_BYTES_MAX, QUERY_TOKENS_MAX } from '../../core/limits.js';
import type { SearchRequest } from '../../core/requests.js';
import type { CollectionSchema, FieldType, TypoTolerance } from '../../schema/collection-schema.js';
import type { Analyzer } from '../../text/analyzer.js';
import { analyzeTokens } from '../../text/query-tokens.js';
import { editsAllowed } from '../edits-allowed.js';
import type { FacetQuery } from './facet-query.js';

/** What is shown of the facets. */
export interface FacetOptions {
  /** Values of each, at most. */
  readonly limit: number;
  /** The first by value; else the most frequent. */
  readonly isByValue: boolean;
  /** The least, largest, sum and average of those that are measured, too. */
  readonly hasStats: boolean;
  /** Of one of them only some values; null: of none. */
  readonly query: FacetQuery | null;
}

/** Whether fields of `type` have statistics of their values. */
export const isMeasured = (type: FieldType): boolean => type === 'int' || type === 'float' || type === 'date';

/** How many of the most frequent values of field `index`, of type `type`, are all that `shown` needs; Infinity: it needs others. */
export function mostShown({ limit, isByValue, hasStats, query }: FacetOptions, index: number, type: FieldType): number {
  const needsOthers = isByValue || limit === 0 || query?.field === index || (hasStats && isMeasured(type));
  return needsOthers ? Number.POSITIVE_INFINITY : limit;
}

/** Where `facet_limit`, `facet_sort`, `facet_stats` and `facet_query` are as if they were not given. */
const PLAIN_OPTIONS: FacetOptions = { limit: 100, isByValue: false, hasStats: false, query: null };

/**
 * Schema indexes of the named fields in the order given; null when `text` is null or blank: no facets are wanted.
 * Throws invalid_query, with the 0-based character position, for a blank name, an unknown field, a field without
 * `facet: true`, and a field named twice: the response is an object, which cannot hold it twice.
 */
export function parseFacets(text: string | null, schema: CollectionSchema): number[] | null {
  if (text === null || text.trim() === '') return null;
  const fields: number[] = [];
  let position = 0;
  for (const part of text.split(',')) {
    const name = part.trim();
    const at = position + part.length - part.trimStart().length;
    if (name === '') throw fault('expected a field name, got nothing', at);
    const index = schema.fields.findIndex((field) => field.name === name);
    if (index < 0) throw fault(`unknown field "${name}"`, at);
    if (!schema.fields[index].facet) throw fault(`field "${name}" is not a facet: its schema lacks "facet": true`, at);
    if (fields.includes(index)) throw fault(`"${name}" is given twice`, at);
    fields.push(index);
    position += part.length + 1;
  }
  return fields;
}

type FacetParameters = Pick<SearchRequest, 'facetLimit' | 'facetSort' | 'facetStats' | 'facetQuery'>;

/**
 * What `request` asks of the facets of `fields`. Throws invalid_query for a limit out of bounds, and for a facet query that is not
 * `field:text`, of a field that is none of `fields` or no text or keyword, or too long.
 */
export function parseFacetOptions(
  { facetLimit: limit, facetSort, facetStats, facetQuery }: FacetParameters,
  fields: readonly number[] | null,
  schema: CollectionSchema,
  typos: TypoTolerance,
  analyzer: Analyzer,
): FacetOptions {
  const isPlain = limit === PLAIN_OPTIONS.limit && facetSort === 'count' && !facetStats && facetQuery === null;
  if (isPlain) return PLAIN_OPTIONS;
  if (limit > FACET_LIMIT_MAX)
    throw new EngineError('invalid_query', `facet_limit: expected at most ${FACET_LIMIT_MAX}, got ${limit}`);
  const query = facetQuery === null ? null : parseFacetQuery(facetQuery, fields ?? [], schema, typos, analyzer);
  return { limit, isByValue: facetSort === 'value', hasStats: facetStats, query };
}

function parseFacetQuery(
  given: string,
  fields: readonly number[],
  schema: CollectionSchema,
  typos: TypoTolerance,
  analyzer: Analyzer,
): FacetQuery {
  const colon = given.indexOf(':');
  const refused = (expected: string, got: string): EngineError =>
    new EngineError('invalid_query', `facet_query: expected ${expected}, got ${got}`);
  if (colon < 0) throw refused('field:text', JSON.stringify(given.slice(0, SHOWN_CHARS_MAX)));
  const name = given.slice(0, colon).trim();
  const field = fields.find((index) => schema.fields[index].name === name);
  if (field === undefined) {
    const names = fields.map((index) => schema.fields[index].name).join(', ');
    const expected =
      fields.length === 0 ? 'facet to name its field' : `one of the fields of facet (${names}) before the colon`;
    throw refused(expected, fields.length === 0 ? 'no facet' : JSON.stringify(name.slice(0, SHOWN_CHARS_MAX)));
  }
  const { type } = schema.fields[field];
  if (type !== 'keyword' && type !== 'text')
    throw refused('a field of type keyword or text', `"${name}" of type ${type}`);
  const text = given.slice(colon + 1);
  const bytes = Buffer.byteLength(text);
  if (bytes > QUERY_BYTES_MAX) throw refused(`a text of at most ${QUERY_BYTES_MAX} bytes`, String(bytes));
  const tokens = analyzeTokens(text, analyzer);
  if (tokens.length > QUERY_TOKENS_MAX) throw refused(`at most ${QUERY_TOKENS_MAX} tokens`, String(tokens.length));
  return { field, tokens: tokens.map((token) => ({ bytes: token.bytes, edits: editsAllowed(token, typos) })) };
}

const SHOWN_CHARS_MAX = 80;

function fault(what: string, position: number): EngineError {
  return new EngineError('invalid_query', `facet: ${what} (at position ${position})`);
}
