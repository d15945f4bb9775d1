/**
 * Cuts the text of a query into runs of tokens: plain text, phrases between double quotes, and what a dash excludes.
 *
 * Called once per search or suggestion. Knows nothing of fields, typos or completion; query/query-clauses.ts makes
 * clauses of the runs, and parse-search.ts decides what is completed.
 */
import { EngineError } from '../core/errors.js';
import { QUERY_BYTES_MAX, QUERY_TOKENS_MAX } from '../core/limits.js';
import { type Analyzer, countCodePoints, type TokenSink } from './analyzer.js';

export interface QueryToken {
  /** UTF-8 of the normalised token. */
  readonly bytes: Uint8Array;
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
const encoder = new TextEncoder();
/** A dash after white space, and what it excludes: the word behind it, or at the end of a part the phrase that follows. */
const EXCLUSION = /(?<=^|\s)-(?:\S+|$)/u;
/** Stands for the quote before a part, so that only the first part has a start of the query. */
const QUOTE = '"';

class TokenCollector implements TokenSink {
  tokens: QueryToken[] = [];

  token(bytes: Uint8Array, start: number, end: number): void {
    this.tokens.push(makeToken(bytes.slice(start, end)));
  }
}

/** The token of `bytes`, which are normalised; it keeps them. */
export function makeToken(bytes: Uint8Array): QueryToken {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  return { bytes, codePoints: countCodePoints(bytes, 0, bytes.length), digitsOnly: DIGITS_ONLY.test(text) };
}

/** The tokens of `part`, in order. */
export function analyzeTokens(part: string, analyzer: Analyzer): QueryToken[] {
  const collector = new TokenCollector();
  const bytes = encoder.encode(part);
  analyzer.analyze(bytes, 0, bytes.length, collector);
  return collector.tokens;
}

function checkLength(q: string): void {
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
  const runs: QueryRun[] = [];
  const add = (kind: QueryRun['kind'], text: string): void => {
    const tokens = analyzeTokens(text, analyzer);
    if (tokens.length > 0) runs.push({ kind, tokens });
  };
  const parts = q.split('"');
  let isExcluded = false;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    // Odd parts follow an opening quote; the last part has no closing one.
    if (index % 2 === 1 && !isLast) {
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
 * QUERY_BYTES_MAX bytes or holds more than QUERY_TOKENS_MAX tokens.
 */
export function lastToken(q: string, analyzer: Analyzer): QueryToken | null {
  checkLength(q);
  const tokens = analyzeTokens(q, analyzer);
  if (tokens.length > QUERY_TOKENS_MAX)
    throw new EngineError('invalid_query', `q: expected at most ${QUERY_TOKENS_MAX} tokens, got ${tokens.length}`);
  return tokens.at(-1) ?? null;
}
