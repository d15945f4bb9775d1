/**
 * The segments of a sweep in which its only clause is one list, or a union, such as prefix postings, with a list that weighs
 * more inside, such as that of the prefix itself: the count is the list's length, or what of it may match, and only blocks whose
 * bound can still enter the best documents are scored. For kernels/sweep.ts alone; exports nothing to JavaScript.
 * Layouts: layout/sweep.ts, layout/postings.ts, layout/list-union.ts.
 *
 * (Ding & Suel, "Faster top-k document retrieval using block-max indexes", SIGIR 2011.)
 */
import { JUDGE_IS_FORESEEN } from '../layout/judge';
import { LOSSES_POSTINGS } from '../layout/losses';
import {
  CHUNK_BLOCKS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  CHUNK_ENTRY_MAX_IMPACT,
  CHUNK_KIND_RANKED,
  ENTRY_DF,
  ENTRY_LIST,
} from '../layout/postings';
import { TOP_KEY_KIND, TOP_KEY_SCORE, TOP_SIZE } from '../layout/score-top';
import { CHUNK_DOCS, SCRATCH_ACC, SCRATCH_LIST_A, SCRATCH_OUT_DOCS } from '../layout/scratch';
import {
  ROW_BYTES,
  ROW_ENTRIES,
  ROW_LOSSES,
  ROW_MAX_DOC,
  ROW_ORDER_BASE,
  ROW_PASSING,
  ROW_SEGMENT,
  SWEEP_BETTER,
  SWEEP_COMPLETED,
  SWEEP_INNER,
  SWEEP_INNER_WEIGHT,
  SWEEP_IS_SIGNED,
  SWEEP_JUDGE,
  SWEEP_MORE,
  SWEEP_MORE_COUNT,
  SWEEP_OUTER,
  SWEEP_OUTER_WEIGHT,
  SWEEP_OUTLINE,
  SWEEP_ROW_COUNT,
  SWEEP_ROWS,
  SWEEP_SCRATCH,
  SWEEP_SPECIAL,
  SWEEP_TOP,
  SWEEP_TOUCHED,
  SWEEP_TYPED,
} from '../layout/sweep';
import { countLiveBits } from './bit-lists';
import { scoreBlocks } from './blocks';
import { offerBest, offerChampions } from './champions';
import { blocksOf, firstClassAbove, impactOf, itemFlag } from './chunk-forms';
import { filterList, listChunk } from './doc-lists';
import { canJudge, offerCompleted, offerJudgedChunk } from './judged-list';
import { groupBytes, offerForeseenChunk, outlineGroups } from './foreseen-list';
import { addImpacts } from './list-outline';
import { subtractImpacts } from './losses';
import { foreseePage } from './foreseen-page';
import { countIn } from './live-counts';
import { mayAllBut, mayAllPass, passingOf } from './passing';
import { rankedImpact } from './ranked-chunks';
import { readBlocksAhead } from './read-ahead';
import { COUNTS_BYTES, countMaxima, raiseToReached, thresholdOf } from './score-floor';
import { floatBelow, offerScores, scoreToEnter, settle } from './score-top';
import { offerSpecial } from './special-docs';
import { canCountList, countList, hasFacets } from './sweep-facets';
import { findLists, NOT_ONE_LIST, tableOf } from './swept-lists';

/** The first blocks of a chunk are few, so that the threshold rises before the many are looked at. */
export const FIRST_BLOCKS: u32 = 2;
export const BLOCK_GROWTH: u32 = 4;
/** Where a filter lets at most one of so many postings of a chunk through, those are looked up, and blocks are not scored. */
const FEW_SHARE: u32 = 8;

/** Address of the directory entry of chunk number `chunk` in the list of `entry`; 0 when it has none. */
function findChunk(segment: usize, entry: usize, chunks: u32, chunk: u32): usize {
  const list = segment + load<u32>(entry, ENTRY_LIST);
  const end = list + 4 + <usize>min(load<u32>(list), chunks) * CHUNK_ENTRY_BYTES;
  for (let at = list + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    if (<u32>load<u16>(at, CHUNK_ENTRY_CHUNK) == chunk) return at;
  }
  return 0;
}

/**
 * Keeps of list u16[n], scored in acc, the documents that the rival's chunk at `at` does not score higher; with `again` of
 * those that both score alike none is kept, because the rival has offered them.
 */
function dropBeaten(
  segment: usize, at: usize, weight: f32, again: bool, lut: usize, list: usize, n: u32, acc: usize,
): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (<usize>i << 1));
    const score = load<f32>(acc + (<usize>d << 2));
    const impact = impactOf(segment, at, d);
    const other: f32 = impact == 0 ? -1 : weight * load<f32>(lut + (impact << 2));
    if (other > score || (other == score && again)) continue;
    store<u16>(list + (kept++ << 1), d);
  }
  return kept;
}

/**
 * Scores the documents of a ranked chunk whose bits are set in `passing`: lists those above `threshold` at list u16[], with
 * acc[d] set, and returns how many.
 */
function scoreFew(data: usize, passing: usize, weight: f32, lut: usize, threshold: f32, acc: usize, list: usize): u32 {
  const n = listChunk(data, passing, CHUNK_DOCS, list, CHUNK_DOCS);
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(list + (i << 1));
    const impact = rankedImpact(data, d);
    const score = weight * load<f32>(lut + (impact << 2));
    store<f32>(acc + (<usize>d << 2), score);
    store<u16>(list + (count << 1), d);
    // Impact 0 says that another list scores the document.
    count += u32(score > threshold) & u32(impact != 0);
  }
  return count;
}

/**
 * Offers the documents of the list of `entry` that can enter the best ones, but for those that the list of `rival`, of the
 * same field, scores higher; 0: there is none. `again`: the rival's were offered before.
 */
function offerList(
  sweep: usize, row: usize, chunks: u32, lut: usize, entry: usize, weight: f32, rival: usize, rivalWeight: f32,
  again: bool,
): void {
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const acc = scratch + SCRATCH_ACC;
  const list = scratch + SCRATCH_LIST_A;
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  const directory = segment + load<u32>(entry, ENTRY_LIST);
  const end = directory + 4 + <usize>min(load<u32>(directory), chunks) * CHUNK_ENTRY_BYTES;
  // A second list goes back to earlier documents, which win ties, as does what the column says.
  const tiesMayEnter = again || load<u32>(top, TOP_KEY_KIND) != TOP_KEY_SCORE;
  const typed = <usize>load<u32>(sweep, SWEEP_TYPED);
  const isCompleted = entry == <usize>load<u32>(sweep, SWEEP_COMPLETED) && (rival == 0 || rival == typed);
  /** What tells bonuses; 0: nothing does, of this list. */
  const tells = entry == typed || isCompleted || load<u32>(sweep, SWEEP_IS_SIGNED) != 0;
  const judge: usize = tells ? load<u32>(sweep, SWEEP_JUDGE) : 0;
  const isForeseen = judge != 0 && load<u32>(judge, JUDGE_IS_FORESEEN) != 0;
  const outline = <usize>load<u32>(sweep, SWEEP_OUTLINE);
  if (isForeseen && outline != 0 && offerChampions(judge, top, outline, row, lut, weight)) return;
  let groups: usize = outline == 0 ? 0 : outlineGroups(outline);
  let classMin: u32 = 1;
  // Without a floor all blocks are read, one behind the other.
  if (judge == 0 && scoreToEnter(top) > 0) {
    classMin = firstClassAbove(lut, weight, thresholdOf(top, again), classMin);
    const isOuter = entry == <usize>load<u32>(sweep, SWEEP_OUTER);
    const isOwn = outline != 0 && isOuter && rival == 0 && !tiesMayEnter && load<u32>(row, ROW_PASSING) == 0;
    if (isOwn && offerBest(top, outline, row, lut, weight, classMin)) return;
    store<u32>(sweep, readBlocksAhead(segment, directory + 4, end, classMin), SWEEP_TOUCHED);
  }
  for (let at = directory + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    const chunk = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK);
    if (chunk >= chunks) return;
    const maxImpact = <u32>load<u8>(at, CHUNK_ENTRY_MAX_IMPACT);
    const kind = load<u8>(at, CHUNK_ENTRY_KIND);
    const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const flag = itemFlag(kind);
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const blocks = blocksOf(kind, n);
    const orderBase = load<u32>(row, ROW_ORDER_BASE) + chunk * CHUNK_DOCS;
    const passing = passingOf(sweep, row, chunk);
    const rivalChunk: usize = rival == 0 ? 0 : findChunk(segment, rival, chunks, chunk);
    if (isForeseen && canJudge(entry, at)) {
      offerForeseenChunk(judge, top, segment, entry, at, orderBase, passing, lut, weight, groups);
      if (groups != 0) groups += groupBytes(blocks);
      continue;
    }
    if (passing != 0 && kind == CHUNK_KIND_RANKED && countLiveBits(data, passing, CHUNK_BLOCKS) * FEW_SHARE <= n) {
      const worst = scoreToEnter(top);
      let few = scoreFew(data, passing, weight, lut, tiesMayEnter ? floatBelow(worst) : worst, acc, list);
      if (rivalChunk != 0) few = dropBeaten(segment, rivalChunk, rivalWeight, again, lut, list, few, acc);
      if (few > 0) offerScores(top, orderBase, list, few, acc);
      continue;
    }
    if (judge != 0 && canJudge(entry, at)) {
      const worst = scoreToEnter(top);
      classMin = firstClassAbove(lut, weight, tiesMayEnter ? floatBelow(worst) : worst, classMin);
      if (classMin <= maxImpact) {
        classMin = offerJudgedChunk(
          judge, top, segment, entry, at, orderBase, passing, lut, weight, tiesMayEnter, classMin, rivalChunk, rivalWeight,
        );
      }
      continue;
    }
    let size = FIRST_BLOCKS;
    for (let low: u32 = 0; low < blocks; low += size, size *= BLOCK_GROWTH) {
      const worst = scoreToEnter(top);
      const threshold = tiesMayEnter ? floatBelow(worst) : worst;
      classMin = firstClassAbove(lut, weight, threshold, classMin);
      if (classMin > maxImpact) break;
      let found = scoreBlocks(data, n | flag, weight, lut, classMin, low, low + size, threshold, acc, list);
      found = filterList(list, found, passing, 0);
      if (rivalChunk != 0) found = dropBeaten(segment, rivalChunk, rivalWeight, again, lut, list, found, acc);
      if (found == 0) continue;
      if (judge != 0 && isCompleted) offerCompleted(judge, top, segment, at, orderBase, list, found, acc, rivalChunk);
      else offerScores(top, orderBase, list, found, acc);
      settle(top);
    }
  }
}

/**
 * Reads the segment of `row` if the sweep's only clause is one chunked list there, or prefix postings with the list of the
 * prefix inside. At `ranges` lies where its ranges begin, then where they end. Returns how many match; NOT_ONE_LIST when it
 * is something else.
 */
export function sweepList(sweep: usize, row: usize, ranges: usize, chunks: u32): u32 {
  if (!findLists(sweep, row, ranges)) return NOT_ONE_LIST;
  if (hasFacets(sweep) && !canCountList(row, <usize>load<u32>(sweep, SWEEP_OUTER), chunks)) return NOT_ONE_LIST;
  if (load<u32>(<usize>load<u32>(sweep, SWEEP_TOP), TOP_SIZE) > 0) offer(sweep, row, chunks);
  const outer = <usize>load<u32>(sweep, SWEEP_OUTER);
  if (hasFacets(sweep)) countList(sweep, row, outer, chunks);
  if (mayAllPass(row)) return load<u32>(outer, ENTRY_DF);
  const losses = mayAllBut(row) ? <usize>load<u32>(row, ROW_LOSSES) : 0;
  if (losses == 0 || outer < <usize>load<u32>(row, ROW_ENTRIES)) return countPassing(sweep, row, outer, chunks);
  return load<u32>(outer, ENTRY_DF) - min(load<u32>(outer, ENTRY_DF), load<u32>(losses, LOSSES_POSTINGS));
}

/** Documents in the list of `entry` that may match. */
function countPassing(sweep: usize, row: usize, entry: usize, chunks: u32): u32 {
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  const directory = segment + load<u32>(entry, ENTRY_LIST);
  const end = directory + 4 + <usize>min(load<u32>(directory), chunks) * CHUNK_ENTRY_BYTES;
  let count: u32 = 0;
  for (let at = directory + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    const chunk = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK);
    if (chunk >= chunks) break;
    count += countIn(segment, at, passingOf(sweep, row, chunk));
  }
  return count;
}

/** Offers the best documents of a union that outlives queries, those of larger weights first. */
function offerUnion(sweep: usize, row: usize, chunks: u32, lut: usize): void {
  const inner = <usize>load<u32>(sweep, SWEEP_INNER);
  const better = <usize>load<u32>(sweep, SWEEP_BETTER);
  const special = <usize>load<u32>(sweep, SWEEP_SPECIAL);
  const more = load<u32>(sweep, SWEEP_MORE_COUNT);
  const w = load<f32>(sweep, SWEEP_OUTER_WEIGHT);
  const v = load<f32>(sweep, SWEEP_INNER_WEIGHT);
  for (let i: u32 = 0; i < more; i++) {
    const at = sweep + SWEEP_MORE + (<usize>i << 3);
    offerList(sweep, row, chunks, lut, <usize>load<u32>(at), load<f32>(at, 4), 0, 0, i > 0);
  }
  if (inner != 0) offerList(sweep, row, chunks, lut, inner, v, better, w, more > 0);
  if (better != 0) offerList(sweep, row, chunks, lut, better, w, inner, v, true);
  offerList(sweep, row, chunks, lut, <usize>load<u32>(sweep, SWEEP_OUTER), w, 0, 0, inner != 0);
  if (special != 0) offerSpecial(sweep, row, special, lut);
}

/** Offers the best documents of the outer list, and of the inner one within it, which weighs more. */
function offer(sweep: usize, row: usize, chunks: u32): void {
  const lut = tableOf(sweep);
  const outer = <usize>load<u32>(sweep, SWEEP_OUTER);
  const inner = <usize>load<u32>(sweep, SWEEP_INNER);
  const w = load<f32>(sweep, SWEEP_OUTER_WEIGHT);
  const v = load<f32>(sweep, SWEEP_INNER_WEIGHT);
  // Either may score a document higher: the prefix weighs more, a completion may stand there more often.
  if (outer < <usize>load<u32>(row, ROW_ENTRIES)) {
    offerUnion(sweep, row, chunks, lut);
    return;
  }
  if (inner != 0) offerList(sweep, row, chunks, lut, inner, v, outer, w, false);
  offerList(sweep, row, chunks, lut, outer, w, inner, v, inner != 0);
}

/**
 * Before the first segment is read: raises what a document must reach to enter to what as many documents as are wanted do
 * reach, or what could be on the page when its last one reaches that, going by the outlines of the lists or by their blocks, each of which
 * holds a document with its largest impact. Without, the first segments would let in many that later ones throw out. Returns the blocks
 * that were looked at.
 */
export function raiseFloor(sweep: usize, ranges: usize): u32 {
  if (foreseePage(sweep, ranges)) return load<u32>(sweep, SWEEP_ROW_COUNT);
  const top = <usize>load<u32>(sweep, SWEEP_TOP);
  const counts = <usize>load<u32>(sweep, SWEEP_SCRATCH) + SCRATCH_OUT_DOCS;
  const row = <usize>load<u32>(sweep, SWEEP_ROWS);
  const rowCount = load<u32>(sweep, SWEEP_ROW_COUNT);
  memory.fill(counts, 0, COUNTS_BYTES);
  let counted: u32 = 0;
  let blocks: u32 = rowCount;
  let lut: usize = 0;
  let weight: f32 = 0;
  for (let r: u32 = 0; r < rowCount; r++) {
    const at = row + <usize>r * ROW_BYTES;
    // A block's best document may be one that cannot match.
    if (!mayAllBut(at) || !findLists(sweep, at, ranges + (<usize>r << 2))) continue;
    const w = load<f32>(sweep, SWEEP_OUTER_WEIGHT);
    if (lut != 0 && (tableOf(sweep) != lut || w != weight)) continue;
    lut = tableOf(sweep);
    weight = w;
    const outline = <usize>load<u32>(sweep, SWEEP_OUTLINE);
    const losses = <usize>load<u32>(at, ROW_LOSSES);
    if (outline != 0) {
      counted += addImpacts(outline, counts);
      if (losses != 0) counted -= subtractImpacts(losses, counts);
      continue;
    }
    if (losses != 0) continue;
    const chunks = (load<u32>(at, ROW_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
    const maxima = countMaxima(<usize>load<u32>(at, ROW_SEGMENT), <usize>load<u32>(sweep, SWEEP_OUTER), chunks, counts);
    counted += maxima;
    blocks += maxima;
  }
  raiseToReached(top, counts, counted, lut, weight);
  return blocks;
}
