/**
 * Tells lines and columns of places in a text that are asked for one behind the other, in one walk over the text. Used by
 * json-scanner.ts, for batches in which line after line is wrong.
 */

const LINE_FEED = 0x0a;

export class LineCursor {
  readonly #body: Uint8Array;
  readonly #start: number;
  #line = 1;
  #lineStart: number;
  #at: number;

  /** `start`: where the first line of `body` begins. */
  constructor(body: Uint8Array, start: number) {
    this.#body = body;
    this.#start = start;
    this.#lineStart = start;
    this.#at = start;
  }

  /** `line 3, column 5` of byte `at`: both 1-based, columns in characters. A place before the last one begins the walk anew. */
  describe(at: number): string {
    const body = this.#body;
    if (at < this.#at) this.#begin();
    for (let i = this.#at; i < at; i++) {
      if (body[i] !== LINE_FEED) continue;
      this.#line++;
      this.#lineStart = i + 1;
    }
    this.#at = at;
    let column = 1;
    for (let i = this.#lineStart; i < at; i++) if ((body[i] & 0xc0) !== 0x80) column++;
    return `line ${this.#line}, column ${column}`;
  }

  #begin(): void {
    this.#line = 1;
    this.#lineStart = this.#start;
    this.#at = this.#start;
  }
}
