/**
 * Cuts ASCII values of a large body into tokens with a kernel (kernels/ascii-tokens.ts), over a copy of it (memory/body-copy.ts).
 *
 * Used by segment/segment-builder.ts. The tokens are those of text/analyzer.ts, which takes all other values.
 */
import { assert } from '../core/assert.js';
import { HASH_SEED } from '../core/hash-seed.js';
import { COPY_MEMBERS, COPY_RECORDS, COPY_VALUE, TOKENS_VALUE_MAX } from '../layout/body-copy.js';
import { type BodyCopy, bodyCopy } from '../memory/body-copy.js';

export class AsciiTokenizer {
  /** Records of the tokens of the value that was cut last, from word 0 on (layout/token-records.ts). */
  readonly records: Uint32Array;
  readonly #copy: BodyCopy;

  constructor(copy: BodyCopy) {
    this.#copy = copy;
    this.records = new Uint32Array(copy.u8.buffer, COPY_RECORDS, (COPY_MEMBERS - COPY_RECORDS) >> 2);
  }

  /**
   * Cuts body[start, end) and returns the number of its tokens, whose `records` are valid until the next call; -1: it is not ASCII, or
   * too long. `body` must stay as it is until release().
   */
  tokenize(body: Uint8Array, start: number, end: number): number {
    const copy = this.#copy;
    if (end - start > TOKENS_VALUE_MAX) return -1;
    assert(copy.hold(body, start, end), 'a value is shorter than a copy');
    return copy.kernels.tokenizeAscii(start + copy.shift, end - start, HASH_SEED);
  }

  /** Cuts bytes[start, end), which may change after that; returns and leaves what tokenize() does. */
  tokenizeCopy(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > TOKENS_VALUE_MAX) return -1;
    const { u8, kernels } = this.#copy;
    for (let from = start, to = COPY_VALUE; from < end; from++, to++) u8[to] = bytes[from];
    return kernels.tokenizeAscii(COPY_VALUE, end - start, HASH_SEED);
  }

  /** Lets go of the body. */
  release(): void {
    this.#copy.release();
  }
}

let tokenizerOfThread: AsciiTokenizer | undefined;

/** The tokenizer of the thread, null when there is no address space for its memory. */
export function asciiTokenizer(): AsciiTokenizer | null {
  const copy = bodyCopy();
  if (copy === null) return null;
  tokenizerOfThread ??= new AsciiTokenizer(copy);
  return tokenizerOfThread;
}
