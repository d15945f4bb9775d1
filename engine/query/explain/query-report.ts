/**
 * Reports how a query was read: which stages were tried, what each token stands for, what was dropped, and the statistics
 * that scores come from.
 */
import { breaksNearTies, getsBonuses } from '../bonuses/rank-best.js';
import { phraseWeight } from '../expand/alternative-phrase.js';
import { applyRules } from '../expand/related-words.js';
import type { MatchedClause, MatchedToken } from '../expand/text-query.js';
import type { ReadBudget } from '../read-budget.js';
import { idfOf } from './document-scores.js';
import type { AnsweredSearch } from './explainer.js';
import type { DroppedToken, FieldStatistics, QueryExplanation, QueryPart } from './explanation.js';
import { composed, phraseText } from './query-words.js';
import { shortFloat } from './short-float.js';
import { TermGroups } from './term-groups.js';
import type { TokenWords } from './term-kinds.js';

/** Reports `answer`; `words` tells of the token of a clause why terms stand for it. */
export function reportQuery(
  answer: AnsweredSearch,
  words: (clause: MatchedToken) => TokenWords,
  budget: ReadBudget,
): QueryExplanation {
  const { search, segments, map, text, stages } = answer;
  const groups = new TermGroups(segments, map, budget);
  const describe = (clause: MatchedClause): QueryPart =>
    clause.kind === 'phrase'
      ? { kind: 'phrase', text: phraseText(clause.clause.tokens), repeats: clause.repeats }
      : describeToken(clause, words(clause));
  const describeToken = ({ clause, expansion, repeats, phrases }: MatchedToken, own: TokenWords): QueryPart => ({
    kind: 'token',
    text: composed(own.text),
    repeats,
    known: expansion.isKnown,
    completed: clause.isCompleted,
    documents: expansion.df,
    idf: idfOf(expansion.df, map),
    terms: groups.of(own, expansion.ranges),
    phrases: phrases.map((phrase) => {
      const typed = phrase.tokens.map(({ token }) => token);
      const weight = Math.fround(phraseWeight(phrase, expansion.df, map.documents));
      return { phrase: phraseText(typed), kind: phrase.kind, weight: shortFloat(weight) };
    }),
  });
  return {
    match_mode: search.matchAll ? 'all' : 'any',
    ranking: search.ranking,
    near_ties: getsBonuses(search) && breaksNearTies(search, answer.schema),
    typo_threshold: search.typoThreshold,
    stages: stages.map(({ stage, found }) => ({ stage, found, answered: stage === (text?.stage ?? 1) })),
    parts: (text?.typed ?? []).flatMap((clause) => (clause === null ? [] : [describe(clause)])),
    dropped: droppedTokens(answer, budget),
    excluded: search.excluded.map((tokens) => phraseText(tokens)),
    documents: map.documents,
    fields: fieldStatistics(answer),
  };
}

function droppedTokens({ search, text, rules }: AnsweredSearch, budget: ReadBudget): DroppedToken[] {
  const { stopped } = applyRules(search, rules, budget);
  return search.clauses.flatMap((clause, i): DroppedToken[] => {
    if (clause.kind === 'phrase' || text === null || text.typed[i] !== null) return [];
    const reason = stopped.has(i) ? 'stop_word' : 'too_many_tokens';
    return [{ token: composed(clause.token.text), reason }];
  });
}

function fieldStatistics({ search, schema, segments, map }: AnsweredSearch): FieldStatistics[] {
  const { indexes, boosts } = search.fields;
  return indexes.map((field, place) => {
    const documents = segments.reduce((sum, segment) => sum + segment.fieldDocCount(field), 0);
    const average_length = map.averageLength(place);
    return { field: schema.fields[field].name, boost: boosts[place], documents, average_length };
  });
}
