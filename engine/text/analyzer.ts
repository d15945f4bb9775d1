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
import { lowerSigmas } from './final-sigma.js';
import { decodeUtf8, encodeUtf8 } from './utf8.js';

/** Receives the tokens of a value in order. */
export interface TokenSink {
  /**
   * One token: `bytes[start, end)` is its UTF-8, 1 to TOKEN_BYTES_MAX bytes, valid during the call only. `position` is
   * the token's 0-based index within its value.
   */
  token(bytes: Uint8Array, start: number, end: number, position: number): void;
}

/** Fold entries kept from one value to the next; a longer value gets a table of its own. */
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
  #entries: Int32Array = new Int32Array(4096);

  /** Sends the tokens of `bytes[start, end)` to `sink` and returns their number. */
  analyze(bytes: Uint8Array, start: number, end: number, sink: TokenSink): number {
    if (isAscii(bytes, start, end)) return this.#analyzeAscii(bytes, start, end, sink);
    const count = this.#fold(bytes, start, end);
    const tokens = this.#cut(count, sink);
    if (this.#entries.length > ENTRIES_KEPT) this.#entries = new Int32Array(ENTRIES_KEPT);
    return tokens;
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

  /** Folds a value into #entries, one a code point, and returns their number. */
  #fold(bytes: Uint8Array, start: number, end: number): number {
    // No code point makes more entries than it has bytes, but for those that expand.
    let entries = this.#reserve(0, end - start);
    let count = 0;
    let sigmas = false;
    let i = start;
    while (i < end) {
      const decoded = decodeUtf8(bytes, i, end);
      i += decoded & 7;
      const codePoint = decoded >> 3;
      const known = FOLDS[codePoint];
      const entry = known === 0 ? computeFold(codePoint) : known;
      if (entry < FOLD_UNUSUAL) {
        entries[count++] = entry;
      } else if (entry === CAPITAL_SIGMA) {
        entries[count++] = entry;
        sigmas = true;
      } else {
        const index = entry & FOLD_CODE_POINT_MASK;
        const last = index + FOLD_EXPANSIONS[index];
        entries = this.#reserve(count, FOLD_EXPANSIONS[index] + end - i);
        for (let part = index + 1; part <= last; part++) {
          entries[count++] = FOLD_EXPANSIONS[part];
          sigmas ||= FOLD_EXPANSIONS[part] === CAPITAL_SIGMA;
        }
      }
    }
    if (sigmas) lowerSigmas(entries, count);
    return count;
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

  /** Cuts the first `count` entries into runs of one class and sends their tokens. */
  #cut(count: number, sink: TokenSink): number {
    const entries = this.#entries;
    let position = 0;
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
