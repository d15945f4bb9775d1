/**
 * Searches for words as they were parsed and expanded, for as long as the collection stays as it is: the same ones are asked
 * again and again. One per generation and reader thread, in that thread's budget; released with its generation.
 *
 * Asked by the searcher. Searches that name more than words are not remembered: what else they read takes longer.
 */
import { BudgetedCache, type CacheBudget } from '../core/cache-budget.js';
import type { SearchRequest } from '../core/requests.js';
import { expansionBytes } from './expand/expansion-cache.js';
import type { TextQuery } from './expand/text-query.js';
import type { ParsedSearch } from './parse-search.js';
import type { KnownStages } from './search-stages.js';

/** A search as it was read. */
export interface ReadSearch {
  readonly search: ParsedSearch;
  /** What its words stand for, as far as that was found out. */
  readonly stages: KnownStages;
}

interface KeptSearch extends ReadSearch {
  readonly request: SearchRequest;
}

/** The request and the parsed search, with a few tokens; and a clause that was expanded. */
const SEARCH_BYTES = 2048;
const CLAUSE_BYTES = 512;
/** What is remembered of a search, at most. */
const SEARCH_BYTES_MAX = 1 << 15;

export class RememberedSearches {
  readonly #byText: BudgetedCache<string, KeptSearch>;

  constructor(budget: CacheBudget) {
    this.#byText = new BudgetedCache(budget);
  }

  /** `request` as it was read before; undefined: it was not, or it is not remembered. */
  get(request: SearchRequest): ReadSearch | undefined {
    if (!isOfWords(request)) return undefined;
    const kept = this.#byText.get(request.q);
    return kept !== undefined && isSame(kept.request, request) ? kept : undefined;
  }

  /** Remembers how `request` was read, in the place of another with the same words, unless it is large. */
  keep(request: SearchRequest, { search, stages }: ReadSearch): void {
    if (!isOfWords(request)) return;
    const bytes = SEARCH_BYTES + textBytes(stages.first) + textBytes(stages.wider);
    if (bytes <= SEARCH_BYTES_MAX) this.#byText.add(request.q, { request, search, stages }, bytes);
  }

  /** Forgets everything, for good. */
  release(): void {
    this.#byText.release();
  }
}

const isOfWords = ({ filter, facet, highlight, explain, explainId }: SearchRequest): boolean =>
  filter === null && facet === null && highlight === null && !explain && explainId === null;

/** Whether two searches for the same words, and nothing else, are read as the same. */
const isSame = (one: SearchRequest, other: SearchRequest): boolean =>
  one === other ||
  (one.queryBy === other.queryBy &&
    one.sort === other.sort &&
    one.limit === other.limit &&
    one.offset === other.offset &&
    one.prefix === other.prefix &&
    one.typoTolerance === other.typoTolerance &&
    one.matchMode === other.matchMode &&
    one.typoThreshold === other.typoThreshold &&
    one.ranking === other.ranking);

function textBytes(text: TextQuery | null | undefined): number {
  if (text === null || text === undefined) return 0;
  let bytes = 0;
  for (const clause of text.clauses) {
    bytes += CLAUSE_BYTES;
    const phrases = clause.kind === 'token' ? clause.phrases : [clause];
    if (clause.kind === 'token') bytes += expansionBytes(clause.own) + expansionBytes(clause.expansion);
    for (const { tokens } of phrases) for (const { expansion } of tokens) bytes += expansionBytes(expansion);
  }
  return bytes;
}
