/**
 * Recomputes the BM25 score of one document clause by clause, in the order in which the engine adds up.
 *
 * Called by explainer.ts for a hit, or for a document that is none. What a token without phrases adds goes into the score
 * field by field; a phrase, and a token that phrases may stand for, add one number.
 */

import { type PhraseToken, phraseWeight } from '../expand/alternative-phrase.js';
import { rangesIn } from '../expand/segment-ranges.js';
import type { MatchedClause, MatchedPhrase, MatchedToken, TextQuery } from '../expand/text-query.js';
import { holdsPhrase, idfOf, type ScoredDocument, type ScoredField, scoreToken } from './document-scores.js';
import type { PhraseScore, PhraseTokenScore, ScorePart } from './explanation.js';
import { composed, exactWords, phraseText } from './query-words.js';
import { shortFloat } from './short-float.js';
import type { TokenWords } from './term-kinds.js';

export interface ExplainedScore {
  readonly parts: ScorePart[];
  /** What the document holds nothing for, as text, in the order typed. */
  readonly missing: string[];
  /** A 32-bit float. */
  readonly bm25: number;
}

/** Explains the score of `document`; `words` tells of the token of each clause why terms stand for it. */
export function explainScore(
  query: TextQuery,
  document: ScoredDocument,
  words: (clause: MatchedToken) => TokenWords,
): ExplainedScore {
  const parts: ScorePart[] = [];
  const holders = new Set<MatchedClause>();
  let bm25 = 0;
  for (const clause of query.clauses) {
    const part =
      clause.kind === 'phrase' ? explainPhrase(clause, document) : explainToken(clause, document, words(clause));
    if (part === null) continue;
    for (const score of part.adds) bm25 = Math.fround(bm25 + score);
    parts.push({ ...part, adds: part.adds.map(shortFloat) });
    holders.add(clause);
  }
  const missing = query.typed.flatMap((clause) => (clause === null || holders.has(clause) ? [] : [nameOf(clause)]));
  return { parts, missing, bm25 };
}

/** A clause as it is shown: a phrase in quotes. */
function nameOf({ kind, clause }: MatchedClause): string {
  return kind === 'phrase' ? `"${phraseText(clause.tokens)}"` : composed(clause.token.text);
}

function addUp(fields: readonly ScoredField[], from: number): number {
  return fields.reduce((sum, { score }) => Math.fround(sum + score), from);
}

function explainToken(clause: MatchedToken, document: ScoredDocument, words: TokenWords): ScorePart | null {
  const { expansion, repeats } = clause;
  const { df } = expansion;
  const fields = scoreToken(
    { words, ranges: rangesIn(expansion.ranges, document.index), df, factor: repeats },
    document,
  );
  const phrases = clause.phrases.flatMap((phrase): { score: number; shown: PhraseScore }[] => {
    const { kind, tokens } = phrase;
    const scored = scorePhrase(tokens, repeats, document);
    if (scored === null) return [];
    const typed = tokens.map(({ token }) => token);
    const weight = Math.fround(phraseWeight(phrase, df, document.map.documents));
    const score = Math.fround(weight * scored.score);
    const named = { phrase: phraseText(typed), kind, weight: shortFloat(weight) };
    return [{ score, shown: { ...named, score: shortFloat(score), tokens: scored.tokens } }];
  });
  if (fields.length === 0 && phrases.length === 0) return null;
  const part = {
    kind: 'token' as const,
    text: composed(words.text),
    repeats,
    idf: idfOf(df, document.map),
    fields: fields.map(({ shown }) => shown),
  };
  if (clause.phrases.length === 0) return { ...part, adds: fields.map(({ score }) => score) };
  const best = Math.max(addUp(fields, 0), ...phrases.map(({ score }) => score));
  return { ...part, phrases: phrases.map(({ shown }) => shown), adds: [best] };
}

function explainPhrase({ clause, tokens, repeats }: MatchedPhrase, document: ScoredDocument): ScorePart | null {
  const scored = scorePhrase(tokens, repeats, document);
  if (scored === null) return null;
  return { kind: 'phrase', text: phraseText(clause.tokens), repeats, tokens: scored.tokens, adds: [scored.score] };
}

/** The score of the phrase of `typed`: of its tokens, the rarest first; null when the document does not hold it. */
function scorePhrase(
  typed: readonly PhraseToken[],
  repeats: number,
  document: ScoredDocument,
): { readonly score: number; readonly tokens: PhraseTokenScore[] } | null {
  const isHeld = holdsPhrase(
    typed.map(({ token }) => token),
    document,
  );
  if (!isHeld) return null;
  let score = 0;
  const inOrder = [...typed].sort((a, b) => a.expansion.df - b.expansion.df);
  const tokens = inOrder.map(({ token, expansion: { ranges, df } }): PhraseTokenScore => {
    const scored = { words: exactWords(token), ranges: rangesIn(ranges, document.index), df, factor: repeats };
    const fields = scoreToken(scored, document);
    score = addUp(fields, score);
    return { token: composed(token.text), idf: idfOf(df, document.map), fields: fields.map(({ shown }) => shown) };
  });
  return { score, tokens };
}
