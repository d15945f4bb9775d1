/**
 * What a directory that was opened answers: documents, fetches, searches and suggestions of every kind, as text that two
 * directories can be compared by, and checked against the oracle where the directory is sound.
 */
import assert from 'node:assert/strict';
import { EngineError } from '../../engine/core/errors.js';
import { RESPONSE_BYTES_MAX } from '../../engine/core/limits.js';
import type { SearchRequest, SuggestRequest } from '../../engine/core/requests.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { jsonToMsgpack } from '../../engine/documents/msgpack.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { Searcher, type SearchTarget } from '../../engine/query/searcher.js';
import { Suggester } from '../../engine/query/suggester.js';
import { compareSearch, compareSuggest, type Loaded, paramsOf, type Request } from '../engine/harness.js';
import type { OracleCollection } from '../oracle/collection.js';
import { facetOracle } from '../oracle/facet.js';
import { searchOracle } from '../oracle/search.js';
import type { Client, Params } from '../support/client.js';
import type { WriteHarness } from '../support/engine-writes.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';
import type { SearchResponse, SuggestResponse } from '../support/wire.js';
import type { CollectionName } from './damage-directory.js';

/** A request, and whether its matches fit on the page that the oracle is compared on. */
type Asked = Request & { readonly isLarge?: true };

const compare = (field: string, op: '=' | '>' | '<', value: string | number | boolean) =>
  ({ kind: 'compare', field, op, value }) as const;

const SEARCHES: Readonly<Record<CollectionName, readonly Asked[]>> = {
  goods: [
    { q: '', facet: ['kind', 'count', 'flag'], sort: [{ field: 'count', direction: 'desc' }] },
    { q: 'zebra', facet: ['kind'] },
    { q: 'zebraed', typo_tolerance: false, prefix: false },
    { q: '"zebras smira"', match_mode: 'any' },
    { q: 'zebra srara', match_mode: 'any', sort: [{ field: 'day', direction: 'asc' }] },
    { q: 'internationalizaton', query_by: ['title', 'body'] },
    { q: 'überaschung s', filter: compare('kind', '=', 'red') },
    { q: 'sno', filter: { kind: 'range', field: 'count', negated: false, low: -50, high: 100 } },
    { q: '', filter: { kind: 'set', field: 'id', negated: false, values: ['g4', 'g22', 'g181', 'g3'] } },
    { q: '東京', filter: compare('ratio', '>', 40), sort: [{ field: 'ratio', direction: 'desc' }] },
    { q: '', filter: compare('day', '<', 1_704_000_000_000), sort: [{ field: 'kind', direction: 'asc' }] },
    { q: 'zebra', filter: compare('flag', '=', true), typo_tolerance: false, prefix: false },
  ],
  papers: [
    { q: 's', isLarge: true },
    { q: 'sn', facet: ['area'], isLarge: true },
    { q: 'snora srara', isLarge: true },
    { q: 'snora', filter: compare('area', '=', 'area 7'), isLarge: true },
    { q: 'common', typo_tolerance: false, prefix: false, isLarge: true },
    { q: 'glyph common', typo_tolerance: false, prefix: false, isLarge: true },
    { q: 'glyph snora', match_mode: 'any', facet: ['area'], typo_tolerance: false, isLarge: true },
    { q: '"common sraku"', isLarge: true },
    { q: 'zebra s', facet: ['area'] },
    { q: 'русски', sort: [{ field: 'area', direction: 'desc' }] },
    { q: '"srara snono"', isLarge: true },
    { q: '', filter: { kind: 'set', field: 'area', negated: false, values: ['area 1', 'area 2', 'area 250'] } },
  ],
  places: [
    { q: '', facet: ['tags'], sort: [{ field: 'rank', direction: 'asc' }] },
    { q: 'café', facet: ['tags'] },
    { q: 'sraku zebras', match_mode: 'any', filter: compare('tags', '=', 'tag 3') },
    { q: 'st', filter: compare('rank', '>', 2500) },
  ],
};

const SUGGESTIONS: Readonly<Record<CollectionName, readonly string[]>> = {
  goods: ['s', 'zeb', 'intrnational', 'snor'],
  papers: ['sr', 'zebr', 'srakuu'],
  places: ['s', 'cafe'],
};

const FETCHES: Readonly<Record<CollectionName, readonly string[]>> = {
  goods: ['g0', 'g20', 'g59', 'g60', 'g119', 'g150', 'g179', 'g181', 'gx'],
  papers: ['p0', 'p10', 'p599', 'p1200', 'p2399', 'p2450', 'p2500', 'p99'],
  places: ['l0', 'l149', 'l150', 'l240', 'l300'],
};

const HIGHLIGHTED: Readonly<Record<CollectionName, string>> = {
  goods: 'title,body',
  papers: 'title',
  places: 'name',
};

const PAGE = 250;
/** Of searches that are asked after each damage and have more matches than a page anyway. */
const SHORT_PAGE = 60;
/** Hits that are explained after each damage: to explain one takes as long as to find many. */
const EXPLAINED = 15;
const TIME = /,"search_time_ms":[0-9.]+/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const searcher = new Searcher(NO_LIMIT);
const suggester = new Suggester(NO_LIMIT);
const text = (value: unknown): string | null => (value === undefined ? null : String(value));

const common = (params: Params) =>
  ({
    collection: '',
    q: text(params['q']) ?? '',
    queryBy: text(params['query_by']),
    typoTolerance: typeof params['typo_tolerance'] === 'boolean' ? params['typo_tolerance'] : null,
    format: 'json',
  }) as const;

const searchRequest = (params: Params): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  ...common(params),
  filter: text(params['filter']),
  sort: text(params['sort']),
  facet: text(params['facet']),
  highlight: text(params['highlight']),
  explain: params['explain'] === true,
  explainId: text(params['explain_id']),
  limit: Number(params['limit'] ?? PAGE),
  offset: Number(params['offset'] ?? 0),
  prefix: params['prefix'] !== false,
  matchMode: params['match_mode'] === 'any' ? 'any' : 'all',
});
const suggestRequest = (params: Params): SuggestRequest => ({
  ...common(params),
  limit: Number(params['limit'] ?? 10),
});

/** Runs `read` as a reader thread does: what damage makes it throw becomes corrupt_data. */
function reading(harness: WriteHarness, target: SearchTarget, read: (out: JsonWriter) => void): string {
  const out = new JsonWriter(new Uint8Array(4096), RESPONSE_BYTES_MAX);
  const readTo = (_: SearchTarget, to: JsonWriter): void => {
    read(to);
    jsonToMsgpack(to.bytes());
  };
  harness.catalog.reading(target, readTo, out);
  return decoder.decode(out.bytes()).replace(TIME, '');
}

function fetch({ segments }: SearchTarget, id: string, out: JsonWriter): void {
  const bytes = encoder.encode(id);
  for (let s = segments.length - 1; s >= 0; s--) {
    const doc = segments[s].findDocument(bytes);
    if (doc < 0) continue;
    const document = segments[s].document(doc);
    out.rawBytes(document.bytes, document.start, document.end);
    return;
  }
  throw new EngineError('document_not_found', id);
}

/** The number of the collection, or null when it is refused or not there. */
export function idOf(harness: WriteHarness, name: CollectionName): number | null {
  return [...harness.collections.all()].find(({ schema }) => schema.name === name)?.id ?? null;
}

function targetOf(harness: WriteHarness, name: CollectionName): SearchTarget {
  const id = idOf(harness, name);
  const target = id === null ? null : harness.target(id);
  if (target === null) throw new EngineError('collection_not_found', name);
  return target;
}

/** What `read` returns, or the code of its EngineError. Anything else it throws is thrown on. */
function answered(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return `refused: ${error.code}`;
  }
}

/** What the collection answers to everything that is asked of it. Throws what is no EngineError. */
export function answersOf(harness: WriteHarness, name: CollectionName): string[] {
  const ask = (read: (target: SearchTarget, out: JsonWriter) => void): string =>
    answered(() => {
      const target = targetOf(harness, name);
      return reading(harness, target, (out) => read(target, out));
    });
  return [
    ...FETCHES[name].map((id) => ask((target, out) => fetch(target, id, out))),
    ...SEARCHES[name].flatMap((request) => {
      const page: Params = {
        ...paramsOf(request),
        limit: request.isLarge === true ? SHORT_PAGE : PAGE,
        highlight: HIGHLIGHTED[name],
      };
      const explained: Params = { ...paramsOf(request), limit: EXPLAINED, explain: true };
      // A rank needs more documents than a page, which some searches find in a way of their own.
      if (request.facet !== undefined) explained['explain_id'] = FETCHES[name][0];
      return [page, explained].map((params) => {
        const wanted = searchRequest(params);
        return ask((target, out) => {
          searcher.search(wanted, target, out);
        });
      });
    }),
    ...SUGGESTIONS[name].map((q) =>
      ask((target, out) => {
        suggester.suggest(suggestRequest({ q }), target, out);
      }),
    ),
  ];
}

/** The same answers, with all documents, and every one of them compared with the oracle. */
export async function soundAnswersOf(
  harness: WriteHarness,
  name: CollectionName,
  oracle: OracleCollection,
): Promise<string[]> {
  const target = targetOf(harness, name);
  const client = {
    async search(_name: string, params: Params): Promise<SearchResponse> {
      return JSON.parse(reading(harness, target, (out) => void searcher.search(searchRequest(params), target, out)));
    },
    async suggest(_name: string, params: Params): Promise<SuggestResponse> {
      return JSON.parse(reading(harness, target, (out) => void suggester.suggest(suggestRequest(params), target, out)));
    },
  };
  const loaded: Loaded = { name, oracle, client: client as unknown as Client };
  const documents = documentsOf(harness, name);
  assert.deepEqual(
    documents,
    oracle.documents.map(({ document }) => JSON.stringify(document)),
  );
  for (const id of FETCHES[name]) {
    const stored = oracle.stored.get(id);
    const expected = stored === undefined ? 'refused: document_not_found' : JSON.stringify(stored.document);
    assert.equal(
      answered(() => reading(harness, target, (out) => fetch(target, id, out))),
      expected,
    );
  }
  for (const request of SEARCHES[name]) {
    if (request.isLarge === true) await compareLarge(loaded, request);
    else await compareSearch(loaded, request);
  }
  for (const q of SUGGESTIONS[name]) await compareSuggest(loaded, { q }, 10);
  return [...documents, ...answersOf(harness, name)];
}

/** Compares what does not fit on a page: how many match, their facets, and that all on the page do. */
async function compareLarge({ client, name, oracle }: Loaded, request: Request): Promise<void> {
  const expected = searchOracle(oracle, request);
  const response = await client.search(name, { ...paramsOf(request), limit: PAGE });
  assert.equal(response.found, expected.length);
  const ids = new Set(expected.map(({ stored }) => stored.document.id));
  for (const { document } of response.hits) assert.ok(ids.delete(String(document.id)), `${document.id} matches, once`);
  assert.equal(response.hits.length, Math.min(PAGE, expected.length));
  for (const field of request.facet ?? []) {
    const counts = facetOracle(
      oracle,
      expected.map(({ stored }) => stored),
      field,
    );
    assert.deepEqual(response.facets?.[field], Object.fromEntries(counts));
  }
}

/** The live documents in order of insertion. */
export const documentsOf = (harness: WriteHarness, name: CollectionName): readonly string[] => {
  const id = idOf(harness, name);
  return (id === null ? null : harness.documents(id)) ?? [];
};
