/**
 * Answers the text of a search in up to two stages: first what was typed, with unknown tokens corrected; and when that
 * finds few documents, known tokens corrected too.
 *
 * Called by searcher.ts once a search. The counts, facets and best documents are those of the stage that answers.
 */

import { QueryExpander, type Stage, type TextQuery } from './expand/text-query.js';
import type { ExpansionContext } from './expand/token-reader.js';
import type { KnownStages } from './known-searches.js';
import type { ParsedSearch } from './parse-search.js';
import type { StagePlan } from './stage-plan.js';

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

/** How the stages of a search are run. */
export interface StageWork {
  /** What follows from what its tokens stand for. */
  readonly plan: (text: TextQuery) => StagePlan;
  /** Runs one from the start, and returns what it finds; it is told what the stage before found. */
  readonly collect: (plan: StagePlan, foundBefore: number) => number;
}

/** Runs the stages of `search`, which has clauses, and adds what is found out about them to `known`. */
export function runStages(
  search: ParsedSearch,
  context: ExpansionContext,
  known: KnownStages,
  { plan, collect }: StageWork,
): StagedAnswer {
  let expander: QueryExpander | null = null;
  if (known.first === null) {
    expander = new QueryExpander(search, context);
    known.first = plan(expander.expand());
  }
  const { text } = known.first;
  const found = collect(known.first, NO_STAGE_BEFORE);
  const first: TriedStage = { stage: 1, found };
  if (!search.typos.enabled || found >= search.typoThreshold) return { found, text, stages: [first] };
  if (known.wider === undefined) {
    const wider = widen(expander ?? new QueryExpander(search, context), expander === null ? null : text, found);
    known.wider = wider === null ? null : plan(wider);
  }
  if (known.wider === null) return { found, text, stages: [first, { stage: 2, found: null }] };
  const widerFound = collect(known.wider, found);
  return { found: widerFound, text: known.wider.text, stages: [first, { stage: 2, found: widerFound }] };
}

/** The second stage of a search whose first found `found`, and was expanded to `first` by `expander`, or by another one where that is null. */
const widen = (expander: QueryExpander, first: TextQuery | null, found: number): TextQuery | null =>
  expander.widen(first ?? expander.expand(), found);

/** What one stage of `search` reads, after one that found `foundBefore`; null: there is no such stage. */
export function expandStage(search: ParsedSearch, context: ExpansionContext, foundBefore: number): TextQuery | null {
  const expander = new QueryExpander(search, context);
  const text = expander.expand();
  return foundBefore === NO_STAGE_BEFORE ? text : expander.widen(text, foundBefore);
}
