/**
 * What a collection's synonyms and stop words say of typed tokens, as the evaluation of a query asks for it. Changes
 * with them, never with the documents.
 */
import type { QueryToken } from '../../text/query-tokens.js';

/** A run of typed tokens that has synonyms. */
export interface SynonymMatch {
  /** Typed tokens that it covers, at least 1. */
  readonly length: number;
  /** What they may be replaced by, each of one or more tokens; never the run itself. The same order every time. */
  readonly targets: readonly (readonly QueryToken[])[];
}

export interface TextRules {
  /** The synonyms of the runs that begin at tokens[i], one match a length. */
  synonymsAt(tokens: readonly QueryToken[], i: number): readonly SynonymMatch[];
  isStopWord(token: QueryToken): boolean;
}
