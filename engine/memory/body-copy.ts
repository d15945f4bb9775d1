/**
 * A part of a request body where kernels can read it: a copy in a small memory of the thread's own (layout/body-copy.ts).
 *
 * Shared by what splits a body, what reads its documents and what cuts their text, each of which goes through it from begin to end.
 */
import { assert } from '../core/assert.js';
import { COPY_END, COPY_PAGES, COPY_TEXT, COPY_TEXT_BYTES } from '../layout/body-copy.js';
import type { AsciiTokenKernels, JsonKernels } from './kernel-exports.js';
import { instantiateKernels } from './kernel-instance.js';

const NO_BYTES = new Uint8Array(0);

/** Of a smaller body the copy costs more than kernels save. */
export const COPIED_BYTES_MIN = 4096;

export class BodyCopy {
  readonly kernels: AsciiTokenKernels & JsonKernels;
  readonly u8: Uint8Array;
  #body: Uint8Array = NO_BYTES;
  #from = 0;
  #to = 0;
  /** How often something was copied, or let go of: what is known of a copy holds as long as this is the same. */
  changes = 0;

  /** Errors: RangeError when there is no address space for the memory. */
  constructor() {
    const memory = new WebAssembly.Memory({ initial: COPY_PAGES, maximum: COPY_PAGES, shared: true });
    assert(COPY_END <= memory.buffer.byteLength, 'the copy lies in its memory');
    this.kernels = instantiateKernels(memory);
    this.u8 = new Uint8Array(memory.buffer);
  }

  /** Offset in the body of the first byte that is copied, and of the first behind what is. */
  get from(): number {
    return this.#from;
  }

  get to(): number {
    return this.#to;
  }

  /** What is added to an offset in the body for the address of that byte. */
  get shift(): number {
    return COPY_TEXT - this.#from;
  }

  /**
   * Sees that body[start, end) is copied; false of what is longer than a copy. `body` must stay as it is until release(); most of what is
   * asked for in turn should ascend, so that each part is copied once.
   */
  hold(body: Uint8Array, start: number, end: number): boolean {
    if (body === this.#body && start >= this.#from && end <= this.#to) return true;
    if (end - start > COPY_TEXT_BYTES) return false;
    this.take(body, start);
    return true;
  }

  /** Copies what fits of `body` from `from` on. */
  take(body: Uint8Array, from: number): void {
    this.changes++;
    this.#body = body;
    this.#from = from;
    this.#to = Math.min(from + COPY_TEXT_BYTES, body.length);
    this.u8.set(body.subarray(from, this.#to), COPY_TEXT);
  }

  /** Lets go of the body. */
  release(): void {
    this.changes++;
    this.#body = NO_BYTES;
    this.#from = 0;
    this.#to = 0;
  }
}

/** Undefined until it is needed; null: there was no address space for its memory. */
let copyOfThread: BodyCopy | null | undefined;

/** The copy of the thread, null when it has none. */
export function bodyCopy(): BodyCopy | null {
  if (copyOfThread !== undefined) return copyOfThread;
  try {
    copyOfThread = new BodyCopy();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    copyOfThread = null;
  }
  return copyOfThread;
}
