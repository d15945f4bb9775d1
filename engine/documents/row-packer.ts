/**
 * Packs documents with a dictionary that is made of some of them, in a small memory of the thread's own.
 *
 * Used by documents/merge-documents.ts. Layouts: layout/row-packing.ts, layout/documents.ts.
 */
import { assert } from '../core/assert.js';
import {
  PACKED_ROWS_MAX,
  PACKING_DICTIONARY,
  PACKING_ENDS,
  PACKING_PACKED,
  PACKING_PAGES,
  PACKING_RAW,
  RAW_BYTES_MAX,
  ROW_HEAD_MAX,
} from '../layout/row-packing.js';
import type { RowKernels } from '../memory/kernel-exports.js';
import { instantiateKernels } from '../memory/kernel-instance.js';

/** Of a document that the dictionary is made of, no more than this: what documents have in common stands in front. */
const SAMPLE_BYTES = 256;

const NO_BYTES = new Uint8Array(0);

/** Takes rows in order: `ends` says where each of `count` ends in `bytes`, which are not kept. */
export type TakeRows = (bytes: Uint8Array, ends: Uint32Array, count: number) => void;

export class RowPacker {
  readonly #kernels: RowKernels;
  readonly #u8: Uint8Array;
  readonly #ends: Uint32Array;
  #dictionaryBytes = 0;
  #count = 0;
  /** Bytes of the documents that were added. */
  #rawBytes = 0;
  /** The last of them are #source[#from, #to), which is not copied yet. */
  #source: Uint8Array = NO_BYTES;
  #from = 0;
  #to = 0;
  #take: TakeRows = () => {};

  constructor() {
    const memory = new WebAssembly.Memory({ initial: PACKING_PAGES, maximum: PACKING_PAGES, shared: true });
    this.#kernels = instantiateKernels(memory);
    this.#u8 = new Uint8Array(memory.buffer);
    this.#ends = new Uint32Array(memory.buffer, PACKING_ENDS, PACKED_ROWS_MAX);
  }

  /** How many samples a dictionary of `bytes` bytes is made of. */
  static samples(bytes: number): number {
    return Math.ceil(bytes / SAMPLE_BYTES);
  }

  /** What a dictionary takes of the document bytes[start, end). */
  static sample(bytes: Uint8Array, start: number, end: number): Uint8Array {
    return bytes.slice(start, Math.min(end, start + SAMPLE_BYTES));
  }

  /** Makes a dictionary of at most `bytes` bytes from `samples` and returns it. Rows of what is added go to `take`. */
  begin(bytes: number, samples: readonly Uint8Array[], take: TakeRows): Uint8Array {
    let end = 0;
    for (const sample of samples) {
      const part = sample.subarray(0, Math.min(sample.length, bytes - end));
      this.#u8.set(part, PACKING_DICTIONARY + end);
      end += part.length;
    }
    this.#dictionaryBytes = end;
    this.#kernels.indexDictionary(end);
    this.#take = take;
    return this.#u8.slice(PACKING_DICTIONARY, PACKING_DICTIONARY + end);
  }

  /** Packs the document bytes[from, to), which stays as it is until flush(). Neighbours are copied together. */
  add(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.#count === PACKED_ROWS_MAX || this.#rawBytes + length > RAW_BYTES_MAX) this.flush();
    if (length > RAW_BYTES_MAX) {
      this.#takeWhole(bytes.subarray(from, to));
      return;
    }
    if (bytes !== this.#source || from !== this.#to) {
      this.#copy();
      this.#source = bytes;
      this.#from = from;
    }
    this.#to = to;
    this.#rawBytes += length;
    this.#ends[this.#count++] = this.#rawBytes;
  }

  /** Hands on what was added. */
  flush(): void {
    if (this.#count === 0) return;
    this.#copy();
    const bytes = this.#kernels.packRows(this.#count, this.#dictionaryBytes);
    this.#take(this.#u8.subarray(PACKING_PACKED, PACKING_PACKED + bytes), this.#ends, this.#count);
    this.abandon();
  }

  /** Forgets what was added and not handed on. */
  abandon(): void {
    this.#count = 0;
    this.#rawBytes = 0;
    this.#source = NO_BYTES;
    this.#from = 0;
    this.#to = 0;
  }

  /** Copies what was added and is not copied yet. */
  #copy(): void {
    const bytes = this.#to - this.#from;
    if (bytes > 0) this.#u8.set(this.#source.subarray(this.#from, this.#to), PACKING_RAW + this.#rawBytes - bytes);
  }

  /** Hands on a document that is too long to be packed. */
  #takeWhole(document: Uint8Array): void {
    assert(this.#count === 0, 'those before were handed on');
    const row = new Uint8Array(ROW_HEAD_MAX + document.length);
    let head = 0;
    for (let left = document.length; ; left = Math.floor(left / 128)) {
      row[head++] = left > 127 ? (left % 128) | 128 : left;
      if (left <= 127) break;
    }
    row.set(document, head);
    this.#ends[0] = head + document.length;
    this.#take(row.subarray(0, this.#ends[0]), this.#ends, 1);
  }
}
