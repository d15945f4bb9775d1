/**
 * A token as the edit automaton reads it: where each code point stands in it, and which letters follow. For kernels/terms.ts
 * alone; exports nothing to JavaScript. Memory is drawn in layout/terms.ts.
 */
import {
  WALK_ASCII_MASKS,
  WALK_CHARS,
  WALK_OTHER_CHARS,
  WALK_OTHER_COUNT,
  WALK_OTHER_FILTER,
  WALK_OTHER_MASKS,
  WALK_SUFFIXES,
} from '../layout/terms';

/** Continuation bytes that follow the lead byte of a code point. */
@inline
export function continuationBytes(lead: u32): u32 {
  return u32(lead >= 0xc0) + u32(lead >= 0xe0) + u32(lead >= 0xf0);
}

/** The code point's bits in the lead byte of a sequence with `pending` continuation bytes, of which there is one. */
@inline
export function leadBits(lead: u32, pending: u32): u32 {
  return lead & (0x3f >> pending);
}

/** The positions of the non-ASCII code point `char` in the token. */
export function otherMask(walk: usize, char: u32): u64 {
  if (((load<u64>(walk, WALK_OTHER_FILTER) >> (char & 63)) & 1) === 0) return 0;
  const count = load<u32>(walk, WALK_OTHER_COUNT);
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(walk + (i << 2), WALK_OTHER_CHARS) === char) return load<u64>(walk + (i << 3), WALK_OTHER_MASKS);
  }
  return 0;
}

/** Notes that the token has `char` at position `bit`, a single set bit. */
function addMask(walk: usize, char: u32, bit: u64): void {
  if (char < 0x80) {
    const slot = walk + (char << 3);
    store<u64>(slot, load<u64>(slot, WALK_ASCII_MASKS) | bit, WALK_ASCII_MASKS);
    return;
  }
  const count = load<u32>(walk, WALK_OTHER_COUNT);
  let i: u32 = 0;
  while (i < count && load<u32>(walk + (i << 2), WALK_OTHER_CHARS) !== char) i++;
  if (i === count) {
    store<u32>(walk, count + 1, WALK_OTHER_COUNT);
    store<u32>(walk + (i << 2), char, WALK_OTHER_CHARS);
    store<u64>(walk + (i << 3), 0, WALK_OTHER_MASKS);
    store<u64>(walk, load<u64>(walk, WALK_OTHER_FILTER) | ((<u64>1) << (char & 63)), WALK_OTHER_FILTER);
  }
  store<u64>(walk + (i << 3), load<u64>(walk + (i << 3), WALK_OTHER_MASKS) | bit, WALK_OTHER_MASKS);
}

/** Fills the mask tables from the token's UTF-8 and returns its code points; over 64, the tables hold the first 64. */
export function readToken(walk: usize, token: usize, tokenBytes: u32): u32 {
  const end = token + tokenBytes;
  let count: u32 = 0;
  let at = token;
  while (at < end) {
    const lead = <u32>load<u8>(at++);
    let pending = continuationBytes(lead);
    let char = pending === 0 ? lead : leadBits(lead, pending);
    while (pending-- > 0 && at < end) char = (char << 6) | (load<u8>(at++) & 0x3f);
    if (count < 64) {
      addMask(walk, char, (<u64>1) << count);
      store<u8>(walk + count, char < 0x80 ? char : 0xff, WALK_CHARS);
      // Of a longer code point the last byte, which tells most.
      store<u32>(walk + (count << 2), (<u32>1) << load<u8>(at - 1), WALK_SUFFIXES);
    }
    count++;
  }
  for (let i = min(count, 64); i > 1; i--) {
    const bits = load<u32>(walk + (i << 2), WALK_SUFFIXES - 4) | load<u32>(walk + (i << 2), WALK_SUFFIXES - 8);
    store<u32>(walk + (i << 2), bits, WALK_SUFFIXES - 8);
  }
  return count;
}

/**
 * What the mask of a node must have for one of the states in `states` to come to an end below it without an edit: the
 * letters of the token from the last of them on, of which the others have need as well. Bit i of `states` is the token's
 * code point number i - `skip`.
 */
@inline
export function lettersAfter(walk: usize, states: u64, skip: u32): u32 {
  return load<u32>(walk + ((63 - <usize>clz(states) + skip) << 2), WALK_SUFFIXES);
}
