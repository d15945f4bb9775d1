/**
 * Unpacks documents where no reader's scratch memory is at hand: on the threads that merge and rebuild segments, in a small memory of
 * its own.
 *
 * Used by documents/merge-documents.ts and documents/stored-documents.ts. Layouts: layout/row-packing.ts, layout/documents.ts.
 */
import { EngineError } from '../core/errors.js';
import { PACKED_BYTES_MAX } from '../layout/documents.js';
import { PACKING_DICTIONARY, PACKING_PACKED, PACKING_PAGES, PACKING_RAW } from '../layout/row-packing.js';
import type { RowKernels } from '../memory/kernel-exports.js';
import { instantiateKernels } from '../memory/kernel-instance.js';
import { type DocumentBytes, lengthBytes, readLength } from './document-store.js';

export class RowUnpacker {
  readonly #kernels: RowKernels;
  readonly #u8: Uint8Array;
  /** What lies in the memory. */
  #dictionary: Uint8Array | null = null;
  readonly #given: { bytes: Uint8Array; start: number; end: number };

  constructor() {
    const memory = new WebAssembly.Memory({ initial: PACKING_PAGES, maximum: PACKING_PAGES, shared: true });
    this.#kernels = instantiateKernels(memory);
    this.#u8 = new Uint8Array(memory.buffer);
    this.#given = { bytes: this.#u8, start: 0, end: 0 };
  }

  /**
   * The document of the packed row bytes[start, end): in the row itself, or in memory of the unpacker, until the next call. The result
   * is the same object for every call. The same object for `dictionary` saves copying it. Errors: corrupt_data.
   */
  unpack(bytes: Uint8Array, start: number, end: number, dictionary: Uint8Array): DocumentBytes {
    const length = readLength(bytes, start);
    const from = start + lengthBytes(length);
    if (end - from === length) return this.#give(bytes, from, end);
    if (length > PACKED_BYTES_MAX || end - from >= length) throw damagedRow(length);
    const u8 = this.#u8;
    if (dictionary !== this.#dictionary) {
      u8.set(dictionary, PACKING_DICTIONARY);
      this.#dictionary = dictionary;
    }
    u8.set(bytes.subarray(from, end), PACKING_RAW);
    const rowEnd = PACKING_RAW + end - from;
    const to = PACKING_PACKED;
    const unpacked = this.#kernels.unpackRow(
      PACKING_RAW,
      rowEnd,
      PACKING_DICTIONARY,
      dictionary.length,
      to,
      to + length,
    );
    if (unpacked !== length) throw damagedRow(length);
    return this.#give(u8, to, to + length);
  }

  #give(bytes: Uint8Array, start: number, end: number): DocumentBytes {
    const given = this.#given;
    given.bytes = bytes;
    given.start = start;
    given.end = end;
    return given;
  }
}

const damagedRow = (length: number): EngineError =>
  new EngineError('corrupt_data', `a stored document: expected ${length} bytes, got a damaged row`);
