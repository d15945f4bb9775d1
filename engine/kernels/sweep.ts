/**
 * Runs a whole text query over neighbouring segments of an arena: plans, matches, scores, counts and keeps the best
 * documents. Called by query/match/sweep.ts through memory/kernel-instance.ts. Layout: layout/sweep.ts.
 *
 * Gives control back when its steps are used up, so that somebody can stop it, and goes on where it was when called again.
 */
import { BLOCK_POSTINGS } from '../layout/postings';
import { PHRASE_AGAIN, PHRASE_IS_HELD, PHRASE_STEPS } from '../layout/phrase';
import { TOP_SIZE } from '../layout/score-top';
import {
  CHUNK_DOCS,
  SCRATCH_ACC,
  SCRATCH_LIST_A,
  SCRATCH_LIST_B,
  SCRATCH_LIST_C,
  SCRATCH_MATCHED,
  SCRATCH_OUT_SCORES,
  SCRATCH_PHRASE_LIST,
  SCRATCH_TMP,
} from '../layout/scratch';
import {
  ONLY_READ,
  PART_FIRST,
  PART_WHOLE,
  ROW_BYTES,
  ROW_COLUMN,
  ROW_ENTRIES,
  ROW_MAX_DOC,
  ROW_ORDER_BASE,
  ROW_SEGMENT,
  SWEEP_CHUNK,
  SWEEP_CHUNK_COUNT,
  SWEEP_CLAUSE,
  SWEEP_CLAUSE_COUNT,
  SWEEP_COUNT,
  SWEEP_DONE,
  SWEEP_FIRST_COUNT,
  SWEEP_FOUND,
  SWEEP_HEAP,
  SWEEP_HEAP_END,
  SWEEP_IS_BEGUN,
  SWEEP_IS_FEW,
  SWEEP_IS_JOINED,
  SWEEP_MATCH_ALL,
  SWEEP_NO_ROOM,
  SWEEP_ONLY,
  SWEEP_PART,
  SWEEP_PHRASES,
  SWEEP_PLAN_BYTES,
  SWEEP_PLANS,
  SWEEP_RANGES,
  SWEEP_ROW,
  SWEEP_ROW_COUNT,
  SWEEP_ROWS,
  SWEEP_SCRATCH,
  SWEEP_SHIFT,
  SWEEP_STEPS,
  SWEEP_STOPPED,
  SWEEP_TOP,
} from '../layout/sweep';
import {
  PLAN_CHUNK_HIGH,
  PLAN_ENTRIES,
  PLAN_RANGE_BYTES,
  PLAN_RANGE_COUNT,
  PLAN_RANGES,
  PLAN_SEGMENT,
} from '../layout/token-plan';
import { keepHopeful } from './chunk-candidates';
import { clearMatched, filterList } from './doc-lists';
import { beginJoined, joinRow } from './joined-begin';
import { joinChunk, joinSteps } from './joined-sweep';
import { raiseFloor, sweepList } from './list-sweep';
import { NOT_ONE_LIST } from './swept-lists';
import { passingOf } from './passing';
import { beginPhrase, goMatching, isMatching, matchPhrase } from './phrases';
import { beginRest, restrictChunk, thresholdOfPart } from './restricted-chunk';
import { isOpenToScores, offerScores } from './score-top';
import { sweepShortList } from './short-list';
import { scatterScored, scoreChunk } from './scoring';
import { countListed } from './sweep-facets';
import { chunkHasPostings, makePlan } from './token-plan';
import { beginTopColumn } from './top-columns';

/** Steps that a list of a chunk takes at least, and a chunk of a list that is read block by block. */
const LIST_STEPS: u32 = 64;
const BLOCKS_STEPS: u32 = 1024;

function spend(sweep: usize, steps: u32): void {
  store<i32>(sweep, load<i32>(sweep, SWEEP_STEPS) - <i32>min(steps, <u32>0x10000000), SWEEP_STEPS);
}

/** Goes on to the next segment. */
function endRow(sweep: usize): void {
  store<u32>(sweep, 0, SWEEP_CHUNK_COUNT);
  store<u32>(sweep, load<u32>(sweep, SWEEP_ROW) + 1, SWEEP_ROW);
}

/** Goes on to chunk number `chunk`. */
function beginChunk(sweep: usize, chunk: u32): void {
  store<u32>(sweep, chunk, SWEEP_CHUNK);
  store<u32>(sweep, 0, SWEEP_CLAUSE);
  store<u32>(sweep, 0, SWEEP_COUNT);
  store<u32>(sweep, 0, SWEEP_FIRST_COUNT);
  store<u32>(sweep, 0, SWEEP_SHIFT);
  store<u32>(sweep, PART_WHOLE, SWEEP_PART);
}

/** Address of where the ranges of clause 0 in the segment being read begin, then where they end. */
function firstRanges(sweep: usize): usize {
  return <usize>load<u32>(sweep, SWEEP_RANGES) + (<usize>load<u32>(sweep, SWEEP_ROW) << 2);
}

/** Bytes from the ranges of a clause to those of the next. */
function rangesBytes(sweep: usize): usize {
  return (<usize>load<u32>(sweep, SWEEP_ROW_COUNT) + 1) << 2;
}

/** Whether some document of the segment may match: of which clauses it has anything at all. */
function mayMatch(sweep: usize): bool {
  const matchAll = load<u32>(sweep, SWEEP_MATCH_ALL) != 0;
  const clauses = load<u32>(sweep, SWEEP_CLAUSE_COUNT);
  let ranges = firstRanges(sweep);
  for (let clause: u32 = 0; clause < clauses; clause++, ranges += rangesBytes(sweep)) {
    if ((load<u32>(ranges) != load<u32>(ranges, 4)) != matchAll) return !matchAll;
  }
  return matchAll;
}

/** The phrase that clause number `clause` is; 0: it is a token. */
@inline
function phraseOf(sweep: usize, clause: u32): usize {
  const phrases = <usize>load<u32>(sweep, SWEEP_PHRASES);
  return phrases ? <usize>load<u32>(phrases + (<usize>clause << 2)) : 0;
}

/** Makes the plans of all clauses for the segment, and begins its phrases; false when there is no room. */
function makePlans(sweep: usize, row: usize, chunks: u32): bool {
  const planBytes = <usize>load<u32>(sweep, SWEEP_PLAN_BYTES);
  const clauses = load<u32>(sweep, SWEEP_CLAUSE_COUNT);
  let plan = <usize>load<u32>(sweep, SWEEP_PLANS);
  const heapEnd = <usize>load<u32>(sweep, SWEEP_HEAP_END);
  const heap = <usize>load<u32>(sweep, SWEEP_HEAP);
  let free = heap;
  let ranges = firstRanges(sweep);
  for (let clause: u32 = 0; clause < clauses; clause++, plan += planBytes, ranges += rangesBytes(sweep)) {
    const phrase = phraseOf(sweep, clause);
    if (phrase) {
      beginPhrase(phrase, load<u32>(sweep, SWEEP_ROW), load<u32>(row, ROW_SEGMENT), load<u32>(row, ROW_ENTRIES));
      continue;
    }
    const first = load<u32>(ranges);
    store<u32>(plan, load<u32>(row, ROW_SEGMENT), PLAN_SEGMENT);
    store<u32>(plan, load<u32>(row, ROW_ENTRIES), PLAN_ENTRIES);
    store<u32>(plan, chunks, PLAN_CHUNK_HIGH);
    store<u32>(plan, first, PLAN_RANGES);
    store<u32>(plan, (load<u32>(ranges, 4) - first) / PLAN_RANGE_BYTES, PLAN_RANGE_COUNT);
    free = makePlan(plan, free, heapEnd);
    if (free == 0) return false;
  }
  // What it takes to lay something out goes with the room that it takes.
  spend(sweep, <u32>((free - heap) >> 2));
  return true;
}

/** Reads the segment, if that takes no more than one list, or makes its plans; false when there is no room. */
function beginRow(sweep: usize, row: usize): bool {
  const chunks = (load<u32>(row, ROW_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
  spend(sweep, LIST_STEPS);
  if (chunks == 0 || !mayMatch(sweep)) {
    endRow(sweep);
    return true;
  }
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  beginTopColumn(top, load<u32>(row, ROW_ORDER_BASE), load<u32>(row, ROW_SEGMENT), load<u32>(row, ROW_COLUMN));
  const only = load<u32>(sweep, SWEEP_ONLY);
  if (only == 0 && load<u32>(sweep, SWEEP_CLAUSE_COUNT) == 1 && load<u32>(sweep, SWEEP_PHRASES) == 0) {
    const few = sweepShortList(sweep, row, firstRanges(sweep));
    if (few != NOT_ONE_LIST) {
      store<u32>(sweep, load<u32>(sweep, SWEEP_FOUND) + few, SWEEP_FOUND);
      endRow(sweep);
      return true;
    }
    const found = sweepList(sweep, row, firstRanges(sweep), chunks);
    if (found != NOT_ONE_LIST) {
      spend(sweep, chunks * BLOCKS_STEPS);
      store<u32>(sweep, load<u32>(sweep, SWEEP_FOUND) + found, SWEEP_FOUND);
      endRow(sweep);
      return true;
    }
  }
  store<u32>(sweep, chunks, SWEEP_CHUNK_COUNT);
  beginChunk(sweep, only == 0 ? 0 : only - 1);
  const isJoined = joinRow(sweep, load<u32>(sweep, SWEEP_ROW));
  store<u32>(sweep, u32(isJoined), SWEEP_IS_JOINED);
  if (isJoined) return true;
  return makePlans(sweep, row, chunks);
}

/** The list of documents that match the clauses up to `clause`, all of them. */
function listOf(scratch: usize, clause: u32): usize {
  return scratch + (clause == 0 ? SCRATCH_LIST_A : clause & 1 ? SCRATCH_LIST_B : SCRATCH_LIST_C);
}

/** Whether it is known that no document of the chunk matches clause number `clause`. */
function cannotMatch(sweep: usize, clause: u32, chunk: u32): bool {
  const phrase = phraseOf(sweep, clause);
  if (phrase) return load<u32>(phrase, PHRASE_IS_HELD) == 0;
  const plan = <usize>load<u32>(sweep, SWEEP_PLANS) + <usize>clause * load<u32>(sweep, SWEEP_PLAN_BYTES);
  return chunkHasPostings(plan, chunk) == 0;
}

/** What scoreChunk of kernels/scoring.ts does for a plan. PHRASE_AGAIN: it is not through, and called again. */
function scorePhrase(
  sweep: usize, phrase: usize, chunk: u32, t: u32, listIn: usize, inCount: u32, out: usize, outCount: u32,
): u32 {
  if (load<u32>(phrase, PHRASE_IS_HELD) == 0) return outCount;
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const found = isMatching(phrase)
    ? goMatching(phrase, chunk, listIn, inCount, 1)
    : matchPhrase(phrase, chunk, listIn, inCount, 1);
  spend(sweep, load<u32>(phrase, PHRASE_STEPS));
  if (found == <u32>PHRASE_AGAIN) return found;
  return scatterScored(
    scratch + SCRATCH_PHRASE_LIST, scratch + SCRATCH_OUT_SCORES, found, t, scratch + SCRATCH_ACC, scratch + SCRATCH_MATCHED, out,
    outCount,
  );
}

/** Scores the clauses that are left in the chunk; false when the steps are used up before the last. */
function scoreClauses(sweep: usize, row: usize, chunk: u32): bool {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const clauses = load<u32>(sweep, SWEEP_CLAUSE_COUNT);
  const matchAll = load<u32>(sweep, SWEEP_MATCH_ALL) != 0;
  const planBytes = <usize>load<u32>(sweep, SWEEP_PLAN_BYTES);
  const plans = <usize>load<u32>(sweep, SWEEP_PLANS);
  let clause = load<u32>(sweep, SWEEP_CLAUSE);
  const open = clause < clauses ? phraseOf(sweep, clause) : 0;
  const isWithin = open != 0 && isMatching(open);
  if (matchAll && clause == 0 && load<u32>(sweep, SWEEP_SHIFT) == 0 && !isWithin) {
    for (let c: u32 = 0; c < clauses; c++) if (cannotMatch(sweep, c, chunk)) return true;
    const steps = restrictChunk(sweep, row, chunk, LIST_STEPS);
    if (steps != 0) spend(sweep, BLOCKS_STEPS + steps);
  }
  const shift = load<u32>(sweep, SWEEP_SHIFT);
  let count = load<u32>(sweep, SWEEP_COUNT);
  if (shift != 0 && count == 0) return true;
  while (clause < clauses && load<i32>(sweep, SWEEP_STEPS) > 0) {
    const phrase = phraseOf(sweep, clause);
    const plan = plans + <usize>clause * planBytes;
    const t: u32 = matchAll ? clause + shift : 0;
    const listIn: usize = t == 0 ? 0 : listOf(scratch, t - 1);
    const inCount: u32 = t == 0 ? 0 : count;
    const outCount: u32 = matchAll ? 0 : count;
    if (phrase) {
      const found = scorePhrase(sweep, phrase, chunk, t, listIn, inCount, listOf(scratch, t), outCount);
      if (found == <u32>PHRASE_AGAIN) {
        store<u32>(sweep, clause, SWEEP_CLAUSE);
        store<u32>(sweep, count, SWEEP_COUNT);
        return false;
      }
      count = found;
    } else {
      count = scoreChunk(
        plan, chunk, t, scratch + SCRATCH_ACC, scratch + SCRATCH_TMP, scratch + SCRATCH_MATCHED, listIn, inCount,
        listOf(scratch, t), outCount,
      );
      spend(sweep, inCount + count + LIST_STEPS * min(chunkHasPostings(plan, chunk), <u32>0x10000));
    }
    if (t == 0) store<u32>(sweep, count, SWEEP_FIRST_COUNT);
    if (shift != 0 && clause == 0) {
      count = keepHopeful(sweep, listOf(scratch, t), count, thresholdOfPart(sweep));
    }
    clause++;
    if (matchAll && count == 0) break;
  }
  store<u32>(sweep, clause, SWEEP_CLAUSE);
  store<u32>(sweep, count, SWEEP_COUNT);
  return clause == clauses || (matchAll && count == 0);
}

/** Counts the matches of the chunk and offers them to the best documents. */
function collectMatches(sweep: usize, row: usize, chunk: u32): void {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const first = load<u32>(sweep, SWEEP_FIRST_COUNT);
  // Before the matches are filtered, of which the list may be the first one.
  if (first > 0) clearMatched(scratch + SCRATCH_MATCHED, scratch + SCRATCH_LIST_A, first);
  const matches = load<u32>(sweep, SWEEP_COUNT);
  const shift = load<u32>(sweep, SWEEP_SHIFT);
  if (matches == 0) return;
  const last = load<u32>(sweep, SWEEP_MATCH_ALL) != 0 ? load<u32>(sweep, SWEEP_CLAUSE_COUNT) - 1 + shift : 0;
  const list = listOf(scratch, last);
  let count = matches;
  // A list that was restricted before has passed, and is counted.
  if (shift == 0) {
    count = filterList(list, matches, passingOf(sweep, row, chunk), 0);
    store<u32>(sweep, load<u32>(sweep, SWEEP_FOUND) + count, SWEEP_FOUND);
    countListed(sweep, row, chunk, list, count);
  }
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  if (load<u32>(top, TOP_SIZE) == 0) return;
  offerScores(top, load<u32>(row, ROW_ORDER_BASE) + chunk * CHUNK_DOCS, list, count, scratch + SCRATCH_ACC);
}

/** Goes on with the chunk being read, to its end unless the steps are used up. */
function readChunk(sweep: usize, row: usize): void {
  const chunk = load<u32>(sweep, SWEEP_CHUNK);
  if (load<u32>(sweep, SWEEP_IS_JOINED) != 0) {
    store<u32>(sweep, load<u32>(sweep, SWEEP_FOUND) + joinChunk(sweep, row, chunk), SWEEP_FOUND);
    spend(sweep, LIST_STEPS + joinSteps(sweep));
  } else {
    if (!scoreClauses(sweep, row, chunk)) return;
    collectMatches(sweep, row, chunk);
  }
  if (load<u32>(sweep, SWEEP_PART) == PART_FIRST) {
    beginChunk(sweep, chunk);
    beginRest(sweep);
  } else if (load<u32>(sweep, SWEEP_ONLY) != 0) store<u32>(sweep, ONLY_READ, SWEEP_ONLY);
  else if (chunk + 1 == load<u32>(sweep, SWEEP_CHUNK_COUNT)) endRow(sweep);
  else beginChunk(sweep, chunk + 1);
}

/** Has the sweep, which is over one segment, read chunk number `chunk` of it next, and nothing else. Chunks ascend. */
export function beginSweepChunk(sweep: usize, chunk: u32): void {
  store<u32>(sweep, chunk + 1, SWEEP_ONLY);
  if (load<u32>(sweep, SWEEP_CHUNK_COUNT) != 0) beginChunk(sweep, chunk);
}

/** Runs the sweep on, for about `steps` steps; returns one of SWEEP_DONE, SWEEP_STOPPED and SWEEP_NO_ROOM. */
export function runSweep(sweep: usize, steps: i32): u32 {
  store<i32>(sweep, steps, SWEEP_STEPS);
  const rowCount = load<u32>(sweep, SWEEP_ROW_COUNT);
  // Told by itself: looking may use all steps up before a segment is begun.
  const isBegun = load<u32>(sweep, SWEEP_IS_BEGUN) != 0;
  store<u32>(sweep, 1, SWEEP_IS_BEGUN);
  const isOneToken = load<u32>(sweep, SWEEP_CLAUSE_COUNT) == 1 && load<u32>(sweep, SWEEP_PHRASES) == 0;
  const isFew = load<u32>(sweep, SWEEP_IS_FEW) != 0;
  if (!isBegun && isOneToken && !isFew && isOpenToScores(load<u32>(sweep, SWEEP_TOP))) {
    spend(sweep, raiseFloor(sweep, firstRanges(sweep)));
  }
  // What raises the floor for one list does so in the same memory.
  if (!isBegun) spend(sweep, beginJoined(sweep));
  while (load<u32>(sweep, SWEEP_ROW) < rowCount && load<u32>(sweep, SWEEP_ONLY) != ONLY_READ) {
    if (load<i32>(sweep, SWEEP_STEPS) <= 0) return SWEEP_STOPPED;
    const row = <usize>load<u32>(sweep, SWEEP_ROWS) + <usize>load<u32>(sweep, SWEEP_ROW) * ROW_BYTES;
    if (load<u32>(sweep, SWEEP_CHUNK_COUNT) != 0) readChunk(sweep, row);
    else if (!beginRow(sweep, row)) return SWEEP_NO_ROOM;
  }
  return SWEEP_DONE;
}
