/**
 * The segments of a sweep in which its only clause is one short list: each of its few documents is looked at, and its bonuses are
 * told by its positions, which lie side by side. For kernels/sweep.ts alone; exports nothing to JavaScript. Layouts: layout/sweep.ts,
 * layout/postings.ts.
 */
import { JUDGE_IS_FORESEEN } from '../layout/judge';
import {
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_SINGLE,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { TOP_CAPACITY, TOP_COUNT, TOP_SIZE, TOP_VERDICT_UNKNOWN } from '../layout/score-top';
import { SEGMENT_SIZE } from '../layout/segment';
import {
  ROW_ENTRIES,
  ROW_LIVE,
  ROW_MAX_DOC,
  ROW_ORDER_BASE,
  ROW_PASSING,
  ROW_SEGMENT,
  SWEEP_JUDGE,
  SWEEP_PLANS,
  SWEEP_TOP,
} from '../layout/sweep';
import {
  PLAN_FIELD_MAP,
  PLAN_LUT,
  PLAN_NO_FIELD,
  PLAN_RANGE_BYTES,
  PLAN_SCALES,
  PLAN_WEIGHTS,
  PLAN_WHOLE_WEIGHTS,
} from '../layout/token-plan';
import { hasBit } from './bit-lists';
import { isBehindTies, mayBeOnPage, noteFinal, raiseToPage, verdictOf } from './judged-list';
import { positionsOf, postingBegins, skipPostings } from './position-stream';
import { offerJudged, tighten } from './score-top';
import { hasFacets } from './sweep-facets';
import { NOT_ONE_LIST } from './swept-lists';

/** Whether document `doc` of the segment of `row` may match. */
function passes(row: usize, doc: u32): bool {
  const live = <usize>load<u32>(row, ROW_LIVE);
  if (live != 0 && !hasBit(live, doc)) return false;
  const table = <usize>load<u32>(row, ROW_PASSING);
  const passing: usize = table == 0 ? 0 : load<u32>(table + (<usize>(doc / CHUNK_DOCS) << 2));
  return passing == 0 || hasBit(passing, doc % CHUNK_DOCS);
}

/** The only range that holds an entry of a queried field in the segment of `row`, if that is a short list; else 0. */
function shortRange(sweep: usize, row: usize, ranges: usize): usize {
  const fieldMap = <usize>load<u32>(<usize>load<u32>(sweep, SWEEP_PLANS), PLAN_FIELD_MAP);
  const entries = <usize>load<u32>(row, ROW_ENTRIES);
  const rangesEnd = <usize>load<u32>(ranges, 4);
  let only: usize = 0;
  for (let range = <usize>load<u32>(ranges); range < rangesEnd; range += PLAN_RANGE_BYTES) {
    const high = load<u32>(range, 4);
    for (let i = load<u32>(range); i < high; i++) {
      const entry = entries + <usize>i * ENTRY_BYTES;
      if (load<u8>(fieldMap + load<u8>(entry, ENTRY_FIELD)) == PLAN_NO_FIELD) continue;
      if (only != 0 || load<u8>(entry, ENTRY_KIND) == ENTRY_KIND_CHUNKED) return 0;
      only = range;
    }
  }
  return only;
}

/** The entry of a queried field in `range` in the segment of `row`, which has one. */
function entryIn(sweep: usize, row: usize, range: usize): usize {
  const fieldMap = <usize>load<u32>(<usize>load<u32>(sweep, SWEEP_PLANS), PLAN_FIELD_MAP);
  let entry = <usize>load<u32>(row, ROW_ENTRIES) + <usize>load<u32>(range) * ENTRY_BYTES;
  while (load<u8>(fieldMap + load<u8>(entry, ENTRY_FIELD)) == PLAN_NO_FIELD) entry += ENTRY_BYTES;
  return entry;
}

/** The entry of the only list of a queried field that the sweep's only clause has in the segment of `row`, if that is short; else 0. */
export function shortListOf(sweep: usize, row: usize, ranges: usize): usize {
  const range = shortRange(sweep, row, ranges);
  return range == 0 ? 0 : entryIn(sweep, row, range);
}

/**
 * Reads the segment of `row` if the sweep's only clause is one short list there, of a queried field. At `ranges` lies where its ranges begin,
 * then where they end. Returns how many match; NOT_ONE_LIST when it is something else.
 */
export function sweepShortList(sweep: usize, row: usize, ranges: usize): u32 {
  const range = shortRange(sweep, row, ranges);
  if (range == 0 || hasFacets(sweep)) return NOT_ONE_LIST;
  const plan = <usize>load<u32>(sweep, SWEEP_PLANS);
  const entry = entryIn(sweep, row, range);
  const weight = load<u32>(range, 8);
  const field = <usize>load<u8>(<usize>load<u32>(plan, PLAN_FIELD_MAP) + load<u8>(entry, ENTRY_FIELD));
  const scale = load<f32>(<usize>load<u32>(plan, PLAN_SCALES) + (field << 2));
  const lut = <usize>load<u32>(plan, PLAN_LUT) + (field << 10);
  const tells = ((PLAN_WHOLE_WEIGHTS >> weight) & 1) != 0;
  const w = load<f32>(<usize>load<u32>(plan, PLAN_WEIGHTS) + (<usize>weight << 2)) * scale;
  return offerShort(sweep, row, entry, lut, w, tells);
}

/** Offers the documents of the list of `entry` that may match, and returns how many do. `tells`: its positions tell bonuses. */
function offerShort(sweep: usize, row: usize, entry: usize, lut: usize, weight: f32, tells: bool): u32 {
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const judge: usize = tells ? <usize>load<u32>(sweep, SWEEP_JUDGE) : 0;
  const isForeseen = judge != 0 && load<u32>(judge, JUDGE_IS_FORESEEN) != 0;
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  const end = segment + load<u32>(segment, SEGMENT_SIZE);
  const isSingle = load<u8>(entry, ENTRY_KIND) == ENTRY_KIND_SINGLE;
  const n: u32 = isSingle ? 1 : min(load<u32>(entry, ENTRY_DF), <u32>TINY_DOCS_MAX);
  const docs = isSingle ? entry + ENTRY_LIST : segment + load<u32>(entry, ENTRY_LIST);
  const impacts = isSingle ? entry + ENTRY_MAX_IMPACT : docs + (<usize>n << 2);
  const maxDoc = load<u32>(row, ROW_MAX_DOC);
  let p: usize = judge == 0 ? 0 : positionsOf(segment, entry);
  let found: u32 = 0;
  let isRaised = false;
  for (let i: u32 = 0; i < n; i++) {
    const posting = p;
    if (judge != 0 && i + 1 < n) p = skipPostings(p, 1, end);
    const doc = load<u32>(docs + (<usize>i << 2));
    if (doc >= maxDoc || !passes(row, doc)) continue;
    found++;
    if (load<u32>(top, TOP_SIZE) == 0) continue;
    const impact = <u32>load<u8>(impacts + i);
    const score = weight * load<f32>(lut + (<usize>impact << 2));
    let verdict: u32 = TOP_VERDICT_UNKNOWN;
    if (judge != 0) {
      const signature: u32 = u32(postingBegins(posting));
      if (isForeseen && !mayBeOnPage(judge, impact, signature, score)) continue;
      if (isForeseen && isBehindTies(judge, impact, load<u32>(row, ROW_ORDER_BASE) + doc)) continue;
      verdict = verdictOf(judge, impact, signature);
    }
    if (load<u32>(top, TOP_COUNT) == load<u32>(top, TOP_CAPACITY)) tighten(top);
    const enters = offerJudged(top, load<u32>(row, ROW_ORDER_BASE) + doc, score, verdict);
    if (enters && judge != 0 && !isForeseen && noteFinal(judge, score, verdict)) isRaised = true;
  }
  if (isRaised) raiseToPage(judge, top);
  return found;
}
