/**
 * The JSON schemas of the OpenAPI description: every body that crosses the wire. No code.
 */
import { limits } from '../../../engine/index.js';

/** A piece of an OpenAPI 3.1 document. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const arrayOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const object = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const integer = (description?: string): JsonObject => ({ type: 'integer', ...(description && { description }) });
const number = (description?: string): JsonObject => ({ type: 'number', ...(description && { description }) });
const flag = (byDefault: boolean, description: string): JsonObject => ({
  type: 'boolean',
  default: byDefault,
  description,
});

const NAME: JsonObject = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' };

const FIELD = object(
  {
    name: NAME,
    type: { type: 'string', enum: ['text', 'keyword', 'int', 'float', 'bool', 'date'] },
    facet: flag(false, 'may be used in `facet`; not on text'),
    filter: flag(false, 'may be used in `filter`'),
    sort: flag(false, 'may be used in `sort`; not on text'),
    index: flag(true, 'text: searched'),
    optional: flag(true, 'documents may omit it'),
    boost: { type: ['number', 'null'], minimum: 0, default: null, description: 'relevance multiplier; null: 1' },
  },
  ['name', 'type'],
);

const TYPO_TOLERANCE = object(
  {
    enabled: { type: 'boolean', default: true },
    one_typo_min_len: { type: 'integer', minimum: 1, maximum: 64, default: 4 },
    two_typo_min_len: { type: 'integer', minimum: 1, maximum: 64, default: 8 },
    max_typos: { type: 'integer', minimum: 0, maximum: limits.TYPO_EDITS_MAX, default: 2 },
  },
  [],
);

const SCHEMA_PROPERTIES: JsonObject = {
  name: NAME,
  fields: { ...arrayOf(ref('Field')), minItems: 1, maxItems: limits.FIELDS_MAX },
  typo_tolerance: ref('TypoTolerance'),
  default_sorting_field: { type: ['string', 'null'], description: 'a field with sort: true; breaks ties, descending' },
};

const ERROR = object({ code: { type: 'string' }, message: { type: 'string' } });

export const SCHEMAS: JsonObject = {
  Field: FIELD,
  TypoTolerance: TYPO_TOLERANCE,
  CollectionSchema: object(SCHEMA_PROPERTIES, ['name', 'fields']),
  CollectionView: object({
    ...SCHEMA_PROPERTIES,
    created_at: integer('Unix time in milliseconds'),
    num_documents: integer(),
    num_segments: integer(),
  }),
  Document: {
    type: 'object',
    description: 'A flat object: `id` and any fields. Returned exactly as it was sent.',
    properties: { id: { type: ['string', 'integer'], description: `1 to ${limits.DOCUMENT_ID_BYTES_MAX} bytes` } },
    required: ['id'],
    additionalProperties: true,
  },
  BatchReport: object({
    num_indexed: integer(),
    num_failed: integer(),
    results: arrayOf(
      object({
        success: { type: 'boolean' },
        id: { type: 'string' },
        error: { type: ['string', 'null'] },
        code: { type: ['string', 'null'] },
      }),
    ),
  }),
  SearchResponse: object({
    found: integer('all matching documents'),
    found_is_exact: { type: 'boolean' },
    search_time_ms: number(),
    hits: arrayOf(object({ document: ref('Document'), text_match: number('BM25 score') })),
    facets: {
      type: ['object', 'null'],
      description: 'for each facet field, value to count; null without `facet`',
      additionalProperties: { type: 'object', additionalProperties: { type: 'integer' } },
    },
  }),
  SuggestResponse: object({
    suggestions: arrayOf(
      object({ text: { type: 'string' }, count: integer('documents that hold the term'), typos: integer() }),
    ),
    search_time_ms: number(),
  }),
  QueryList: object({
    queries: arrayOf(
      object({
        query: { type: 'string' },
        collection: { type: 'string' },
        count: integer(),
        zero_result_count: integer(),
        last_result_count: integer(),
        avg_latency_ms: number(),
        last_seen: integer('Unix time in milliseconds'),
      }),
    ),
    tracked_queries: integer('queries held over all collections'),
    dropped_queries: integer('queries that gave way to others'),
  }),
  Latency: object({
    count: integer(),
    mean_ms: number(),
    p50_ms: number(),
    p95_ms: number(),
    p99_ms: number(),
    max_ms: number(),
    total_searches: integer(),
    uptime_seconds: integer(),
    queries_per_second: number(),
  }),
  Health: object({
    ok: { type: 'boolean' },
    version: { type: 'string' },
    uptime_seconds: integer(),
    num_collections: integer(),
  }),
  Index: object({
    name: { type: 'string' },
    version: { type: 'string' },
    docs: { type: 'string', description: 'path of the description for people' },
    openapi: { type: 'string', description: 'path of the description for programs' },
  }),
  Ready: object({ ready: { type: 'boolean' } }),
  Snapshot: object({
    snapshot: integer('number of the snapshot'),
    sequence: integer('last record of the log that it contains'),
    collections: integer(),
    segments: integer(),
    files_written: integer('files that had to be written, manifest included'),
    bytes_written: integer(),
    took_ms: number(),
  }),
  Error: object({ error: ERROR }),
  NotReady: object(
    {
      error: ERROR,
      progress: {
        description: 'while recovering, once it is known',
        ...object({
          phase: { type: 'string', enum: ['segments', 'log'] },
          done_bytes: integer(),
          total_bytes: integer(),
        }),
      },
    },
    ['error'],
  ),
};
