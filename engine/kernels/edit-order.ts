/**
 * Puts the answers of a walk with the edit automaton in order. For kernels/terms.ts alone; exports nothing to JavaScript.
 */
import { CORRECTION_WORDS, PREFIX_RANGE_WORDS } from '../layout/terms';

/** Shell's sort, for the few answers that there are (Ciura, "Best increments for the average case of Shellsort", 2001). */
@inline
function nextGap(gap: u32): u32 {
  return gap > 1 ? max<u32>(1, (gap * 4) / 9) : 0;
}

/** Sorts `count` pairs {ordinal, edits} by ordinal, of which all are distinct. */
export function sortWords(words: usize, count: u32): void {
  for (let gap = nextGap(count); gap > 0; gap = nextGap(gap)) {
    const back = <usize>gap * (CORRECTION_WORDS * 4);
    const end = words + <usize>count * (CORRECTION_WORDS * 4);
    for (let at = words + back; at < end; at += CORRECTION_WORDS * 4) {
      const pair = load<u64>(at);
      let to = at;
      while (to >= words + back && load<u32>(to - back) > <u32>pair) {
        store<u64>(to, load<u64>(to - back));
        to -= back;
      }
      store<u64>(to, pair);
    }
  }
}

/** Sorts `count` disjoint ranges {low, high, edits} and joins those that follow one another; returns how many are left. */
export function sortRanges(ranges: usize, count: u32): u32 {
  const end = ranges + <usize>count * (PREFIX_RANGE_WORDS * 4);
  for (let gap = nextGap(count); gap > 0; gap = nextGap(gap)) {
    const back = <usize>gap * (PREFIX_RANGE_WORDS * 4);
    for (let at = ranges + back; at < end; at += PREFIX_RANGE_WORDS * 4) {
      const pair = load<u64>(at);
      const edits = load<u32>(at, 8);
      let to = at;
      while (to >= ranges + back && load<u32>(to - back) > <u32>pair) {
        store<u64>(to, load<u64>(to - back));
        store<u32>(to, load<u32>(to - back, 8), 8);
        to -= back;
      }
      store<u64>(to, pair);
      store<u32>(to, edits, 8);
    }
  }
  let to = ranges;
  for (let at = ranges; at < end; at += PREFIX_RANGE_WORDS * 4) {
    const low = load<u32>(at);
    const edits = load<u32>(at, 8);
    if (to > ranges && load<u32>(to - 8) === low && load<u32>(to - 4) === edits) {
      store<u32>(to - 8, load<u32>(at, 4));
      continue;
    }
    store<u64>(to, load<u64>(at));
    store<u32>(to, edits, 8);
    to += PREFIX_RANGE_WORDS * 4;
  }
  return <u32>(to - ranges) / (PREFIX_RANGE_WORDS * 4);
}
