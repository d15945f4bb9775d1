/**
 * Runs one query over one segment: match, filter, count, facets, top documents, chunk by chunk. Chooses the cheapest way
 * once per segment; the loops below have no options left.
 */
import { CHUNK_BITSET_BYTES, CHUNK_DOCS, SCRATCH_LIST_A } from '../layout/scratch.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { PhraseToken } from './expand/alternative-phrase.js';
import type { TextQuery } from './expand/text-query.js';
import type { FacetCollector } from './facets/facet-collector.js';
import type { FieldMap } from './field-map.js';
import { ChunkFilter } from './match/chunk-filter.js';
import { SegmentMatcher } from './match/segment-matcher.js';
import { collectSingleList, findSingleList, mayEnter, type SingleList } from './match/single-list.js';
import type { ParsedSearch } from './parse-search.js';
import type { ReadBudget } from './read-budget.js';
import { allocateScratch } from './scratch-memory.js';
import { TEXT_MATCH } from './sort/parse-sort.js';
import type { TopDocs } from './sort/top-docs.js';

/** What a query carries from segment to segment. */
export interface Collectors {
  readonly search: ParsedSearch;
  /** What must not be in a match. */
  readonly excluded: readonly (readonly PhraseToken[])[];
  readonly map: FieldMap;
  readonly top: TopDocs;
  /** null: no facets were asked for. */
  readonly facets: FacetCollector | null;
  readonly budget: ReadBudget;
}

/** Takes in segment `index` and returns how many of its documents match. `text` null: every document matches the text. */
export function collectSegment(
  collectors: Collectors,
  text: TextQuery | null,
  segment: SearchableSegment,
  index: number,
): number {
  const { top, map } = collectors;
  if (text !== null && !SegmentMatcher.mayMatch(text, index)) return 0;
  collectors.budget.check();
  segment.binding.heap.reset();
  const single = text === null ? null : findSingle(collectors, text, segment, index);
  if (single !== null) {
    // Where no document can enter, its collectors need not even look at the segment.
    if (mayEnter(single, segment, map, top)) {
      top.beginSegment(segment, index);
      collectSingleList(single, segment, map, top);
      top.endSegment();
    }
    return segment.reader.postings.df(single.entry);
  }
  const run = beginSegment(collectors, text, segment, index);
  if (run === null) return 0;
  const chunks = Math.ceil(segment.maxDoc / CHUNK_DOCS);
  let found = 0;
  for (let chunk = 0; chunk < chunks; chunk++) found += run.collect(chunk);
  run.end();
  return found;
}

/** A segment that is being collected. */
export interface SegmentRun {
  /** Takes in `chunk`, behind those taken before, and returns how many of its documents match. */
  collect(chunk: number): number;
  /** Ends the segment. */
  end(): void;
}

/**
 * Begins segment `index`, whose chunks may then be taken in; null: no document matches. It takes
 * from the heap of the segment's arena, which was reset.
 */
export function beginSegment(
  collectors: Collectors,
  text: TextQuery | null,
  segment: SearchableSegment,
  index: number,
): SegmentRun | null {
  const { search, excluded, map, top, facets, budget } = collectors;
  if (text !== null && !SegmentMatcher.mayMatch(text, index)) return null;
  const filter = new ChunkFilter(search, excluded, index, segment, map, budget);
  if (filter.matchesNothing) return null;
  facets?.beginSegment(segment, index);
  top.beginSegment(segment, index);
  if (text === null) return allDocuments(collectors, segment, filter);
  return matchedDocuments(collectors, new SegmentMatcher(text, index, segment, map, budget), segment, filter);
}

/** A segment is taken to have at most so many times the matches that were seen: they may lie close together. */
const EXPECTED_TIMES_MAX = 16;

/** Chunks of a segment that were taken in, by which the matches of all are reckoned. */
class SeenChunks {
  readonly #chunks: number;
  #seen = 0;
  #matches = 0;

  constructor({ maxDoc }: SearchableSegment) {
    this.#chunks = Math.ceil(maxDoc / CHUNK_DOCS);
  }

  /** One more has `count` matches; returns how many the segment has in all, if the others are alike. */
  expect(count: number): number {
    this.#seen++;
    this.#matches += count;
    return this.#matches * Math.min(this.#chunks / this.#seen, EXPECTED_TIMES_MAX);
  }
}

function endSegment({ top, facets }: Collectors): void {
  top.endSegment();
  facets?.endSegment();
}

/** Whether something else than the text must look at each match. */
export function looksAtMatches({ search, excluded, facets }: Collectors): boolean {
  const byScore = search.sort.keys[0].field === TEXT_MATCH && search.sort.keys[0].descending;
  return search.filter !== null || excluded.length > 0 || facets !== null || !byScore;
}

/** The list that is the whole query in this segment, when nothing else must look at each match; else null. */
function findSingle(
  collectors: Collectors,
  text: TextQuery,
  segment: SearchableSegment,
  index: number,
): SingleList | null {
  if (segment.liveDocs !== null || looksAtMatches(collectors)) return null;
  return findSingleList(text, index, segment, collectors.map);
}

function matchedDocuments(
  collectors: Collectors,
  matcher: SegmentMatcher,
  segment: SearchableSegment,
  filter: ChunkFilter,
): SegmentRun {
  const { top, facets, budget } = collectors;
  const live = segment.liveDocsPtr;
  const seen = new SeenChunks(segment);
  return {
    end: () => endSegment(collectors),
    collect(chunk) {
      budget.check();
      const matched = matcher.match(chunk);
      const liveChunk = live === 0 ? 0 : live + chunk * CHUNK_BITSET_BYTES;
      const count = filter.filterList(chunk, matcher.listPtr, matched, liveChunk);
      const expected = seen.expect(count);
      if (count > 0) {
        facets?.expect(expected);
        facets?.collectChunk(chunk * CHUNK_DOCS, matcher.listPtr, count);
        top.collectChunk(chunk * CHUNK_DOCS, matcher.listPtr, count, matcher.accPtr);
      }
      matcher.clear();
      return count;
    },
  };
}

function allDocuments(collectors: Collectors, segment: SearchableSegment, filter: ChunkFilter): SegmentRun {
  const { search, top, facets, budget } = collectors;
  const { kernels, scratch } = segment.binding;
  const list = scratch.ptr + SCRATCH_LIST_A;
  const live = segment.liveDocsPtr;
  const passing = allocateScratch(segment.binding, CHUNK_BITSET_BYTES);
  const size = search.ranked;
  const seen = new SeenChunks(segment);
  // All scores are 0, so without a field to sort by the first documents are the top documents.
  const inOrder = search.sort.keys.every(({ field }) => field === TEXT_MATCH);
  const isOffered = (): boolean => size > 0 && (!inOrder || top.threshold() < 0);
  return {
    end: () => endSegment(collectors),
    collect(chunk) {
      budget.check();
      const first = chunk * CHUNK_DOCS;
      const docs = Math.min(CHUNK_DOCS, segment.maxDoc - first);
      const liveChunk = live === 0 ? 0 : live + chunk * CHUNK_BITSET_BYTES;
      const bits = kernels.bitsetMeet(passing, liveChunk, filter.fillChunk(chunk), docs);
      const count = kernels.bitsetCount(bits, docs);
      const expected = seen.expect(count);
      if (count === 0) return 0;
      facets?.expect(expected);
      facets?.collectBits(first, bits, docs, count, list);
      if (isOffered() && (inOrder || !top.collectBits(first, bits, docs, list))) {
        top.collectChunk(first, list, kernels.listChunk(bits, 0, docs, list, inOrder ? size : docs), 0);
      }
      return count;
    },
  };
}
