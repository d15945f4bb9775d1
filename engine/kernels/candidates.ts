/**
 * Finds and measures the candidates of an arena, segment after segment: puts them in order, has their hits found
 * (kernels/occurrences.ts) and measured (kernels/nearness.ts). Called by query/bonuses/arena-occurrences.ts. Layout:
 * layout/occurrences.ts.
 */
import {
  CANDIDATE_DOC_SHIFT,
  CANDIDATE_IF_WHOLE,
  MEASURED_ALL,
  MEASURED_PART,
  MEASURE_STEPS,
  MEASURING,
  OCCURRENCES_CANDIDATES,
  OCCURRENCES_CURSOR_COUNT,
  OCCURRENCES_DOCS,
  OCCURRENCES_DOC_COUNT,
  OCCURRENCES_FIELD_COUNT,
  OCCURRENCES_FROM,
  OCCURRENCES_HEADS,
  OCCURRENCES_HIT_COUNT,
  OCCURRENCES_MEASURED,
  OCCURRENCES_SEARCHED,
  OCCURRENCES_SEARCHED_TO,
  OCCURRENCES_SOURCES,
  OCCURRENCES_SOURCE_COUNT,
  OCCURRENCES_STEPS,
  OCCURRENCES_TO,
  OCCURRENCES_VERDICTS,
  OCCURRENCE_DOCS_MAX,
} from '../layout/occurrences';
import { measureDoc } from './nearness';
import { mayBeWhole } from './occurrence-fields';
import { FOUND_ALL, FOUND_TOO_MANY, clear, findHits } from './occurrences';
import { enterSegment, isHere } from './occurrence-runs';

/** Puts u64[count] at `keys` in ascending order. (Shell, 1959; gaps of Ciura, 2001.) */
function sortKeys(keys: usize, count: u32): void {
  for (let gap: u32 = count > 57 ? 57 : count > 23 ? 23 : count > 10 ? 10 : count > 4 ? 4 : 1; ; ) {
    for (let i = gap; i < count; i++) {
      const key = load<u64>(keys + (i << 3));
      let at = i;
      while (at >= gap && load<u64>(keys + ((at - gap) << 3)) > key) {
        store<u64>(keys + (at << 3), load<u64>(keys + ((at - gap) << 3)));
        at -= gap;
      }
      store<u64>(keys + (at << 3), key);
    }
    if (gap == 1) return;
    gap = gap == 57 ? 23 : gap == 23 ? 10 : gap == 10 ? 4 : 1;
  }
}

/**
 * Leaves those out that lie in another arena, and that matter only if they are what was typed, and cannot be; returns how many
 * candidates are left.
 */
function dropCandidates(state: usize): u32 {
  const count = min(load<u32>(state, OCCURRENCES_DOC_COUNT), <u32>OCCURRENCE_DOCS_MAX);
  const candidates = state + OCCURRENCES_CANDIDATES;
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const candidate = load<u64>(candidates + (i << 3));
    if (!isHere(state, candidate)) continue;
    if (candidate & CANDIDATE_IF_WHOLE) {
      enterSegment(state, candidate);
      if (!mayBeWhole(state, <u32>(candidate >> CANDIDATE_DOC_SHIFT))) continue;
    }
    store<u64>(candidates + (kept << 3), candidate);
    kept++;
  }
  store<u32>(state, kept, OCCURRENCES_DOC_COUNT);
  return kept;
}

/** Goes on to the part [from, to): its candidates have no hits yet. */
function beginPart(state: usize, from: u32, to: u32): void {
  const fields = load<u32>(state, OCCURRENCES_FIELD_COUNT);
  const groups = (to - from) * fields;
  clear(state + OCCURRENCES_HEADS + ((from * fields) << 2), groups << 2);
  clear(state + OCCURRENCES_VERDICTS + from * fields, groups);
  store<u32>(state, from, OCCURRENCES_FROM);
  store<u32>(state, to, OCCURRENCES_TO);
  store<u32>(state, from, OCCURRENCES_SEARCHED);
  store<u32>(state, from, OCCURRENCES_SEARCHED_TO);
  store<u32>(state, from, OCCURRENCES_MEASURED);
  store<u32>(state, 0, OCCURRENCES_HIT_COUNT);
  store<u32>(state, 0, OCCURRENCES_CURSOR_COUNT);
}

/** Leaves out candidates that do not matter and puts the others in order. Returns how many there are. */
export function beginCandidates(state: usize): u32 {
  const count = dropCandidates(state);
  const candidates = state + OCCURRENCES_CANDIDATES;
  sortKeys(candidates, count);
  for (let i: u32 = 0; i < count; i++)
    store<u32>(state + OCCURRENCES_DOCS + (i << 2), <u32>(load<u64>(candidates + (i << 3)) >> CANDIDATE_DOC_SHIFT));
  clear(state + OCCURRENCES_SOURCES, load<u32>(state, OCCURRENCES_SOURCE_COUNT) << 3);
  beginPart(state, 0, count);
  return count;
}

/**
 * Finds the hits of the next part and measures it: all candidates that are left, or fewer where those have too many hits
 * for the memory there is; a lone one has as many as fit. Takes about `steps` steps; returns MEASURED_PART, MEASURING when
 * it is to be called again before, or MEASURED_ALL when no part is left.
 */
export function measureCandidates(state: usize, steps: i32): u32 {
  const count = load<u32>(state, OCCURRENCES_DOC_COUNT);
  let from = load<u32>(state, OCCURRENCES_FROM);
  let to = load<u32>(state, OCCURRENCES_TO);
  store<i32>(state, steps, OCCURRENCES_STEPS);
  if (load<u32>(state, OCCURRENCES_MEASURED) == to) {
    if (to == count) return MEASURED_ALL;
    from = to;
    to = count;
    beginPart(state, from, to);
  }
  while (load<u32>(state, OCCURRENCES_SEARCHED) < to) {
    const found = findHits(state);
    if (found == FOUND_ALL) break;
    if (found != FOUND_TOO_MANY) return MEASURING;
    if (to - from == 1) break;
    to = from + ((to - from) >> 1);
    beginPart(state, from, to);
  }
  store<u32>(state, to, OCCURRENCES_SEARCHED);
  let left = load<i32>(state, OCCURRENCES_STEPS);
  for (let i = load<u32>(state, OCCURRENCES_MEASURED); i < to; i++) {
    if (left <= 0) {
      store<u32>(state, i, OCCURRENCES_MEASURED);
      return MEASURING;
    }
    measureDoc(state, i);
    left -= MEASURE_STEPS;
  }
  store<u32>(state, to, OCCURRENCES_MEASURED);
  return MEASURED_PART;
}
