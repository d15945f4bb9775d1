/**
 * Text analysis: cuts a UTF-8 value into normalised tokens. The same for documents and queries.
 *
 * NFKD, combining marks dropped, lower case; then runs of letters and digits of one script class: a Han ideograph is a
 * token, a run of kana becomes overlapping bigrams, any other run is one token, cut at TOKEN_CODE_POINTS_MAX. Called for
 * every text value that is indexed: makes no strings and no objects per token, and never throws on malformed UTF-8,
 * whose bytes separate tokens.
 */
import { TOKEN_BYTES_MAX, TOKEN_CODE_POINTS_MAX } from '../core/limits.js';
import {
  CAPITAL_SIGMA,
  computeFold,
  FOLD_CLASS_SHIFT,
  FOLD_CODE_POINT_MASK,
  FOLD_EXPANSIONS,
  FOLD_HAN,
  FOLD_KANA,
  FOLD_SEPARATOR,
  FOLD_UNUSUAL,
  FOLD_WORD,
  FOLDS,
} from './code-point-fold.js';
import { endsContext, hidesContext, lowerSigmas } from './final-sigma.js';
import { decodeUtf8, encodeUtf8 } from './utf8.js';

/** Receives the tokens of a value in order. */
export interface TokenSink {
  /**
   * One token: `bytes[start, end)` is its UTF-8, 1 to TOKEN_BYTES_MAX bytes, valid during the call only. `position` is
   * the token's 0-based index within its value.
   */
  token(bytes: Uint8Array, start: number, end: number, position: number): void;
}

/** A long value is folded and cut in pieces of so many bytes. */
const PIECE_BYTES = 1 << 16;
/** Fold entries kept from one value to the next; a longer run of one class gets a table of its own. */
const ENTRIES_KEPT = 1 << 18;

/** The token byte that each ASCII byte becomes, 0 for a separator: the general rules, tabulated. */
export const ASCII_FOLDS = new Uint8Array(128);
for (let byte = 0; byte < 128; byte++) {
  const entry = computeFold(byte);
  if (entry >> FOLD_CLASS_SHIFT === FOLD_WORD) ASCII_FOLDS[byte] = entry & FOLD_CODE_POINT_MASK;
}

/** Counts the code points of the well-formed UTF-8 in `bytes[start, end)`. */
export function countCodePoints(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i++) if ((bytes[i] & 0xc0) !== 0x80) count++;
  return count;
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  let seen = 0;
  let i = start;
  for (; i + 4 <= end; i += 4) seen |= bytes[i] | bytes[i + 1] | bytes[i + 2] | bytes[i + 3];
  for (; i < end; i++) seen |= bytes[i];
  return seen < 0x80;
}

/** An analyzer and its buffers. One a thread; not to be entered again from within a sink. */
export class Analyzer {
  readonly #token = new Uint8Array(TOKEN_BYTES_MAX);
  readonly #pieceBytes: number;
  /** What is folded and not cut yet. */
  #entries: Int32Array = new Int32Array(4096);
  #count = 0;
  #hasSigmas = false;

  /** `pieceBytes`: how much of a value is folded before it is cut. */
  constructor(pieceBytes = PIECE_BYTES) {
    this.#pieceBytes = pieceBytes;
  }

  /** Sends the tokens of `bytes[start, end)` to `sink` and returns their number. */
  analyze(bytes: Uint8Array, start: number, end: number, sink: TokenSink): number {
    if (isAscii(bytes, start, end)) return this.#analyzeAscii(bytes, start, end, sink);
    this.#count = 0;
    this.#hasSigmas = false;
    let from = start;
    let position = 0;
    for (;;) {
      const known = this.#count;
      from = this.#fold(bytes, from, Math.min(end, from + this.#pieceBytes), end);
      const whole = from < end ? this.#lastBoundary(known) : this.#count;
      if (this.#hasSigmas) lowerSigmas(this.#entries, whole);
      position = this.#cut(whole, position, sink);
      if (from >= end) break;
      this.#entries.copyWithin(0, whole, this.#count);
      this.#count -= whole;
    }
    if (this.#entries.length > ENTRIES_KEPT) this.#entries = new Int32Array(ENTRIES_KEPT);
    return position;
  }

  #analyzeAscii(bytes: Uint8Array, start: number, end: number, sink: TokenSink): number {
    const token = this.#token;
    let position = 0;
    let length = 0;
    for (let i = start; i < end; i++) {
      const byte = ASCII_FOLDS[bytes[i]];
      if (byte !== 0) {
        if (length < TOKEN_CODE_POINTS_MAX) token[length++] = byte;
      } else if (length > 0) {
        sink.token(token, 0, length, position++);
        length = 0;
      }
    }
    if (length > 0) sink.token(token, 0, length, position++);
    return position;
  }

  /**
   * Appends the fold entries of the code points that begin in `bytes[start, stop)` to #entries, and returns where the last one
   * ends; `end` is the value's.
   */
  #fold(bytes: Uint8Array, start: number, stop: number, end: number): number {
    let count = this.#count;
    // No code point makes more entries than it has bytes, but for those that expand.
    let entries = this.#reserve(count, stop - start);
    let i = start;
    while (i < stop) {
      const decoded = decodeUtf8(bytes, i, end);
      i += decoded & 7;
      const codePoint = decoded >> 3;
      const known = FOLDS[codePoint];
      const entry = known === 0 ? computeFold(codePoint) : known;
      if (entry < FOLD_UNUSUAL) {
        entries[count++] = entry;
      } else if (entry === CAPITAL_SIGMA) {
        entries[count++] = entry;
        this.#hasSigmas = true;
      } else {
        const index = entry & FOLD_CODE_POINT_MASK;
        const last = index + FOLD_EXPANSIONS[index];
        entries = this.#reserve(count, FOLD_EXPANSIONS[index] + Math.max(stop - i, 0));
        for (let part = index + 1; part <= last; part++) {
          entries[count++] = FOLD_EXPANSIONS[part];
          this.#hasSigmas ||= FOLD_EXPANSIONS[part] === CAPITAL_SIGMA;
        }
      }
    }
    this.#count = count;
    return i;
  }

  /**
   * How many entries can be cut before those that follow are known; there is no such place among the first `known`. 0: none,
   * in one long run, or for a sigma whose neighbour is not known yet.
   */
  #lastBoundary(known: number): number {
    const entries = this.#entries;
    for (let i = this.#count - 1; i >= known; i--) {
      if (endsContext(entries[i])) return i + 1;
      if (this.#hasSigmas || i === 0) continue;
      const isFirst = entries[i] >> FOLD_CLASS_SHIFT !== entries[i - 1] >> FOLD_CLASS_SHIFT;
      // A sigma that is still to come may look back as far as here.
      if (isFirst && !hidesContext(entries[i])) return i;
    }
    return 0;
  }

  /** Makes room for `more` entries behind the first `count`, which are kept. */
  #reserve(count: number, more: number): Int32Array {
    const entries = this.#entries;
    if (count + more <= entries.length) return entries;
    const grown = new Int32Array(2 * (count + more));
    grown.set(entries.subarray(0, count));
    this.#entries = grown;
    return grown;
  }

  /** Cuts the first `count` entries into runs of one class, sends their tokens from `first` on, and returns the next position. */
  #cut(count: number, first: number, sink: TokenSink): number {
    const entries = this.#entries;
    let position = first;
    let i = 0;
    while (i < count) {
      const runClass = entries[i] >> FOLD_CLASS_SHIFT;
      const from = i++;
      if (runClass === FOLD_SEPARATOR) continue;
      if (runClass === FOLD_HAN) {
        this.#send(from, i, position++, sink);
        continue;
      }
      while (i < count && entries[i] >> FOLD_CLASS_SHIFT === runClass) i++;
      if (runClass === FOLD_KANA && i - from > 2) {
        for (let pair = from; pair + 2 <= i; pair++) this.#send(pair, pair + 2, position++, sink);
      } else {
        this.#send(from, Math.min(i, from + TOKEN_CODE_POINTS_MAX), position++, sink);
      }
    }
    return position;
  }

  #send(from: number, to: number, position: number, sink: TokenSink): void {
    const token = this.#token;
    const entries = this.#entries;
    let length = 0;
    for (let i = from; i < to; i++) length = encodeUtf8(entries[i] & FOLD_CODE_POINT_MASK, token, length);
    sink.token(token, 0, length, position);
  }
}
