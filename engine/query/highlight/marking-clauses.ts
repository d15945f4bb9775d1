/**
 * What the clauses of a query mark in a text: all that they matched by.
 */
import type { TextQuery } from '../expand/text-query.js';
import type { MarkingClause } from './term-marks.js';

/** The clauses of `text`, which was expanded for the stage that answered. */
export function markingClauses(text: TextQuery): MarkingClause[] {
  return text.clauses.map((clause): MarkingClause => {
    if (clause.kind === 'phrase')
      return { prefix: null, ranges: null, phrases: [clause.tokens.map(({ token }) => token)] };
    // Completions may be read as one list in the place of their own, so they are told by how they begin.
    const { token, isCompleted } = clause.clause;
    const phrases = clause.phrases.map(({ tokens }) => tokens.map((part) => part.token));
    return { prefix: isCompleted ? token : null, ranges: clause.expansion.ranges, phrases };
  });
}
