/**
 * Reads `q` and expands its tokens over the vocabulary of the documents: prefixes and corrections, by brute force.
 */
import type { TypoTolerance } from '../support/wire.js';
import { analyze } from './analyze.js';
import { editDistance, prefixDistance } from './edit-distance.js';

const WEIGHT_EXACT = 1;
const WEIGHT_COMPLETED = 0.5;
const WEIGHT_OF_EDITS = [1, 0.25, 0.1] as const;
/** When the token itself is a word of the collection. */
const WEIGHT_OF_EDITS_KNOWN = [1, 0.01, 0.005] as const;

/** One thing a document must (or may) match: a word, or words side by side. */
export interface Clause {
  readonly tokens: readonly string[];
  readonly isPhrase: boolean;
}

/** Clauses of `q`; quotes pair up from the left, and one left over is text. Empty: every document matches. */
export function parseQuery(q: string): Clause[] {
  const clauses: Clause[] = [];
  const words = (text: string): void => {
    for (const token of analyze(text)) clauses.push({ tokens: [token], isPhrase: false });
  };
  let rest = q;
  for (;;) {
    const match = /^([^"]*)"([^"]*)"/u.exec(rest);
    if (match === null) break;
    words(match[1] ?? '');
    const tokens = analyze(match[2] ?? '');
    if (tokens.length > 0) clauses.push({ tokens, isPhrase: true });
    rest = rest.slice(match[0].length);
  }
  words(rest);
  return clauses;
}

/** Edits that the settings allow for a typed token: by its code points, none for digits alone. */
export function editBudget(token: string, settings: TypoTolerance): number {
  if (!settings.enabled || /^\p{Nd}+$/u.test(token)) return 0;
  const length = [...token].length;
  if (length >= settings.two_typo_min_len) return Math.min(2, settings.max_typos);
  if (length >= settings.one_typo_min_len) return Math.min(1, settings.max_typos);
  return 0;
}

export interface Expansion {
  readonly isPrefix: boolean;
  /** The last token once more, as a mistyped prefix. */
  readonly hasFallback: boolean;
  readonly budget: number;
  /** The token itself stands in a queried field of some document. */
  readonly isKnown: boolean;
}

/** The weight of `term` as a reading of `token`, 0 when it is none. */
export function weightOf(token: string, term: string, expansion: Expansion): number {
  if (term === token) return WEIGHT_EXACT;
  let weight = 0;
  if (expansion.isPrefix && term.startsWith(token)) weight = WEIGHT_COMPLETED;
  const edits = expansion.budget === 0 ? Infinity : editDistance(token, term);
  if (edits <= expansion.budget)
    weight = Math.max(weight, (expansion.isKnown ? WEIGHT_OF_EDITS_KNOWN : WEIGHT_OF_EDITS)[edits] ?? 0);
  if (expansion.hasFallback && expansion.budget > 0) {
    const prefixEdits = prefixDistance(token, term);
    if (prefixEdits <= expansion.budget) {
      weight = Math.max(weight, WEIGHT_COMPLETED * (WEIGHT_OF_EDITS[prefixEdits] ?? 0));
    }
  }
  return weight;
}
