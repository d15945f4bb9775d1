/**
 * Appends JSON as UTF-8 bytes to a buffer: the one way in which response bodies are written.
 *
 * Constructed over the place the response is wanted in (a mailbox slot, say); a response that outgrows it moves to a
 * private buffer. Reused by reset(). Never checks that the parts form valid JSON, and allocates nothing per value but
 * for numbers that need an exponent or 17 digits.
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const POINT = 0x2e;
const MINUS = 0x2d;
const ZERO = 0x30;
/** Longest form of one UTF-16 unit or byte inside a JSON string: \u00XX. */
const ESCAPE_BYTES = 6;
/** From here on a native copy beats a loop, though it needs a view. */
const NATIVE_COPY_BYTES = 96;
const PRIVATE_BYTES_MIN = 4096;
const HEX = '0123456789abcdef';

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** By byte: 0 stands for itself, 1 becomes \u00XX, anything else is the letter after the backslash. */
const ESCAPES = new Uint8Array(256).fill(1, 0, 0x20);
ESCAPES[QUOTE] = QUOTE;
ESCAPES[BACKSLASH] = BACKSLASH;
ESCAPES[0x08] = 0x62;
ESCAPES[0x09] = 0x74;
ESCAPES[0x0a] = 0x6e;
ESCAPES[0x0c] = 0x66;
ESCAPES[0x0d] = 0x72;

export class JsonWriter {
  #bytesMax: number;
  readonly #what: string;
  #bytes: Uint8Array;
  #length = 0;
  #overflowed = false;

  /**
   * Writes into `target`, which may lie in shared memory; past its end, into a private buffer of up to `bytesMax`. `what`
   * names the text in the message when that is too little.
   */
  constructor(target: Uint8Array, bytesMax: number, what = 'the response') {
    this.#bytes = target;
    this.#bytesMax = bytesMax;
    this.#what = what;
  }

  /** Starts a new text over `target`; from now on a private buffer has up to `bytesMax` bytes. */
  reset(target: Uint8Array, bytesMax = this.#bytesMax): void {
    this.#bytes = target;
    this.#bytesMax = bytesMax;
    this.#length = 0;
    this.#overflowed = false;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Where the next byte goes, within the memory that the text lies in. */
  get address(): number {
    return this.#bytes.byteOffset + this.#length;
  }

  /** Bytes that can be written before the text needs a larger place. */
  get room(): number {
    return this.#bytes.length - this.#length;
  }

  /** Whether the text outgrew the target and lies in a private buffer. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Errors: as writing would, if the text will have `bytes` bytes or more, before they are written. */
  checkLength(bytes: number): void {
    if (bytes > this.#bytes.length && bytes > this.#bytesMax) this.#refuse();
  }

  /** The text so far: a view, of the target unless `overflowed`. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Appends `ascii`, which holds only characters below 0x80, as it is. */
  raw(ascii: string): void {
    const { length } = ascii;
    this.#reserve(length);
    const bytes = this.#bytes;
    const at = this.#length;
    for (let i = 0; i < length; i++) bytes[at + i] = ascii.charCodeAt(i);
    this.#length = at + length;
  }

  /** Appends the bytes [start, end) of `source` as they are. */
  rawBytes(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    assert(count >= 0 && end <= source.length, 'the bytes lie in their source');
    this.#reserve(count);
    const bytes = this.#bytes;
    const at = this.#length;
    if (count >= NATIVE_COPY_BYTES) bytes.set(source.subarray(start, end), at);
    else for (let i = 0; i < count; i++) bytes[at + i] = source[start + i];
    this.#length = at + count;
  }

  /** Appends a JSON string of the UTF-8 bytes [start, end) of `source`. */
  stringBytes(source: Uint8Array, start: number, end: number): void {
    assert(start <= end && end <= source.length, 'the bytes lie in their source');
    this.#reserve(end - start + 2);
    this.#bytes[this.#length++] = QUOTE;
    let at = this.#length;
    let bytes = this.#bytes;
    for (let i = start; i < end; i++) {
      const byte = source[i];
      if (ESCAPES[byte] === 0) {
        bytes[at++] = byte;
        continue;
      }
      this.#length = at;
      // Room for the escape, for what is left unescaped and for the closing quote.
      this.#reserve(ESCAPE_BYTES + end - i);
      bytes = this.#bytes;
      this.#escape(byte);
      at = this.#length;
    }
    bytes[at] = QUOTE;
    this.#length = at + 1;
  }

  /** Appends a JSON string of `text`; a lone surrogate becomes its \u escape. */
  string(text: string): void {
    this.#reserve(text.length + 2);
    this.#bytes[this.#length++] = QUOTE;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      this.#reserve(ESCAPE_BYTES + 1);
      if (unit < 0x80) {
        if (ESCAPES[unit] === 0) this.#bytes[this.#length++] = unit;
        else this.#escape(unit);
      } else if (unit < 0xd800 || unit > 0xdfff) {
        this.#codePoint(unit);
      } else {
        const codePoint = text.codePointAt(i) as number;
        if (codePoint > 0xffff) {
          this.#codePoint(codePoint);
          i++;
        } else this.#escapeUnit(unit);
      }
    }
    this.#reserve(1);
    this.#bytes[this.#length++] = QUOTE;
  }

  /** Appends a safe integer in decimal. */
  integer(value: number): void {
    this.#reserve(24);
    this.#digits(this.#sign(value), 1);
  }

  /**
   * Appends a finite number that was rounded to a 32-bit float, in the fewest decimals that read back as the same
   * float (through a double, as JSON parsers do).
   */
  float32(value: number): void {
    const magnitude = Math.abs(value);
    if (Number.isSafeInteger(value)) this.integer(value);
    else if (magnitude < 1e-7 || magnitude > 1e15) this.raw(shortestFloat32(value));
    else this.#plainFloat32(value, magnitude);
  }

  /** float32() of a value with a fraction that needs no exponent. */
  #plainFloat32(value: number, magnitude: number): void {
    this.#reserve(32);
    this.#sign(value);
    // A 32-bit float needs at most 9 significant digits, so `scaled` stays an exact integer and the powers exact too.
    for (let decimals = 1; ; decimals++) {
      assert(decimals < POWERS_OF_TEN.length, 'value is a 32-bit float');
      const power = POWERS_OF_TEN[decimals];
      const scaled = Math.round(magnitude * power);
      if (Math.fround(scaled / power) !== magnitude) continue;
      this.#decimal(scaled, decimals);
      return;
    }
  }

  /** Appends a duration of milliseconds, at least 0 and below 2^40, with up to three decimals. */
  millis(value: number): void {
    this.#reserve(24);
    let scaled = Math.round(value * 1000);
    let decimals = 3;
    while (decimals > 0 && scaled % 10 === 0) {
      scaled /= 10;
      decimals--;
    }
    if (decimals === 0) this.#digits(scaled, 1);
    else this.#decimal(scaled, decimals);
  }

  /** Writes scaled / 10^decimals; room is reserved. */
  #decimal(scaled: number, decimals: number): void {
    const power = POWERS_OF_TEN[decimals];
    const whole = Math.floor(scaled / power);
    this.#digits(whole, 1);
    this.#bytes[this.#length++] = POINT;
    this.#digits(scaled - whole * power, decimals);
  }

  /** Writes the minus of a negative `value` and returns its magnitude; room is reserved. */
  #sign(value: number): number {
    if (value >= 0) return value;
    this.#bytes[this.#length++] = MINUS;
    return -value;
  }

  /** Writes a safe integer >= 0 with leading zeros up to `width` digits; room is reserved. */
  #digits(value: number, width: number): void {
    if (value >= 1e9) {
      const high = Math.floor(value / 1e9);
      this.#digits(high, width - 9);
      this.#digits(value - high * 1e9, 9);
      return;
    }
    let count = 1;
    while (count < 10 && value >= POWERS_OF_TEN[count]) count++;
    const start = this.#length;
    const end = start + Math.max(count, width);
    let rest = value | 0;
    for (let at = end - 1; at >= start; at--) {
      const tenth = (rest / 10) | 0;
      this.#bytes[at] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    this.#length = end;
  }

  /** Writes the escape of a byte that ESCAPES names; room is reserved. */
  #escape(byte: number): void {
    const letter = ESCAPES[byte];
    if (letter === 1) {
      this.#escapeUnit(byte);
    } else {
      this.#bytes[this.#length++] = BACKSLASH;
      this.#bytes[this.#length++] = letter;
    }
  }

  /** Writes \uXXXX; room is reserved. */
  #escapeUnit(unit: number): void {
    const bytes = this.#bytes;
    const at = this.#length;
    bytes[at] = BACKSLASH;
    bytes[at + 1] = 0x75;
    for (let i = 0; i < 4; i++) bytes[at + 2 + i] = HEX.charCodeAt((unit >>> (12 - 4 * i)) & 15);
    this.#length = at + 6;
  }

  /** Writes the UTF-8 form of a code point from 0x80 on; room is reserved. */
  #codePoint(codePoint: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    if (codePoint < 0x800) {
      bytes[at++] = 0xc0 | (codePoint >>> 6);
    } else {
      if (codePoint < 0x10000) {
        bytes[at++] = 0xe0 | (codePoint >>> 12);
      } else {
        bytes[at++] = 0xf0 | (codePoint >>> 18);
        bytes[at++] = 0x80 | ((codePoint >>> 12) & 0x3f);
      }
      bytes[at++] = 0x80 | ((codePoint >>> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (codePoint & 0x3f);
    this.#length = at;
  }

  #reserve(count: number): void {
    if (this.#length + count > this.#bytes.length) this.#grow(this.#length + count);
  }

  #grow(wanted: number): void {
    if (wanted > this.#bytesMax) this.#refuse();
    const doubled = Math.max(PRIVATE_BYTES_MIN, 2 * this.#bytes.length, wanted);
    const grown = new Uint8Array(Math.min(doubled, this.#bytesMax));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#overflowed = true;
  }

  #refuse(): never {
    const message = `${this.#what} exceeds ${this.#bytesMax} bytes: ask for fewer hits or fields`;
    throw new EngineError('payload_too_large', message);
  }
}

/** The slow, general form of float32(): tiny and huge magnitudes, which JSON writes with an exponent. */
function shortestFloat32(value: number): string {
  for (let precision = 1; precision < 9; precision++) {
    const candidate = Number(value.toPrecision(precision));
    if (Math.fround(candidate) === value) return String(candidate);
  }
  return String(Number(value.toPrecision(9)));
}
