/**
 * Live docs: one bit a document, 1 while it is not deleted, in a region of its own beside the immutable segment.
 *
 * Copy-on-write: a commit that deletes writes a new bitmap and publishes it with the rest, so a running query sees all
 * of a commit or nothing of it. A segment without deletions has none.
 */
import { assert } from '../core/assert.js';
import { DROPPED_DOC } from '../core/merge-input.js';

/** Bytes of a bitmap: whole 64-bit words, so that kernels may read by words. */
export function liveDocsBytes(maxDoc: number): number {
  return Math.ceil(maxDoc / 64) * 8;
}

/** Sets the bits of all documents, from `previous` when there is one. Bits past maxDoc are 0. */
export function initLiveDocs(bitmap: Uint8Array, previous: Uint8Array | null, maxDoc: number): void {
  const bytes = liveDocsBytes(maxDoc);
  assert(bitmap.length >= bytes, 'bitmap is large enough');
  if (previous !== null) {
    bitmap.set(previous.subarray(0, bytes));
    return;
  }
  bitmap.fill(0xff, 0, maxDoc >> 3);
  bitmap.fill(0, maxDoc >> 3, bytes);
  if ((maxDoc & 7) !== 0) bitmap[maxDoc >> 3] = (1 << (maxDoc & 7)) - 1;
}

/** Whether `doc` is live; a null bitmap: every document is. */
export function isLive(bitmap: Uint8Array | null, doc: number): boolean {
  return bitmap === null || (bitmap[doc >> 3] & (1 << (doc & 7))) !== 0;
}

/** Clears the bit of `doc`; false when it was clear already. */
export function deleteDoc(bitmap: Uint8Array, doc: number): boolean {
  const bit = 1 << (doc & 7);
  if ((bitmap[doc >> 3] & bit) === 0) return false;
  bitmap[doc >> 3] &= ~bit;
  return true;
}

/** Number of each surviving document once the dropped ones are gone, counted from `base`; DROPPED_DOC for those. */
export function mapLiveDocs(bitmap: Uint8Array, maxDoc: number, base: number): Uint32Array {
  const map = new Uint32Array(maxDoc);
  let next = base;
  for (let doc = 0; doc < maxDoc; doc++) map[doc] = isLive(bitmap, doc) ? next++ : DROPPED_DOC;
  return map;
}
