/**
 * Why a term stands for a token, told from its weight and its spelling.
 */
import type { MatchKind } from './explanation.js';

/** What is known of a token that terms stand for. */
export interface TokenWords {
  readonly text: string;
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly isCompleted: boolean;
  /** The terms that its synonyms are. */
  readonly synonyms: ReadonlySet<string>;
  /** The terms that it makes with a neighbour. */
  readonly joined: ReadonlySet<string>;
}

export interface TermKind {
  readonly kind: MatchKind;
  readonly edits: number;
}

/** By index into WEIGHTS; null: the spelling decides. */
const BY_WEIGHT: readonly (TermKind | null)[] = [
  { kind: 'typed', edits: 0 },
  null,
  { kind: 'correction', edits: 1 },
  { kind: 'correction', edits: 2 },
  { kind: 'mistyped_prefix', edits: 1 },
  { kind: 'mistyped_prefix', edits: 2 },
  { kind: 'correction', edits: 1 },
  { kind: 'correction', edits: 2 },
  { kind: 'mistyped_prefix', edits: 1 },
  { kind: 'mistyped_prefix', edits: 2 },
];

/** Why `term` stands for `token` with the weight at index `weight` of WEIGHTS. */
export function kindOf(term: string, token: TokenWords, weight: number): TermKind {
  const byWeight = BY_WEIGHT[weight];
  if (byWeight !== null) return byWeight;
  if (token.isCompleted && term.startsWith(token.text)) return { kind: 'completion', edits: 0 };
  if (token.joined.has(term)) return { kind: 'joined', edits: 0 };
  return { kind: token.synonyms.has(term) ? 'synonym' : 'stem', edits: 0 };
}
