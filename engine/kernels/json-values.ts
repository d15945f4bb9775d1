/**
 * Where a JSON value ends, 16 bytes of a string at a time: called by documents/value-scanner.ts over a copy of a body, and by
 * json-members.ts. RFC 8259, as documents/json-syntax.ts, which says what is wrong with a value; here 0 is the whole answer. UTF-8 is not checked.
 *
 * Loads up to 16 bytes behind `end`.
 */

/** First byte from `p` on that is no white space, at most `end`. */
export function spaceEnd(p: usize, end: usize): usize {
  while (p < end) {
    const byte = <u32>load<u8>(p);
    if (byte > 0x20 || (byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09)) break;
    p++;
  }
  return p;
}

@inline
function isHexDigit(byte: u32): bool {
  return byte - 0x30 < 10 || (byte | 0x20) - 0x61 < 6;
}

/** End of the escape whose first byte behind the backslash is at `p`, or 0. */
function escapeEnd(p: usize, end: usize): usize {
  if (p >= end) return 0;
  const byte = <u32>load<u8>(p);
  // " \ / b f n r t
  if (byte == 0x22 || byte == 0x5c || byte == 0x2f || byte == 0x62) return p + 1;
  if (byte == 0x66 || byte == 0x6e || byte == 0x72 || byte == 0x74) return p + 1;
  if (byte != 0x75 || p + 5 > end) return 0;
  for (let i = p + 1; i < p + 5; i++) if (!isHexDigit(load<u8>(i))) return 0;
  return p + 5;
}

/** End of the string whose first byte behind the opening quote, or some later one, is at `p`, its quote included; or 0. */
export function stringEnd(p: usize, end: usize): usize {
  while (p < end) {
    const bytes = v128.load(p);
    const marks = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
    const stops = i8x16.bitmask(v128.or(marks, i8x16.lt_u(bytes, i8x16.splat(0x20))));
    if (stops == 0) {
      p += 16;
      continue;
    }
    p += ctz(stops);
    if (p >= end) return 0;
    const byte = <u32>load<u8>(p);
    if (byte == 0x22) return p + 1;
    if (byte != 0x5c) return 0;
    p = escapeEnd(p + 1, end);
    if (p == 0) return 0;
  }
  return 0;
}

/** End of the digits from `p` on, at least one, or 0. */
function digitsEnd(p: usize, end: usize): usize {
  const first = p;
  while (p < end && <u32>load<u8>(p) - 0x30 < 10) p++;
  return p == first ? 0 : p;
}

/** End of the number at `p`, or 0. */
function numberEnd(p: usize, end: usize): usize {
  if (load<u8>(p) == 0x2d) p++;
  p = p < end && load<u8>(p) == 0x30 ? p + 1 : digitsEnd(p, end);
  if (p != 0 && p < end && load<u8>(p) == 0x2e) p = digitsEnd(p + 1, end);
  if (p != 0 && p < end && (load<u8>(p) | 0x20) == 0x65) {
    p++;
    if (p < end && (load<u8>(p) == 0x2b || load<u8>(p) == 0x2d)) p++;
    p = digitsEnd(p, end);
  }
  return p;
}

/** End of the members from `p` on, the brace included, or 0. `depths`: how many levels their values may have. */
function membersEnd(p: usize, end: usize, depths: u32): usize {
  p = spaceEnd(p, end);
  if (p < end && load<u8>(p) == 0x7d) return p + 1;
  while (p < end && load<u8>(p) == 0x22) {
    p = stringEnd(p + 1, end);
    if (p == 0) return 0;
    p = spaceEnd(p, end);
    if (p >= end || load<u8>(p) != 0x3a) return 0;
    p = jsonValueEnd(spaceEnd(p + 1, end), end, depths);
    if (p == 0) return 0;
    p = spaceEnd(p, end);
    const byte = p < end ? <u32>load<u8>(p) : 0;
    if (byte == 0x7d) return p + 1;
    if (byte != 0x2c) return 0;
    p = spaceEnd(p + 1, end);
  }
  return 0;
}

/** End of the elements from `p` on, the bracket included, or 0. */
function elementsEnd(p: usize, end: usize, depths: u32): usize {
  p = spaceEnd(p, end);
  if (p < end && load<u8>(p) == 0x5d) return p + 1;
  while (p < end) {
    p = jsonValueEnd(p, end, depths);
    if (p == 0) return 0;
    p = spaceEnd(p, end);
    const byte = p < end ? <u32>load<u8>(p) : 0;
    if (byte == 0x5d) return p + 1;
    if (byte != 0x2c) return 0;
    p = spaceEnd(p + 1, end);
  }
  return 0;
}

/** End of the value that begins at `p`, or 0 when there is none before `end`, or none of at most `depths` levels. */
export function jsonValueEnd(p: usize, end: usize, depths: u32): usize {
  if (p >= end) return 0;
  const byte = <u32>load<u8>(p);
  if (byte == 0x22) return stringEnd(p + 1, end);
  if (byte == 0x2d || byte - 0x30 < 10) return numberEnd(p, end);
  if (byte == 0x7b) return depths == 0 ? 0 : membersEnd(p + 1, end, depths - 1);
  if (byte == 0x5b) return depths == 0 ? 0 : elementsEnd(p + 1, end, depths - 1);
  // true, false, null
  if (byte == 0x74) return p + 4 <= end && load<u32>(p) == 0x65757274 ? p + 4 : 0;
  if (byte == 0x66) return p + 5 <= end && load<u32>(p, 1) == 0x65736c61 ? p + 5 : 0;
  return byte == 0x6e && p + 4 <= end && load<u32>(p) == 0x6c6c756e ? p + 4 : 0;
}
