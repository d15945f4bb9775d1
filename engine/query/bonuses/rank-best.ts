/**
 * When the bonuses of ranking "best" apply to a search, and what of its best documents must be known for that.
 */
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { TextQuery } from '../expand/text-query.js';
import type { FieldMap } from '../field-map.js';
import type { ParsedSearch } from '../parse-search.js';
import type { PageBound } from '../sort/page-bound.js';
import { TEXT_MATCH } from '../sort/parse-sort.js';
import type { TopDocs } from '../sort/top-docs.js';
import { BONUS_WINDOW, type Bonuses, type BonusFactors, type BonusQuery } from './bonuses.js';
import { ownTermsOf } from './own-terms.js';
import { pageBound } from './page-bound.js';
import { canMakeSlots, makeSlots, type QuerySlots } from './query-slots.js';

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

/** The best documents of a search in their final order, as far as it asks for them. */
export interface RankedHits {
  readonly count: number;
  /** What the document at a rank got; null where it was not looked at. */
  readonly bonuses: (rank: number) => BonusFactors | null;
}

/** Ends the collecting of `top` and orders the best documents of `search` by their scores with bonuses. */
export function rankBest(
  search: ParsedSearch,
  text: TextQuery,
  query: Omit<BonusQuery, 'slots' | 'hasPairs' | 'ownTerms' | 'fields'>,
  bonuses: Bonuses,
  top: TopDocs,
): RankedHits {
  const nearTies = breaksNearTies(search, query.schema);
  const { schema, segments, map } = query;
  let made: QuerySlots | null = null;
  const slots = (): QuerySlots => {
    made ??= makeSlots(search, text, segments);
    return made;
  };
  const hasPairs = search.slots.length > 1;
  const { fields } = search;
  const ownTerms = top.judged === null ? null : ownTermsOf(search, text, map, schema);
  const asked = canMakeSlots(search) ? { schema, segments, map, slots, hasPairs, ownTerms, fields } : null;
  const page = { end: search.ranked, margin: nearTies ? NEAR_TIE : 1 };
  // Groups of near ties are made from the top of the whole window.
  const sorted = nearTies ? BONUS_WINDOW : search.ranked;
  const count = asked === null ? top.finish() : bonuses.apply(asked, top, page, sorted);
  const window = Math.min(count, BONUS_WINDOW);
  if (nearTies) top.breakNearTies(window, NEAR_TIE);
  const factorsAt = (rank: number): BonusFactors | null =>
    asked === null || rank >= window ? null : bonuses.factorsOf(asked, top.segments[rank], top.docs[rank]);
  return { count, bonuses: factorsAt };
}
