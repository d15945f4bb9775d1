/**
 * Estimates how long a query will take: known once its tokens are expanded, before a list is read.
 *
 * Only to tell queries that take long from those that do not, which differ a thousandfold. Below a
 * millisecond the fixed costs that it leaves out are most of the time. What a reader measures corrects it (read-lanes.ts).
 */
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { BONUS_WINDOW } from './bonuses/bonuses.js';
import { getsBonuses } from './bonuses/rank-best.js';
import { type PhraseToken, phraseCost } from './expand/alternative-phrase.js';
import type { MatchedToken, TextQuery } from './expand/text-query.js';
import type { ParsedSearch } from './parse-search.js';
import { mayHoldPhrase, tokenWithPhrases } from './phrase-sweep.js';

/** Microseconds for each document of the collection: of counting it, of looking a filter up whose bits are not kept. */
const DOCUMENT_US = 0.0001;
const FILTER_US = 0.001;
/** For each posting that is scored, and for each that an intersection passes over. */
const POSTING_US = 0.004;
const SKIPPED_US = 0.0005;
/** For each match: of a facet field, of a sort key that is no score. */
const FACET_US = 0.004;
const KEY_US = 0.003;
/** The same of a search without text, whose matches are bits. */
const BITS_FACET_US = 0.001;
const BITS_KEY_US = 0.0003;
/** For each hit of the page: its texts are read and marked again; its score is taken apart, and its lists are read. */
const HIGHLIGHT_US = 50;
const EXPLAIN_US = 500;
/** For each document that bonuses may put elsewhere, and each clause: its positions are looked at, unless it cannot be on the page. */
const BONUS_US = 0.1;
/** For each value of a facet field's dictionary in a segment: its count is looked at, and added to other segments'. */
const VALUE_US = 0.005;
/** Of a posting of a phrase: its positions are compared. */
const PHRASE_FACTOR = 5;
/** Of a list that is the whole query: blocks that cannot enter are passed over (single-list.ts). */
const SINGLE_LIST_FACTOR = 0.1;

/** Microseconds that answering `search`, read as `text` without `excluded`, will take in `segments`, about. */
export function estimateCostUs(
  search: ParsedSearch,
  text: TextQuery | null,
  excluded: readonly (readonly PhraseToken[])[],
  segments: readonly SearchableSegment[],
): number {
  return estimateCollectingUs(search, text, excluded, segments) + estimatePageUs(search, text);
}

/** Of what each hit of the page gets beside its document, and of the bonuses. */
function estimatePageUs(search: ParsedSearch, text: TextQuery | null): number {
  const { highlight, explainsHits, limit } = search;
  const perHit = (highlight === null ? 0 : HIGHLIGHT_US) + (explainsHits ? EXPLAIN_US : 0);
  if (text === null) return perHit * limit;
  const window = getsBonuses(search) ? BONUS_WINDOW : 0;
  if (perHit === 0 && window === 0) return 0;
  const matches = matchesAtMost(search, text);
  return perHit * Math.min(limit, matches) + BONUS_US * text.clauses.length * Math.min(window, matches);
}

/** Documents that match `text`, at most, about. */
function matchesAtMost({ matchAll }: ParsedSearch, { clauses }: TextQuery): number {
  let matches = matchAll ? Number.POSITIVE_INFINITY : 0;
  for (const { cost } of clauses) matches = matchAll ? Math.min(matches, cost) : matches + cost;
  return matches;
}

function estimateCollectingUs(
  search: ParsedSearch,
  text: TextQuery | null,
  excluded: readonly (readonly PhraseToken[])[],
  segments: readonly SearchableSegment[],
): number {
  let documents = 0;
  let values = 0;
  let filtered = 0;
  for (const segment of segments) {
    documents += segment.maxDoc;
    if (search.filter !== null && !segment.open.filters.has(search.filter.key)) filtered += segment.maxDoc;
    if (search.facets === null) continue;
    for (const field of search.facets) values += segment.column(field)?.cardinality ?? 0;
  }
  let perMatch = (search.facets?.length ?? 0) * (text === null ? BITS_FACET_US : FACET_US);
  for (const { field, keyword } of search.sort.keys)
    if (field >= 0) perMatch += text === null && !keyword ? BITS_KEY_US : KEY_US;
  let excludedPostings = 0;
  for (const tokens of excluded)
    for (const { expansion } of tokens) excludedPostings += expansion.df * (tokens.length > 1 ? PHRASE_FACTOR : 1);
  const fixed = filtered * FILTER_US + values * VALUE_US + excludedPostings * (text === null ? POSTING_US : SKIPPED_US);
  if (text === null) return documents * (DOCUMENT_US + perMatch) + fixed;
  let all = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const clause of text.clauses) {
    const { cost } = clause;
    all += cost;
    for (const { tokens } of clause.kind === 'phrase' ? [clause] : clause.sought)
      all += phraseCost(tokens) * (PHRASE_FACTOR - 1);
    fewest = Math.min(fewest, cost);
  }
  const token = tokenWithPhrases(text);
  if (text.clauses.length === 1 && perMatch === 0 && fixed === 0) {
    const share = token === null ? 0 : phraseShare(token, segments, documents);
    return all * POSTING_US * (share + (1 - share) * SINGLE_LIST_FACTOR);
  }
  if (!search.matchAll) return all * POSTING_US + Math.min(all, documents) * perMatch + fixed;
  const scored = text.clauses.length * fewest;
  return scored * POSTING_US + Math.max(0, all - scored) * SKIPPED_US + fewest * perMatch + fixed;
}

/** The share of all `documents` that lie in segments which may hold a phrase that is sought for `token`. */
function phraseShare(token: MatchedToken, segments: readonly SearchableSegment[], documents: number): number {
  let held = 0;
  for (let s = 0; s < segments.length; s++) if (mayHoldPhrase(token, s)) held += segments[s].maxDoc;
  return documents === 0 ? 0 : held / documents;
}
