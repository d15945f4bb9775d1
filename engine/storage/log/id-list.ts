/**
 * The ids of documents in one record of the log: each after its length in two bytes, low one first. Types and order are part of the
 * log's format.
 */
import { EngineError } from '../../core/errors.js';
import type { GrowthRoom } from '../../core/growth-room.js';

const BYTES_MIN = 256;
const LENGTH_BYTES = 2;

export class IdList {
  readonly #bytesMax: number;
  readonly #room: GrowthRoom;
  #bytes = new Uint8Array(BYTES_MIN);
  #length = 0;
  #count = 0;

  /** Of at most `bytesMax` bytes, for which it asks `room` as it grows. */
  constructor(bytesMax: number, room: GrowthRoom) {
    this.#bytesMax = bytesMax;
    this.#room = room;
  }

  get count(): number {
    return this.#count;
  }

  /** The list so far, until the next push(). */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Appends the id bytes[start..end), of at most DOCUMENT_ID_BYTES_MAX bytes. Errors: payload_too_large, those of its room. */
  push(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    const next = this.#length + LENGTH_BYTES + length;
    if (next > this.#bytes.length) this.#grow(next);
    this.#bytes[this.#length] = length & 0xff;
    this.#bytes[this.#length + 1] = length >>> 8;
    const at = this.#length + LENGTH_BYTES;
    for (let i = 0; i < length; i++) this.#bytes[at + i] = bytes[start + i];
    this.#length = next;
    this.#count++;
  }

  #grow(bytes: number): void {
    if (bytes > this.#bytesMax) {
      const message = `filter: expected documents with at most ${this.#bytesMax} bytes of ids, got more: delete them in parts`;
      throw new EngineError('payload_too_large', message);
    }
    const larger = Math.min(Math.max(bytes, 2 * this.#bytes.length), this.#bytesMax);
    this.#room.add(larger);
    const grown = new Uint8Array(larger);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Throws an Error unless `list` is one. */
export function checkIds(list: Uint8Array): void {
  let at = 0;
  while (at < list.length) at += LENGTH_BYTES + (at + 1 < list.length ? list[at] + (list[at + 1] << 8) : 0);
  if (at > list.length) throw new Error(`payload[1]: expected ids of ${at} bytes, got ${list.length}`);
}

/** The ids of a list that checkIds() takes, in order. */
export function* idsOf(list: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < list.length; ) {
    const start = at + LENGTH_BYTES;
    const end = start + list[at] + (list[at + 1] << 8);
    yield list.subarray(start, end);
    at = end;
  }
}
