/**
 * Runs a text query over all segments by one kernel call an arena (layout/sweep.ts): the way of nearly all queries, for
 * which nothing of a segment or chunk is worth coming back to JavaScript.
 *
 * Called by the searcher. Queries that have phrases, and searches that must look at each match, take segment-collector.ts.
 */
import { ENTRY_BYTES } from '../../layout/postings.js';
import {
  ROW_BYTES,
  ROW_COLUMN,
  ROW_ENTRIES,
  ROW_LIVE,
  ROW_MAX_DOC,
  ROW_ORDER_BASE,
  ROW_PREFIX_ENTRIES,
  ROW_SEGMENT,
  SWEEP_BYTES,
  SWEEP_CHUNK_COUNT,
  SWEEP_CLAUSE_COUNT,
  SWEEP_FOUND,
  SWEEP_HEAP,
  SWEEP_HEAP_END,
  SWEEP_MATCH_ALL,
  SWEEP_NO_ROOM,
  SWEEP_PLAN_BYTES,
  SWEEP_PLANS,
  SWEEP_RANGES,
  SWEEP_ROW,
  SWEEP_ROW_COUNT,
  SWEEP_ROWS,
  SWEEP_SCRATCH,
  SWEEP_STOPPED,
  SWEEP_TOP,
} from '../../layout/sweep.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { MatchedToken, TextQuery } from '../expand/text-query.js';
import type { FieldMap } from '../field-map.js';
import type { ParsedSearch } from '../parse-search.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import { allocateScratch, noRoom } from '../scratch-memory.js';
import { TopDocs } from '../sort/top-docs.js';
import { planBytes, writePlan } from './token-plan.js';

/** What a sweep reads of each segment beside its clauses. */
export interface SweptQuery {
  /** All of them tokens for which no phrase is sought. */
  readonly clauses: readonly MatchedToken[];
  readonly matchAll: boolean;
}

/** Words of ranges that are copied to an arena at once, for as many segments as these are enough for: 4 MiB. */
const RANGE_WORDS_MAX = 1 << 20;

/**
 * `text` as it can be swept; null when `search`, with exclusions or without, needs the general way: it looks at each match,
 * or has an order of its own, or phrases.
 */
export function sweptQuery(search: ParsedSearch, text: TextQuery, isExcluding: boolean): SweptQuery | null {
  if (search.filter !== null || search.facets !== null || isExcluding) return null;
  if (!TopDocs.takesScores(search.sort)) return null;
  return isSwept(text) ? text : null;
}

/** Whether no clause of `text` has anything to do with phrases. */
function isSwept(text: TextQuery): text is TextQuery & SweptQuery {
  for (const clause of text.clauses) if (clause.kind === 'phrase' || clause.sought.length > 0) return false;
  return true;
}

/**
 * Offers the best documents of `segments` to `top`, and returns how many match. Errors: overloaded when the scratch heap of
 * an arena cannot hold what is read of one segment.
 */
export function sweepSegments(
  query: SweptQuery,
  segments: readonly SearchableSegment[],
  map: FieldMap,
  top: TopDocs,
  budget: ReadBudget,
): number {
  let found = 0;
  for (let from = 0; from < segments.length; ) {
    budget.check();
    const to = endOfRun(query, segments, from);
    found += sweepRun(query, segments, from, to, map, top, budget);
    from = to;
  }
  return found;
}

/** The end of the segments from `from` on that one sweep runs over: at least one, in one arena. */
function endOfRun({ clauses }: SweptQuery, segments: readonly SearchableSegment[], from: number): number {
  const { binding } = segments[from];
  let words = 0;
  for (let to = from; to < segments.length; to++) {
    if (segments[to].binding !== binding) return to;
    for (const { expansion } of clauses) words += expansion.ranges.starts[to + 1] - expansion.ranges.starts[to];
    if (words > RANGE_WORDS_MAX && to > from) return to;
  }
  return segments.length;
}

/** Sweeps the segments [from, to), which lie in one arena. */
function sweepRun(
  query: SweptQuery,
  segments: readonly SearchableSegment[],
  from: number,
  to: number,
  map: FieldMap,
  top: TopDocs,
  budget: ReadBudget,
): number {
  const { heap, kernels, scratch } = segments[from].binding;
  heap.reset();
  const sweep = writeSweep(query, segments, from, to, map, top);
  for (;;) {
    const state = kernels.runSweep(sweep, CHECK_EVERY);
    if (state === SWEEP_NO_ROOM) throw noRoom();
    if (state !== SWEEP_STOPPED) return scratch.u32[(sweep - scratch.ptr + SWEEP_FOUND) >> 2];
    budget.check();
  }
}

/** Writes the sweep of `query` over the segments [from, to) to the heap of their arena and returns its address. */
function writeSweep(
  { clauses, matchAll }: SweptQuery,
  segments: readonly SearchableSegment[],
  from: number,
  to: number,
  map: FieldMap,
  top: TopDocs,
): number {
  const { binding } = segments[from];
  const { heap } = binding;
  const { u32, ptr } = binding.scratch;
  const clauseBytes = planBytes(map);
  const plans = SWEEP_BYTES;
  const rows = plans + clauses.length * clauseBytes;
  const starts = rows + (to - from) * ROW_BYTES;
  const words = starts + clauses.length * (to - from + 1) * 4;
  let wordCount = 0;
  for (const { expansion } of clauses) wordCount += expansion.ranges.starts[to] - expansion.ranges.starts[from];
  const sweep = allocateScratch(binding, words + wordCount * 4);
  writeRows(segments, from, to, top, u32, (sweep - ptr + rows) >> 2);
  let startAt = (sweep - ptr + starts) >> 2;
  let wordAt = (sweep - ptr + words) >> 2;
  for (let c = 0; c < clauses.length; c++) {
    const { expansion, repeats } = clauses[c];
    writePlan(binding, sweep + plans + c * clauseBytes, map, expansion.df, repeats);
    const { ranges } = expansion;
    const first = ranges.starts[from];
    for (let s = from; s <= to; s++) u32[startAt++] = ptr + (wordAt + ranges.starts[s] - first) * 4;
    const end = ranges.starts[to];
    for (let i = first; i < end; i++) u32[wordAt++] = ranges.words[i];
  }
  const word = (sweep - ptr) >> 2;
  u32[word + (SWEEP_SCRATCH >> 2)] = ptr;
  u32[word + (SWEEP_TOP >> 2)] = top.scoreTopPtr;
  u32[word + (SWEEP_MATCH_ALL >> 2)] = matchAll ? 1 : 0;
  u32[word + (SWEEP_PLANS >> 2)] = sweep + plans;
  u32[word + (SWEEP_PLAN_BYTES >> 2)] = clauseBytes;
  u32[word + (SWEEP_CLAUSE_COUNT >> 2)] = clauses.length;
  u32[word + (SWEEP_ROWS >> 2)] = sweep + rows;
  u32[word + (SWEEP_ROW_COUNT >> 2)] = to - from;
  u32[word + (SWEEP_RANGES >> 2)] = sweep + starts;
  u32[word + (SWEEP_HEAP >> 2)] = heap.mark();
  u32[word + (SWEEP_HEAP_END >> 2)] = heap.end;
  u32[word + (SWEEP_FOUND >> 2)] = 0;
  u32[word + (SWEEP_CHUNK_COUNT >> 2)] = 0;
  u32[word + (SWEEP_ROW >> 2)] = 0;
  return sweep;
}

/** Writes the rows of the segments [from, to) from index `first` of `u32` on, and has `top` go on to each. */
function writeRows(
  segments: readonly SearchableSegment[],
  from: number,
  to: number,
  top: TopDocs,
  u32: Uint32Array,
  first: number,
): void {
  for (let s = from, row = first; s < to; s++, row += ROW_BYTES >> 2) {
    const segment = segments[s];
    const { postings, views } = segment.reader;
    top.beginSegment(segment, s);
    u32[row + (ROW_SEGMENT >> 2)] = views.region.ptr;
    u32[row + (ROW_ENTRIES >> 2)] = postings.entriesPtr;
    u32[row + (ROW_MAX_DOC >> 2)] = segment.maxDoc;
    u32[row + (ROW_LIVE >> 2)] = segment.liveDocsPtr;
    u32[row + (ROW_ORDER_BASE >> 2)] = top.orderBase;
    u32[row + (ROW_COLUMN >> 2)] = top.columnPtr;
    u32[row + (ROW_PREFIX_ENTRIES >> 2)] = postings.entriesPtr + postings.entryCount * ENTRY_BYTES;
    top.endSegment();
  }
}
