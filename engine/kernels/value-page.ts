/**
 * Writes keywords and how many documents have each as members of a JSON object. Called by query/facets/value-page.ts. Layouts:
 * layout/value-page.ts, layout/columns.ts.
 */
import { COLUMN_DICT_BYTES, COLUMN_DICT_OFFSETS } from '../layout/columns';
import {
  VALUE_BYTES,
  VALUE_CODE,
  VALUE_COUNT,
  VALUE_PAGE_BYTES,
  VALUE_PAGE_ENTRIES,
  VALUE_PAGE_TOUCHED,
} from '../layout/value-page';
import { DECIMALS_BYTES_MAX, writeInteger } from './decimals';

/** Before a value: `,"`, and between it and its count: `":` */
const OPEN: u16 = 0x222c;
const COLON: u16 = 0x3a22;
/** All that an entry takes beside its value, and what copies may write too much. */
const BESIDE_BYTES: usize = 4 + DECIMALS_BYTES_MAX + 16;

/** Of the 16 bytes at p those that JSON has not as they are, as bits. */
@inline
function escapedAt(bytes: v128): u32 {
  const quotes = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
  return i8x16.bitmask(v128.or(quotes, i8x16.lt_u(bytes, i8x16.splat(0x20))));
}

/** Copies the `length` bytes at `from`, and up to 15 more; false when JSON has one of them not as it is. */
@inline
function copyPlain(to: usize, from: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i += 16) {
    const bytes = v128.load(from + i);
    v128.store(to + i, bytes);
    const left = length - i;
    if (escapedAt(bytes) & (left < 16 ? (1 << <u32>left) - 1 : 0xffff)) return false;
  }
  return true;
}

/** Reads from the dictionary what the `count` entries name: it lies anywhere, and is waited for together. */
function touchValues(page: usize, count: u32, offsets: usize, dictionary: usize, end: usize): void {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const code = load<u32>(page + VALUE_PAGE_ENTRIES + <usize>i * VALUE_BYTES, VALUE_CODE);
    const from = dictionary + <usize>load<u32>(offsets + (<usize>code << 2));
    sum += <u32>load<u8>(min(from, end - 1));
  }
  store<u32>(page, sum, VALUE_PAGE_TOUCHED);
}

/**
 * Writes the `count` entries of the page, whose codes are of the column at `column` in the segment from `segment` to `end`, to [to, limit), a comma
 * before each, and notes the bytes. Returns how many were written: the next one does not fit, or is one for TypeScript, that is damaged or
 * has a byte to be escaped.
 */
export function writeValues(
  page: usize,
  count: u32,
  segment: usize,
  end: usize,
  column: usize,
  to: usize,
  limit: usize,
): u32 {
  const offsets = segment + <usize>load<u32>(column, COLUMN_DICT_OFFSETS);
  const dictionary = segment + <usize>load<u32>(column, COLUMN_DICT_BYTES);
  let p = to;
  let written: u32 = 0;
  store<u32>(page, 0, VALUE_PAGE_BYTES);
  if (dictionary >= end) return 0;
  touchValues(page, count, offsets, dictionary, end);
  const room = end - dictionary;
  for (; written < count; written++) {
    const entry = page + VALUE_PAGE_ENTRIES + <usize>written * VALUE_BYTES;
    const offset = offsets + (<usize>load<u32>(entry, VALUE_CODE) << 2);
    const from = <usize>load<u32>(offset);
    const length = <usize>load<u32>(offset, 4) - from;
    if (from > room || length > room - from || p + BESIDE_BYTES > limit || length > limit - BESIDE_BYTES - p) break;
    store<u16>(p, OPEN);
    if (!copyPlain(p + 2, dictionary + from, length)) break;
    store<u16>(p + 2 + length, COLON);
    p = writeInteger(p + 4 + length, load<u32>(entry, VALUE_COUNT));
  }
  store<u32>(page, <u32>(p - to), VALUE_PAGE_BYTES);
  return written;
}
