/**
 * The members of a JSON object: where the keys and the values of it lie. Called by documents/member-scanner.ts over a copy of a body that
 * json-values.ts, or documents/json-syntax.ts, has let through; on anything else the outcome is undefined, though it ends.
 *
 * Records are drawn in layout/body-copy.ts. Loads up to 20 bytes behind `end`.
 */
import {
  MEMBER_ESCAPED,
  MEMBER_FLAGS,
  MEMBER_INTEGER,
  MEMBER_KEY,
  MEMBER_KEY_END,
  MEMBER_KEY_ESCAPED,
  MEMBER_LOW,
  MEMBER_SAME_KEY,
  MEMBER_STRING,
  MEMBER_VALUE,
  MEMBER_VALUE_END,
  MEMBER_WORDS,
  MEMBERS_MAX,
  COPY_MEMBERS,
} from '../layout/body-copy';
import { jsonValueEnd, spaceEnd, stringEnd } from './json-values';

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
/** An integer of as many digits fits in 64 bits with its sign. */
const DIGITS_MAX: usize = 18;
/** Levels of a value: the object has passed a check of its own. */
const DEPTHS: u32 = 1024;
/** What jsonMembers() returns when it has no answer. */
const UNREAD: i32 = -1;

/** Address of the first quote or backslash from `p` on, at most `end`. */
@inline
function plainTextEnd(p: usize, end: usize): usize {
  while (p < end) {
    const bytes = v128.load(p);
    const stops = i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH))));
    if (stops != 0) return min(p + <usize>ctz(stops), end);
    p += 16;
  }
  return end;
}

/** Whether the `length` bytes at `a` are those at `b`. Loads up to 16 bytes behind them. */
function isSame(a: usize, b: usize, length: usize): bool {
  let at: usize = 0;
  for (; at + 16 <= length; at += 16) if (v128.any_true(v128.xor(v128.load(a + at), v128.load(b + at)))) return false;
  const equal = i8x16.bitmask(i8x16.eq(v128.load(a + at), v128.load(b + at)));
  const rest: u32 = (1 << <u32>(length - at)) - 1;
  return (equal & rest) == rest;
}

/**
 * Writes the halves of the integer at `p` to the record at `member`; returns where it ends. 0: there is none, or it has a fraction, an
 * exponent, or too many digits for a 64-bit one.
 */
@inline
function readInteger(p: usize, member: usize): usize {
  const isNegative = load<u8>(p) == 0x2d;
  const first = isNegative ? p + 1 : p;
  let value: u64 = 0;
  let at = first;
  for (; at < first + DIGITS_MAX; at++) {
    const digit = <u32>load<u8>(at) - 0x30;
    if (digit > 9) break;
    value = value * 10 + digit;
  }
  const next = <u32>load<u8>(at);
  // What follows a value in an object, or white space.
  if (at == first || (next != 0x2c && next != 0x7d && next > 0x20)) return 0;
  store<u64>(member, isNegative ? 0 - value : value, 4 * MEMBER_LOW);
  return at;
}

/** As spaceEnd(), of what mostly begins with none. */
@inline
function skipSpace(p: usize, end: usize): usize {
  return p < end && <u32>load<u8>(p) > 0x20 ? p : spaceEnd(p, end);
}

/**
 * Writes the members of the object at `start`, which ends at `end`; returns how many there are, or UNREAD. Of the first `known`
 * members, what is written holds those of an object whose text is still there. `shift`: what was added to an offset in the body for an
 * address.
 */
export function jsonMembers(start: usize, end: usize, shift: i32, known: i32): i32 {
  let count = 0;
  let p = skipSpace(start + 1, end);
  while (p < end && <u32>load<u8>(p) == QUOTE) {
    if (count == MEMBERS_MAX) return UNREAD;
    const member = <usize>(COPY_MEMBERS + 4 * MEMBER_WORDS * count);
    const key = p + 1;
    let flags = 0;
    let keyEnd = plainTextEnd(key, end);
    if (keyEnd < end && <u32>load<u8>(keyEnd) == BACKSLASH) {
      flags = MEMBER_KEY_ESCAPED;
      keyEnd = stringEnd(keyEnd, end) - 1;
    }
    // What ends too soon, or not at all, was no JSON: stringEnd() has told 0.
    if (keyEnd < key || keyEnd >= end) return UNREAD;
    const value = skipSpace(skipSpace(keyEnd + 1, end) + 1, end);
    if (value >= end) return UNREAD;
    let valueEnd: usize;
    if (<u32>load<u8>(value) == QUOTE) {
      valueEnd = plainTextEnd(value + 1, end);
      flags |= MEMBER_STRING;
      if (valueEnd < end && <u32>load<u8>(valueEnd) == BACKSLASH) {
        flags |= MEMBER_ESCAPED;
        valueEnd = stringEnd(valueEnd, end) - 1;
      }
      p = valueEnd + 1;
    } else {
      valueEnd = readInteger(value, member);
      if (valueEnd != 0) flags |= MEMBER_INTEGER;
      else valueEnd = jsonValueEnd(value, end, DEPTHS);
      p = valueEnd;
    }
    if (valueEnd <= value || valueEnd >= end) return UNREAD;
    if (count < known) {
      const length = load<i32>(member, 4 * MEMBER_KEY_END) - load<i32>(member, 4 * MEMBER_KEY);
      const before = <usize>(load<i32>(member, 4 * MEMBER_KEY) + shift);
      if (length == <i32>(keyEnd - key) && isSame(before, key, <usize>length)) flags |= MEMBER_SAME_KEY;
    }
    store<i32>(member, <i32>key - shift, 4 * MEMBER_KEY);
    store<i32>(member, <i32>keyEnd - shift, 4 * MEMBER_KEY_END);
    store<i32>(member, <i32>value - shift, 4 * MEMBER_VALUE);
    store<i32>(member, <i32>valueEnd - shift, 4 * MEMBER_VALUE_END);
    store<i32>(member, flags, 4 * MEMBER_FLAGS);
    count++;
    p = skipSpace(p, end);
    if (p < end && load<u8>(p) == 0x2c) p = skipSpace(p + 1, end);
  }
  return count;
}
