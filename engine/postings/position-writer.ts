/**
 * Writes position streams: where in a field each posting's term occurs (layout/postings.ts). Called by the postings
 * builder and merger, one list after another, postings in order of document.
 */
import { assert } from '../core/assert.js';
import { POSITION_BLOCK } from '../layout/postings.js';
import type { RegionWriter } from '../memory/region-writer.js';

const VARINT_BYTES_MAX = 5;
/** The stream is written into room reserved this many bytes at a time. */
const ROOM_BYTES = 1 << 16;

export class PositionWriter {
  readonly #out: RegionWriter;
  /** u32 index of the offset table of the current list, -1 when it has none. */
  #table = -1;
  #streamStart = 0;
  #written = 0;
  #df = 0;
  #at = 0;
  #end: number;

  constructor(out: RegionWriter) {
    this.#out = out;
    this.#at = out.position;
    this.#end = out.position;
  }

  /** Starts the stream of a list with `df` postings and returns its offset. */
  begin(df: number): number {
    this.#df = df;
    this.#written = 0;
    if (df <= POSITION_BLOCK) {
      this.#table = -1;
      this.#streamStart = this.#at;
      return this.#at;
    }
    const blocks = Math.ceil(df / POSITION_BLOCK);
    const { u8 } = this.#out.views;
    this.#room(4 + (blocks + 1) * 4);
    while (this.#at & 3) u8[this.#at++] = 0;
    const start = this.#at;
    this.#table = start >> 2;
    this.#at += (blocks + 1) * 4;
    this.#streamStart = this.#at;
    return start;
  }

  /** Appends the posting whose positions are values[from..to), ascending. */
  posting(values: Uint32Array, from: number, to: number): void {
    this.#mark();
    const count = to - from;
    assert(count >= 1, 'a posting has a position');
    this.#room((count + 1) * VARINT_BYTES_MAX);
    if (count === 1) {
      this.#varint(values[from] * 2 + 1);
      return;
    }
    this.#varint(count * 2);
    this.#varint(values[from]);
    for (let i = from + 1; i < to; i++) this.#varint(values[i] - values[i - 1]);
  }

  /** Appends a posting already encoded, bytes[from..to). */
  encodedPosting(bytes: Uint8Array, from: number, to: number): void {
    this.#mark();
    this.#room(to - from);
    const { u8 } = this.#out.views;
    let at = this.#at;
    for (let i = from; i < to; i++) u8[at++] = bytes[i];
    this.#at = at;
  }

  /** Ends the list: every posting of begin(df) was appended. */
  end(): void {
    assert(this.#written === this.#df, 'every posting has its positions');
    if (this.#table >= 0)
      this.#out.views.u32[this.#table + Math.ceil(this.#df / POSITION_BLOCK)] = this.#at - this.#streamStart;
  }

  /** Ends the section: gives unused room back. */
  finish(): void {
    this.#out.truncate(this.#at);
  }

  #mark(): void {
    if (this.#table >= 0 && this.#written % POSITION_BLOCK === 0)
      this.#out.views.u32[this.#table + this.#written / POSITION_BLOCK] = this.#at - this.#streamStart;
    this.#written++;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#end) return;
    const capacity = this.#out.views.u8.length;
    const wanted = this.#at + bytes - this.#end;
    this.#out.reserve(Math.max(wanted, Math.min(ROOM_BYTES, capacity - this.#end)));
    this.#end = this.#out.position;
  }

  #varint(value: number): void {
    const { u8 } = this.#out.views;
    let at = this.#at;
    while (value > 127) {
      u8[at++] = (value & 127) | 128;
      value >>>= 7;
    }
    u8[at++] = value;
    this.#at = at;
  }
}
