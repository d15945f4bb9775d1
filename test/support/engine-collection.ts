/**
 * A collection without threads, log or HTTP: segments built in one arena, searched in process.
 *
 * Documents go into segments as the test says, one batch a segment; any run of neighbouring segments can be merged.
 */
import assert from 'node:assert/strict';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import { RESPONSE_BYTES_MAX } from '../../engine/core/limits.js';
import type { SearchRequest, SuggestRequest } from '../../engine/core/requests.js';
import { DocumentReader } from '../../engine/documents/document-reader.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { SEGMENT_OUTLINE_COUNT } from '../../engine/layout/segment.js';
import { ExpansionCache } from '../../engine/query/expand/expansion-cache.js';
import type { TextRules } from '../../engine/query/expand/text-rules.js';
import { ValueNumbers } from '../../engine/query/facets/value-numbers.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { Searcher, type SearchTarget } from '../../engine/query/searcher.js';
import { Suggester } from '../../engine/query/suggester.js';
import type { CollectionSchema } from '../../engine/schema/collection-schema.js';
import { deleteDoc, initLiveDocs, isLive, liveDocsBytes } from '../../engine/segment/live-docs.js';
import { OpenSegment, SearchableSegment } from '../../engine/segment/searchable-segment.js';
import { SegmentBuilder } from '../../engine/segment/segment-builder.js';
import { estimateMergedBytes, listMergeInputs, mergeSegments } from '../../engine/segment/segment-merger.js';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import type { Params } from './client.js';
import { binding, writeViews } from './engine-arena.js';
import { SEARCH_DEFAULTS } from './search-request.js';
import type { SearchResponse, SuggestResponse } from './wire.js';

/** That of the one thread there is. */
export const cacheBudget = new CacheBudget(64 << 20);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The engine's form of an oracle's schema. */
export function engineSchema(schema: OracleSchema): CollectionSchema {
  return { name: 'test', ...schema, fields: schema.fields.map((field) => ({ ...field, optional: true })) };
}

/** Builds a segment of `documents`, in which a later one with the same id replaces the earlier. */
export function buildSegment(schema: CollectionSchema, documents: readonly object[]): SearchableSegment {
  const builder = new SegmentBuilder(schema);
  const reader = new DocumentReader(schema);
  for (const document of documents) {
    const body = encoder.encode(JSON.stringify(document));
    builder.beginDocument(body, 0, body.length);
    assert.equal(reader.read(body, 0, body.length, builder), null);
  }
  const views = writeViews(builder.estimateBytes(), (out) => builder.write(out));
  const segment = new SearchableSegment(new OpenSegment(views, binding, cacheBudget), null, documents.length);
  return withoutDocuments(segment, [...builder.superseded()]);
}

/** `segment` without `docs`: a new bitmap beside the same bytes. */
export function withoutDocuments(segment: SearchableSegment, docs: readonly number[]): SearchableSegment {
  if (docs.length === 0) return segment;
  const { maxDoc, liveDocs } = segment;
  let { liveCount } = segment;
  const views = writeViews(liveDocsBytes(maxDoc), (out) => {
    out.reserve(liveDocsBytes(maxDoc));
    initLiveDocs(out.views.u8, liveDocs === null ? null : liveDocs.u8, maxDoc);
    for (const doc of docs) if (deleteDoc(out.views.u8, doc)) liveCount--;
    return liveDocsBytes(maxDoc);
  });
  return new SearchableSegment(segment.open, views, liveCount);
}

/** `segment` as an earlier program wrote it: the same bytes, but that it has no outlines of its lists. */
export function withoutOutlines({ reader, liveDocs, liveCount }: SearchableSegment): SearchableSegment {
  const { u32 } = reader.views;
  const word = SEGMENT_OUTLINE_COUNT >> 2;
  const { [word]: count } = u32;
  u32[word] = 0;
  const open = new OpenSegment(reader.views, binding, cacheBudget);
  u32[word] = count;
  return new SearchableSegment(open, liveDocs, liveCount);
}

/** The live documents of `segments`, of which there is at least one, in one segment. */
export function mergeAll(schema: CollectionSchema, segments: readonly SearchableSegment[]): SearchableSegment {
  const inputs = listMergeInputs(
    segments.map(({ reader, liveDocs }) => ({ reader, liveDocs: liveDocs === null ? null : liveDocs.u8 })),
  );
  const views = writeViews(estimateMergedBytes(schema, inputs), (out) => mergeSegments(out, schema, inputs));
  const open = new OpenSegment(views, binding, cacheBudget);
  return new SearchableSegment(open, null, open.reader.maxDoc);
}

/** Numbers of the live documents of a segment. */
export function liveDocuments({ maxDoc, liveDocs }: SearchableSegment): number[] {
  const all = Array.from({ length: maxDoc }, (_, doc) => doc);
  return all.filter((doc) => isLive(liveDocs === null ? null : liveDocs.u8, doc));
}

/** The stored bytes of a document. */
export function storedText(segment: SearchableSegment, doc: number): string {
  const { bytes, start, end } = segment.document(doc);
  return decoder.decode(bytes.slice(start, end));
}

/** What a query of which nothing is remembered runs on. */
export function freshTarget(schema: CollectionSchema, segments: readonly SearchableSegment[]): SearchTarget {
  const expansions = new ExpansionCache(cacheBudget);
  return { schema, segments, expansions, values: new ValueNumbers(cacheBudget), rules: null };
}

const searcher = new Searcher(NO_LIMIT);
const suggester = new Suggester(NO_LIMIT);
const text = (value: unknown): string | null => (value === undefined ? null : String(value));

/** The request for what `params` ask, of a collection that is called test. */
export function searchRequest(params: Params): SearchRequest {
  return {
    ...SEARCH_DEFAULTS,
    collection: 'test',
    q: text(params['q']) ?? '',
    queryBy: text(params['query_by']),
    filter: text(params['filter']),
    sort: text(params['sort']),
    facet: text(params['facet']),
    facetLimit: Number(params['facet_limit'] ?? SEARCH_DEFAULTS.facetLimit),
    facetSort: params['facet_sort'] === 'value' ? 'value' : 'count',
    facetStats: params['facet_stats'] === true,
    facetQuery: text(params['facet_query']),
    distinct: text(params['distinct']),
    limit: Number(params['limit'] ?? 10),
    offset: Number(params['offset'] ?? 0),
    prefix: params['prefix'] !== false,
    typoTolerance: typeof params['typo_tolerance'] === 'boolean' ? params['typo_tolerance'] : null,
    matchMode: params['match_mode'] === 'any' ? 'any' : 'all',
    typoThreshold: Number(params['typo_threshold'] ?? SEARCH_DEFAULTS.typoThreshold),
    ranking: params['ranking'] === 'bm25' || params['ranking'] === 'best' ? params['ranking'] : null,
    highlight: text(params['highlight']),
    highlightOpen: text(params['highlight_open']),
    highlightClose: text(params['highlight_close']),
    snippetTokens: Number(params['snippet_tokens'] ?? SEARCH_DEFAULTS.snippetTokens),
    explain: params['explain'] === true,
    explainId: text(params['explain_id']),
  };
}

/** What a reader answers to a search of `target`, whose collection is called test; `by`: that reader. */
export function searchTarget(target: SearchTarget, params: Params, by = searcher): SearchResponse {
  const request = searchRequest(params);
  const out = new JsonWriter(new Uint8Array(4096), RESPONSE_BYTES_MAX);
  const found = by.search(request, target, out);
  const response = JSON.parse(decoder.decode(out.bytes())) as SearchResponse;
  assert.equal(response.found, found);
  return response;
}

/** Speaks like the client of a server, as far as the comparison with the oracle needs it. */
export class InProcessCollection {
  readonly schema: CollectionSchema;
  segments: SearchableSegment[] = [];
  /** Synonyms and stop words. */
  rules: TextRules | null = null;
  #expansions = new ExpansionCache(cacheBudget);
  readonly #values = new ValueNumbers(cacheBudget);

  constructor(schema: OracleSchema) {
    this.schema = engineSchema(schema);
  }

  /** Adds a segment; what its documents replace is deleted from the others. */
  index(documents: readonly OracleDocument[]): void {
    for (const { id } of documents) this.delete(id);
    this.segments.push(buildSegment(this.schema, documents));
    this.#changed();
  }

  delete(id: string): boolean {
    const bytes = encoder.encode(id);
    const at = this.segments.findIndex((segment) => segment.findDocument(bytes) >= 0);
    if (at < 0) return false;
    const segment = this.segments[at];
    this.segments[at] = withoutDocuments(segment, [segment.findDocument(bytes)]);
    if (this.segments[at].liveCount === 0) this.segments.splice(at, 1);
    this.#changed();
    return true;
  }

  /** Merges the segments [from, to). */
  merge(from: number, to: number): void {
    this.segments.splice(from, to - from, mergeAll(this.schema, this.segments.slice(from, to)));
    this.#changed();
  }

  async search(_name: string, params: Params): Promise<SearchResponse> {
    return searchTarget(this.target, params);
  }

  async suggest(_name: string, params: Params): Promise<SuggestResponse> {
    const request: SuggestRequest = {
      collection: 'test',
      q: text(params['q']) ?? '',
      queryBy: text(params['query_by']),
      limit: Number(params['limit'] ?? 5),
      typoTolerance: typeof params['typo_tolerance'] === 'boolean' ? params['typo_tolerance'] : null,
      format: 'json',
    };
    const out = new JsonWriter(new Uint8Array(4096), RESPONSE_BYTES_MAX);
    suggester.suggest(request, this.target, out);
    return JSON.parse(decoder.decode(out.bytes())) as SuggestResponse;
  }

  get target(): SearchTarget {
    const { schema, segments, rules } = this;
    return { schema, segments, expansions: this.#expansions, values: this.#values, rules };
  }

  #changed(): void {
    this.#expansions = new ExpansionCache(cacheBudget);
  }
}
