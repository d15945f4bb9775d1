/**
 * Cuts the text of a query into clauses: single tokens, and phrases between double quotes.
 *
 * Called once per search or suggestion. Knows nothing of fields, typos or completion; parse-search.ts decides those from
 * what a token looks like and whether it comes last.
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

export interface TokenClause {
  readonly kind: 'token';
  readonly token: QueryToken;
}

/** Tokens that must stand next to each other in one field: at least one, neither completed nor corrected. */
export interface PhraseClause {
  readonly kind: 'phrase';
  readonly tokens: readonly QueryToken[];
}

export type QueryClause = TokenClause | PhraseClause;

const DIGITS_ONLY = /^\p{N}+$/u;

class TokenCollector implements TokenSink {
  tokens: QueryToken[] = [];

  token(bytes: Uint8Array, start: number, end: number): void {
    const copy = bytes.slice(start, end);
    const digitsOnly = DIGITS_ONLY.test(new TextDecoder().decode(copy));
    this.tokens.push({ bytes: copy, codePoints: countCodePoints(copy, 0, copy.length), digitsOnly });
  }
}

function analyzePart(part: string, analyzer: Analyzer): QueryToken[] {
  const collector = new TokenCollector();
  const bytes = new TextEncoder().encode(part);
  analyzer.analyze(bytes, 0, bytes.length, collector);
  return collector.tokens;
}

/**
 * Analyses `q` into clauses in the order typed. A quote without its partner is ordinary text; a phrase without a token
 * is dropped. '', '*', blanks and the like give an empty array. Errors: invalid_query when `q` is longer than
 * QUERY_BYTES_MAX bytes of UTF-8 or holds more than QUERY_TOKENS_MAX tokens.
 */
export function analyzeQuery(q: string, analyzer: Analyzer): QueryClause[] {
  const bytes = Buffer.byteLength(q, 'utf8');
  if (bytes > QUERY_BYTES_MAX) {
    throw new EngineError('invalid_query', `q: expected at most ${QUERY_BYTES_MAX} bytes, got ${bytes}`);
  }
  const clauses: QueryClause[] = [];
  let tokenCount = 0;
  const parts = q.split('"');
  for (const [index, part] of parts.entries()) {
    const tokens = analyzePart(part, analyzer);
    tokenCount += tokens.length;
    if (tokens.length === 0) continue;
    // Odd parts follow an opening quote; the last part has no closing one.
    if (index % 2 === 1 && index < parts.length - 1) clauses.push({ kind: 'phrase', tokens });
    else for (const token of tokens) clauses.push({ kind: 'token', token });
  }
  if (tokenCount > QUERY_TOKENS_MAX) {
    throw new EngineError('invalid_query', `q: expected at most ${QUERY_TOKENS_MAX} tokens, got ${tokenCount}`);
  }
  return clauses;
}
