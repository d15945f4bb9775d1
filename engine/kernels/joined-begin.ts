/**
 * The beginning of a sweep whose clauses are joined: what each of them reads of each segment, how much its list can score, and
 * what the best documents reach. For kernels/joined-sweep.ts and kernels/sweep.ts alone; exports nothing to JavaScript.
 * Layouts: layout/sweep.ts, layout/joined-lists.ts.
 */
import {
  JOINED_BOUND,
  JOINED_BYTES,
  JOINED_COUNT,
  JOINED_DATA,
  JOINED_ENTRY,
  JOINED_LEAST_TABLE,
  JOINED_TABLE,
  JOINED_WEIGHT,
} from '../layout/joined-lists';
import {
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_DF,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_MAX_IMPACT,
  RANKED_COUNT_MIN,
} from '../layout/postings';
import { TOP_SIZE } from '../layout/score-top';
import { CHUNK_DOCS, SCRATCH_OUT_DOCS, SCRATCH_OUT_SCORES } from '../layout/scratch';
import {
  ROW_BYTES,
  ROW_ENTRIES,
  ROW_MAX_DOC,
  ROW_SEGMENT,
  SWEEP_CLAUSE_COUNT,
  SWEEP_JOINED,
  SWEEP_JOINED_END,
  SWEEP_MATCH_ALL,
  SWEEP_PLAN_BYTES,
  SWEEP_PLANS,
  SWEEP_RANGES,
  SWEEP_ROW_COUNT,
  SWEEP_ROWS,
  SWEEP_SCRATCH,
  SWEEP_TOP,
} from '../layout/sweep';
import { PLAN_FIELD_COUNT, PLAN_LUT } from '../layout/token-plan';
import { blocksOf, maximaOf } from './chunk-forms';
import { boundOfImpact, enterJoined, findJoined, joinedAt, orderJoined } from './joined-lists';
import { isRanked } from './joined-matches';
import { mayAllPass } from './passing';
import { COUNTS_BYTES, countImpacts, raiseToReached } from './score-floor';
import { isOpenToScores } from './score-top';
import { hasFacets } from './sweep-facets';

/** The postings of longer chunks are not looked at one by one to learn what the best documents reach. */
const COUNTED_POSTINGS_MAX: u32 = 1024;

/**
 * Lists of several fields are joined to be scored where they have a posting for one document of so many of the segment, and where
 * every clause is asked for, when each has.
 */
const ANY_SHARE: u32 = 4;
const EVERY_SHARE: u32 = 8;
/** The same where facets are counted, for which each match is looked at anyway: of lists of one field too. */
const FACETS_SHARE: u32 = 16;

/** Bytes from the records of a clause to those of the next. */
export function clauseBytes(sweep: usize): usize {
  return <usize>load<u32>(<usize>load<u32>(sweep, SWEEP_PLANS), PLAN_FIELD_COUNT) * JOINED_BYTES;
}

/** Whether a match holds every one of several clauses. */
export function isEveryAsked(sweep: usize): bool {
  return load<u32>(sweep, SWEEP_MATCH_ALL) != 0 && load<u32>(sweep, SWEEP_CLAUSE_COUNT) > 1;
}

/** By queried field, f32[256]: the largest score of any impact up to each. In scratch memory, for the whole sweep. */
@inline
function boundTables(sweep: usize): usize {
  return <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_OUT_DOCS;
}

/** Makes boundTables(), and returns their address. */
export function makeBoundTables(sweep: usize): usize {
  const plan = <usize>load<u32>(sweep, SWEEP_PLANS);
  const bytes = <usize>load<u32>(plan, PLAN_FIELD_COUNT) << 10;
  const scores = <usize>load<u32>(plan, PLAN_LUT);
  const bounds = boundTables(sweep);
  // Floats >= 0 order as their bits do, which are compared sooner.
  let best: u32 = 0;
  for (let at: usize = 0; at < bytes; at += 4) {
    if ((at & 1023) == 0) best = 0;
    best = max(best, load<u32>(scores + at));
    store<u32>(bounds + at, best);
  }
  return bounds;
}

/** Finds what clause number `clause` reads of the segment of row number r; false when that is several lists of a field. */
function findClause(sweep: usize, clause: u32, r: u32): bool {
  const joined = <usize>load<u32>(sweep, SWEEP_JOINED) + <usize>clause * clauseBytes(sweep);
  const row = <usize>load<u32>(sweep, SWEEP_ROWS) + <usize>r * ROW_BYTES;
  const plan = <usize>load<u32>(sweep, SWEEP_PLANS) + <usize>clause * load<u32>(sweep, SWEEP_PLAN_BYTES);
  const words = clause * (load<u32>(sweep, SWEEP_ROW_COUNT) + 1) + r;
  const ranges = <usize>load<u32>(sweep, SWEEP_RANGES) + (<usize>words << 2);
  const chunks = (load<u32>(row, ROW_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  return findJoined(joined, plan, segment, load<u32>(row, ROW_ENTRIES), ranges, chunks, boundTables(sweep));
}

/** Counts the impacts of the list of `joined`, or of its longer chunks those of their blocks, into u32[256] at `counts`. */
function countList(joined: usize, segment: usize, chunks: u32, counts: usize): u32 {
  let counted: u32 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    enterJoined(joined, segment, chunk);
    const n = load<u32>(joined, JOINED_COUNT);
    if (n == 0) continue;
    const data = <usize>load<u32>(joined, JOINED_DATA);
    const kind: u32 = isRanked(joined) ? CHUNK_KIND_RANKED : CHUNK_KIND_SPARSE;
    const isShort = n <= COUNTED_POSTINGS_MAX;
    const size = isShort ? n : blocksOf(kind, n);
    countImpacts(isShort ? data + (n << 1) : maximaOf(data, kind, n), size, counts);
    counted += size;
  }
  return counted;
}

/**
 * Raises what a document must reach to enter to what as many as are wanted do reach, going by the list with the largest
 * scores, that of `joined`: other lists only add to them. Returns the postings and blocks that were looked at.
 */
function raiseFloor(sweep: usize, joined: usize): u32 {
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const clause = <u32>((joined - <usize>load<u32>(sweep, SWEEP_JOINED)) / clauseBytes(sweep));
  const counts = <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_OUT_SCORES;
  const rowCount = load<u32>(sweep, SWEEP_ROW_COUNT);
  memory.fill(counts, 0, COUNTS_BYTES);
  let counted: u32 = 0;
  let table: u32 = 0;
  let weight: f32 = 0;
  for (let r: u32 = 0; r < rowCount; r++) {
    const row = <usize>load<u32>(sweep, SWEEP_ROWS) + <usize>r * ROW_BYTES;
    // A block's best document may be one that cannot match.
    if (!mayAllPass(row) || !findClause(sweep, clause, r)) continue;
    if (load<u32>(joined, JOINED_ENTRY) == 0) continue;
    const own = load<f32>(joined, JOINED_WEIGHT);
    if (table != 0 && (load<u32>(joined, JOINED_TABLE) != table || own != weight)) continue;
    table = load<u32>(joined, JOINED_TABLE);
    weight = own;
    const chunks = (load<u32>(row, ROW_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
    counted += countList(joined, load<u32>(row, ROW_SEGMENT), chunks, counts);
  }
  raiseToReached(top, counts, counted, table, weight);
  return counted;
}

/** Whether the lists of some segment are joined. */
function isAnyRowJoined(sweep: usize): bool {
  const rowCount = load<u32>(sweep, SWEEP_ROW_COUNT);
  for (let r: u32 = 0; r < rowCount; r++) if (joinRow(sweep, r)) return true;
  return false;
}

/** Before the first segment of a sweep whose lists are joined; returns what was looked at, in steps. */
export function beginJoined(sweep: usize): u32 {
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const rows = load<u32>(sweep, SWEEP_ROW_COUNT);
  if (load<u32>(sweep, SWEEP_JOINED) == 0) return 0;
  if (!isAnyRowJoined(sweep)) {
    store<u32>(sweep, 0, SWEEP_JOINED);
    return rows;
  }
  if (load<u32>(top, TOP_SIZE) == 0) return rows;
  makeBoundTables(sweep);
  const clauses = load<u32>(sweep, SWEEP_CLAUSE_COUNT);
  const first = <usize>load<u32>(sweep, SWEEP_JOINED);
  const end = <usize>load<u32>(sweep, SWEEP_JOINED_END);
  const rowCount = load<u32>(sweep, SWEEP_ROW_COUNT);
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    store<f32>(joined, 0, JOINED_BOUND);
    store<u32>(joined, 0, JOINED_LEAST_TABLE);
  }
  for (let clause: u32 = 0; clause < clauses; clause++) {
    // Of one row the lists were found just now.
    for (let r: u32 = 0; r < rowCount; r++) if (rowCount == 1 || findClause(sweep, clause, r)) raiseBounds(sweep, clause);
  }
  orderJoined(first, end);
  if (isEveryAsked(sweep) || !isOpenToScores(top)) return clauses * rowCount;
  return clauses * rowCount + raiseFloor(sweep, joinedAt(first, 0));
}

/** Raises the bounds of the lists of clause number `clause` to what those of the segment found last can score. */
function raiseBounds(sweep: usize, clause: u32): void {
  const first = <usize>load<u32>(sweep, SWEEP_JOINED) + <usize>clause * clauseBytes(sweep);
  const end = first + clauseBytes(sweep);
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const entry = <usize>load<u32>(joined, JOINED_ENTRY);
    if (entry == 0) continue;
    const bound = boundOfImpact(joined, load<u8>(entry, ENTRY_MAX_IMPACT));
    store<f32>(joined, max(load<f32>(joined, JOINED_BOUND), bound), JOINED_BOUND);
  }
}

/** Postings of the lists of clause number `clause` in the segment found last. */
function countClause(sweep: usize, clause: u32): u32 {
  const first = <usize>load<u32>(sweep, SWEEP_JOINED) + <usize>clause * clauseBytes(sweep);
  const end = first + clauseBytes(sweep);
  let count: u32 = 0;
  for (let joined = first; joined < end; joined += JOINED_BYTES) {
    const entry = <usize>load<u32>(joined, JOINED_ENTRY);
    if (entry != 0) count += load<u8>(entry, ENTRY_KIND) == ENTRY_KIND_SINGLE ? 1 : load<u32>(entry, ENTRY_DF);
  }
  return count;
}

/** Whether the lists of the segment found last, of `maxDoc` documents, are sooner joined than scored one after the other. */
function isWorthJoining(sweep: usize, maxDoc: u32): bool {
  const clauses = load<u32>(sweep, SWEEP_CLAUSE_COUNT);
  let count: u32 = 0;
  let least = u32.MAX_VALUE;
  for (let clause: u32 = 0; clause < clauses; clause++) {
    const own = countClause(sweep, clause);
    count += own;
    least = min(least, own);
  }
  if (hasFacets(sweep)) return (isEveryAsked(sweep) ? least : count) >= max(maxDoc / FACETS_SHARE, <u32>RANKED_COUNT_MIN);
  // Nothing is to be scored.
  if (load<u32>(<usize>load<u32>(sweep, SWEEP_TOP), TOP_SIZE) == 0) return count >= <u32>RANKED_COUNT_MIN;
  if (isEveryAsked(sweep)) return least >= max(maxDoc / EVERY_SHARE, <u32>RANKED_COUNT_MIN);
  return count >= max(maxDoc / ANY_SHARE, <u32>RANKED_COUNT_MIN);
}

/**
 * Finds what each clause reads of the segment of row number r; false when that is not to be joined: several lists of a field,
 * or lists of several fields that are sooner scored.
 */
export function joinRow(sweep: usize, r: u32): bool {
  if (load<u32>(sweep, SWEEP_JOINED) == 0) return false;
  const clauses = load<u32>(sweep, SWEEP_CLAUSE_COUNT);
  for (let clause: u32 = 0; clause < clauses; clause++) if (!findClause(sweep, clause, r)) return false;
  if (clauseBytes(sweep) == JOINED_BYTES && !hasFacets(sweep)) return true;
  return isWorthJoining(sweep, load<u32>(<usize>load<u32>(sweep, SWEEP_ROWS) + <usize>r * ROW_BYTES, ROW_MAX_DOC));
}
