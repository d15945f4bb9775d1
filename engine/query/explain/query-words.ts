/**
 * The tokens of a query as words: as they are shown, and what tells why a term or a phrase stands for one.
 */
import type { QueryToken } from '../../text/query-tokens.js';
import type { ParsedSearch } from '../parse-search.js';
import type { TokenClause } from '../query-clauses.js';
import type { TextRules } from '../text-rules.js';
import type { MatchKind } from './explanation.js';
import type { TokenWords } from './term-kinds.js';

/** A token as text. */
export const textOf = ({ bytes }: QueryToken): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Text of the index as it is shown: composed again, since no keyboard types decomposed text. */
export const composed = (text: string): string => text.normalize('NFC');

/** The tokens of a phrase as they are shown. */
export const phraseText = (tokens: readonly QueryToken[]): string => composed(tokens.map(textOf).join(' '));

/** Words of a token that stands for itself alone. */
export function exactWords(token: QueryToken): TokenWords {
  return { text: textOf(token), bytes: token.bytes, isCompleted: false, synonyms: new Set(), joined: new Set() };
}

/** What tells why terms stand for the token of `clause`. */
export function wordsOf(clause: TokenClause, search: ParsedSearch, rules: TextRules | null): TokenWords {
  const synonyms = new Set<string>();
  const joined = new Set<string>();
  const { slots } = search;
  const typed = slots.map(({ token }) => token);
  for (const slot of clause.slots) {
    if (slots[slot].followsText) joined.add(textOf(typed[slot - 1]) + textOf(typed[slot]));
    if (slot + 1 < slots.length && slots[slot + 1].followsText)
      joined.add(textOf(typed[slot]) + textOf(typed[slot + 1]));
    if (rules === null) continue;
    for (let start = 0; start <= slot; start++)
      for (const { length, targets } of rules.synonymsAt(typed, start))
        if (start + length > slot)
          for (const target of targets) if (target.length === 1) synonyms.add(textOf(target[0]));
  }
  return { text: textOf(clause.token), bytes: clause.token.bytes, isCompleted: clause.isCompleted, synonyms, joined };
}

/** Why the phrase of `tokens` stands for a token of the text `text`. */
export function phraseKind(tokens: readonly QueryToken[], text: string): MatchKind {
  return tokens.map(textOf).join('') === text ? 'split' : 'synonym';
}
