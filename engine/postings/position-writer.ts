/**
 * Writes position streams: where in a field each posting's term occurs (layout/postings.ts). Called by the postings
 * builder and merger, one list after another, postings in order of document.
 */
import { assert } from '../core/assert.js';
import { POSITION_BLOCK, TINY_DOCS_MAX } from '../layout/postings.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { positionBit, signatureOf, skipPositions } from './encoded-positions.js';
import { signatureBytes } from './entry-words.js';

const VARINT_BYTES_MAX = 5;
/** Fewer bytes are copied one by one, without a view of them. */
const LOOP_BYTES_MAX = 48;
/** A posting of one position takes one byte up to here. */
const SHORT_POSITION_MAX = 63;
/** The stream is written into room reserved this many bytes at a time. */
const ROOM_BYTES = 1 << 16;

export class PositionWriter {
  readonly #out: RegionWriter;
  /** u32 index of the offset table of the current list, -1 when it has none. */
  #table = -1;
  /** u16 index of the next posting's signature, -1 when the list has none. */
  #signature = -1;
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

  /** Whether the list begun last has signatures: those of chunks do. */
  get isSigned(): boolean {
    return this.#df > TINY_DOCS_MAX;
  }

  /** Starts the positions of a list with `df` postings and returns their offset. */
  begin(df: number): number {
    this.#df = df;
    this.#written = 0;
    this.#table = -1;
    this.#signature = -1;
    if (this.isSigned) this.#align();
    const start = this.#at;
    if (this.isSigned) {
      const bytes = signatureBytes(df);
      this.#room(bytes);
      this.#signature = start >> 1;
      this.#at += bytes;
      if (df & 1) this.#out.views.u16[(start >> 1) + df] = 0;
    }
    if (df > POSITION_BLOCK) {
      const bytes = (Math.ceil(df / POSITION_BLOCK) + 1) * 4;
      this.#room(bytes);
      this.#table = this.#at >> 2;
      this.#at += bytes;
    }
    this.#streamStart = this.#at;
    return start;
  }

  /** Appends the postings of which docs[from..to) are the documents, ascending, one entry a position, and values[from..to) the positions. */
  postings(docs: Uint32Array, values: Uint32Array, from: number, to: number): void {
    const { u8, u16 } = this.#out.views;
    for (let at = from; at < to; ) {
      let end = at + 1;
      while (end < to && docs[end] === docs[at]) end++;
      const value = values[at];
      if (end - at > 1 || value > SHORT_POSITION_MAX) this.#posting(values, at, end);
      else {
        this.#mark();
        this.#room(1);
        if (this.#signature >= 0) u16[this.#signature++] = positionBit(value);
        u8[this.#at++] = value * 2 + 1;
      }
      at = end;
    }
  }

  /** Appends a posting already encoded, bytes[from..to). */
  encodedPosting(bytes: Uint8Array, from: number, to: number): void {
    this.#mark();
    this.#room(to - from);
    const { u8, u16 } = this.#out.views;
    let at = this.#at;
    for (let i = from; i < to; i++) u8[at++] = bytes[i];
    this.#at = at;
    if (this.#signature >= 0) u16[this.#signature++] = signatureOf(bytes, from, to);
  }

  /**
   * Appends `count` postings already encoded, which begin at bytes[from]. `signatures`: theirs, from index `first` on, null when
   * they have none.
   */
  encodedPostings(bytes: Uint8Array, from: number, count: number, signatures: Uint16Array | null, first: number): void {
    assert(this.#written + count <= this.#df, 'a list has the postings that were announced');
    const { u8, u16, u32 } = this.#out.views;
    const moved = this.#at - from - this.#streamStart;
    const written = this.#written;
    let own = signatures === null ? this.#signature : -1;
    let at = from;
    for (let i = 0; i < count; i++) {
      if (this.#table >= 0 && (written + i) % POSITION_BLOCK === 0)
        u32[this.#table + (written + i) / POSITION_BLOCK] = at + moved;
      const next = skipPositions(bytes, at);
      if (own >= 0) u16[own++] = signatureOf(bytes, at, next);
      at = next;
    }
    this.#room(at - from);
    if (at - from > LOOP_BYTES_MAX) u8.set(bytes.subarray(from, at), this.#at);
    else for (let i = from, to = this.#at; i < at; ) u8[to++] = bytes[i++];
    this.#at += at - from;
    this.#written += count;
    if (this.#signature < 0) return;
    if (signatures !== null) u16.set(signatures.subarray(first, first + count), this.#signature);
    this.#signature += count;
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

  /** Appends the posting whose positions are values[from..to), ascending. */
  #posting(values: Uint32Array, from: number, to: number): void {
    this.#mark();
    const count = to - from;
    assert(count >= 1, 'a posting has a position');
    this.#room((count + 1) * VARINT_BYTES_MAX);
    if (this.#signature >= 0) {
      let signature = 0;
      for (let i = from; i < to; i++) signature |= positionBit(values[i]);
      this.#out.views.u16[this.#signature++] = signature;
    }
    if (count === 1) {
      this.#varint(values[from] * 2 + 1);
      return;
    }
    this.#varint(count * 2);
    this.#varint(values[from]);
    for (let i = from + 1; i < to; i++) this.#varint(values[i] - values[i - 1]);
  }

  #align(): void {
    this.#room(3);
    const { u8 } = this.#out.views;
    while (this.#at & 3) u8[this.#at++] = 0;
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
