/**
 * How near the tokens of a query stand to each other in each candidate, and whether a value begins with them or is them.
 * Called by kernels/candidates.ts when all hits are found (kernels/occurrences.ts). Layouts:
 * layout/occurrences.ts, layout/postings.ts. The definitions are in docs/api.md, Ranking.
 */
import {
  ENDS_BYTES,
  ENDS_MAX,
  GROUP_POSITIONS_MAX,
  HIT_BYTES,
  HIT_NEXT,
  HIT_SOURCE,
  OCCURRENCES_CANDIDATES,
  OCCURRENCES_DOCS,
  OCCURRENCES_ENDS,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_HEADS,
  OCCURRENCES_HITS,
  OCCURRENCES_IS_PLAIN,
  OCCURRENCES_NEARNESS,
  OCCURRENCES_OUTCOMES,
  OCCURRENCES_PHRASE_FIRST,
  OCCURRENCES_SLOT_COUNT,
  OCCURRENCES_SOURCE_COUNT,
  OCCURRENCES_VERDICTS,
  READING_COMPLETED,
  READING_COVERS,
  READING_SOURCE,
  READING_SPAN,
  RUNS_MAX,
  RUN_POSITIONS_MAX,
  SECOND_VALUE_MIN,
  VERDICT_BEGINS,
  VERDICT_DOUBT,
  VERDICT_NONE,
  VERDICT_WHOLE,
} from '../layout/occurrences';
import { isSurelyOne, lengthOf } from './occurrence-fields';
import {
  beginsField,
  clearGroup,
  countHits,
  enterSegment,
  isWorthReading,
  lowerBound,
  readingAt,
  readRuns,
  runAt,
  slotAt,
  sourceAt,
  standsAt,
} from './occurrence-runs';
import { closenessOfAll, judgeSigned, readSignatures, verdictOf } from './signed-nearness';

/** No occurrences of a pair: farther apart than any two. */
const APART: u32 = 0x7fffffff;

/** The fewest tokens between an occurrence of the first run and one of the second; one more when that comes before. */
function gapOfRuns(a: usize, spanA: u32, b: usize, spanB: u32, best: u32): u32 {
  const as = <usize>load<u32>(a);
  const aCount = load<u32>(a, 4);
  const bs = <usize>load<u32>(b);
  const bCount = load<u32>(b, 4);
  let gap = best;
  let after: u32 = 0;
  let before: u32 = 0;
  for (let i: u32 = 0; i < aCount; i++) {
    const start = load<u32>(as + (i << 2));
    const end = start + spanA;
    while (after < bCount && load<u32>(bs + (after << 2)) < end) after++;
    if (after < bCount) gap = min(gap, load<u32>(bs + (after << 2)) - end);
    while (before < bCount && load<u32>(bs + (before << 2)) + spanB <= start) before++;
    if (before > 0) gap = min(gap, start - load<u32>(bs + ((before - 1) << 2)) - spanB + 1);
    if (gap == 0) break;
  }
  return gap;
}

/** 1 / (1 + gap) of the slots `slot` and `slot + 1` in the group, 0 when one is not there. */
function closeness(state: usize, slot: u32): f64 {
  const a = slotAt(state, slot);
  const b = slotAt(state, slot + 1);
  const aEnd = load<u32>(a) + load<u32>(a, 4);
  const bEnd = load<u32>(b) + load<u32>(b, 4);
  let gap = APART;
  for (let i = load<u32>(a); i < aEnd; i++) {
    const readingA = readingAt(state, i);
    const sourceA = load<u32>(readingA, READING_SOURCE);
    const runsA = sourceAt(state, sourceA);
    const firstA = load<u32>(runsA);
    const endA = firstA + load<u32>(runsA, 4);
    if (firstA == endA) continue;
    for (let j = load<u32>(b); j < bEnd; j++) {
      const readingB = readingAt(state, j);
      const sourceB = load<u32>(readingB, READING_SOURCE);
      // What stands for both slots together.
      if (sourceA == sourceB && !load<u8>(readingB, READING_COVERS)) return 1;
      const runsB = sourceAt(state, sourceB);
      const firstB = load<u32>(runsB);
      const endB = firstB + load<u32>(runsB, 4);
      for (let x = firstA; x < endA; x++) {
        for (let y = firstB; y < endB; y++) {
          const spanA = <u32>load<u8>(readingA, READING_SPAN);
          const spanB = <u32>load<u8>(readingB, READING_SPAN);
          gap = gapOfRuns(runAt(state, x), spanA, runAt(state, y), spanB, gap);
          if (gap == 0) return 1;
        }
      }
    }
  }
  return gap == APART ? 0 : 1 / (1 + <f64>gap);
}

/** The ends of `slot`: where those before it may end. */
@inline
function endsAt(state: usize, slot: u32): usize {
  return state + OCCURRENCES_ENDS + slot * ENDS_BYTES;
}

function addEnd(ends: usize, end: u32): void {
  const count = load<u32>(ends);
  if (count == ENDS_MAX) return;
  for (let i: u32 = 0; i < count; i++) if (load<u32>(ends + 4 + (i << 2)) == end) return;
  store<u32>(ends + 4 + (count << 2), end);
  store<u32>(ends, count + 1);
}

/** The ends of all slots, one after another from `start` on; the last are in endsAt(slot count). */
function followSlots(state: usize, start: u32): void {
  const slots = load<u32>(state, OCCURRENCES_SLOT_COUNT);
  for (let slot: u32 = 0; slot <= slots; slot++) store<u32>(endsAt(state, slot), 0);
  addEnd(endsAt(state, 0), start << 1);
  for (let slot: u32 = 0; slot < slots; slot++) {
    const ends = endsAt(state, slot);
    const count = load<u32>(ends);
    if (count == 0) continue;
    const at = slotAt(state, slot);
    const last = load<u32>(at) + load<u32>(at, 4);
    for (let r = load<u32>(at); r < last; r++) {
      const reading = readingAt(state, r);
      const covers = <u32>load<u8>(reading, READING_COVERS);
      if (covers == 0) continue;
      for (let i: u32 = 0; i < count; i++) {
        const end = load<u32>(ends + 4 + (i << 2));
        if (!standsAt(state, load<u32>(reading, READING_SOURCE), end >> 1)) continue;
        const completed = (end & 1) | <u32>load<u8>(reading, READING_COMPLETED);
        addEnd(endsAt(state, slot + covers), (((end >> 1) + load<u8>(reading, READING_SPAN)) << 1) | completed);
      }
    }
  }
}

/** VERDICT_* of a value of `length` tokens that begins at `start`; VERDICT_DOUBT: it goes on behind the slots. */
function judgeValue(state: usize, start: u32, length: u32): u32 {
  followSlots(state, start);
  const ends = endsAt(state, load<u32>(state, OCCURRENCES_SLOT_COUNT));
  const count = load<u32>(ends);
  let verdict: u32 = VERDICT_NONE;
  let doubt: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const end = load<u32>(ends + 4 + (i << 2));
    const whole = end >> 1 == start + length;
    if (!whole) doubt = VERDICT_DOUBT;
    verdict = max(verdict, verdictOf(whole, (end & 1) != 0));
  }
  return verdict == VERDICT_WHOLE ? verdict : verdict | doubt;
}

/** Whether the slots follow one another from some position of a second value or a later one on. */
function mayBeLaterValue(state: usize): bool {
  const at = slotAt(state, 0);
  const slots = load<u32>(state, OCCURRENCES_SLOT_COUNT);
  const last = load<u32>(at) + load<u32>(at, 4);
  for (let r = load<u32>(at); r < last; r++) {
    const reading = readingAt(state, r);
    if (!load<u8>(reading, READING_COVERS)) continue;
    const source = sourceAt(state, load<u32>(reading, READING_SOURCE));
    const runEnd = load<u32>(source) + load<u32>(source, 4);
    for (let x = load<u32>(source); x < runEnd; x++) {
      const run = runAt(state, x);
      const positions = <usize>load<u32>(run);
      const count = load<u32>(run, 4);
      for (let i = lowerBound(positions, count, SECOND_VALUE_MIN); i < count; i++) {
        followSlots(state, load<u32>(positions + (i << 2)));
        if (load<u32>(endsAt(state, slots)) > 0) return true;
      }
    }
  }
  return false;
}

/** Whether there is one slot, and single terms alone stand for it: few, so that no bound but that of terms leaves any out. */
function isLone(state: usize): bool {
  const sources = load<u32>(state, OCCURRENCES_SOURCE_COUNT);
  return (
    load<u32>(state, OCCURRENCES_SLOT_COUNT) == 1 &&
    load<u32>(state, OCCURRENCES_PHRASE_FIRST) == sources &&
    sources * RUNS_MAX * RUN_POSITIONS_MAX <= <u32>GROUP_POSITIONS_MAX
  );
}

/** VERDICT_* of the only value of the document's field, for the only slot: its first token decides. */
function judgeFirst(state: usize, head: u32, place: u32, doc: u32): u32 {
  const hits = state + OCCURRENCES_HITS;
  const readings = load<u32>(slotAt(state, 0), 4);
  let verdict: u32 = VERDICT_NONE;
  for (let next = head; next; ) {
    const hit = hits + <usize>(next - 1) * HIT_BYTES;
    next = load<u32>(hit, HIT_NEXT);
    if (!beginsField(state, hit)) continue;
    const whole = lengthOf(state, place, doc) == 1;
    for (let r: u32 = 0; r < readings; r++) {
      const reading = readingAt(state, r);
      if (load<u32>(reading, READING_SOURCE) != <u32>load<u16>(hit, HIT_SOURCE)) continue;
      verdict = max(verdict, verdictOf(whole, load<u8>(reading, READING_COMPLETED) != 0));
    }
  }
  return verdict;
}

/** Reads the field `place` of candidate `candidate`, document `doc`; returns its mean closeness and stores its verdict. */
function measureGroup(state: usize, candidate: u32, place: u32, doc: u32): f64 {
  const group = candidate * load<u32>(state, OCCURRENCES_FIELD_COUNT) + place;
  const head = load<u32>(state + OCCURRENCES_HEADS + (group << 2));
  if (!head) return 0;
  const verdicts = state + OCCURRENCES_VERDICTS;
  const isOne = isSurelyOne(state, place, doc);
  if (isOne && isLone(state)) {
    store<u8>(verdicts + group, <u8>judgeFirst(state, head, place, doc));
    return 0;
  }
  let sum: f64 = 0;
  const pairs = load<u32>(state, OCCURRENCES_SLOT_COUNT) - 1;
  if (load<u32>(state, OCCURRENCES_IS_PLAIN) && readSignatures(state, head)) {
    sum = closenessOfAll(state);
    if (sum == <f64>pairs) {
      const verdict = judgeSigned(state, lengthOf(state, place, doc));
      store<u8>(verdicts + group, <u8>(isOne ? verdict & ~VERDICT_DOUBT : verdict));
    }
    clearGroup(state);
    return pairs == 0 ? 0 : sum / <f64>pairs;
  }
  countHits(state, head);
  if (isWorthReading(state)) {
    readRuns(state, head);
    for (let slot: u32 = 0; slot < pairs; slot++) sum += closeness(state, slot);
    // Where values begin with the slots, each stands right behind the one before.
    if (sum == <f64>pairs) {
      let verdict = judgeValue(state, 0, lengthOf(state, place, doc));
      if (isOne) verdict &= ~VERDICT_DOUBT;
      else if (verdict < <u32>VERDICT_WHOLE && mayBeLaterValue(state)) verdict |= VERDICT_DOUBT;
      store<u8>(verdicts + group, <u8>verdict);
    }
  }
  clearGroup(state);
  return pairs == 0 ? 0 : sum / <f64>pairs;
}

/** Measures candidate `candidate`: writes its nearness, its outcome, and the verdicts of its groups, which are VERDICT_NONE before. */
export function measureDoc(state: usize, candidate: u32): void {
  enterSegment(state, load<u64>(state + OCCURRENCES_CANDIDATES + (candidate << 3)));
  const fields = load<u32>(state, OCCURRENCES_FIELD_COUNT);
  const doc = load<u32>(state + OCCURRENCES_DOCS + (candidate << 2));
  let nearness: f64 = 0;
  let verdict: u32 = VERDICT_NONE;
  let doubt: u32 = 0;
  for (let place: u32 = 0; place < fields; place++) {
    nearness = max(nearness, measureGroup(state, candidate, place, doc));
    const here = <u32>load<u8>(state + OCCURRENCES_VERDICTS + candidate * fields + place);
    verdict = max(verdict, here & ~VERDICT_DOUBT);
    doubt |= here & VERDICT_DOUBT;
  }
  store<f64>(state + OCCURRENCES_NEARNESS + (candidate << 3), nearness);
  store<u8>(state + OCCURRENCES_OUTCOMES + candidate, <u8>(verdict | doubt));
}

/**
 * The verdict of queried field `place` of candidate `candidate`, of the part measured last, given its values: {first
 * position u32, tokens u32}[count] at `values`.
 */
export function judgeValues(state: usize, candidate: u32, place: u32, values: usize, count: u32): u32 {
  const group = candidate * load<u32>(state, OCCURRENCES_FIELD_COUNT) + place;
  const head = load<u32>(state + OCCURRENCES_HEADS + (group << 2));
  if (!head) return VERDICT_NONE;
  enterSegment(state, load<u64>(state + OCCURRENCES_CANDIDATES + (candidate << 3)));
  countHits(state, head);
  readRuns(state, head);
  let verdict: u32 = VERDICT_NONE;
  for (let i: u32 = 0; i < count && verdict < <u32>VERDICT_WHOLE; i++) {
    const value = values + (i << 3);
    verdict = max(verdict, judgeValue(state, load<u32>(value), load<u32>(value, 4)) & ~VERDICT_DOUBT);
  }
  clearGroup(state);
  return verdict;
}
