/**
 * Answers the text of a search in up to two stages: first what was typed, with unknown tokens corrected; and when that
 * finds few documents, known tokens corrected too.
 *
 * Called by searcher.ts once a search. The counts, facets and best documents are those of the stage that answers.
 */

import { QueryExpander, type Stage, type TextQuery } from './expand/text-query.js';
import type { ExpansionContext } from './expand/token-reader.js';
import type { ParsedSearch } from './parse-search.js';

/** What a stage came to. */
export interface TriedStage {
  readonly stage: Stage;
  /** null: it would have read the same as the stage before, and was not run. */
  readonly found: number | null;
}

export interface StagedAnswer {
  readonly found: number;
  /** What the stage that answers has read. */
  readonly text: TextQuery;
  /** In order, at least one. */
  readonly stages: readonly TriedStage[];
}

/** In the place of what the stage before found: there was none. */
export const NO_STAGE_BEFORE = -1;

/**
 * Runs the stages of `search`, which has clauses. `collect` runs one from the start and returns what it finds; it is told what
 * the stage before found.
 */
export function runStages(
  search: ParsedSearch,
  context: ExpansionContext,
  collect: (text: TextQuery, foundBefore: number) => number,
): StagedAnswer {
  const expander = new QueryExpander(search, context);
  const text = expander.expand();
  const found = collect(text, NO_STAGE_BEFORE);
  const first: TriedStage = { stage: 1, found };
  if (!search.typos.enabled || found >= search.typoThreshold) return { found, text, stages: [first] };
  const wider = expander.widen(text, found);
  if (wider === null) return { found, text, stages: [first, { stage: 2, found: null }] };
  const widerFound = collect(wider, found);
  return { found: widerFound, text: wider, stages: [first, { stage: 2, found: widerFound }] };
}

/** What one stage of `search` reads, after one that found `foundBefore`; null: there is no such stage. */
export function expandStage(search: ParsedSearch, context: ExpansionContext, foundBefore: number): TextQuery | null {
  const expander = new QueryExpander(search, context);
  const text = expander.expand();
  return foundBefore === NO_STAGE_BEFORE ? text : expander.widen(text, foundBefore);
}
