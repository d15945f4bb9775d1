/**
 * Text analysis that also tells where in the text each token stands: what a highlighter marks.
 *
 * The same tokens as text/analyzer.ts gives, in the same order; apart from it, because indexing must not pay for the
 * places. Used for the texts of a page of hits.
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
  FOLDS,
} from './code-point-fold.js';
import { lowerSigmas } from './final-sigma.js';
import { decodeUtf8, encodeUtf8 } from './utf8.js';

/** Receives the tokens of a text in order. */
export interface RangeSink {
  /**
   * One token: `bytes[start, end)` is its UTF-8, valid during the call only; it stands at [from, to) of the text. Neither
   * `from` nor `to` ever falls. Tokens overlap where pairs of kana do, and where one character folds into parts of several.
   * A token that was cut at TOKEN_CODE_POINTS_MAX stands where the whole word does.
   */
  token(bytes: Uint8Array, start: number, end: number, from: number, to: number): void;
}

/** Fold entries kept from one text to the next. */
const ENTRIES_KEPT = 1 << 16;
const ENTRIES_MIN = 1024;

/** Analyses texts with places. One a thread; not to be entered again from within a sink. */
export class TokenRanges {
  readonly #token = new Uint8Array(TOKEN_BYTES_MAX);
  #entries = new Int32Array(ENTRIES_MIN);
  /** Where the code point of each entry begins, and where it ends with the combining marks that follow it. */
  #froms = new Uint32Array(ENTRIES_MIN);
  #tos = new Uint32Array(ENTRIES_MIN);

  /** Sends the tokens of `bytes[start, end)` to `sink`; places count from the start of `bytes`. */
  analyze(bytes: Uint8Array, start: number, end: number, sink: RangeSink): void {
    this.#cut(this.#fold(bytes, start, end), sink);
    if (this.#entries.length > ENTRIES_KEPT) this.#allocate(ENTRIES_KEPT);
  }

  /** Folds a text into #entries and returns their number. */
  #fold(bytes: Uint8Array, start: number, end: number): number {
    let count = 0;
    let sigmas = false;
    let i = start;
    while (i < end) {
      const from = i;
      const decoded = decodeUtf8(bytes, i, end);
      i += decoded & 7;
      const codePoint = decoded >> 3;
      const known = FOLDS[codePoint];
      const entry = known === 0 ? computeFold(codePoint) : known;
      if (entry < FOLD_UNUSUAL || entry === CAPITAL_SIGMA) {
        this.#put(count++, entry, from, i);
        sigmas ||= entry === CAPITAL_SIGMA;
        continue;
      }
      const index = entry & FOLD_CODE_POINT_MASK;
      const last = index + FOLD_EXPANSIONS[index];
      // A combining mark belongs to what stands before it.
      if (last === index && count > 0) this.#tos[count - 1] = i;
      for (let part = index + 1; part <= last; part++) {
        this.#put(count++, FOLD_EXPANSIONS[part], from, i);
        sigmas ||= FOLD_EXPANSIONS[part] === CAPITAL_SIGMA;
      }
    }
    if (sigmas) lowerSigmas(this.#entries, count);
    return count;
  }

  #put(at: number, entry: number, from: number, to: number): void {
    if (at === this.#entries.length) {
      const before = [this.#entries, this.#froms, this.#tos] as const;
      this.#allocate(2 * at);
      this.#entries.set(before[0]);
      this.#froms.set(before[1]);
      this.#tos.set(before[2]);
    }
    this.#entries[at] = entry;
    this.#froms[at] = from;
    this.#tos[at] = to;
  }

  #allocate(entries: number): void {
    this.#entries = new Int32Array(entries);
    this.#froms = new Uint32Array(entries);
    this.#tos = new Uint32Array(entries);
  }

  /** Cuts the first `count` entries into runs of one class and sends their tokens, as the analyzer does. */
  #cut(count: number, sink: RangeSink): void {
    const entries = this.#entries;
    let i = 0;
    while (i < count) {
      const runClass = entries[i] >> FOLD_CLASS_SHIFT;
      const first = i++;
      if (runClass === FOLD_SEPARATOR) continue;
      if (runClass !== FOLD_HAN) while (i < count && entries[i] >> FOLD_CLASS_SHIFT === runClass) i++;
      if (runClass === FOLD_KANA && i - first > 2) {
        for (let pair = first; pair + 2 <= i; pair++) this.#send(pair, pair + 2, pair + 2, sink);
      } else {
        this.#send(first, Math.min(i, first + TOKEN_CODE_POINTS_MAX), i, sink);
      }
    }
  }

  /** Sends the entries [first, end) as a token that stands where the entries [first, whole) do. */
  #send(first: number, end: number, whole: number, sink: RangeSink): void {
    const token = this.#token;
    let length = 0;
    for (let i = first; i < end; i++) length = encodeUtf8(this.#entries[i] & FOLD_CODE_POINT_MASK, token, length);
    sink.token(token, 0, length, this.#froms[first], this.#tos[whole - 1]);
  }
}
