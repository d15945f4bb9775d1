/**
 * Reads the only list of a query's only token by the champions of its outline, without a block of it, if these are all of its postings
 * that may be on the page: where the page was foreseen (kernels/foreseen-page.ts), and where nothing but scores decides. For
 * kernels/list-sweep.ts alone; exports nothing to JavaScript. Layouts: layout/champions.ts, layout/judge.ts, layout/list-outline.ts,
 * layout/score-top.ts.
 */
import {
  CHAMPION_BEGUN,
  CHAMPION_BYTES,
  CHAMPION_DOC,
  CHAMPION_IMPACT,
  CHAMPION_KIND,
  CHAMPION_KINDS,
  CHAMPION_PLAIN,
  CHAMPION_SIGNATURE,
  CHAMPION_WHOLE,
  CHAMPIONS_BYTES_MAX,
  CHAMPIONS_COMPLETE,
  CHAMPIONS_COUNTS,
  CHAMPIONS_FIRST,
  CHAMPIONS_LEAST,
  CHAMPIONS_MAX,
} from '../layout/champions';
import { JUDGE_MAY_MIN, JUDGE_PAGE, JUDGE_PLAIN_MIN, JUDGE_WHOLE_MIN } from '../layout/judge';
import { OUTLINE_CLASSES, OUTLINE_CLASS_BYTES, OUTLINE_CLASS_COUNT, OUTLINE_GROUPS } from '../layout/list-outline';
import { TOP_CAPACITY, TOP_COUNT, TOP_SIZE, TOP_VERDICT_UNKNOWN } from '../layout/score-top';
import { ROW_LIVE, ROW_MAX_DOC, ROW_ORDER_BASE } from '../layout/sweep';
import { isLive } from './bit-lists';
import { raiseFinal } from './foreseen-list';
import { isBehindTies, noteFinal, verdictOf, withBonus } from './judged-list';
import { isExact } from './position-stream';
import { offerJudged, settle, tighten } from './score-top';

/** The champions of an outline, if it has some. */
@inline
function championsOf(outline: usize): usize {
  return outline + OUTLINE_CLASSES + <usize>min(load<u32>(outline, OUTLINE_CLASS_COUNT), <u32>255) * OUTLINE_CLASS_BYTES;
}

/** Where the champions of an outline end, which are at `champions`; 0: it has none, or is damaged. */
function endOf(outline: usize, champions: usize): usize {
  const bytes = <u32>(outline + load<u32>(outline, OUTLINE_GROUPS) - champions);
  if (bytes > <u32>CHAMPIONS_BYTES_MAX || bytes < <u32>CHAMPIONS_FIRST) return 0;
  const plain = <u32>load<u8>(champions, CHAMPIONS_COUNTS + CHAMPION_PLAIN);
  const count = plain + load<u8>(champions, CHAMPIONS_COUNTS + CHAMPION_BEGUN) + load<u8>(champions, CHAMPIONS_COUNTS + CHAMPION_WHOLE);
  return bytes == CHAMPIONS_FIRST + count * CHAMPION_BYTES ? champions + bytes : 0;
}

/** What a posting of the kind scores, with the bonus of its kind if there are `bonuses`. */
@inline
function finalOf(kind: u32, score: f32, bonuses: bool): f32 {
  return bonuses && kind != CHAMPION_PLAIN ? withBonus(score, kind == CHAMPION_WHOLE) : score;
}

/** Whether the segment has a document that is not deleted; `live` 0: none is. */
@inline
function isThere(live: usize, maxDoc: u32, doc: u32): bool {
  return live == 0 ? doc < maxDoc : isLive(live, maxDoc, doc);
}

/** Whether the posting surely gets the bonus of its kind. */
@inline
function isSure(kind: u32, signature: u32): bool {
  if (kind == CHAMPION_PLAIN) return true;
  return (signature & 1) != 0 && (kind == CHAMPION_WHOLE || isExact(signature));
}

/**
 * Whether the champions of a kind, up to `end`, are all of its postings with an impact of `floor` or more that may be among the best `wanted`.
 * Of those with the smallest impact that a champion has, some may be none: they come behind these if enough champions surely score more, or
 * as much by the same impact, since their documents come before. `bonuses`: there are some. `live`: bits of the segment's `maxDoc`
 * documents that are not deleted; 0: none is.
 */
function coverKind(
  champions: usize, end: usize, kind: u32, floor: u32, live: usize, maxDoc: u32, lut: usize, weight: f32, wanted: u32,
  bonuses: bool,
): bool {
  const least = <u32>load<u8>(champions + kind, CHAMPIONS_LEAST);
  if (((load<u8>(champions, CHAMPIONS_COMPLETE) >> kind) & 1) != 0 || floor > least) return true;
  if (floor < least) return false;
  const final = finalOf(kind, weight * load<f32>(lut + (<usize>least << 2)), bonuses);
  let ahead: u32 = 0;
  for (let at = champions + CHAMPIONS_FIRST; at < end; at += CHAMPION_BYTES) {
    if (<u32>load<u8>(at, CHAMPION_KIND) != kind || !isThere(live, maxDoc, load<u32>(at, CHAMPION_DOC))) continue;
    if (bonuses && !isSure(kind, load<u16>(at, CHAMPION_SIGNATURE))) continue;
    const impact = <u32>load<u8>(at, CHAMPION_IMPACT);
    // Other impacts may score alike, with documents that come later.
    const isAhead = impact == least || finalOf(kind, weight * load<f32>(lut + (<usize>impact << 2)), bonuses) > final;
    ahead += u32(isAhead);
  }
  return ahead >= wanted;
}

/**
 * Offers the documents of the segment of `row` that may be on the page that was foreseen, of a list with the outline at `outline`, which
 * scores by `lut` and `weight`; false: its champions may be too few, and nothing is done.
 */
export function offerChampions(
  judge: usize, top: usize, outline: usize, row: usize, lut: usize, weight: f32,
): bool {
  const champions = championsOf(outline);
  const end = endOf(outline, champions);
  if (end == 0) return false;
  const orderBase = load<u32>(row, ROW_ORDER_BASE);
  const maxDoc = load<u32>(row, ROW_MAX_DOC);
  const live = <usize>load<u32>(row, ROW_LIVE);
  let plainMin = load<u32>(judge, JUDGE_PLAIN_MIN);
  let mayMin = load<u32>(judge, JUDGE_MAY_MIN);
  let wholeMin = load<u32>(judge, JUDGE_WHOLE_MIN);
  const page = load<u32>(judge, JUDGE_PAGE);
  if (!coverKind(champions, end, CHAMPION_PLAIN, plainMin, live, maxDoc, lut, weight, page, true)) return false;
  if (!coverKind(champions, end, CHAMPION_BEGUN, mayMin, live, maxDoc, lut, weight, page, true)) return false;
  if (!coverKind(champions, end, CHAMPION_WHOLE, wholeMin, live, maxDoc, lut, weight, page, true)) return false;
  if (load<u32>(top, TOP_COUNT) + CHAMPION_KINDS * CHAMPIONS_MAX > load<u32>(top, TOP_CAPACITY)) tighten(top);
  for (let at = champions + CHAMPIONS_FIRST; at < end; at += CHAMPION_BYTES) {
    const impact = <u32>load<u8>(at, CHAMPION_IMPACT);
    const kind = load<u8>(at, CHAMPION_KIND);
    if (impact < (kind == CHAMPION_PLAIN ? plainMin : kind == CHAMPION_BEGUN ? mayMin : wholeMin)) continue;
    const doc = load<u32>(at, CHAMPION_DOC);
    if (isBehindTies(judge, impact, orderBase + doc) || !isThere(live, maxDoc, doc)) continue;
    const score = weight * load<f32>(lut + (<usize>impact << 2));
    const verdict = verdictOf(judge, impact, load<u16>(at, CHAMPION_SIGNATURE));
    if (!offerJudged(top, orderBase + doc, score, verdict) || !noteFinal(judge, score, verdict)) continue;
    if (!raiseFinal(judge, top, lut, weight)) continue;
    plainMin = load<u32>(judge, JUDGE_PLAIN_MIN);
    mayMin = load<u32>(judge, JUDGE_MAY_MIN);
    wholeMin = load<u32>(judge, JUDGE_WHOLE_MIN);
  }
  return true;
}

/**
 * As offerChampions() where the score alone decides, and documents with an impact of `floor` or more may enter: `top` is in the order of scores,
 * and no document behind these has been offered.
 */
export function offerBest(
  top: usize, outline: usize, row: usize, lut: usize, weight: f32, floor: u32,
): bool {
  const champions = championsOf(outline);
  const end = endOf(outline, champions);
  if (end == 0) return false;
  const orderBase = load<u32>(row, ROW_ORDER_BASE);
  const maxDoc = load<u32>(row, ROW_MAX_DOC);
  const live = <usize>load<u32>(row, ROW_LIVE);
  const wanted = load<u32>(top, TOP_SIZE);
  for (let kind: u32 = 0; kind < <u32>CHAMPION_KINDS; kind++) {
    if (!coverKind(champions, end, kind, floor, live, maxDoc, lut, weight, wanted, false)) return false;
  }
  if (load<u32>(top, TOP_COUNT) + CHAMPION_KINDS * CHAMPIONS_MAX > load<u32>(top, TOP_CAPACITY)) tighten(top);
  for (let at = champions + CHAMPIONS_FIRST; at < end; at += CHAMPION_BYTES) {
    const impact = <u32>load<u8>(at, CHAMPION_IMPACT);
    const doc = load<u32>(at, CHAMPION_DOC);
    if (impact < floor || !isThere(live, maxDoc, doc)) continue;
    offerJudged(top, orderBase + doc, weight * load<f32>(lut + (<usize>impact << 2)), TOP_VERDICT_UNKNOWN);
  }
  settle(top);
  return true;
}
