/**
 * Cuts the text of a query into runs of tokens: plain text, phrases between double quotes, and what a dash excludes.
 *
 * Called once per search or suggestion. Knows nothing of fields, typos or completion; query/query-clauses.ts makes
 * clauses of the runs, and parse-search.ts decides what is completed.
 */
import { EngineError } from '../core/errors.js';
import { QUERY_BYTES_MAX, TOKEN_CODE_POINTS_MAX } from '../core/limits.js';
import { type Analyzer, ASCII_FOLDS, countCodePoints, type TokenSink } from './analyzer.js';

export interface QueryToken {
  /** UTF-8 of the normalised token, not to be changed. */
  readonly bytes: Uint8Array;
  /** The same as text. */
  readonly text: string;
  readonly codePoints: number;
  /** Made of digits alone: such a token is never corrected. */
  readonly digitsOnly: boolean;
}

/** Tokens, at least one, with neither a quote nor an exclusion between them. */
export interface QueryRun {
  /** 'phrase': they must stand next to each other; 'excluded': they must not. */
  readonly kind: 'text' | 'phrase' | 'excluded';
  readonly tokens: readonly QueryToken[];
}

const DIGITS_ONLY = /^\p{N}+$/u;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** Bytes that a UTF-16 unit takes at most in UTF-8. */
const UNIT_BYTES_MAX = 3;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** A dash after white space, and what it excludes: the word behind it, or at the end of a part the phrase that follows. */
const EXCLUSION = /(?<=^|\s)-(?:[^\s"]+|$)/u;
/** Stands for the quote before a part, so that only the first part has a start of the query. */
const QUOTE = '"';

const ASCII_LIMIT = 0x80;

/** The token whose bytes were asked for last: mostly the next question is the same. */
let asked: TextToken | null = null;
let askedBytes = new Uint8Array(0);

/** Tokens are remembered by the thousand, and an array of bytes takes more than all the rest: so it is made when it is asked for. */
class TextToken implements QueryToken {
  readonly text: string;
  readonly codePoints: number;
  readonly digitsOnly: boolean;

  constructor(text: string, codePoints: number, digitsOnly: boolean) {
    this.text = text;
    this.codePoints = codePoints;
    this.digitsOnly = digitsOnly;
  }

  get bytes(): Uint8Array {
    if (asked !== this) {
      askedBytes = encode(this.text);
      asked = this;
    }
    return askedBytes;
  }
}

/** UTF-8 of `text`. */
function encode(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= ASCII_LIMIT) return encoder.encode(text);
    bytes[i] = unit;
  }
  return bytes;
}

class TokenCollector implements TokenSink {
  tokens: QueryToken[] = [];

  token(bytes: Uint8Array, start: number, end: number): void {
    this.tokens.push(makeToken(bytes, start, end));
  }
}

/** The token of bytes[start..end), which are normalised. */
export function makeToken(bytes: Uint8Array, start: number, end: number): QueryToken {
  const text = decoder.decode(bytes.subarray(start, end));
  return new TextToken(text, countCodePoints(bytes, start, end), DIGITS_ONLY.test(text));
}

/** `left` and `right` written as one. */
export const joinedToken = (left: QueryToken, right: QueryToken): QueryToken =>
  new TextToken(left.text + right.text, left.codePoints + right.codePoints, left.digitsOnly && right.digitsOnly);

/** The token of `text`, which is normalised and plain ASCII. */
function makeAsciiToken(text: string): QueryToken {
  let digitsOnly = true;
  for (let i = 0; i < text.length && digitsOnly; i++) {
    const unit = text.charCodeAt(i);
    digitsOnly = unit >= DIGIT_0 && unit <= DIGIT_9;
  }
  return new TextToken(text, text.length, digitsOnly);
}

/** analyzeTokens() of plain ASCII, which nearly all queries are, without a detour over bytes; null when `part` is not. */
function analyzeAscii(part: string): QueryToken[] | null {
  const tokens: QueryToken[] = [];
  let start = 0;
  for (let i = 0; i <= part.length; i++) {
    const unit = i === part.length ? 0 : part.charCodeAt(i);
    if (unit >= ASCII_FOLDS.length) return null;
    if (ASCII_FOLDS[unit] !== 0) continue;
    if (i > start) {
      const text = part.slice(start, Math.min(i, start + TOKEN_CODE_POINTS_MAX));
      tokens.push(makeAsciiToken(text.toLowerCase()));
    }
    start = i + 1;
  }
  return tokens;
}

/** The tokens of `part`, in order. */
export function analyzeTokens(part: string, analyzer: Analyzer): QueryToken[] {
  const ascii = analyzeAscii(part);
  if (ascii !== null) return ascii;
  const collector = new TokenCollector();
  const bytes = encoder.encode(part);
  analyzer.analyze(bytes, 0, bytes.length, collector);
  return collector.tokens;
}

function checkLength(q: string): void {
  if (q.length * UNIT_BYTES_MAX <= QUERY_BYTES_MAX) return;
  const bytes = Buffer.byteLength(q, 'utf8');
  if (bytes > QUERY_BYTES_MAX)
    throw new EngineError('invalid_query', `q: expected at most ${QUERY_BYTES_MAX} bytes, got ${bytes}`);
}

/**
 * Analyses `q` into runs in the order typed. A quote without its partner is ordinary text, and so is a dash that follows
 * neither white space nor the start of `q`, or that nothing follows; what has no token is left out. '', '*', blanks and
 * the like give an empty array. Errors: invalid_query when `q` is longer than QUERY_BYTES_MAX bytes of UTF-8.
 */
export function analyzeQuery(q: string, analyzer: Analyzer): QueryRun[] {
  checkLength(q);
  // Most queries are words alone.
  if (!q.includes('"') && !q.includes('-')) {
    const tokens = analyzeTokens(q, analyzer);
    return tokens.length === 0 ? [] : [{ kind: 'text', tokens }];
  }
  const runs: QueryRun[] = [];
  const add = (kind: QueryRun['kind'], text: string): void => {
    const tokens = analyzeTokens(text, analyzer);
    if (tokens.length > 0) runs.push({ kind, tokens });
  };
  const parts = q.split(QUOTE);
  // The last quote has no partner.
  if (parts.length % 2 === 0) parts.push(parts.splice(-2).join(QUOTE));
  let isExcluded = false;
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) {
      add(isExcluded ? 'excluded' : 'phrase', part);
      continue;
    }
    let text = index === 0 ? part : QUOTE + part;
    for (let match = EXCLUSION.exec(text); match !== null; match = EXCLUSION.exec(text)) {
      add('text', text.slice(0, match.index));
      add('excluded', match[0]);
      text = QUOTE + text.slice(match.index + match[0].length);
    }
    add('text', text);
    isExcluded = /(?<=^|\s)-$/u.test(index === 0 ? part : QUOTE + part);
  }
  return runs;
}

/**
 * The last token of `q`, whatever stands around it, or null. Errors: invalid_query when `q` is longer than
 * QUERY_BYTES_MAX bytes.
 */
export function lastToken(q: string, analyzer: Analyzer): QueryToken | null {
  checkLength(q);
  return analyzeTokens(q, analyzer).at(-1) ?? null;
}
