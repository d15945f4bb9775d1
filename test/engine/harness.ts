/**
 * Loads the same documents into the server and the oracle, and compares what both answer.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  columnValues,
  OracleCollection,
  type OracleDocument,
  type OracleSchema,
  type StoredDocument,
} from '../oracle/collection.js';
import { facetOracle, type OracleFacetOptions, statsOracle } from '../oracle/facet.js';
import { type Quoting, writeFilter } from '../oracle/filter.js';
import { type Ranked, type SortKey, writeSort } from '../oracle/order.js';
import { parseQuery } from '../oracle/query.js';
import { putInOrder } from '../oracle/ranking.js';
import { mayBeRounded, type OracleQuery, searchOracle } from '../oracle/search.js';
import { suggestOracle } from '../oracle/suggest.js';
import type { Client, Params } from '../support/client.js';
import { closeTo } from '../support/expect.js';
import { freshName } from '../support/fixtures.js';
import type { Server } from '../support/server.js';
import type { SearchResponse } from '../support/wire.js';
import * as arbitrary from './arbitraries.js';

/** More than any generated collection holds, so that one page shows every hit. */
const WHOLE_PAGE = 250;
/** By how much a score may be off where term frequencies and lengths are kept in classes. */
const ROUNDED = 0.12;

export interface Loaded {
  readonly name: string;
  readonly client: Client;
  readonly oracle: OracleCollection;
}

/** Creates an empty collection on both sides. */
export async function createBoth(client: Client, schema: OracleSchema): Promise<Loaded> {
  const name = freshName('p');
  await client.create({ name, ...schema, fields: [...schema.fields] });
  return { name, client, oracle: new OracleCollection(schema) };
}

/** Indexes one batch on both sides. */
export async function indexBoth(loaded: Loaded, documents: readonly OracleDocument[]): Promise<void> {
  await loaded.client.indexAll(loaded.name, documents);
  for (const document of documents) loaded.oracle.upsert(document);
}

/** Applies operations on both sides, each as its own request. */
export async function applyBoth(loaded: Loaded, operations: readonly arbitrary.Operation[]): Promise<void> {
  for (const operation of operations) {
    if (operation.kind === 'index') {
      await indexBoth(loaded, operation.documents);
    } else {
      const reply = await loaded.client.delete(`/collections/${loaded.name}/documents/${operation.id}`);
      assert.equal(reply.status, loaded.oracle.delete(operation.id) ? 204 : 404);
    }
  }
}

export interface Histories<Query> {
  readonly query: fc.Arbitrary<Query>;
  /** How many are asked of each collection. */
  readonly queries: number;
  /** What is written before; else anything. */
  readonly operations?: fc.Arbitrary<arbitrary.Operation[]>;
  /** Collections that are tried; else 25. */
  readonly runs?: number;
}

/** Tries collections of any schema and history: `check` holds for every query drawn, which is fitted to the schema. */
export async function checkHistories<Query extends OracleQuery>(
  server: Server,
  { query, queries, operations = arbitrary.operations, runs = 25 }: Histories<Query>,
  check: (loaded: Loaded, query: Query) => Promise<unknown>,
): Promise<void> {
  const { client } = server;
  const all = fc.array(query, { minLength: queries, maxLength: queries });
  const property = fc.asyncProperty(arbitrary.schema, operations, all, async (schema, written, asked) => {
    const loaded = await createBoth(client, schema);
    await applyBoth(loaded, written);
    for (const each of asked) await check(loaded, fitToSchema(each, schema));
    await client.drop(loaded.name);
  });
  await fc.assert(
    property.beforeEach(() => server.revive()),
    { numRuns: runs },
  );
}

export interface Request extends OracleQuery, OracleFacetOptions {
  readonly sort?: readonly SortKey[];
  readonly facet?: readonly string[];
  readonly facet_stats?: boolean;
  readonly quoting?: Quoting;
}

/** The request as query parameters. */
export function paramsOf(request: Request): Params {
  const params: Params = { q: request.q };
  if (request.query_by !== undefined) params['query_by'] = request.query_by.join(',');
  if (request.filter !== undefined) params['filter'] = writeFilter(request.filter, request.quoting);
  if (request.sort !== undefined && request.sort.length > 0) params['sort'] = writeSort(request.sort);
  if (request.facet !== undefined && request.facet.length > 0) params['facet'] = request.facet.join(',');
  if (request.facet_limit !== undefined) params['facet_limit'] = request.facet_limit;
  if (request.facet_sort !== undefined) params['facet_sort'] = request.facet_sort;
  if (request.facet_stats !== undefined) params['facet_stats'] = request.facet_stats;
  if (request.facet_query !== undefined)
    params['facet_query'] = `${request.facet_query.field}:${request.facet_query.text}`;
  if (request.prefix !== undefined) params['prefix'] = request.prefix;
  if (request.typo_tolerance !== undefined) params['typo_tolerance'] = request.typo_tolerance;
  if (request.typo_threshold !== undefined) params['typo_threshold'] = request.typo_threshold;
  if (request.match_mode !== undefined) params['match_mode'] = request.match_mode;
  if (request.ranking !== undefined) params['ranking'] = request.ranking;
  return params;
}

/** Drops `query_by` fields that the schema does not have. */
export function fitToSchema<R extends OracleQuery>(request: R, schema: OracleSchema): R {
  if (request.query_by === undefined) return request;
  const known = request.query_by.filter((name) => schema.fields.some((field) => field.name === name));
  return { ...request, query_by: known.length > 0 ? known : undefined };
}

function checkFacets(loaded: Loaded, request: Request, response: SearchResponse, matches: readonly Ranked[]): void {
  if (request.facet === undefined || request.facet.length === 0) {
    assert.equal(response.facets, null);
    return;
  }
  const stored = matches.map((match) => match.stored);
  for (const field of request.facet) {
    const expected = new Map(facetOracle(loaded.oracle, stored, field, request));
    const actual = new Map(Object.entries(response.facets?.[field] ?? {}));
    const text = (map: Map<string, number>): [string, number][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(text(actual), text(expected), `facet ${field}`);
  }
  assert.deepEqual(Object.keys(response.facets ?? {}), [...request.facet]);
  checkStats(loaded, request, response, stored);
}

/** The numbers of a facet field are whole in these collections unless it is one of floats. */
function checkStats(
  { oracle }: Loaded,
  { facet = [], facet_stats }: Request,
  response: SearchResponse,
  matches: readonly StoredDocument[],
): void {
  assert.equal('facet_stats' in response, facet_stats === true);
  if (facet_stats !== true) return;
  const measured = facet
    .map((name) => oracle.field(name))
    .filter(({ type }) => ['int', 'float', 'date'].includes(type));
  const expected = measured.map((field) => {
    const values = matches.flatMap(({ document }) => [...new Set(columnValues(field, document))].map(Number));
    const stats = statsOracle(field.type === 'float' ? values.map((value) => value + 0) : values.map(BigInt));
    return [field.name, JSON.parse(stats)];
  });
  assert.deepEqual(response.facet_stats, Object.fromEntries(expected));
}

/**
 * Sends the request and checks found, the set of hits, their documents, their scores and their order, where the order
 * is judged by the scores the server itself gave.
 */
export async function compareSearch(loaded: Loaded, request: Request): Promise<SearchResponse> {
  const { client, name, oracle } = loaded;
  const expected = searchOracle(oracle, request);
  const response = await client.search(name, { ...paramsOf(request), limit: WHOLE_PAGE });
  assert.equal(response.found, expected.length, 'found');
  assert.equal(response.found_is_exact, true);
  const scores = new Map(expected.map(({ stored, text_match }) => [stored.document.id, text_match]));
  const ranked: Ranked[] = response.hits.map(({ document, text_match }) => {
    const id = String(document.id);
    const score = scores.get(id);
    const stored = oracle.stored.get(id);
    if (score === undefined || stored === undefined) throw new Error(`${id} does not match`);
    assert.deepEqual(document, JSON.parse(JSON.stringify(stored.document)));
    assert.ok(Number.isFinite(text_match) && text_match >= 0, `text_match ${text_match}`);
    const isClose = closeTo(text_match, score, mayBeRounded(stored) ? ROUNDED : undefined);
    assert.ok(isClose, `text_match of ${id}: got ${text_match}, expected ${score}`);
    return { stored, text_match };
  });
  const ids = ranked.map(({ stored }) => stored.document.id);
  assert.equal(new Set(ids).size, expected.length, 'each match is hit once');
  const searchesText = parseQuery(request.q).clauses.length > 0;
  const sorted = putInOrder(oracle, request, ranked, searchesText);
  assert.deepEqual(
    ids,
    sorted.map(({ stored }) => stored.document.id),
    'order of hits',
  );
  checkFacets(loaded, request, response, expected);
  return response;
}

/** A page shows exactly what the whole list shows at its place, and `found` does not depend on it. */
export async function comparePage(
  loaded: Loaded,
  request: Request,
  whole: SearchResponse,
  page: { offset: number; limit: number },
): Promise<void> {
  const response = await loaded.client.search(loaded.name, { ...paramsOf(request), ...page });
  assert.equal(response.found, whole.found);
  const idsOf = (hits: SearchResponse['hits']): unknown[] => hits.map(({ document }) => document.id);
  assert.deepEqual(idsOf(response.hits), idsOf(whole.hits.slice(page.offset, page.offset + page.limit)));
  assert.deepEqual(response.facets, whole.facets);
}

/** Suggestions equal the oracle's, in order, cut at `limit`. */
export async function compareSuggest(
  loaded: Loaded,
  request: { q: string; query_by?: readonly string[]; typo_tolerance?: boolean },
  limit: number,
): Promise<void> {
  const expected = suggestOracle(loaded.oracle, request).slice(0, limit);
  const response = await loaded.client.suggest(loaded.name, { ...paramsOf(request), limit });
  assert.deepEqual(response.suggestions, expected);
}
