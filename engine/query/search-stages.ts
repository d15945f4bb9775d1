/**
 * Answers the text of a search in up to two stages: first what was typed, with unknown tokens corrected; and when that
 * finds few documents, known tokens corrected too.
 *
 * Called by searcher.ts once a search. The counts, facets and best documents are those of the stage that answers.
 */

import type { PhraseToken } from './expand/alternative-phrase.js';
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

/** null: the second stage would have read the same as the first; undefined: there was no need of it. */
type SecondFound = number | null | undefined;

export interface StagedAnswer {
  readonly found: number;
  /** Of the stage that answers. */
  readonly plan: StagePlan;
  readonly firstFound: number;
  readonly secondFound: SecondFound;
}

/** The stages that `answer` was found by, in order, at least one. */
export function triedStages({ firstFound, secondFound }: StagedAnswer): readonly TriedStage[] {
  const first: TriedStage = { stage: 1, found: firstFound };
  return secondFound === undefined ? [first] : [first, { stage: 2, found: secondFound }];
}

/** In the place of what the stage before found: there was none. */
export const NO_STAGE_BEFORE = -1;

/** Whether a stage of `search` that finds `found`, after one that found `foundBefore`, is the last. */
export const isAnswer = (
  { typos, typoThreshold }: Pick<ParsedSearch, 'typos' | 'typoThreshold'>,
  found: number,
  foundBefore: number,
): boolean => foundBefore !== NO_STAGE_BEFORE || !typos.enabled || found >= typoThreshold;

/** What must not be in a match. */
type Excluded = readonly (readonly PhraseToken[])[];

/** How the stages of a search on a `Target` are run. Made once: searches that are known make nothing. */
export interface StageWork<Target> {
  /** What it takes to find out what words stand for. */
  context(target: Target): ExpansionContext;
  /** What follows from what the tokens of a stage stand for. */
  plan(search: ParsedSearch, text: TextQuery, excluded: Excluded, target: Target): StagePlan;
  /** Runs a stage from the start, and returns what it finds; it is told what the stage before found. */
  collect(search: ParsedSearch, plan: StagePlan, foundBefore: number, excluded: Excluded, target: Target): number;
}

/** Runs the stages of `search`, which has clauses, and adds what is found out about them to `known`. */
export function runStages<Target>(
  search: ParsedSearch,
  known: KnownStages,
  excluded: Excluded,
  target: Target,
  work: StageWork<Target>,
): StagedAnswer {
  let expander: QueryExpander | null = null;
  if (known.first === null) {
    expander = new QueryExpander(search, work.context(target));
    known.first = work.plan(search, expander.expand(), excluded, target);
  }
  const { first } = known;
  const firstFound = work.collect(search, first, NO_STAGE_BEFORE, excluded, target);
  if (isAnswer(search, firstFound, NO_STAGE_BEFORE))
    return { found: firstFound, plan: first, firstFound, secondFound: undefined };
  if (known.wider === undefined) {
    // By another expander the tokens are read once more.
    const wider =
      expander === null
        ? widenAgain(new QueryExpander(search, work.context(target)), firstFound)
        : expander.widen(first.text, firstFound);
    known.wider = wider === null ? null : work.plan(search, wider, excluded, target);
  }
  if (known.wider === null) return { found: firstFound, plan: first, firstFound, secondFound: null };
  const secondFound = work.collect(search, known.wider, firstFound, excluded, target);
  return { found: secondFound, plan: known.wider, firstFound, secondFound };
}

/** The second stage of a search of which `expander` has not read the first. */
const widenAgain = (expander: QueryExpander, found: number): TextQuery | null =>
  expander.widen(expander.expand(), found);

/** What one stage of `search` reads, after one that found `foundBefore`; null: there is no such stage. */
export function expandStage(search: ParsedSearch, context: ExpansionContext, foundBefore: number): TextQuery | null {
  const expander = new QueryExpander(search, context);
  const text = expander.expand();
  return foundBefore === NO_STAGE_BEFORE ? text : expander.widen(text, foundBefore);
}
