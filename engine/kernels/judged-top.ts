/**
 * Gives the best documents their bonuses where their keys tell all of them: nobody has to lay them out to be measured. Called by
 * query/sort/kernel-top.ts. Layout: layout/score-top.ts.
 */
import {
  TOP_KEY_HIGH,
  TOP_KEY_LOW,
  TOP_KEY_SCORE_SHIFT,
  TOP_VERDICT_NONE,
  TOP_VERDICT_UNKNOWN,
  TOP_VERDICT_WHOLE,
} from '../layout/score-top';
import { withBonus } from './judged-list';
import { keyAt, rescoreKey, sortFirst, verdictOf } from './top-keys';

/**
 * Gives the first `count` keys, at least one, their scores with bonuses, and puts the best `sorted` of them in order, at the front. Returns 0
 * when it is not known what one of them gets: then nothing has changed.
 */
export function rescoreJudged(top: usize, count: u32, sorted: u32): u32 {
  for (let rank: u32 = 0; rank < count; rank++) {
    if (verdictOf(<u32>load<u64>(keyAt(top, rank), TOP_KEY_LOW)) == TOP_VERDICT_UNKNOWN) return 0;
  }
  for (let rank: u32 = 0; rank < count; rank++) {
    const key = keyAt(top, rank);
    const verdict = verdictOf(<u32>load<u64>(key, TOP_KEY_LOW));
    if (verdict == TOP_VERDICT_NONE) continue;
    const score = reinterpret<f32>(<u32>(load<u64>(key, TOP_KEY_HIGH) >> TOP_KEY_SCORE_SHIFT));
    rescoreKey(key, withBonus(score, verdict == TOP_VERDICT_WHOLE));
  }
  sortFirst(top, count, sorted);
  return 1;
}
