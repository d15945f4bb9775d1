/**
 * Searches for words as they were read, kept with a request that is asked again (core/requests.ts): what was parsed, what its tokens
 * stand for, and what follows from both before a list is read. All of it is the same for as long as the collection stays as it is.
 *
 * Asked by the searcher, once a search. What is asked once is not kept: to keep it costs more than to look for it.
 */
import type { SearchRequest } from '../core/requests.js';
import type { ExpansionCache } from './expand/expansion-cache.js';
import type { ParsedSearch } from './parse-search.js';
import type { StagePlan } from './stage-plan.js';

/** Numbers of what its tokens stand for, of which no more is kept for a search: eight KiB. */
const RANGE_WORDS_MAX = 2048;

/** The stages of a search, as they are found out. */
export interface KnownStages {
  first: StagePlan | null;
  /** null: it would read the same as the first; undefined: it was not asked for. */
  wider: StagePlan | null | undefined;
}

/** How a request was read. */
export class KnownSearch {
  readonly request: SearchRequest;
  /** Of the generation that it was read in. */
  readonly expansions: ExpansionCache;
  readonly search: ParsedSearch;
  readonly stages: KnownStages = { first: null, wider: undefined };

  constructor(request: SearchRequest, expansions: ExpansionCache, search: ParsedSearch) {
    this.request = request;
    this.expansions = expansions;
    this.search = search;
  }
}

/** Whether `search` is for words and nothing else: what else there is, is read each time, which takes longer. */
const isOfWords = ({ filter, facets, excluded, highlight, explainsHits, isRankAsked }: ParsedSearch): boolean =>
  filter === null && facets === null && excluded.length === 0 && highlight === null && !explainsHits && !isRankAsked;

/** How `request` was read in the generation of `expansions`; null: it was not, or it is not kept. */
export function findKnown(request: SearchRequest, expansions: ExpansionCache): KnownSearch | null {
  const reading = request.note?.reading;
  if (!(reading instanceof KnownSearch)) return null;
  return reading.expansions === expansions && reading.request === request ? reading : null;
}

/** Keeps how a request was read, if it is asked again, unless it asks for more than words or is large. Its stages may be added to. */
export function keepKnown(known: KnownSearch): void {
  const { request, search, stages } = known;
  const { note } = request;
  if (note === null) return;
  if (note.isAskedAgain && isOfWords(search) && wordsOf(stages) <= RANGE_WORDS_MAX) note.reading = known;
  note.isAskedAgain = true;
}

/** Numbers of what the tokens of a search stand for. */
const wordsOf = ({ first, wider }: KnownStages): number => wordsIn(first) + wordsIn(wider);

function wordsIn(plan: StagePlan | null | undefined): number {
  let words = 0;
  for (const clause of plan?.text.clauses ?? []) {
    if (clause.kind === 'token') words += clause.expansion.ranges.words.length;
    for (const { tokens } of clause.kind === 'phrase' ? [clause] : clause.phrases)
      for (const { expansion } of tokens) words += expansion.ranges.words.length;
  }
  return words;
}
