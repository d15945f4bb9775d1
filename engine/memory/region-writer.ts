/**
 * Appends sections to a region: the one way in which segment bytes are laid down.
 *
 * Used by every structure's writer. A region may have been used before, so what is reserved holds garbage until it is
 * written. Never grows: a writer that runs over gets RegionFullError, and its caller starts again in a larger region.
 */
import { assert } from '../core/assert.js';
import type { RegionViews } from './arena.js';

/** The region was too small for what was being written. The caller retries with more. */
export class RegionFullError extends Error {
  constructor(capacity: number, wanted: number) {
    super(`region of ${capacity} bytes is too small, at least ${wanted} are needed`);
    this.name = 'RegionFullError';
  }
}

export class RegionWriter {
  readonly views: RegionViews;
  #position = 0;

  constructor(views: RegionViews) {
    this.views = views;
  }

  /** Bytes written so far, which is also the offset of the next byte. */
  get position(): number {
    return this.#position;
  }

  /** Zero-fills up to the next multiple of `bytes`, a power of two, and returns the new position. */
  align(bytes: number): number {
    const start = this.#position;
    const end = (start + bytes - 1) & -bytes;
    this.#advance(end);
    this.views.u8.fill(0, start, end);
    return end;
  }

  /** Takes `bytes` bytes of undefined content at the current position and returns their offset. */
  reserve(bytes: number): number {
    assert(bytes >= 0, 'reserved size is not negative');
    const start = this.#position;
    this.#advance(start + bytes);
    return start;
  }

  /** Takes `bytes` zero bytes and returns their offset. */
  reserveZeroed(bytes: number): number {
    const start = this.reserve(bytes);
    this.views.u8.fill(0, start, start + bytes);
    return start;
  }

  /** Appends `bytes` and returns their offset. */
  append(bytes: Uint8Array): number {
    const start = this.reserve(bytes.length);
    this.views.u8.set(bytes, start);
    return start;
  }

  /** Gives back what was reserved past `position`. */
  truncate(position: number): void {
    assert(position <= this.#position, 'truncation does not advance');
    this.#position = position;
  }

  #advance(end: number): void {
    if (end > this.views.u8.length) throw new RegionFullError(this.views.u8.length, end);
    this.#position = end;
  }
}
