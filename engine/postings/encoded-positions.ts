/**
 * Postings of the position stream as they are encoded (layout/postings.ts): where one ends, and the signature that its positions have.
 */
import { SIGNATURE_BEYOND, SIGNATURE_BITS } from '../layout/postings.js';

/** Offset past the varint at `offset`. */
function skipVarint(bytes: Uint8Array, offset: number): number {
  let at = offset;
  while (bytes[at] > 127) at++;
  return at + 1;
}

/** Offset past the encoded posting at `offset`. */
export function skipPositions(bytes: Uint8Array, offset: number): number {
  if ((bytes[offset] & 1) === 1) return skipVarint(bytes, offset);
  let value = 0;
  let shift = 0;
  let at = offset;
  for (; bytes[at] > 127; shift += 7) value |= (bytes[at++] & 127) << shift;
  value |= bytes[at++] << shift;
  for (let count = value >>> 1; count > 0; count--) at = skipVarint(bytes, at);
  return at;
}

/** What a position adds to the signature of its posting. */
export function positionBit(position: number): number {
  return position < SIGNATURE_BITS ? 1 << position : (1 << (position % SIGNATURE_BITS)) | SIGNATURE_BEYOND;
}

/** The signature of the encoded posting bytes[from..to). */
export function signatureOf(bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 1) return positionBit(bytes[from] >> 1);
  let signature = 0;
  let position = 0;
  let isHead = true;
  for (let at = from; at < to; ) {
    let value = 0;
    let shift = 0;
    for (; bytes[at] > 127; shift += 7) value |= (bytes[at++] & 127) << shift;
    value |= bytes[at++] << shift;
    if (isHead) {
      isHead = false;
      if ((value & 1) === 1) return positionBit(value >>> 1);
      continue;
    }
    position += value;
    signature |= positionBit(position);
  }
  return signature;
}
