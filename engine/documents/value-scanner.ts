/**
 * Tells JSON values from other text with a kernel, over a copy of a part of the body in a small memory of the thread's own.
 *
 * Used by json-scanner.ts for the lines, or the elements of the array, of a large body. Never says what is wrong:
 * json-syntax.ts does.
 */
import { assert } from '../core/assert.js';
import { JSON_DEPTH_MAX } from '../core/limits.js';
import type { JsonKernels } from '../memory/kernel-exports.js';
import { instantiateKernels } from '../memory/kernel-instance.js';

/** What the kernels ask for at least. */
const PAGES = 16;
const COPY_PTR = 1024;
/** Behind it are more than the 16 bytes that the kernel may load. */
const COPY_BYTES = 1 << 18;
const NO_BYTES = new Uint8Array(0);

export class ValueScanner {
  readonly #kernels: JsonKernels;
  readonly #u8: Uint8Array;
  #body: Uint8Array = NO_BYTES;
  /** body[from, to) is copied. */
  #from = 0;
  #to = 0;

  constructor() {
    const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true });
    this.#kernels = instantiateKernels(memory);
    this.#u8 = new Uint8Array(memory.buffer);
  }

  /** Begins with `body`, which must stay as it is until end(). */
  begin(body: Uint8Array): void {
    this.#body = body;
    this.#from = 0;
    this.#to = 0;
  }

  /** Lets go of the body. */
  end(): void {
    this.begin(NO_BYTES);
  }

  /**
   * Whether body[start, end) is exactly one value, without white space around it, of at most JSON_DEPTH_MAX levels. False also
   * of a value that is too long to be copied. Calls must ascend, so that each part is copied once.
   */
  isValue(start: number, end: number): boolean {
    if (end > this.#to) {
      if (end - start > COPY_BYTES) return false;
      this.#copy(start);
    }
    assert(start >= this.#from, 'values come in order');
    return this.#valueEnd(start, end) === end;
  }

  /**
   * End of the value of at most JSON_DEPTH_MAX levels that begins at `start`; -1 when there is none, or one that is too long to
   * be copied. Calls must ascend, as of isValue().
   */
  valueEnd(start: number): number {
    if (start >= this.#to) this.#copy(start);
    assert(start >= this.#from, 'values come in order');
    const end = this.#valueEnd(start, this.#to);
    if (!this.#mayBeCut(end)) return end;
    if (start === this.#from) return -1;
    this.#copy(start);
    const whole = this.#valueEnd(start, this.#to);
    return this.#mayBeCut(whole) ? -1 : whole;
  }

  /** Whether what was found to end at `end`, or to be no value, might end elsewhere if more of the body were copied. */
  #mayBeCut(end: number): boolean {
    return this.#to < this.#body.length && (end < 0 || end === this.#to);
  }

  /** End of the value at `start`, looked for up to `to`, which is copied; -1 when there is none. */
  #valueEnd(start: number, to: number): number {
    const shift = COPY_PTR - this.#from;
    const end = this.#kernels.jsonValueEnd(start + shift, to + shift, JSON_DEPTH_MAX);
    return end === 0 ? -1 : end - shift;
  }

  #copy(from: number): void {
    this.#from = from;
    this.#to = Math.min(from + COPY_BYTES, this.#body.length);
    this.#u8.set(this.#body.subarray(from, this.#to), COPY_PTR);
  }
}
