/**
 * Nearness and verdicts of a group whose signatures say exactly where all tokens stand, so that bits tell what kernels/nearness.ts
 * reads positions for. For that file alone; exports nothing to JavaScript. Layout: layout/occurrences.ts.
 */
import {
  HIT_BYTES,
  HIT_NEXT,
  HIT_SIGNATURE,
  HIT_SOURCE,
  OCCURRENCES_HITS,
  OCCURRENCES_SLOT_COUNT,
  READING_COMPLETED,
  READING_SOURCE,
  VERDICT_BEGINS,
  VERDICT_DOUBT,
  VERDICT_NONE,
  VERDICT_WHOLE,
} from '../layout/occurrences';
import { SIGNATURE_BITS } from '../layout/postings';
import { clearGroup, readingAt, slotAt, sourceAt } from './occurrence-runs';
import { isExact } from './position-stream';

/** VERDICT_* of a value that begins with the slots, and is them when `whole`. `completed`: the last token was. */
@inline
export function verdictOf(whole: bool, completed: bool): u32 {
  if (completed) return whole ? VERDICT_BEGINS : VERDICT_NONE;
  return whole ? VERDICT_WHOLE : VERDICT_BEGINS;
}

/** Where each source stands in the group with hits from `head` on, as bits in SOURCES; false, and all 0, when that is not known exactly. */
export function readSignatures(state: usize, head: u32): bool {
  const hits = state + OCCURRENCES_HITS;
  for (let next = head; next; ) {
    const hit = hits + <usize>(next - 1) * HIT_BYTES;
    const signature = <u32>load<u16>(hit, HIT_SIGNATURE);
    if (!isExact(signature)) {
      clearGroup(state);
      return false;
    }
    const source = sourceAt(state, load<u16>(hit, HIT_SOURCE));
    store<u32>(source, load<u32>(source) | signature);
    next = load<u32>(hit, HIT_NEXT);
  }
  return true;
}

/** Where readings of the slot stand that are no completions, as bits, and where completions stand times 2 to the power of 32. */
function bitsOf(state: usize, slot: u32): u64 {
  const at = slotAt(state, slot);
  const first = load<u32>(at);
  const end = first + load<u32>(at, 4);
  let bits: u64 = 0;
  for (let r = first; r < end; r++) {
    const reading = readingAt(state, r);
    const own = <u64>load<u32>(sourceAt(state, load<u32>(reading, READING_SOURCE)));
    bits |= own << (<u64>load<u8>(reading, READING_COMPLETED) << 5);
  }
  return bits;
}

/** Where readings of the slot stand, as bits. */
@inline
function allBitsOf(state: usize, slot: u32): u32 {
  const bits = bitsOf(state, slot);
  return <u32>bits | <u32>(bits >> 32);
}

/** 1 / (1 + gap) of what stands at `a` and, in the next slot, at `b`; 0 when one is not there. */
@inline
function closenessOf(a: u32, b: u32): f64 {
  if (a == 0 || b == 0) return 0;
  if ((a << 1) & b) return 1;
  // What comes in the other order is one farther apart.
  for (let gap: u32 = 1; gap < <u32>SIGNATURE_BITS; gap++)
    if (((a << (gap + 1)) & b) | ((b << gap) & a)) return 1 / (1 + <f64>gap);
  return 0;
}

/** The sum of the closeness of all neighbouring slots, by what readSignatures() has read. */
export function closenessOfAll(state: usize): f64 {
  const slots = load<u32>(state, OCCURRENCES_SLOT_COUNT);
  let sum: f64 = 0;
  let before = allBitsOf(state, 0);
  for (let slot: u32 = 1; slot < slots; slot++) {
    const here = allBitsOf(state, slot);
    sum += closenessOf(before, here);
    before = here;
  }
  return sum;
}

/** What judgeValue() of kernels/nearness.ts says of a value of `length` tokens that begins with the field. */
export function judgeSigned(state: usize, length: u32): u32 {
  const slots = load<u32>(state, OCCURRENCES_SLOT_COUNT);
  if (slots > <u32>SIGNATURE_BITS) return VERDICT_NONE;
  let typed: u32 = 1;
  let completed: u32 = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    const bits = bitsOf(state, slot) >> slot;
    const own = <u32>bits & 1;
    const other = <u32>(bits >> 32) & 1;
    if ((own | other) == 0) return VERDICT_NONE;
    typed &= own;
    completed |= other;
  }
  const whole = slots == length;
  let verdict: u32 = VERDICT_NONE;
  if (typed) verdict = verdictOf(whole, false);
  if (completed) verdict = max(verdict, verdictOf(whole, true));
  return whole ? verdict : verdict | VERDICT_DOUBT;
}
