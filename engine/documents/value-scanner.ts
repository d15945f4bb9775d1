/**
 * Tells JSON values from other text with a kernel, over a copy of a part of the body in a small memory of the thread's own.
 *
 * Used by json-scanner.ts for the lines of a large body. Never says what is wrong: json-syntax.ts does.
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
      this.#from = start;
      this.#to = Math.min(start + COPY_BYTES, this.#body.length);
      this.#u8.set(this.#body.subarray(start, this.#to), COPY_PTR);
    }
    assert(start >= this.#from, 'values come in order');
    const to = COPY_PTR + end - this.#from;
    return this.#kernels.jsonValueEnd(COPY_PTR + start - this.#from, to, JSON_DEPTH_MAX) === to;
  }
}
