/**
 * The tokens of a query as words: as they are shown, and what tells why a term or a phrase stands for one.
 */
import type { QueryToken } from '../../text/query-tokens.js';
import type { RelatedWord } from '../expand/related-words.js';
import type { MatchedToken } from '../expand/text-query.js';
import type { TokenWords } from './term-kinds.js';

/** Text of the index as it is shown: composed again, since no keyboard types decomposed text. */
export const composed = (text: string): string => text.normalize('NFC');

/** The tokens of a phrase as they are shown. */
export const phraseText = (tokens: readonly QueryToken[]): string => composed(tokens.map(({ text }) => text).join(' '));

/** Words of a token that stands for itself alone. */
export function exactWords(token: QueryToken): TokenWords {
  return { text: token.text, bytes: token.bytes, isCompleted: false, synonyms: new Set(), joined: new Set() };
}

/** What tells why terms stand for the token of `matched`. */
export function wordsOf({ clause, related }: MatchedToken): TokenWords {
  const wordsBy = (wanted: RelatedWord['kind']): Set<string> =>
    new Set(related.flatMap(({ kind, tokens }) => (kind === wanted && tokens.length === 1 ? [tokens[0].text] : [])));
  const { token, isCompleted } = clause;
  return {
    ...{ text: token.text, bytes: token.bytes, isCompleted },
    ...{ synonyms: wordsBy('synonym'), joined: wordsBy('joined') },
  };
}
