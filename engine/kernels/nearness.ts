/**
 * How near the tokens of a query stand to each other in each candidate, and whether a value begins with them or is them.
 * Called by query/bonuses/segment-occurrences.ts when all hits are found (kernels/occurrences.ts). Layouts:
 * layout/occurrences.ts, layout/postings.ts. The definitions are in docs/api.md, Ranking.
 */
import {
  ENDS_MAX,
  GROUP_POSITIONS_MAX,
  HIT_BYTES,
  HIT_CURSOR,
  HIT_CURSOR_BYTES,
  HIT_CURSOR_ENTRY,
  HIT_CURSOR_INDEX,
  HIT_CURSOR_PTR,
  HIT_NEXT,
  HIT_POSTING,
  HIT_SOURCE,
  OCCURRENCES_CURSORS,
  OCCURRENCES_ENDS,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_HEADS,
  OCCURRENCES_HITS,
  OCCURRENCES_LENGTHS,
  OCCURRENCES_NEARNESS,
  OCCURRENCES_PHRASE_FIRST,
  OCCURRENCES_PHRASES,
  OCCURRENCES_POSITIONS,
  OCCURRENCES_READINGS,
  OCCURRENCES_RUNS,
  OCCURRENCES_SEGMENT,
  OCCURRENCES_SLOT_COUNT,
  OCCURRENCES_SLOTS,
  OCCURRENCES_SOURCE_COUNT,
  OCCURRENCES_SOURCES,
  OCCURRENCES_VERDICTS,
  READING_BYTES,
  READING_COMPLETED,
  READING_COVERS,
  READING_SOURCE,
  READING_SPAN,
  RUN_POSITIONS_MAX,
  SECOND_VALUE_MIN,
  VERDICT_BEGINS,
  VERDICT_DOUBT,
  VERDICT_NONE,
  VERDICT_WHOLE,
} from '../layout/occurrences';
import { ENTRY_DF, ENTRY_POSITIONS, POSITION_BLOCK } from '../layout/postings';
import { SEGMENT_SIZE } from '../layout/segment';
import { skipPostings } from './position-stream';

/** No occurrences of a pair: farther apart than any two. */
const APART: u32 = 0x7fffffff;

@inline
function sourceAt(state: usize, source: u32): usize {
  return <usize>load<u32>(state, OCCURRENCES_SOURCES) + (source << 3);
}

@inline
function runAt(state: usize, run: u32): usize {
  return <usize>load<u32>(state, OCCURRENCES_RUNS) + (run << 3);
}

/** First reading of slot `slot`; its count is the next word of the slot table. */
@inline
function slotAt(state: usize, slot: u32): usize {
  return <usize>load<u32>(state, OCCURRENCES_SLOTS) + (slot << 3);
}

@inline
function readingAt(state: usize, reading: u32): usize {
  return <usize>load<u32>(state, OCCURRENCES_READINGS) + reading * READING_BYTES;
}

/** Copies the positions of the hit's posting to `out`, at most `room` of them; returns how many. */
function readPositions(state: usize, hit: usize, out: usize, room: u32): u32 {
  const cursor = <usize>load<u32>(state, OCCURRENCES_CURSORS) + load<u32>(hit, HIT_CURSOR) * HIT_CURSOR_BYTES;
  const segment = <usize>load<u32>(state, OCCURRENCES_SEGMENT);
  const positionsMax = load<u32>(segment, SEGMENT_SIZE);
  const posting = load<u32>(hit, HIT_POSTING);
  let p = <usize>load<u32>(cursor, HIT_CURSOR_PTR);
  let at = load<u32>(cursor, HIT_CURSOR_INDEX);
  const block = posting / POSITION_BLOCK;
  if (!p || at > posting || at / POSITION_BLOCK != block) {
    const entry = <usize>load<u32>(cursor, HIT_CURSOR_ENTRY);
    const df = load<u32>(entry, ENTRY_DF);
    p = segment + load<u32>(entry, ENTRY_POSITIONS);
    at = 0;
    if (df > <u32>POSITION_BLOCK) {
      const blocks = (df + POSITION_BLOCK - 1) / POSITION_BLOCK;
      p += ((blocks + 1) << 2) + load<u32>(p + (block << 2));
      at = block * POSITION_BLOCK;
    }
  }
  p = skipPostings(p, posting - at, positionsMax);
  store<u32>(cursor, posting, HIT_CURSOR_INDEX);
  store<u32>(cursor, <u32>p, HIT_CURSOR_PTR);
  let left: u32 = 1;
  let count: u32 = 0;
  let position: u32 = 0;
  let isHead = true;
  const most = min(room, <u32>RUN_POSITIONS_MAX);
  while (left > 0 && count < most) {
    let byte = <u32>load<u8>(p++);
    let value = byte & 127;
    for (let shift: u32 = 7; byte > 127; shift += 7) {
      byte = <u32>load<u8>(p++);
      value |= (byte & 127) << shift;
    }
    if (isHead) {
      isHead = false;
      if (!(value & 1)) {
        left = min(value >> 1, positionsMax);
        continue;
      }
      value >>= 1;
    }
    position += value;
    store<u32>(out + (count << 2), position);
    count++;
    left--;
  }
  return count;
}

/** Counts the hits of each source of the group, which clearGroup() undoes. */
function countHits(state: usize, head: u32): void {
  const hits = <usize>load<u32>(state, OCCURRENCES_HITS);
  for (let next = head; next; ) {
    const hit = hits + <usize>(next - 1) * HIT_BYTES;
    const source = sourceAt(state, load<u16>(hit, HIT_SOURCE));
    store<u32>(source, load<u32>(source, 4) + 1, 4);
    next = load<u32>(hit, HIT_NEXT);
  }
}

/** Forgets the runs of the group. */
function clearGroup(state: usize): void {
  memory.fill(sourceAt(state, 0), 0, load<u32>(state, OCCURRENCES_SOURCE_COUNT) << 3);
}

/** Whether the group may hold an occurrence of the source, going by its hits. */
function mayHold(state: usize, source: u32): bool {
  const phraseFirst = load<u32>(state, OCCURRENCES_PHRASE_FIRST);
  if (source < phraseFirst) return load<u32>(sourceAt(state, source), 4) != 0;
  const phrases = <usize>load<u32>(state, OCCURRENCES_PHRASES);
  const phrase = phrases + load<u32>(phrases + ((source - phraseFirst) << 2));
  const count = load<u32>(phrase);
  for (let i: u32 = 0; i < count; i++)
    if (!load<u32>(sourceAt(state, load<u32>(phrase + 4 + (i << 2))), 4)) return false;
  return true;
}

function maySlot(state: usize, slot: u32): bool {
  const at = slotAt(state, slot);
  const first = load<u32>(at);
  const end = first + load<u32>(at, 4);
  for (let r = first; r < end; r++) if (mayHold(state, load<u32>(readingAt(state, r), READING_SOURCE))) return true;
  return false;
}

/** Whether two neighbouring slots, or the only one, may stand in the group: else nothing of it counts. */
function isWorthReading(state: usize): bool {
  const slots = load<u32>(state, OCCURRENCES_SLOT_COUNT);
  let before = maySlot(state, 0);
  if (slots == 1) return before;
  for (let slot: u32 = 1; slot < slots; slot++) {
    const here = maySlot(state, slot);
    if (before && here) return true;
    before = here;
  }
  return false;
}

/** Reads the positions of the group's hits into runs; returns how many positions. */
function readRuns(state: usize, head: u32): u32 {
  const hits = <usize>load<u32>(state, OCCURRENCES_HITS);
  const positions = <usize>load<u32>(state, OCCURRENCES_POSITIONS);
  let filled: u32 = 0;
  let runs: u32 = 0;
  let last: u32 = 0xffffffff;
  for (let next = head; next; ) {
    const hit = hits + <usize>(next - 1) * HIT_BYTES;
    const source = <u32>load<u16>(hit, HIT_SOURCE);
    if (source != last) store<u32>(sourceAt(state, source), runs);
    last = source;
    const out = positions + (filled << 2);
    const count = readPositions(state, hit, out, GROUP_POSITIONS_MAX - filled);
    const run = runAt(state, runs++);
    store<u32>(run, <u32>out);
    store<u32>(run, count, 4);
    filled += count;
    next = load<u32>(hit, HIT_NEXT);
  }
  return readPhrases(state, filled, runs);
}

/** Index of the first of u32[count] at `positions` that is at least `position`. */
@inline
function lowerBound(positions: usize, count: u32, position: u32): u32 {
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(positions + (middle << 2)) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the source stands at `position`. */
function standsAt(state: usize, source: u32, position: u32): bool {
  const at = sourceAt(state, source);
  const first = load<u32>(at);
  const end = first + load<u32>(at, 4);
  for (let r = first; r < end; r++) {
    const run = runAt(state, r);
    const positions = <usize>load<u32>(run);
    const count = load<u32>(run, 4);
    const i = lowerBound(positions, count, position);
    if (i < count && load<u32>(positions + (i << 2)) == position) return true;
  }
  return false;
}

/** Makes a run of each phrase source: where its tokens follow one another. */
function readPhrases(state: usize, read: u32, runsRead: u32): u32 {
  const phraseFirst = load<u32>(state, OCCURRENCES_PHRASE_FIRST);
  const sources = load<u32>(state, OCCURRENCES_SOURCE_COUNT);
  const phrases = <usize>load<u32>(state, OCCURRENCES_PHRASES);
  const out = <usize>load<u32>(state, OCCURRENCES_POSITIONS);
  let filled = read;
  let runs = runsRead;
  for (let source = phraseFirst; source < sources; source++) {
    if (!mayHold(state, source)) continue;
    const phrase = phrases + load<u32>(phrases + ((source - phraseFirst) << 2));
    const tokens = load<u32>(phrase);
    const from = filled;
    // A token of a phrase is one exact term, so it has one run.
    const first = runAt(state, load<u32>(sourceAt(state, load<u32>(phrase, 4))));
    const count = load<u32>(first, 4);
    for (let i: u32 = 0; i < count && filled < <u32>GROUP_POSITIONS_MAX; i++) {
      const position = load<u32>(<usize>load<u32>(first) + (i << 2));
      let t: u32 = 1;
      while (t < tokens && standsAt(state, load<u32>(phrase + 4 + (t << 2)), position + t)) t++;
      if (t == tokens) store<u32>(out + (filled++ << 2), position);
    }
    if (filled == from) continue;
    const run = runAt(state, runs);
    store<u32>(run, <u32>out + (from << 2));
    store<u32>(run, filled - from, 4);
    store<u32>(sourceAt(state, source), runs++);
    store<u32>(sourceAt(state, source), 1, 4);
  }
  return filled;
}

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
  return <usize>load<u32>(state, OCCURRENCES_ENDS) + slot * (4 + 4 * ENDS_MAX);
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
    if (!(end & 1)) verdict = max(verdict, <u32>(whole ? VERDICT_WHOLE : VERDICT_BEGINS));
    else if (whole) verdict = max(verdict, <u32>VERDICT_BEGINS);
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

/** Reads group `group`; returns its mean closeness and stores its verdict. */
function measureGroup(state: usize, group: u32): f64 {
  const head = load<u32>(<usize>load<u32>(state, OCCURRENCES_HEADS) + (group << 2));
  if (!head) return 0;
  countHits(state, head);
  let sum: f64 = 0;
  const pairs = load<u32>(state, OCCURRENCES_SLOT_COUNT) - 1;
  if (isWorthReading(state)) {
    readRuns(state, head);
    for (let slot: u32 = 0; slot < pairs; slot++) sum += closeness(state, slot);
    // Where values begin with the slots, each stands right behind the one before.
    if (sum == <f64>pairs) {
      const length = load<u32>(<usize>load<u32>(state, OCCURRENCES_LENGTHS) + (group << 2));
      let verdict = judgeValue(state, 0, length);
      if (verdict < <u32>VERDICT_WHOLE && mayBeLaterValue(state)) verdict |= VERDICT_DOUBT;
      store<u8>(<usize>load<u32>(state, OCCURRENCES_VERDICTS) + group, <u8>verdict);
    }
  }
  clearGroup(state);
  return pairs == 0 ? 0 : sum / <f64>pairs;
}

/** Measures the candidates [from, to): writes their nearness and the verdicts of their groups, which are VERDICT_NONE before. */
export function measureDocs(state: usize, from: u32, to: u32): void {
  const fields = load<u32>(state, OCCURRENCES_FIELD_COUNT);
  for (let doc = from; doc < to; doc++) {
    let nearness: f64 = 0;
    for (let field: u32 = 0; field < fields; field++) nearness = max(nearness, measureGroup(state, doc * fields + field));
    store<f64>(<usize>load<u32>(state, OCCURRENCES_NEARNESS) + (doc << 3), nearness);
  }
}

/** The verdict of group `group`, given its values: {first position u32, tokens u32}[count] at `values`. */
export function judgeValues(state: usize, group: u32, values: usize, count: u32): u32 {
  const head = load<u32>(<usize>load<u32>(state, OCCURRENCES_HEADS) + (group << 2));
  if (!head) return VERDICT_NONE;
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
