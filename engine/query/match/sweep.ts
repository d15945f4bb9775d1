/**
 * Runs a text query over all segments by one kernel call an arena (layout/sweep.ts): the way of nearly all queries, for
 * which nothing of a segment or chunk is worth coming back to JavaScript.
 *
 * Called by the searcher. Queries of tokens that phrases may stand for, and searches that must look at each match, take
 * segment-collector.ts. Filters and exclusions are bits that a match must have (passing-docs.ts).
 */

import { JOINED_BYTES, JOINED_LISTS_MAX } from '../../layout/joined-lists.js';
import {
  JUDGE_COMPLETED,
  JUDGE_COUNT,
  JUDGE_IS_FORESEEN,
  JUDGE_IS_RELATED,
  JUDGE_PAGE,
  JUDGE_SCORES,
  JUDGE_WHOLE_IMPACT,
} from '../../layout/judge.js';
import {
  ROW_BYTES,
  SWEEP_BYTES,
  SWEEP_CHUNK_COUNT,
  SWEEP_CLAUSE_COUNT,
  SWEEP_FACETS,
  SWEEP_FACETS_END,
  SWEEP_FOUND,
  SWEEP_HAS_PLACES,
  SWEEP_HEAP,
  SWEEP_HEAP_END,
  SWEEP_IS_ALL,
  SWEEP_IS_BEGUN,
  SWEEP_IS_FEW,
  SWEEP_JOINED,
  SWEEP_JOINED_END,
  SWEEP_JUDGE,
  SWEEP_MATCH_ALL,
  SWEEP_NO_ROOM,
  SWEEP_ONLY,
  SWEEP_PHRASES,
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
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import { WHOLE_IMPACT } from '../../postings/impacts.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { isTypedAlone } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import { allocateScratch, noRoom } from '../scratch-memory.js';
import type { PageBound } from '../sort/page-bound.js';
import type { TopDocs } from '../sort/top-docs.js';
import { writePhrase } from './phrase-record.js';
import { writeLosses } from './sweep-losses.js';
import { writePassing, writeRows } from './sweep-rows.js';
import { type SweptClause, type SweptQuery, withKeptLists } from './swept-query.js';
import { planBytes, writePlan } from './token-plan.js';

/** Where facets lie that are counted of a segment (layout/facet-counts.ts). */
export interface FacetRecords {
  readonly ptr: number;
  readonly end: number;
}

const NO_FACETS: FacetRecords = { ptr: 0, end: 0 };

/** Words of ranges that are copied to an arena at once, for as many segments as these are enough for: 4 MiB. */
const RANGE_WORDS_MAX = 1 << 20;

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
  const read = withKeptLists(query, segments, map, budget);
  return sweepBetween(read, segments, 0, segments.length, map, top, budget);
}

/** As sweepSegments() for the segments [first, last), with `query` as it is. */
export function sweepBetween(
  query: SweptQuery,
  segments: readonly SearchableSegment[],
  first: number,
  last: number,
  map: FieldMap,
  top: TopDocs,
  budget: ReadBudget,
): number {
  let found = 0;
  for (let from = first; from < last; ) {
    budget.check();
    const to = Math.min(last, endOfRun(query, segments, from));
    segments[from].binding.heap.reset();
    found += sweepRun(query, segments, from, to, map, top, NO_FACETS, budget);
    from = to;
  }
  return found;
}

/** The end of the segments from `from` on that one sweep runs over: at least one, in one arena. */
function endOfRun({ clauses, passing }: SweptQuery, segments: readonly SearchableSegment[], from: number): number {
  const { binding } = segments[from];
  // Keeping the bits of one segment may cost another one its own.
  if (passing !== null && !passing.isKept(segments[from])) return from + 1;
  let words = 0;
  for (let to = from; to < segments.length; to++) {
    if (segments[to].binding !== binding || (passing !== null && !passing.isKept(segments[to]))) return to;
    for (const { ranges } of clauses) words += ranges.starts[to + 1] - ranges.starts[to];
    if (words > RANGE_WORDS_MAX && to > from) return to;
  }
  return segments.length;
}

/**
 * Sweeps the segments [from, to), which lie in one arena of which the heap was reset. `facets`: of one segment, where they lie on the heap.
 * The rest as for sweepSegments.
 */
export function sweepRun(
  query: SweptQuery,
  segments: readonly SearchableSegment[],
  from: number,
  to: number,
  map: FieldMap,
  top: TopDocs,
  facets: FacetRecords,
  budget: ReadBudget,
): number {
  const { binding } = segments[from];
  const sweep = writeSweep(query, segments, from, to, map, top, facets, false);
  return runToEnd(sweep, binding, budget);
}

/**
 * As sweepRun() of segment `index` alone, of which the function that it returns sweeps a chunk and returns how many of its documents
 * match. Chunks ascend; the heap of the arena is not reset between them.
 */
export function sweepByChunk(
  query: SweptQuery,
  segments: readonly SearchableSegment[],
  index: number,
  map: FieldMap,
  top: TopDocs,
  facets: FacetRecords,
  budget: ReadBudget,
): (chunk: number) => number {
  const { binding } = segments[index];
  const sweep = writeSweep(query, segments, index, index + 1, map, top, facets, true);
  let before = 0;
  return (chunk) => {
    budget.check();
    query.passing?.fillChunk(chunk);
    binding.kernels.beginSweepChunk(sweep, chunk);
    const found = runToEnd(sweep, binding, budget);
    const own = found - before;
    before = found;
    return own;
  };
}

/** Runs `sweep` on until nothing is left to be read, and returns how many documents were found by now. */
function runToEnd(sweep: number, { kernels, scratch }: ArenaBinding, budget: ReadBudget): number {
  for (;;) {
    const state = kernels.runSweep(sweep, CHECK_EVERY);
    if (state === SWEEP_NO_ROOM) throw noRoom();
    if (state !== SWEEP_STOPPED) return scratch.u32[(sweep - scratch.ptr + SWEEP_FOUND) >> 2];
    budget.check();
  }
}

/** Lists of a segment that can be joined: by clause and field. None with phrases, of too many, or of one that is read as a whole. */
function joinedLists(clauses: SweptQuery['clauses'], map: FieldMap, isByChunk: boolean): number {
  const lists = clauses.length * map.count;
  if ((lists === 1 && !isByChunk) || lists > JOINED_LISTS_MAX) return 0;
  for (const { tokens } of clauses) if (tokens !== null) return 0;
  return lists;
}

/** Writes the sweep of `query` over the segments [from, to), `isByChunk` of one, to the heap of their arena; returns its address. */
function writeSweep(
  { clauses, matchAll, passing }: SweptQuery,
  segments: readonly SearchableSegment[],
  from: number,
  to: number,
  map: FieldMap,
  top: TopDocs,
  facets: FacetRecords,
  isByChunk: boolean,
): number {
  const { binding } = segments[from];
  const { heap } = binding;
  const { u32, ptr } = binding.scratch;
  const clauseBytes = planBytes(map);
  const plans = SWEEP_BYTES;
  const joined = plans + clauses.length * clauseBytes;
  const lists = joinedLists(clauses, map, isByChunk);
  const rows = joined + lists * JOINED_BYTES;
  const starts = rows + (to - from) * ROW_BYTES;
  const words = starts + clauses.length * (to - from + 1) * 4;
  let wordCount = 0;
  for (const { ranges } of clauses) wordCount += ranges.starts[to] - ranges.starts[from];
  const sweep = allocateScratch(binding, words + wordCount * 4);
  writeRows(segments, from, to, top, u32, (sweep - ptr + rows) >> 2);
  if (passing !== null) writePassing(passing, map, isByChunk, segments, from, to, u32, (sweep - ptr + rows) >> 2);
  else if (clauses.length === 1 && clauses[0].tokens === null && map.count === 1 && !isByChunk)
    writeLosses(clauses[0].ranges, segments, from, to, map, (sweep - ptr + rows) >> 2);
  let startAt = (sweep - ptr + starts) >> 2;
  let wordAt = (sweep - ptr + words) >> 2;
  for (let c = 0; c < clauses.length; c++) {
    const { ranges, df, repeats, tokens } = clauses[c];
    if (tokens === null) writePlan(binding, sweep + plans + c * clauseBytes, map, df, repeats);
    const first = ranges.starts[from];
    for (let s = from; s <= to; s++) u32[startAt++] = ptr + (wordAt + ranges.starts[s] - first) * 4;
    const end = ranges.starts[to];
    for (let i = first; i < end; i++) u32[wordAt++] = ranges.words[i];
  }
  const phrases = writePhrases(clauses, binding, map, from, to);
  const judge = clauses.length === 1 && top.judged !== null && !isByChunk ? writeJudge(binding, top.judged) : 0;
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
  u32[word + (SWEEP_PHRASES >> 2)] = phrases;
  u32[word + (SWEEP_HEAP >> 2)] = heap.mark();
  u32[word + (SWEEP_HEAP_END >> 2)] = heap.end;
  u32[word + (SWEEP_JOINED >> 2)] = lists > 0 ? sweep + joined : 0;
  u32[word + (SWEEP_JOINED_END >> 2)] = sweep + rows;
  u32[word + (SWEEP_JUDGE >> 2)] = judge;
  u32[word + (SWEEP_FACETS >> 2)] = facets.ptr;
  u32[word + (SWEEP_FACETS_END >> 2)] = facets.end;
  u32[word + (SWEEP_ONLY >> 2)] = 0;
  u32[word + (SWEEP_IS_BEGUN >> 2)] = 0;
  u32[word + (SWEEP_IS_ALL >> 2)] = to - from === segments.length ? 1 : 0;
  u32[word + (SWEEP_IS_FEW >> 2)] = clauses.length === 1 && isFew(clauses[0], map, top.wanted) ? 1 : 0;
  u32[word + (SWEEP_FOUND >> 2)] = 0;
  u32[word + (SWEEP_HAS_PLACES >> 2)] = 0;
  u32[word + (SWEEP_CHUNK_COUNT >> 2)] = 0;
  u32[word + (SWEEP_ROW >> 2)] = 0;
  return sweep;
}

/** Whether at most `wanted` documents match a clause: those of a term that stands for itself. */
const isFew = (clause: SweptClause, map: FieldMap, wanted: number): boolean =>
  clause.tokens === null && clause.df * map.count <= wanted && isTypedAlone(clause);

/** Writes what judges documents; its address. */
function writeJudge(binding: ArenaBinding, { page, isCompletedJudged, hasRelated }: PageBound): number {
  const judge = allocateScratch(binding, JUDGE_SCORES + page * 4);
  const { u32, ptr } = binding.scratch;
  const word = (judge - ptr) >> 2;
  u32[word + (JUDGE_PAGE >> 2)] = page;
  u32[word + (JUDGE_COUNT >> 2)] = 0;
  u32[word + (JUDGE_WHOLE_IMPACT >> 2)] = WHOLE_IMPACT;
  u32[word + (JUDGE_COMPLETED >> 2)] = isCompletedJudged ? 0 : 1;
  u32[word + (JUDGE_IS_RELATED >> 2)] = hasRelated ? 1 : 0;
  u32[word + (JUDGE_IS_FORESEEN >> 2)] = 0;
  return judge;
}

/** Writes the phrases among the clauses over the segments [from, to); returns the address of theirs, 0 when there are none. */
function writePhrases(
  clauses: readonly SweptClause[],
  binding: ArenaBinding,
  map: FieldMap,
  from: number,
  to: number,
): number {
  let phrases = 0;
  const { u32, ptr } = binding.scratch;
  for (let c = 0; c < clauses.length; c++) {
    const { tokens, repeats } = clauses[c];
    if (tokens === null) continue;
    if (phrases === 0) {
      phrases = allocateScratch(binding, clauses.length * 4);
      u32.fill(0, (phrases - ptr) >> 2, ((phrases - ptr) >> 2) + clauses.length);
    }
    u32[((phrases - ptr) >> 2) + c] = writePhrase(binding, tokens, map, repeats, from, to);
  }
  return phrases;
}
