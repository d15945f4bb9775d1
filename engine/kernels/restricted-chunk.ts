/**
 * A chunk of which it is found out before any document is scored which ones all clauses match, and which of these may enter. For
 * kernels/sweep.ts alone; exports nothing to JavaScript. Layout: layout/sweep.ts.
 *
 * While nothing is known of what it takes to enter, a chunk with many matches is read in two parts: first the blocks of documents that may
 * score most, then what may enter beside these.
 */
import { BLOCK_POSTINGS } from '../layout/postings';
import { CHUNK_DOCS, SCRATCH_ACC, SCRATCH_LIST_A, SCRATCH_MATCHED } from '../layout/scratch';
import { TOP_PAGE, TOP_SIZE } from '../layout/score-top';
import {
  PART_FIRST,
  PART_REST,
  ROW_MAX_DOC,
  SWEEP_CLAUSE_COUNT,
  SWEEP_COUNT,
  SWEEP_FIRST_COUNT,
  SWEEP_FOUND,
  SWEEP_PART,
  SWEEP_PHRASES,
  SWEEP_PLAN_BYTES,
  SWEEP_PLANS,
  SWEEP_SCRATCH,
  SWEEP_SHIFT,
  SWEEP_TOP,
} from '../layout/sweep';
import { bestCandidates, fewestPostings, hopefulCandidates, matchBits, NOT_RESTRICTED } from './chunk-candidates';
import { passingOf } from './passing';
import { thresholdOf } from './score-floor';
import { settle } from './score-top';
import { hasFacets } from './sweep-facets';
import { chunkHasPostings } from './token-plan';

/** Of fewer matches, all are sooner scored. */
const MATCHES_MIN: u32 = 1024;
/** Documents of the first part, at least: so many, and so many times as many as are wanted. */
const FIRST_DOCS_MIN: u32 = 128;
const FIRST_DOCS_RATIO: u32 = 4;

/** What a document of the chunk must score more than to enter: those of the first part may lie behind one of the rest. */
export function thresholdOfPart(sweep: usize): f32 {
  return thresholdOf(<usize>load<u32>(sweep, SWEEP_TOP), load<u32>(sweep, SWEEP_PART) == PART_REST);
}

/** Goes on to the rest of the chunk that has just been begun anew. */
export function beginRest(sweep: usize): void {
  store<u32>(sweep, PART_REST, SWEEP_PART);
  settle(<usize>load<u32>(sweep, SWEEP_TOP));
}

/** Steps that setting bits takes: of what each clause has, whether anything is left to be scored or not. */
function bitSteps(sweep: usize, chunk: u32, stepsPerList: u32): u32 {
  const planBytes = <usize>load<u32>(sweep, SWEEP_PLAN_BYTES);
  let plan = <usize>load<u32>(sweep, SWEEP_PLANS);
  let steps: u32 = 0;
  for (let left = load<u32>(sweep, SWEEP_CLAUSE_COUNT); left > 0; left--, plan += planBytes) {
    steps += stepsPerList * min(chunkHasPostings(plan, chunk), <u32>0x10000);
  }
  return steps;
}

/**
 * Counts the documents of the chunk that all clauses match, and lists those of them that may enter, if that is sooner done than scoring
 * them all. Returns the steps that this took, at `stepsPerList` for a list; 0: it is not, and nothing is changed.
 */
export function restrictChunk(sweep: usize, row: usize, chunk: u32, stepsPerList: u32): u32 {
  if (load<u32>(sweep, SWEEP_PHRASES) != 0 || hasFacets(sweep)) return 0;
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const threshold = thresholdOfPart(sweep);
  const isRest = load<u32>(sweep, SWEEP_PART) == PART_REST;
  // Not of the rest, whatever the first part has brought: below a score of 0 everything is.
  const isUnknown = threshold < 0 && !isRest;
  // Where bonuses are added, many more than are on the page are kept, and the first part says little of what it takes to enter.
  if (isUnknown && load<u32>(top, TOP_PAGE) != 0) return 0;
  const wanted = max(load<u32>(top, TOP_SIZE) * FIRST_DOCS_RATIO, FIRST_DOCS_MIN);
  const docs = min(load<u32>(row, ROW_MAX_DOC) - chunk * CHUNK_DOCS, <u32>CHUNK_DOCS);
  const blocks = (docs + BLOCK_POSTINGS - 1) / BLOCK_POSTINGS;
  const enough = max(MATCHES_MIN, wanted << 1);
  if (isUnknown && fewestPostings(sweep, chunk) < enough) return 0;
  const found = matchBits(sweep, chunk, blocks, passingOf(sweep, row, chunk));
  if (found == NOT_RESTRICTED) return 0;
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  let n: u32 = 0;
  if (!isUnknown && found > 0) n = hopefulCandidates(sweep, chunk, blocks, threshold, isRest);
  else if (found > 0) {
    if (found < enough) return 0;
    n = bestCandidates(sweep, chunk, blocks, wanted);
    store<u32>(sweep, PART_FIRST, SWEEP_PART);
  }
  for (let i: u32 = 0; i < n; i++) {
    const d = <usize>load<u16>(scratch + SCRATCH_LIST_A + (<usize>i << 1));
    store<u8>(scratch + SCRATCH_MATCHED + d, 1);
    store<f32>(scratch + SCRATCH_ACC + (d << 2), 0);
  }
  store<u32>(sweep, 1, SWEEP_SHIFT);
  store<u32>(sweep, n, SWEEP_COUNT);
  store<u32>(sweep, n, SWEEP_FIRST_COUNT);
  if (!isRest) store<u32>(sweep, load<u32>(sweep, SWEEP_FOUND) + found, SWEEP_FOUND);
  return bitSteps(sweep, chunk, stepsPerList) + n + 1;
}
