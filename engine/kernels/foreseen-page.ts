/**
 * What a document must score with its bonuses to be on the page of a query for one token, known before a list is read: outlines
 * tell how many documents have each impact and get a bonus. So few blocks are read but those that hold what is on the page. For
 * kernels/list-sweep.ts alone; exports nothing to JavaScript. Layouts: layout/list-outline.ts, layout/judge.ts, layout/score-top.ts.
 *
 * Bonuses are for the best documents without them, as many as are wanted of TOP_SIZE; the score that only these exceed is
 * known as well, so that nobody has to read the others to find out which these are.
 */
import { JUDGE_PAGE, JUDGE_TIE_IMPACT, JUDGE_TIE_ORDER, JUDGE_WHOLE_IMPACT } from '../layout/judge';
import { OUTLINED_POSTINGS_MIN } from '../layout/list-outline';
import { ENTRY_BYTES, ENTRY_DF, ENTRY_FIELD, ENTRY_KIND, ENTRY_KIND_CHUNKED } from '../layout/postings';
import { CHUNK_DOCS, SCRATCH_OUT_DOCS } from '../layout/scratch';
import { TOP_KEY_KIND, TOP_KEY_SCORE, TOP_PAGE, TOP_SIZE } from '../layout/score-top';
import {
  ROW_BYTES,
  ROW_ENTRIES,
  ROW_LIVE,
  ROW_LOSSES,
  ROW_MAX_DOC,
  ROW_SEGMENT,
  SWEEP_BETTER,
  SWEEP_INNER,
  SWEEP_IS_ALL,
  SWEEP_IS_SIGNED,
  SWEEP_JUDGE,
  SWEEP_MORE_COUNT,
  SWEEP_OUTER,
  SWEEP_OUTER_WEIGHT,
  SWEEP_OUTLINE,
  SWEEP_PLANS,
  SWEEP_ROW_COUNT,
  SWEEP_ROWS,
  SWEEP_SCRATCH,
  SWEEP_SPECIAL,
  SWEEP_TOP,
  SWEEP_TYPED,
} from '../layout/sweep';
import { PLAN_FIELD_MAP, PLAN_LUT, PLAN_NO_FIELD, PLAN_RANGE_BYTES, PLAN_SCALES, PLAN_WEIGHTS } from '../layout/token-plan';
import { beginForeseen } from './foreseen-list';
import { withBonus } from './judged-list';
import { subtractLosses } from './losses';
import {
  addOutline,
  countList,
  countShortList,
  largestImpact,
  OUTLINE_COUNTS_BYTES,
  OUTLINE_DOES,
  OUTLINE_MAY,
  smallestImpact,
} from './list-outline';
import { mayAllBut } from './passing';
import { floatBelow, raiseScore } from './score-top';
import { findLists, tableOf } from './swept-lists';
import { nthOfImpact } from './tie-order';

/** Behind the counts, what all lists that were counted score by: u32, the score table, 0: none was, and f32, the weight. */
const TABLE: usize = OUTLINE_COUNTS_BYTES;
const WEIGHT: usize = OUTLINE_COUNTS_BYTES + 4;
/** Then the largest and the smallest impact that was counted, u32. */
const LARGEST: usize = OUTLINE_COUNTS_BYTES + 8;
const SMALLEST: usize = OUTLINE_COUNTS_BYTES + 12;

/** Notes that impacts from `smallest` to `largest` may have been counted. */
@inline
function noteImpacts(counts: usize, smallest: u32, largest: u32): void {
  store<u32>(counts, max(load<u32>(counts, LARGEST), largest), LARGEST);
  store<u32>(counts, min(load<u32>(counts, SMALLEST), smallest), SMALLEST);
}

/** Notes what the list of a row scores by; false: those before score otherwise. */
function scoresAlike(counts: usize, table: usize, weight: f32): bool {
  if (load<u32>(counts, TABLE) == 0) {
    store<u32>(counts, <u32>table, TABLE);
    store<f32>(counts, weight, WEIGHT);
  }
  return <u32>table == load<u32>(counts, TABLE) && weight == load<f32>(counts, WEIGHT);
}

/** Counts the only list that the row has of a queried field, which is short; false: it has others. At `ranges` as for findLists(). */
function countShort(sweep: usize, row: usize, ranges: usize, counts: usize): bool {
  const plan = <usize>load<u32>(sweep, SWEEP_PLANS);
  const fieldMap = <usize>load<u32>(plan, PLAN_FIELD_MAP);
  const entries = <usize>load<u32>(row, ROW_ENTRIES);
  const rangesEnd = <usize>load<u32>(ranges, 4);
  let isFound = false;
  for (let range = <usize>load<u32>(ranges); range < rangesEnd; range += PLAN_RANGE_BYTES) {
    const high = load<u32>(range, 4);
    for (let i = load<u32>(range); i < high; i++) {
      const entry = entries + <usize>i * ENTRY_BYTES;
      const field = <usize>load<u8>(fieldMap + load<u8>(entry, ENTRY_FIELD));
      if (field == PLAN_NO_FIELD) continue;
      if (isFound || load<u8>(entry, ENTRY_KIND) == ENTRY_KIND_CHUNKED) return false;
      isFound = true;
      const weight = load<f32>(<usize>load<u32>(plan, PLAN_WEIGHTS) + (<usize>load<u32>(range, 8) << 2));
      const scale = load<f32>(<usize>load<u32>(plan, PLAN_SCALES) + (field << 2));
      if (!scoresAlike(counts, <usize>load<u32>(plan, PLAN_LUT) + (field << 10), weight * scale)) return false;
      const live = <usize>load<u32>(row, ROW_LIVE);
      countShortList(<usize>load<u32>(row, ROW_SEGMENT), entry, live, load<u32>(row, ROW_MAX_DOC), counts);
      noteImpacts(counts, 1, 255);
    }
  }
  return true;
}

/** Counts what the only list of a row holds; false: it has others, or nobody can tell what it holds. */
function countRow(sweep: usize, row: usize, ranges: usize, counts: usize): bool {
  if (load<u32>(ranges) == load<u32>(ranges, 4)) return true;
  if (!mayAllBut(row)) return false;
  if (!findLists(sweep, row, ranges)) return countShort(sweep, row, ranges, counts);
  const outer = <usize>load<u32>(sweep, SWEEP_OUTER);
  const others = load<u32>(sweep, SWEEP_INNER) | load<u32>(sweep, SWEEP_BETTER) | load<u32>(sweep, SWEEP_SPECIAL) |
    load<u32>(sweep, SWEEP_MORE_COUNT);
  const tells = outer == <usize>load<u32>(sweep, SWEEP_TYPED) || load<u32>(sweep, SWEEP_IS_SIGNED) != 0;
  if (others != 0 || !tells || !scoresAlike(counts, tableOf(sweep), load<f32>(sweep, SWEEP_OUTER_WEIGHT))) return false;
  const losses = <usize>load<u32>(row, ROW_LOSSES);
  const outline = <usize>load<u32>(sweep, SWEEP_OUTLINE);
  if (outline != 0) {
    addOutline(outline, counts);
    if (losses != 0) subtractLosses(losses, counts);
    noteImpacts(counts, smallestImpact(outline), largestImpact(outline));
    return true;
  }
  if (load<u32>(outer, ENTRY_DF) >= <u32>OUTLINED_POSTINGS_MIN) return false;
  const chunks = (load<u32>(row, ROW_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
  const whole = load<u32>(<usize>load<u32>(sweep, SWEEP_JUDGE), JUDGE_WHOLE_IMPACT);
  noteImpacts(counts, 1, 255);
  if (countList(<usize>load<u32>(row, ROW_SEGMENT), outer, chunks, whole, counts, 0) == 0) return false;
  if (losses != 0) subtractLosses(losses, counts);
  return true;
}

/** Stands for more than one impact. */
const SEVERAL: u32 = 256;

/** Where the classes begin: an impact that was counted, u32, and what it scores without bonuses, f32, falling by score. */
const CLASSES: usize = OUTLINE_COUNTS_BYTES + 16;
const CLASS_BYTES: usize = 8;

/** Lists the classes of impacts from `largest` down to `smallest`; returns their end. Scores nearly fall with impacts. */
function listClasses(counts: usize, smallest: u32, largest: u32): usize {
  const table = <usize>load<u32>(counts, TABLE);
  const weight = load<f32>(counts, WEIGHT);
  const first = counts + CLASSES;
  let end = first;
  for (let impact = largest; impact >= smallest; impact--) {
    if (load<u32>(counts + (<usize>impact << 2)) == 0) continue;
    const score = weight * load<f32>(table + (<usize>impact << 2));
    let at = end;
    for (; at > first && load<f32>(at - CLASS_BYTES, 4) < score; at -= CLASS_BYTES) store<u64>(at, load<u64>(at - CLASS_BYTES));
    store<u32>(at, impact);
    store<f32>(at, score, 4);
    end += CLASS_BYTES;
  }
  return end;
}

/** Documents of the class at `at`. */
@inline
function docsOf(counts: usize, at: usize): u32 {
  return load<u32>(counts + (<usize>load<u32>(at) << 2));
}

/** Those of them that surely get a bonus, */
@inline
function gainersOf(counts: usize, at: usize): u32 {
  return load<u32>(counts + (<usize>load<u32>(at) << 2), OUTLINE_DOES);
}

/** and what they score then. */
@inline
function bonusScoreOf(at: usize, whole: u32): f32 {
  return withBonus(load<f32>(at, 4), load<u32>(at) == whole);
}

/** The score that as many documents as `size` reach without bonuses, and no fewer with a higher one; -1: there are no more documents. */
function barOf(counts: usize, end: usize, size: u32): f32 {
  let total: u32 = 0;
  let bar: f32 = -1;
  for (let at = counts + CLASSES; at < end; at += CLASS_BYTES) {
    const before = total;
    total += docsOf(counts, at);
    if (before < size && total >= size) bar = load<f32>(at, 4);
    if (total > size) return bar;
  }
  return -1;
}

/**
 * The score with bonuses of the last document of a page, of the classes up to `end`; -1: they have fewer. Of three kinds of
 * documents, each falling by score, the best are taken first.
 */
function lastOf(counts: usize, end: usize, whole: u32, page: u32): f32 {
  let plain = counts + CLASSES;
  let begun = plain;
  let wholeClass = plain;
  while (wholeClass < end && load<u32>(wholeClass) != whole) wholeClass += CLASS_BYTES;
  let wholes: u32 = wholeClass == end ? 0 : gainersOf(counts, wholeClass);
  let last: f32 = -1;
  let count: u32 = 0;
  for (let left = page; left > 0; left -= min(left, count)) {
    if (begun == wholeClass && begun < end) begun += CLASS_BYTES;
    const plainScore: f32 = plain == end ? -1 : load<f32>(plain, 4);
    const begunScore: f32 = begun == end ? -1 : bonusScoreOf(begun, whole);
    const wholeScore: f32 = wholes == 0 ? -1 : bonusScoreOf(wholeClass, whole);
    last = max(max(plainScore, begunScore), wholeScore);
    if (last < 0) return -1;
    if (last == wholeScore) {
      count = wholes;
      wholes = 0;
    } else if (last == begunScore) {
      count = gainersOf(counts, begun);
      begun += CLASS_BYTES;
    } else {
      count = docsOf(counts, plain) - gainersOf(counts, plain);
      plain += CLASS_BYTES;
    }
  }
  return last;
}

/**
 * Before the first segment is read: finds out what a document on the page scores, if outlines tell it, and what only documents that
 * get bonuses do. false: it is not known.
 */
export function foreseePage(sweep: usize, ranges: usize): bool {
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const judge = <usize>load<u32>(sweep, SWEEP_JUDGE);
  if (judge == 0 || load<u32>(sweep, SWEEP_IS_ALL) == 0 || load<u32>(top, TOP_KEY_KIND) != TOP_KEY_SCORE) return false;
  const page = load<u32>(judge, JUDGE_PAGE);
  const size = load<u32>(top, TOP_SIZE);
  if (load<u32>(top, TOP_PAGE) != page || page > size) return false;
  const counts = <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_OUT_DOCS;
  const rows = <usize>load<u32>(sweep, SWEEP_ROWS);
  const rowCount = load<u32>(sweep, SWEEP_ROW_COUNT);
  memory.fill(counts, 0, OUTLINE_COUNTS_BYTES);
  store<u32>(counts, 0, TABLE);
  store<u32>(counts, 0, LARGEST);
  store<u32>(counts, 255, SMALLEST);
  for (let r: u32 = 0; r < rowCount; r++) {
    if (!countRow(sweep, rows + <usize>r * ROW_BYTES, ranges + (<usize>r << 2), counts)) return false;
  }
  const table = <usize>load<u32>(counts, TABLE);
  const weight = load<f32>(counts, WEIGHT);
  if (table == 0) return false;
  const whole = load<u32>(judge, JUDGE_WHOLE_IMPACT);
  const end = listClasses(counts, load<u32>(counts, SMALLEST), load<u32>(counts, LARGEST));
  /** Documents that score more get bonuses. */
  const bar = barOf(counts, end, size);
  let above: u32 = 0;
  let ties: u32 = 0;
  let best: f32 = 0;
  let at = counts + CLASSES;
  for (; at < end && load<f32>(at, 4) > bar; at += CLASS_BYTES) above += docsOf(counts, at);
  // Documents that score less are not on a page that is foreseen.
  const last = lastOf(counts, at, whole, page);
  for (; at < end && load<f32>(at, 4) == bar; at += CLASS_BYTES) {
    // Several impacts that score alike are more than is worth telling apart.
    ties = ties == 0 ? load<u32>(at) : SEVERAL;
    if (load<u32>(counts + (<usize>load<u32>(at) << 2), OUTLINE_MAY) > 0) best = max(best, bonusScoreOf(at, whole));
  }
  // Where all score 0, no score says that a page is full.
  if (last <= max<f32>(bar, 0) || (best >= last && ties == SEVERAL)) return false;
  if (bar >= 0) raiseScore(top, reinterpret<f32>(reinterpret<u32>(bar) + (best >= last ? 0 : 1)));
  store<u32>(judge, best >= last ? ties : 0, JUDGE_TIE_IMPACT);
  if (best >= last) store<u32>(judge, nthOfImpact(sweep, ranges, ties, size - above, counts), JUDGE_TIE_ORDER);
  beginForeseen(judge, top, floatBelow(last), table, weight);
  return true;
}
