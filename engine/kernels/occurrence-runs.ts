/**
 * Reads the positions of one group, a candidate in one field, into runs: one a term of a source, and one a phrase. Used
 * by kernels/nearness.ts alone. Layouts: layout/occurrences.ts, layout/postings.ts.
 */
import {
  CANDIDATE_SEGMENT_SHIFT,
  GROUP_POSITIONS_MAX,
  HIT_BYTES,
  HIT_CURSOR,
  HIT_CURSOR_BYTES,
  HIT_CURSOR_ENTRY,
  HIT_CURSOR_INDEX,
  HIT_CURSOR_MAX,
  HIT_CURSOR_PTR,
  HIT_CURSOR_SEGMENT,
  HIT_NEXT,
  HIT_POSTING,
  HIT_SIGNATURE,
  HIT_SOURCE,
  OCCURRENCES_CURSORS,
  OCCURRENCES_ENTRIES,
  OCCURRENCES_HITS,
  OCCURRENCES_PHRASES,
  OCCURRENCES_PHRASE_FIRST,
  OCCURRENCES_POSITIONS,
  OCCURRENCES_READINGS,
  OCCURRENCES_RECORD,
  OCCURRENCES_RECORDS,
  OCCURRENCES_RUNS,
  OCCURRENCES_SEGMENT,
  OCCURRENCES_SLOTS,
  OCCURRENCES_SLOT_COUNT,
  OCCURRENCES_SOURCES,
  OCCURRENCES_SOURCE_COUNT,
  OCCURRENCE_RECORD_ENTRIES,
  OCCURRENCE_RECORD_SEGMENT,
  READING_BYTES,
  READING_SOURCE,
  RUN_POSITIONS_MAX,
} from '../layout/occurrences';
import { POSITION_BLOCK } from '../layout/postings';
import { SEGMENT_SIZE } from '../layout/segment';
import { isExact, positionBlock, postingBegins, skipPostings } from './position-stream';

/** The runs of a source in the group: index of the first, then how many. */
@inline
export function sourceAt(state: usize, source: u32): usize {
  return state + OCCURRENCES_SOURCES + (source << 3);
}

/** A run: address of its positions, then how many. */
@inline
export function runAt(state: usize, run: u32): usize {
  return state + OCCURRENCES_RUNS + (run << 3);
}

/** First reading of slot `slot`; its count is the next word of the slot table. */
@inline
export function slotAt(state: usize, slot: u32): usize {
  return <usize>load<u32>(state, OCCURRENCES_SLOTS) + (slot << 3);
}

/** A reading, by its index among those of all slots. */
@inline
export function readingAt(state: usize, reading: u32): usize {
  return <usize>load<u32>(state, OCCURRENCES_READINGS) + reading * READING_BYTES;
}

/** Whether the segment of the candidate with key `candidate` lies in this arena. */
@inline
export function isHere(state: usize, candidate: u64): bool {
  const records = <usize>load<u32>(state, OCCURRENCES_RECORDS);
  return load<u32>(records + ((<usize>(candidate >> CANDIDATE_SEGMENT_SHIFT)) << 2)) != 0;
}

/** Makes the segment of the candidate with key `candidate` the one being looked at. */
@inline
export function enterSegment(state: usize, candidate: u64): void {
  const records = <usize>load<u32>(state, OCCURRENCES_RECORDS);
  const record = <usize>load<u32>(records + ((<usize>(candidate >> CANDIDATE_SEGMENT_SHIFT)) << 2));
  store<u32>(state, <u32>record, OCCURRENCES_RECORD);
  store<u32>(state, load<u32>(record, OCCURRENCE_RECORD_SEGMENT), OCCURRENCES_SEGMENT);
  store<u32>(state, load<u32>(record, OCCURRENCE_RECORD_ENTRIES), OCCURRENCES_ENTRIES);
}

/** Address of the hit's posting in the position stream, at which its cursor stands then. */
function seekPosting(state: usize, hit: usize): usize {
  const cursor = state + OCCURRENCES_CURSORS + (load<u32>(hit, HIT_CURSOR) & HIT_CURSOR_MAX) * HIT_CURSOR_BYTES;
  const segment = <usize>load<u32>(state, OCCURRENCES_SEGMENT);
  const posting = load<u32>(hit, HIT_POSTING);
  let p = <usize>load<u32>(cursor, HIT_CURSOR_PTR);
  let at = load<u32>(cursor, HIT_CURSOR_INDEX);
  const block = posting / POSITION_BLOCK;
  if (!p || at > posting || at / POSITION_BLOCK != block) {
    p = positionBlock(load<u32>(cursor, HIT_CURSOR_SEGMENT), load<u32>(cursor, HIT_CURSOR_ENTRY), block);
    at = block * POSITION_BLOCK;
  }
  p = skipPostings(p, posting - at, segment + load<u32>(segment, SEGMENT_SIZE));
  store<u32>(cursor, posting, HIT_CURSOR_INDEX);
  store<u32>(cursor, <u32>p, HIT_CURSOR_PTR);
  return p;
}

/** Whether the first position of the hit is 0. */
export function beginsField(state: usize, hit: usize): bool {
  const signature = <u32>load<u16>(hit, HIT_SIGNATURE);
  if (!(signature & 1)) return false;
  return isExact(signature) || postingBegins(seekPosting(state, hit));
}

/** Copies the positions that an exact signature says to `out`, at most `room` of them; returns how many. */
@inline
function copySigned(signature: u32, out: usize, room: u32): u32 {
  let count: u32 = 0;
  for (let bits = signature; bits && count < room; bits &= bits - 1) store<u32>(out + (count++ << 2), ctz(bits));
  return count;
}

/** Copies the positions of the hit's posting to `out`, at most `room` of them; returns how many. */
function readPositions(state: usize, hit: usize, out: usize, room: u32): u32 {
  const signature = <u32>load<u16>(hit, HIT_SIGNATURE);
  if (isExact(signature)) return copySigned(signature, out, room);
  const positionsMax = load<u32>(<usize>load<u32>(state, OCCURRENCES_SEGMENT), SEGMENT_SIZE);
  let p = seekPosting(state, hit);
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
export function countHits(state: usize, head: u32): void {
  const hits = state + OCCURRENCES_HITS;
  for (let next = head; next; ) {
    const hit = hits + <usize>(next - 1) * HIT_BYTES;
    const source = sourceAt(state, load<u16>(hit, HIT_SOURCE));
    store<u32>(source, load<u32>(source, 4) + 1, 4);
    next = load<u32>(hit, HIT_NEXT);
  }
}

/** Forgets the runs of the group. */
export function clearGroup(state: usize): void {
  const end = sourceAt(state, load<u32>(state, OCCURRENCES_SOURCE_COUNT));
  for (let source = sourceAt(state, 0); source < end; source += 8) store<u64>(source, 0);
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
export function isWorthReading(state: usize): bool {
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
export function readRuns(state: usize, head: u32): u32 {
  const hits = state + OCCURRENCES_HITS;
  const positions = state + OCCURRENCES_POSITIONS;
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
export function lowerBound(positions: usize, count: u32, position: u32): u32 {
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
export function standsAt(state: usize, source: u32, position: u32): bool {
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
  const out = state + OCCURRENCES_POSITIONS;
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
