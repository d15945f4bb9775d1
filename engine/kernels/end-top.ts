/**
 * Puts the best documents that kernels/score-top.ts has kept in order, and once more when they have other scores. Called by
 * query/sort/kernel-top.ts. Layout: layout/score-top.ts.
 */
import {
  TOP_COUNT,
  TOP_KEY_COLUMN_SCORE,
  TOP_KEY_KIND,
  TOP_KEY_SCORE_COLUMN,
  TOP_PAGE,
  TOP_RANDOM,
} from '../layout/score-top';
import { cut, dropBelowBound, lookAtPage } from './score-top';
import { moveScoreBehind, moveScoreToFront } from './top-columns';
import { keyAt, rescoreKey, scoreAt, selectKey, sortFirst, sortKeys } from './top-keys';

/**
 * Keeps the best documents, where a page is all that is asked for those that could be on it. The first `window` come before all
 * others, and the best `best` of them before the rest of them; those behind the window are in order. Returns how many documents
 * there are. All keys have the score in front then.
 */
export function endTop(top: usize, window: u32, best: u32): u32 {
  if (load<u32>(top, TOP_PAGE) !== 0) {
    lookAtPage(top);
    dropBelowBound(top);
  }
  cut(top);
  const count = load<u32>(top, TOP_COUNT);
  const random = top + TOP_RANDOM;
  const first = keyAt(top, 0);
  const last = keyAt(top, count - 1);
  if (window < count) {
    if (window > 0) selectKey(first, last, keyAt(top, window - 1), random);
    sortKeys(keyAt(top, window), last, random);
  }
  const end = min(window, count);
  if (best < end) selectKey(first, keyAt(top, end - 1), keyAt(top, best - 1), random);
  const kind = load<u32>(top, TOP_KEY_KIND);
  if (kind > <u32>TOP_KEY_SCORE_COLUMN) {
    for (let rank: u32 = 0; rank < count; rank++) moveScoreToFront(keyAt(top, rank), kind);
  }
  return count;
}

/** Gives the first `count` keys the scores f32 at `scores`, and puts the best `sorted` of them in order, at the front. */
export function rescoreTop(top: usize, scores: usize, count: u32, sorted: u32): void {
  for (let rank: u32 = 0; rank < count; rank++) rescoreKey(keyAt(top, rank), load<f32>(scores + (<usize>rank << 2)));
  sortFirst(top, count, sorted);
}

/**
 * Among the first `count` keys, in order, those whose score is at least `share` of the best not yet grouped one's are a
 * group: puts each in order of the column, then of score.
 */
export function groupNearTies(top: usize, count: u32, share: f64): void {
  let to: u32 = 0;
  for (let from = to; from < count; from = to) {
    const least = share * scoreAt(keyAt(top, from));
    for (to = from + 1; to < count && scoreAt(keyAt(top, to)) >= least; ) to++;
    if (to === from + 1) continue;
    for (let rank = from; rank < to; rank++) moveScoreBehind(keyAt(top, rank));
    sortKeys(keyAt(top, from), keyAt(top, to - 1), top + TOP_RANDOM);
    for (let rank = from; rank < to; rank++) moveScoreToFront(keyAt(top, rank), TOP_KEY_COLUMN_SCORE);
  }
}
