/**
 * Tells JSON values from other text with a kernel (kernels/json-values.ts), over a copy of it (memory/body-copy.ts).
 *
 * Used by json-scanner.ts for the lines, or the elements of the array, of a large body. Never says what is wrong:
 * json-syntax.ts does.
 */
import { JSON_DEPTH_MAX } from '../core/limits.js';
import type { BodyCopy } from '../memory/body-copy.js';

const NO_BYTES = new Uint8Array(0);

export class ValueScanner {
  readonly #copy: BodyCopy;
  #body: Uint8Array = NO_BYTES;

  constructor(copy: BodyCopy) {
    this.#copy = copy;
  }

  /** Begins with `body`, which must stay as it is until end(). */
  begin(body: Uint8Array): void {
    this.#copy.release();
    this.#body = body;
  }

  /** Lets go of the body. */
  end(): void {
    this.begin(NO_BYTES);
  }

  /**
   * Whether body[start, end) is exactly one value, without white space around it, of at most JSON_DEPTH_MAX levels. False also
   * of a value that is too long to be copied. Calls should ascend, so that each part is copied once.
   */
  isValue(start: number, end: number): boolean {
    return this.#copy.hold(this.#body, start, end) && this.#valueEnd(start, end) === end;
  }

  /**
   * End of the value of at most JSON_DEPTH_MAX levels that begins at `start`; -1 when there is none, or one that is too long to
   * be copied. Calls should ascend, as of isValue().
   */
  valueEnd(start: number): number {
    const copy = this.#copy;
    copy.hold(this.#body, start, start);
    const end = this.#valueEnd(start, copy.to);
    if (!this.#mayBeCut(end)) return end;
    if (start === copy.from) return -1;
    copy.take(this.#body, start);
    const whole = this.#valueEnd(start, copy.to);
    return this.#mayBeCut(whole) ? -1 : whole;
  }

  /** Whether what was found to end at `end`, or to be no value, might end elsewhere if more of the body were copied. */
  #mayBeCut(end: number): boolean {
    return this.#copy.to < this.#body.length && (end < 0 || end === this.#copy.to);
  }

  /** End of the value at `start`, looked for up to `to`, which is copied; -1 when there is none. */
  #valueEnd(start: number, to: number): number {
    const { kernels, shift } = this.#copy;
    const end = kernels.jsonValueEnd(start + shift, to + shift, JSON_DEPTH_MAX);
    return end === 0 ? -1 : end - shift;
  }
}
