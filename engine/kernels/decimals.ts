/**
 * Numbers as JSON, as documents/json-writer.ts prints them. For kernels/hit-page.ts and kernels/value-page.ts alone; exports nothing to JavaScript.
 */

/** Bytes that a number takes at most. */
export const DECIMALS_BYTES_MAX: usize = 32;
/** A number from here on, or with a fraction below, may need an exponent. */
const PLAIN_MAX: f64 = 1e15;
const PLAIN_MIN: f64 = 1e-7;
/** A 32-bit float is not nearer to another number than by this share of it, and does not print as that. */
const HALF_STEP: f64 = 5.9605e-8;

/** Writes `value` in decimal, with leading zeros up to `width` digits; returns where it ends. */
function writeDigits(to: usize, value: u64, width: u32): usize {
  let count: u32 = 1;
  for (let left = value; left >= 10; left /= 10) count++;
  const end = to + max(count, width);
  let rest = value;
  for (let at = end - 1; at >= to; at--) {
    const tenth = rest / 10;
    store<u8>(at, <u8>(0x30 + (rest - 10 * tenth)));
    rest = tenth;
  }
  return end;
}

/** Writes `value` in decimal; returns where it ends. */
export function writeInteger(to: usize, value: u32): usize {
  let count: u32 = 1;
  for (let left = value; left >= 10; left /= 10) count++;
  let rest = value;
  for (let at = to + count - 1; at >= to; at--) {
    const tenth = rest / 10;
    store<u8>(at, <u8>(0x30 + (rest - 10 * tenth)));
    rest = tenth;
  }
  return to + count;
}

/** The integer nearest to `value`, which is not negative; of two the larger. */
@inline
function round(value: f64): f64 {
  const above = Math.ceil(value);
  return above - 0.5 > value ? above - 1 : above;
}

/**
 * Writes a 32-bit float in the fewest decimals that read back as the same; returns where it ends, 0 for a number that is negative or needs
 * an exponent.
 */
export function writeFloat(to: usize, value: f32): usize {
  const magnitude = <f64>value;
  if (!(magnitude >= 0 && magnitude <= PLAIN_MAX)) return 0;
  if (Math.floor(magnitude) == magnitude) return writeDigits(to, <u64>magnitude, 1);
  if (magnitude < PLAIN_MIN) return 0;
  let power: f64 = 1;
  // Powers of ten up to this one are exact.
  for (let decimals: u32 = 1; decimals <= 22; decimals++) {
    power *= 10;
    const exact = magnitude * power;
    const scaled = round(exact);
    if (Math.abs(scaled - exact) > exact * HALF_STEP || <f32>(scaled / power) != value) continue;
    const whole = Math.floor(scaled / power);
    const point = writeDigits(to, <u64>whole, 1);
    store<u8>(point, 0x2e);
    return writeDigits(point + 1, <u64>(scaled - whole * power), decimals);
  }
  return 0;
}
