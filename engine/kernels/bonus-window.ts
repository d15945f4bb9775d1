/**
 * Says which documents of the window are measured next, and what their bonuses make of their scores. Called by
 * query/bonuses/bonus-window.ts between the measurements of kernels/candidates.ts. Layouts: layout/bonus-window.ts,
 * layout/occurrences.ts.
 */
import {
  BEGINS_PERCENT,
  NEARNESS_PERCENT,
  PRESENTED_BYTES,
  WHOLE_PERCENT,
  WINDOW_BEGINS,
  WINDOW_COUNT,
  WINDOW_DOUBTED,
  WINDOW_END,
  WINDOW_EXACTNESS,
  WINDOW_FINAL,
  WINDOW_FIRST,
  WINDOW_HAS_PAIRS,
  WINDOW_KEYS,
  WINDOW_MARGIN,
  WINDOW_MEASURED,
  WINDOW_NEARNESS,
  WINDOW_NEED,
  WINDOW_NEED_PLACE,
  WINDOW_ORDERS_TIES,
  WINDOW_PLACES,
  WINDOW_RANDOM,
  WINDOW_ROUND,
  WINDOW_ROUND_DOUBTS,
  WINDOW_ROUND_FIRST,
  WINDOW_ROUND_NEXT,
  WINDOW_ROUND_REST,
  WINDOW_SCORES,
  WINDOW_STATES,
  WINDOW_WHOLE,
  WINDOW_WHOLE_VALUE,
} from '../layout/bonus-window';
import {
  CANDIDATE_DOC_SHIFT,
  CANDIDATE_IF_WHOLE,
  OCCURRENCES_CANDIDATES,
  OCCURRENCES_DOC_COUNT,
  OCCURRENCES_FROM,
  OCCURRENCES_NEARNESS,
  OCCURRENCES_OUTCOMES,
  OCCURRENCES_TO,
  VERDICT_BEGINS,
  VERDICT_DOUBT,
  VERDICT_WHOLE,
} from '../layout/occurrences';
import {
  TOP_KEY_BYTES,
  TOP_KEY_HIGH,
  TOP_KEY_LOW,
  TOP_KEY_SCORE_SHIFT,
  TOP_PAGE,
  TOP_VERDICT_BEGINS,
  TOP_VERDICT_UNKNOWN,
  TOP_VERDICT_WHOLE,
  TOP_WHOLE,
} from '../layout/score-top';
import { keyAt, orderOf, selectKey, verdictOf } from './top-keys';

const NEARNESS_WEIGHT: f64 = <f64>NEARNESS_PERCENT / 100;
const WHOLE_FACTOR: f64 = <f64>WHOLE_PERCENT / 100;
const BEGINS_FACTOR: f64 = <f64>BEGINS_PERCENT / 100;

/** Of the documents behind the first ones, those that are measured before the rest when twice as many might gain. */
const MEASURED_NEXT: u32 = 32;
/** Documents about which doubts are settled before the others are looked at again. */
const DOUBTS_FIRST: u32 = 16;

@inline
function placeAt(window: usize, rank: u32): u64 {
  return load<u64>(window + WINDOW_PLACES + (<usize>rank << 3));
}

@inline
function bm25At(window: usize, rank: u32): f32 {
  return load<f32>(window + WINDOW_SCORES + (<usize>rank << 2));
}

@inline
function stateAt(window: usize, rank: u32): u32 {
  return <u32>load<u8>(window + WINDOW_STATES + rank);
}

@inline
function nearnessAt(window: usize, rank: u32): f64 {
  return load<f64>(window + WINDOW_NEARNESS + (<usize>rank << 3));
}

/** The document's score, with what is known of its bonuses. */
@inline
function scoreAt(window: usize, rank: u32): f32 {
  const exactness = load<f64>(window + WINDOW_EXACTNESS + (<usize>rank << 3));
  return <f32>(<f64>bm25At(window, rank) * (nearnessAt(window, rank) * exactness));
}

/** Key `i` of those being chosen from. */
@inline
function keyOf(window: usize, i: u32): usize {
  return window + WINDOW_KEYS + <usize>i * TOP_KEY_BYTES;
}

@inline
function setKey(window: usize, i: u32, score: f32, low: u64): void {
  const key = keyOf(window, i);
  store<u64>(key, low, TOP_KEY_LOW);
  store<u64>(key, <u64>reinterpret<u32>(score), TOP_KEY_HIGH);
}

/** The state of a document of TOP_VERDICT_*, before the window is begun. */
@inline
function stateOf(verdict: u32): u32 {
  if (verdict == TOP_VERDICT_UNKNOWN) return 0;
  if (verdict == TOP_VERDICT_WHOLE) return WINDOW_MEASURED | WINDOW_WHOLE_VALUE;
  return verdict == TOP_VERDICT_BEGINS ? WINDOW_MEASURED | WINDOW_BEGINS : WINDOW_MEASURED;
}

/**
 * Fills the window with the first `count` keys at `top`, which have the score in front. `presented`: the segments that their
 * orders come from, PRESENTED_BYTES each, ascending, `segments` of them. Returns of how many documents the bonuses are not known.
 */
export function fillWindow(window: usize, top: usize, presented: usize, segments: u32, count: u32): u32 {
  store<f32>(window, load<u32>(top, TOP_PAGE) != 0 ? load<f32>(top, TOP_WHOLE) : 0, WINDOW_WHOLE);
  let unknown = count;
  for (let rank: u32 = 0; rank < count; rank++) {
    const key = keyAt(top, rank);
    const bits = <u32>load<u64>(key, TOP_KEY_LOW);
    const order = orderOf(bits);
    const verdict = verdictOf(bits);
    store<u8>(window + WINDOW_STATES + rank, <u8>stateOf(verdict));
    unknown -= u32(verdict != TOP_VERDICT_UNKNOWN);
    let low: u32 = 0;
    let high = segments;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (load<u32>(presented + <usize>middle * PRESENTED_BYTES) <= order) low = middle;
      else high = middle;
    }
    const segment = presented + <usize>low * PRESENTED_BYTES;
    const place = (<u64>load<u32>(segment, 4) << 32) | <u64>(order - load<u32>(segment));
    store<u64>(window + WINDOW_PLACES + (<usize>rank << 3), place);
    store<u32>(window + WINDOW_SCORES + (<usize>rank << 2), <u32>(load<u64>(key, TOP_KEY_HIGH) >> TOP_KEY_SCORE_SHIFT));
  }
  return unknown;
}

/**
 * Begins with the filled window: no more is known of bonuses than the states tell. Sets records[segment] to 1 for each segment of a document
 * that is not measured.
 */
export function beginWindow(window: usize, records: usize): void {
  const count = load<u32>(window, WINDOW_COUNT);
  store<u32>(window, WINDOW_ROUND_FIRST, WINDOW_ROUND);
  store<u32>(window, 1, WINDOW_RANDOM);
  for (let rank: u32 = 0; rank < count; rank++) {
    const state = stateAt(window, rank);
    const exactness = state & WINDOW_WHOLE_VALUE ? WHOLE_FACTOR : state & WINDOW_BEGINS ? BEGINS_FACTOR : 1;
    store<f64>(window + WINDOW_NEARNESS + (<usize>rank << 3), 1);
    store<f64>(window + WINDOW_EXACTNESS + (<usize>rank << 3), exactness);
    if (!(state & WINDOW_MEASURED)) store<u32>(records + (<usize>(placeAt(window, rank) >> 32) << 2), 1);
  }
}

/** Finds what a document of the page reaches at least: of the documents below rank `known` the page's last one has that. */
function findNeed(window: usize, known: u32): void {
  const end = load<u32>(window, WINDOW_END);
  store<f64>(window, 0, WINDOW_NEED);
  store<u64>(window, u64.MAX_VALUE, WINDOW_NEED_PLACE);
  if (end >= load<u32>(window, WINDOW_COUNT)) return;
  for (let rank: u32 = 0; rank < known; rank++) setKey(window, rank, scoreAt(window, rank), ~placeAt(window, rank));
  const last = keyOf(window, end - 1);
  selectKey(keyOf(window, 0), keyOf(window, known - 1), last, window + WINDOW_RANDOM);
  const score = <f64>reinterpret<f32>(<u32>load<u64>(last, TOP_KEY_HIGH));
  store<f64>(window, score * load<f64>(window, WINDOW_MARGIN), WINDOW_NEED);
  if (load<u32>(window, WINDOW_ORDERS_TIES)) store<u64>(window, ~load<u64>(last, TOP_KEY_LOW), WINDOW_NEED_PLACE);
}

/** Whether the document could be on the page with bonuses of `factor` in all. */
@inline
function reaches(window: usize, rank: u32, factor: f64): bool {
  const score = <f64>(<f32>(<f64>bm25At(window, rank) * factor));
  const need = load<f64>(window, WINDOW_NEED);
  return score > need || (score == need && placeAt(window, rank) <= load<u64>(window, WINDOW_NEED_PLACE));
}

/** Makes the document with `rank` candidate `i`; `flag`: CANDIDATE_IF_WHOLE or 0. */
@inline
function addCandidate(window: usize, state: usize, i: u32, rank: u32, flag: u64): void {
  const candidate = (placeAt(window, rank) << CANDIDATE_DOC_SHIFT) | flag | <u64>rank;
  store<u64>(state + OCCURRENCES_CANDIDATES + (<usize>i << 3), candidate);
}

/** Chooses documents that were not measured and could be on the page with the largest factor that they may get. */
function chooseOthers(window: usize, state: usize): u32 {
  const count = load<u32>(window, WINDOW_COUNT);
  const nearest: f64 = load<u32>(window, WINDOW_HAS_PAIRS) ? 1 + NEARNESS_WEIGHT : 1;
  const whole = load<f32>(window, WINDOW_WHOLE);
  let chosen: u32 = 0;
  let gaining: u32 = 0;
  for (let rank = load<u32>(window, WINDOW_FIRST); rank < count; rank++) {
    if (stateAt(window, rank) & WINDOW_MEASURED || !reaches(window, rank, nearest * WHOLE_FACTOR)) continue;
    const mayGain = reaches(window, rank, nearest * BEGINS_FACTOR);
    if (!mayGain && bm25At(window, rank) < whole) continue;
    if (mayGain) setKey(window, gaining++, bm25At(window, rank), ~<u64>rank);
    addCandidate(window, state, chosen++, rank, mayGain ? 0 : CANDIDATE_IF_WHOLE);
  }
  const isNext = load<u32>(window, WINDOW_ROUND) == <u32>WINDOW_ROUND_NEXT && gaining > 2 * MEASURED_NEXT;
  store<u32>(window, isNext ? WINDOW_ROUND_REST : WINDOW_ROUND_DOUBTS, WINDOW_ROUND);
  if (!isNext) return chosen;
  // What the best of them reach, the rest must too.
  const last = keyOf(window, MEASURED_NEXT - 1);
  selectKey(keyOf(window, 0), keyOf(window, gaining - 1), last, window + WINDOW_RANDOM);
  for (let i: u32 = 0; i < MEASURED_NEXT; i++)
    addCandidate(window, state, i, <u32>~load<u64>(keyOf(window, i), TOP_KEY_LOW), 0);
  return MEASURED_NEXT;
}

/**
 * Makes the documents that are to be measured next the candidates at `state`, and returns how many there are; 0: all that
 * could be on the page are measured, but doubts are left.
 */
export function chooseCandidates(window: usize, state: usize): u32 {
  const round = load<u32>(window, WINDOW_ROUND);
  const count = load<u32>(window, WINDOW_COUNT);
  const first = load<u32>(window, WINDOW_FIRST);
  let chosen: u32 = 0;
  if (round == <u32>WINDOW_ROUND_FIRST) {
    for (let rank: u32 = 0; rank < first; rank++)
      if (!(stateAt(window, rank) & WINDOW_MEASURED)) addCandidate(window, state, chosen++, rank, 0);
    store<u32>(window, first < count ? WINDOW_ROUND_NEXT : WINDOW_ROUND_DOUBTS, WINDOW_ROUND);
  }
  while (chosen == 0 && load<u32>(window, WINDOW_ROUND) != <u32>WINDOW_ROUND_DOUBTS) {
    findNeed(window, load<u32>(window, WINDOW_ROUND) == <u32>WINDOW_ROUND_NEXT ? first : count);
    chosen = chooseOthers(window, state);
  }
  store<u32>(state, chosen, OCCURRENCES_DOC_COUNT);
  return chosen;
}

/**
 * Makes documents in doubt that could be on the page the candidates at `state`, those first that come first: each that gains
 * raises what the others must reach. Returns how many there are; 0: no doubt matters.
 */
export function chooseDoubts(window: usize, state: usize): u32 {
  const count = load<u32>(window, WINDOW_COUNT);
  let chosen: u32 = 0;
  let isNeedFound = false;
  for (let rank: u32 = 0; rank < count && chosen < DOUBTS_FIRST; rank++) {
    if (!(stateAt(window, rank) & WINDOW_DOUBTED)) continue;
    if (!isNeedFound) findNeed(window, count);
    isNeedFound = true;
    if (reaches(window, rank, nearnessAt(window, rank) * WHOLE_FACTOR)) addCandidate(window, state, chosen++, rank, 0);
  }
  store<u32>(state, chosen, OCCURRENCES_DOC_COUNT);
  return chosen;
}

/** Notes the factors of the part of the candidates at `state` that was measured last. */
export function noteMeasured(window: usize, state: usize): void {
  const hasPairs = load<u32>(window, WINDOW_HAS_PAIRS) != 0;
  const to = load<u32>(state, OCCURRENCES_TO);
  for (let i = load<u32>(state, OCCURRENCES_FROM); i < to; i++) {
    const rank = <u32>load<u64>(state + OCCURRENCES_CANDIDATES + (<usize>i << 3)) & (CANDIDATE_IF_WHOLE - 1);
    const outcome = <u32>load<u8>(state + OCCURRENCES_OUTCOMES + i);
    const verdict = outcome & ~VERDICT_DOUBT;
    const isDoubted = outcome >= <u32>VERDICT_DOUBT && verdict != <u32>VERDICT_WHOLE;
    const closeness = load<f64>(state + OCCURRENCES_NEARNESS + (<usize>i << 3));
    const exactness = verdict == <u32>VERDICT_WHOLE ? WHOLE_FACTOR : verdict == <u32>VERDICT_BEGINS ? BEGINS_FACTOR : 1;
    store<f64>(window + WINDOW_NEARNESS + (<usize>rank << 3), hasPairs ? 1 + NEARNESS_WEIGHT * closeness : 1);
    store<f64>(window + WINDOW_EXACTNESS + (<usize>rank << 3), exactness);
    store<u8>(window + WINDOW_STATES + rank, <u8>(isDoubted ? WINDOW_MEASURED | WINDOW_DOUBTED : WINDOW_MEASURED));
  }
}

/** Writes the scores of all documents with their bonuses. */
export function finishWindow(window: usize): void {
  const count = load<u32>(window, WINDOW_COUNT);
  for (let rank: u32 = 0; rank < count; rank++)
    store<f32>(window + WINDOW_FINAL + (<usize>rank << 2), scoreAt(window, rank));
}
