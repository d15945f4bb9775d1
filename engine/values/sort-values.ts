/**
 * Sorts the values of a dictionary into byte order: a radix sort by windows of a few bytes, each sorted natively.
 *
 * A window's bytes and the value's position in its group fit one double, so that the engine's own sort of a
 * Float64Array, which calls nothing back, does the work; values equal in a window are sorted on by the next one. (In the
 * manner of the multikey sorts of Bentley & Sedgewick, "Fast algorithms for sorting and searching strings", SODA 1997.)
 */
import { compareValues } from './value-bytes.js';

/** Groups up to this size are sorted by insertion. */
const SMALL_GROUP = 12;
/** A double holds 53 bits: a window of 4 bytes leaves 21 for the position, one of 3 bytes 29. */
const WIDE_WINDOW_VALUES_MAX = 1 << 21;

interface Values {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/**
 * Numbers 0..count-1 of the distinct values [offsets[i], offsets[i + 1]) of `bytes`, in byte order of the values.
 * Takes time linear in the bytes that tell the values apart, times the logarithm of a group's size.
 */
export function sortValues(bytes: Uint8Array, offsets: Uint32Array, count: number): Uint32Array {
  const values: Values = { bytes, offsets };
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  const keys = new Float64Array(count);
  const moved = new Uint32Array(count);
  // An explicit stack of (from, to, depth): long common prefixes would overflow the call stack.
  const stack = [0, count, 0];
  while (stack.length > 0) {
    const depth = stack.pop() as number;
    const to = stack.pop() as number;
    const from = stack.pop() as number;
    if (to - from <= SMALL_GROUP) insertionSort(values, order, from, to, depth);
    else sortWindow(values, order, keys, moved, from, to, depth + commonBytes(values, order, from, to, depth), stack);
  }
  return order;
}

/** Sorts order[from, to), equal up to `depth`, by the window there, and stacks the groups that stay equal. */
function sortWindow(
  values: Values,
  order: Uint32Array,
  keys: Float64Array,
  moved: Uint32Array,
  from: number,
  to: number,
  depth: number,
  stack: number[],
): void {
  const count = to - from;
  const windowBytes = count <= WIDE_WINDOW_VALUES_MAX ? 4 : 3;
  const scale = windowBytes === 4 ? 0x200000 : 0x20000000;
  for (let i = 0; i < count; i++) keys[i] = windowAt(values, order[from + i], depth, windowBytes) * scale + i;
  keys.subarray(0, count).sort();
  for (let i = 0; i < count; i++) {
    const window = Math.floor(keys[i] / scale);
    moved[i] = order[from + keys[i] - window * scale];
    keys[i] = window;
  }
  for (let i = 0; i < count; i++) order[from + i] = moved[i];
  for (let first = 0; first < count; ) {
    let past = first + 1;
    while (past < count && keys[past] === keys[first]) past++;
    if (past - first > 1) {
      const open = putEndedFirst(values, order, from + first, from + past, depth + windowBytes);
      if (from + past - open > 1) stack.push(open, from + past, depth + windowBytes);
    }
    first = past;
  }
}

/** The `windowBytes` bytes of a value from `depth` on as a big-endian number, 0 past its end. */
function windowAt(values: Values, value: number, depth: number, windowBytes: number): number {
  const { bytes, offsets } = values;
  const at = offsets[value] + depth;
  const end = offsets[value + 1];
  let window = 0;
  for (let i = at; i < at + windowBytes; i++) window = window * 256 + (i < end ? bytes[i] : 0);
  return window;
}

/**
 * Moves the values of a group that end before `depth` to its front, shortest first, and returns the index of the
 * others. Equal when padded with zeros, an ended value is a prefix of each longer one, so that is byte order.
 */
function putEndedFirst(values: Values, order: Uint32Array, from: number, to: number, depth: number): number {
  const { offsets } = values;
  let open = from;
  for (let i = from; i < to; i++) {
    const value = order[i];
    const length = offsets[value + 1] - offsets[value];
    if (length > depth) continue;
    order[i] = order[open];
    let hole = open;
    // At most one value of each length in the window: a handful.
    for (; hole > from; hole--) {
      const before = order[hole - 1];
      if (offsets[before + 1] - offsets[before] <= length) break;
      order[hole] = before;
    }
    order[hole] = value;
    open++;
  }
  return open;
}

/** Bytes from `depth` on that all values of the group share. */
function commonBytes(values: Values, order: Uint32Array, from: number, to: number, depth: number): number {
  const { bytes, offsets } = values;
  const first = offsets[order[from]] + depth;
  let common = offsets[order[from] + 1] - first;
  for (let i = from + 1; i < to && common > 0; i++) {
    const at = offsets[order[i]] + depth;
    const length = Math.min(common, offsets[order[i] + 1] - at);
    common = 0;
    while (common < length && bytes[first + common] === bytes[at + common]) common++;
  }
  return common;
}

function insertionSort(values: Values, order: Uint32Array, from: number, to: number, depth: number): void {
  const { bytes, offsets } = values;
  for (let i = from + 1; i < to; i++) {
    const value = order[i];
    const start = offsets[value] + depth;
    const end = offsets[value + 1];
    let hole = i;
    for (; hole > from; hole--) {
      const before = order[hole - 1];
      if (compareValues(bytes, offsets[before] + depth, offsets[before + 1], bytes, start, end) <= 0) break;
      order[hole] = before;
    }
    order[hole] = value;
  }
}
