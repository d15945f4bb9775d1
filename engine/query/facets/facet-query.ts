/**
 * `facet_query`: of one facet field only values that begin with a text, words compared as a search compares them; where none does,
 * those that begin with it but for the fewest typing errors.
 *
 * Parsed once a search by parse-facets.ts; applied by FacetValues to the values that occur among the matches.
 */
import { assert } from '../../core/assert.js';
import { TOKEN_CODE_POINTS_MAX } from '../../core/limits.js';
import { Analyzer, type TokenSink } from '../../text/analyzer.js';
import { decodeUtf8 } from '../../text/utf8.js';
import type { ColumnReader } from '../../values/column-reader.js';
import type { ReadBudget } from '../read-budget.js';
import { distanceToPrefix } from './prefix-distance.js';
import type { ValueRun } from './value-run.js';

/** A word of the text that values begin with. */
export interface FacetQueryToken {
  /** UTF-8 of the normalised token. */
  readonly bytes: Uint8Array;
  /** Edits that it may be off by. */
  readonly edits: number;
}

export interface FacetQuery {
  /** Schema index of the field, one of the facets. */
  readonly field: number;
  /** The last of them may be the beginning of a word. None: all values are shown. */
  readonly tokens: readonly FacetQueryToken[];
}

/** Values between two looks at the budget. */
const VALUES_A_CHECK = 64;
/** Of a longer value so much is analysed at first, and so many times as much while words of the query are left to be met. */
const WINDOW_BYTES = 512;
const WINDOW_FACTOR = 8;
/** What is analysed without a word to the budget. */
const UNTOLD_BYTES_MAX = 4096;
const NO_MATCH = 0xff;

/** Compares the first words of a value with those of the query. */
class ValueMatcher implements TokenSink {
  readonly #analyzer = new Analyzer();
  #tokens: readonly FacetQueryToken[] = [];
  /** Of each token of the query, and of the value's. */
  #typed: readonly Int32Array[] = [];
  readonly #codePoints = new Int32Array(TOKEN_CODE_POINTS_MAX);
  #mayEdit = false;
  #matched = 0;
  #edits = 0;
  #isMiss = false;

  begin(tokens: readonly FacetQueryToken[], mayEdit: boolean): void {
    this.#tokens = tokens;
    this.#mayEdit = mayEdit;
    this.#typed = mayEdit ? tokens.map(({ bytes }) => codePointsOf(bytes)) : [];
  }

  /** How many edits lead to the first words of value `ord` of `column`, or NO_MATCH. */
  editsOf(column: ColumnReader, ord: number, budget: ReadBudget): number {
    const bytes = column.views.u8;
    const start = column.dictStart(ord);
    const end = column.dictEnd(ord);
    for (let size = WINDOW_BYTES; ; size *= WINDOW_FACTOR) {
      const to = size < end - start ? characterStart(bytes, start, start + size) : end;
      if (to - start > UNTOLD_BYTES_MAX) budget.expectScan(to - start);
      this.#matched = 0;
      this.#edits = 0;
      this.#isMiss = false;
      const count = this.#analyzer.analyze(bytes, start, to, this);
      // The last word may go on beyond the window, those before it do not.
      if (to === end || count > this.#tokens.length) break;
    }
    return this.#isMiss || this.#matched < this.#tokens.length ? NO_MATCH : this.#edits;
  }

  token(bytes: Uint8Array, start: number, end: number, position: number): void {
    if (this.#isMiss || position >= this.#tokens.length) return;
    const isLast = position === this.#tokens.length - 1;
    const edits = this.#mayEdit
      ? this.#distance(bytes, start, end, position, isLast)
      : distanceWithoutEdits(this.#tokens[position].bytes, bytes, start, end, isLast);
    if (edits > this.#tokens[position].edits) this.#isMiss = true;
    this.#edits += edits;
    this.#matched++;
  }

  #distance(bytes: Uint8Array, start: number, end: number, position: number, isPrefix: boolean): number {
    let length = 0;
    for (let at = start; at < end; length++) {
      const decoded = decodeUtf8(bytes, at, end);
      this.#codePoints[length] = decoded >> 3;
      at += decoded & 7;
    }
    return distanceToPrefix(this.#typed[position], this.#codePoints, length, isPrefix, this.#tokens[position].edits);
  }
}

/** The start of the character that holds bytes[at], which is none before `from`. */
function characterStart(bytes: Uint8Array, from: number, at: number): number {
  let start = at;
  while (start > from && (bytes[start] & 0xc0) === 0x80) start--;
  return start;
}

/** 0 when the word bytes[start, end) is `token`, or begins with it; else NO_MATCH. */
function distanceWithoutEdits(
  token: Uint8Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  isPrefix: boolean,
): number {
  const { length } = token;
  if (end - start < length || (!isPrefix && end - start > length)) return NO_MATCH;
  let at = 0;
  while (at < length && bytes[start + at] === token[at]) at++;
  return at === length ? 0 : NO_MATCH;
}

function codePointsOf(bytes: Uint8Array): Int32Array {
  const codePoints: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const decoded = decodeUtf8(bytes, at, bytes.length);
    codePoints.push(decoded >> 3);
    at += decoded & 7;
  }
  return Int32Array.from(codePoints);
}

const matcher = new ValueMatcher();

/** Drops from `runs`, of a field of texts, all values but those that `query` asks for. Errors: those of `budget`. */
export function keepAskedValues(runs: readonly ValueRun[], { tokens }: FacetQuery, budget: ReadBudget): void {
  if (tokens.length === 0) return;
  const exact = editsOfRuns(runs, tokens, false, budget);
  const hasExact = exact.some((edits) => edits.includes(0));
  const mayEdit = !hasExact && tokens.some(({ edits }) => edits > 0);
  const edits = mayEdit ? editsOfRuns(runs, tokens, true, budget) : exact;
  const fewest = edits.reduce((least, each) => each.reduce((a, b) => Math.min(a, b), least), NO_MATCH);
  for (const [r, run] of runs.entries()) run.keep((entry) => fewest < NO_MATCH && edits[r][entry] === fewest);
}

/** By run and entry: how many edits lead to the value, or NO_MATCH. */
function editsOfRuns(
  runs: readonly ValueRun[],
  tokens: readonly FacetQueryToken[],
  mayEdit: boolean,
  budget: ReadBudget,
): Uint8Array[] {
  matcher.begin(tokens, mayEdit);
  return runs.map(({ column, lo, size }) => {
    assert(column.kind === 'keyword', 'a facet query is of texts');
    const edits = new Uint8Array(size);
    for (let entry = 0; entry < size; entry++) {
      if (entry % VALUES_A_CHECK === 0) budget.check();
      edits[entry] = matcher.editsOf(column, lo[entry], budget);
    }
    return edits;
  });
}
