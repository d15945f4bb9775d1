/**
 * When the bonuses of ranking "best" apply to a search, and what of its best documents must be known for that.
 */
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { TextQuery } from '../expand/text-query.js';
import type { FieldMap } from '../field-map.js';
import type { ParsedSearch } from '../parse-search.js';
import type { PageBound } from '../sort/page-bound.js';
import { TEXT_MATCH } from '../sort/parse-sort.js';
import type { TopDocs } from '../sort/top-docs.js';
import { BONUS_WINDOW, type Bonuses, type BonusFactors, type BonusPage, type BonusQuery } from './bonuses.js';
import { ownTermsOf } from './own-terms.js';
import { pageBound } from './page-bound.js';
import { canMakeSlots, makeSlots } from './query-slots.js';

/** Scores that are this share of a better one are nearly equal. */
const NEAR_TIE = 0.98;

/**
 * Whether documents that `search` asks for get bonuses: those behind the window keep their score and their order. Where
 * the rank of one document is asked for, whatever the page is, all of them matter.
 */
export function getsBonuses({ ranking, sort, limit, offset, isRankAsked, clauses }: ParsedSearch): boolean {
  const byScore = sort.keys[0].field === TEXT_MATCH && sort.keys[0].descending;
  const isAsked = isRankAsked || (limit > 0 && offset < BONUS_WINDOW);
  return ranking === 'best' && byScore && isAsked && clauses.length > 0;
}

/** How many of the best documents `search` must know: all of the window, where bonuses may order it in another way. */
export function documentsNeeded(search: ParsedSearch): number {
  return getsBonuses(search) ? Math.max(search.ranked, BONUS_WINDOW) : search.ranked;
}

/** Whether nearly equal scores are ties: where relevance decides, and then the default sorting field alone. */
export function breaksNearTies({ sort: { keys } }: ParsedSearch, schema: CollectionSchema): boolean {
  if (schema.near_ties !== true || keys.length !== 2) return false;
  return keys[1].descending && schema.fields[keys[1].field].name === schema.default_sorting_field;
}

/** Which documents `search`, as the stage `text` reads it, need not keep because they cannot be on its page; null: all matter. */
export function boundOf(
  search: ParsedSearch,
  text: TextQuery,
  map: FieldMap,
  schema: CollectionSchema,
): PageBound | null {
  if (!getsBonuses(search)) return null;
  const areStemmed = search.fields.indexes.some((field) => schema.fields[field].stem !== undefined);
  return pageBound(search, text, map, { areStemmed, margin: breaksNearTies(search, schema) ? NEAR_TIE : 1 });
}

/** How the best documents of a stage are ordered by their scores with bonuses. */
export interface BestRanking {
  /** null: none gets a bonus. */
  readonly asked: BonusQuery | null;
  readonly page: BonusPage;
  /** Of the window, so many are put in order. */
  readonly sorted: number;
  readonly breaksNearTies: boolean;
}

/** What is made when it is first asked for. */
function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * How the documents of `search`, as the stage `text` reads it in `segments`, are ranked; null: they get no bonuses. `bound`: as
 * boundOf() says.
 */
export function bestRanking(
  search: ParsedSearch,
  text: TextQuery,
  bound: PageBound | null,
  { schema, segments }: { readonly schema: CollectionSchema; readonly segments: readonly SearchableSegment[] },
  map: FieldMap,
): BestRanking | null {
  if (!getsBonuses(search)) return null;
  const nearTies = breaksNearTies(search, schema);
  const slots = once(() => makeSlots(search, text, segments));
  const hasPairs = search.slots.length > 1;
  const { fields } = search;
  const ownTerms = bound?.isJudged ? ownTermsOf(search, text, map, schema) : null;
  return {
    asked: canMakeSlots(search) ? { schema, segments, map, slots, hasPairs, ownTerms, fields } : null,
    page: { end: search.ranked, margin: nearTies ? NEAR_TIE : 1 },
    // Groups of near ties are made from the top of the whole window.
    sorted: nearTies ? BONUS_WINDOW : search.ranked,
    breaksNearTies: nearTies,
  };
}

/** Ends the collecting of `top`, and orders its best documents as `ranking` says. Returns how many it holds. */
export function rankBest({ asked, page, sorted, breaksNearTies }: BestRanking, bonuses: Bonuses, top: TopDocs): number {
  const count = asked === null ? top.finish() : bonuses.apply(asked, top, page, sorted);
  if (breaksNearTies) top.breakNearTies(Math.min(count, BONUS_WINDOW), NEAR_TIE);
  return count;
}

/** What the document of rank `rank` among the `count` of `top` got, as rankBest() has ranked them; null: it was not looked at. */
export function factorsAt(
  { asked }: BestRanking,
  rank: number,
  count: number,
  bonuses: Bonuses,
  top: TopDocs,
): BonusFactors | null {
  if (asked === null || rank >= Math.min(count, BONUS_WINDOW)) return null;
  return bonuses.factorsOf(asked, top.segments[rank], top.docs[rank]);
}
