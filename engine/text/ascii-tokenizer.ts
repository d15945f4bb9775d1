/**
 * Cuts ASCII values of a large body into tokens with a kernel, over a copy of a part of the body in a small memory of the
 * thread's own.
 *
 * Used by segment/segment-builder.ts. The tokens are those of text/analyzer.ts, which takes all other values.
 */
import { assert } from '../core/assert.js';
import {
  TOKENS_END,
  TOKENS_PAGES,
  TOKENS_RECORDS,
  TOKENS_TEXT,
  TOKENS_TEXT_BYTES,
  TOKENS_VALUE,
  TOKENS_VALUE_MAX,
} from '../layout/token-records.js';
import type { AsciiTokenKernels } from '../memory/kernel-exports.js';
import { instantiateKernels } from '../memory/kernel-instance.js';

const NO_BYTES = new Uint8Array(0);
/** Of a smaller body the copy costs more than the kernel saves. */
export const TOKENIZED_BYTES_MIN = 4096;

export class AsciiTokenizer {
  /** Records of the tokens of the value that was cut last, from word 0 on (layout/token-records.ts). */
  readonly records: Uint32Array;
  readonly #kernels: AsciiTokenKernels;
  readonly #u8: Uint8Array;
  #body: Uint8Array = NO_BYTES;
  /** body[from, to) is copied. */
  #from = 0;
  #to = 0;

  /** Errors: RangeError when there is no address space for the memory. */
  constructor() {
    const memory = new WebAssembly.Memory({ initial: TOKENS_PAGES, maximum: TOKENS_PAGES, shared: true });
    assert(TOKENS_END <= memory.buffer.byteLength, 'records fit in the memory');
    this.#kernels = instantiateKernels(memory);
    this.#u8 = new Uint8Array(memory.buffer);
    this.records = new Uint32Array(memory.buffer, TOKENS_RECORDS, (TOKENS_END - TOKENS_RECORDS) >> 2);
  }

  /**
   * Cuts body[start, end) and returns the number of its tokens, whose `records` are valid until the next call. -1: it is not
   * ASCII, or too long. `body` must stay as it is until release(); most of what is asked for in turn should ascend.
   */
  tokenize(body: Uint8Array, start: number, end: number): number {
    if (end - start > TOKENS_VALUE_MAX) return -1;
    if (body !== this.#body || start < this.#from || end > this.#to) this.#copy(body, start);
    return this.#kernels.tokenizeAscii(start + (TOKENS_TEXT - this.#from), end - start);
  }

  /** Cuts bytes[start, end), which may change after that; returns and leaves what tokenize() does. */
  tokenizeCopy(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > TOKENS_VALUE_MAX) return -1;
    const u8 = this.#u8;
    for (let from = start, to = TOKENS_VALUE; from < end; from++, to++) u8[to] = bytes[from];
    return this.#kernels.tokenizeAscii(TOKENS_VALUE, end - start);
  }

  /** Lets go of the body. */
  release(): void {
    this.#body = NO_BYTES;
    this.#from = 0;
    this.#to = 0;
  }

  #copy(body: Uint8Array, from: number): void {
    this.#body = body;
    this.#from = from;
    this.#to = Math.min(from + TOKENS_TEXT_BYTES, body.length);
    this.#u8.set(body.subarray(from, this.#to), TOKENS_TEXT);
  }
}

/** Undefined until it is needed; null: there was no address space for its memory. */
let tokenizerOfThread: AsciiTokenizer | null | undefined;

/** The tokenizer of the thread, null when there is none. */
export function asciiTokenizer(): AsciiTokenizer | null {
  if (tokenizerOfThread !== undefined) return tokenizerOfThread;
  try {
    tokenizerOfThread = new AsciiTokenizer();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    tokenizerOfThread = null;
  }
  return tokenizerOfThread;
}
