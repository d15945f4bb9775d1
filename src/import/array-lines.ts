/**
 * Cuts a JSON array of any size into its elements, one a line, without parsing them: only strings and brackets are followed.
 *
 * An element need not be an object, nor even JSON: the server says what is wrong with it. So nothing that is wrong is made right here:
 * white space is left out only where no token begins or ends with it, and where there is no element the array ends.
 */
import { InputError } from './input-error.js';
import { type LineSource, NO_BYTES, withoutByteOrderMark } from './line-source.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const TAB = 0x09;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** The white space of JSON (RFC 8259, section 2). */
const isWhiteSpace = (byte: number): boolean =>
  byte === SPACE || byte === NEWLINE || byte === CARRIAGE_RETURN || byte === TAB;

/** Whether `byte` is a token by itself, or begins or ends a string: what stands beside it is another token in any case. */
const isMark = (byte: number): boolean =>
  byte === COMMA ||
  byte === COLON ||
  byte === QUOTE ||
  byte === OPEN_OBJECT ||
  byte === CLOSE_OBJECT ||
  byte === OPEN_ARRAY ||
  byte === CLOSE_ARRAY;

export class ArrayLines implements LineSource {
  /** Brackets that are open; 0: before the array, or behind it. */
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isOver = false;
  #isFirst = true;
  /** The element that is being read has bytes. */
  #hasBytes = false;
  /** Elements that have ended. */
  #elements = 0;
  /** The last byte, but for white space, is of a number or a word; and white space stands behind it. */
  #isInWord = false;
  #isBehindWord = false;

  feed(input: Uint8Array): Uint8Array {
    const chunk = this.#isFirst ? withoutByteOrderMark(input) : input;
    this.#isFirst = false;
    // Each byte makes one at most; a space may be left of the chunk before.
    const out = new Uint8Array(chunk.length + 1);
    let length = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        // None of JSON there either, but it ends no line.
        out[length++] = byte === NEWLINE ? CARRIAGE_RETURN : byte;
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#inString = false;
        continue;
      }
      if (isWhiteSpace(byte)) {
        this.#isBehindWord = this.#isInWord;
        continue;
      }
      const isWord = !isMark(byte);
      if (isWord && this.#isBehindWord) out[length++] = SPACE;
      this.#isInWord = isWord;
      this.#isBehindWord = false;
      if (this.#depth === 0) {
        if (byte !== OPEN_ARRAY || this.#isOver) throw outside(byte, this.#isOver);
        this.#depth = 1;
      } else if (this.#depth === 1 && (byte === COMMA || byte === CLOSE_ARRAY)) {
        if (this.#hasBytes) out[length++] = NEWLINE;
        else if (byte === COMMA || this.#elements > 0) throw noElement(byte, this.#elements + 1);
        if (this.#hasBytes) this.#elements++;
        this.#hasBytes = false;
        if (byte === CLOSE_ARRAY) {
          this.#depth = 0;
          this.#isOver = true;
        }
      } else {
        if (byte === QUOTE) this.#inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
        else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
        this.#hasBytes = true;
        out[length++] = byte;
      }
    }
    return out.subarray(0, length);
  }

  end(): Uint8Array {
    if (!this.#isOver) throw new InputError('the array does not end: expected ], got the end of the input');
    return NO_BYTES;
  }
}

const noElement = (byte: number, number: number): InputError =>
  new InputError(`document ${number}: expected a value before "${String.fromCharCode(byte)}" in the array, got none`);

const outside = (byte: number, isOver: boolean): InputError =>
  new InputError(
    isOver
      ? `expected nothing behind the array, got "${String.fromCharCode(byte)}"`
      : `expected an array of documents, got "${String.fromCharCode(byte)}"`,
  );
