/**
 * Which documents could be on the page for all that bonuses may make of their scores, known before a list is read.
 *
 * A document on the page has at least the score of the page's last one without bonuses. So with the largest factor that it may
 * get it must reach that; and where one word was typed, only a value of one token is what was typed, whose score is known.
 */
import { BEGINS_PERCENT, NEARNESS_PERCENT, WHOLE_PERCENT } from '../../layout/bonus-window.js';
import { idf, WHOLE_IMPACT } from '../../postings/impacts.js';
import { type MatchedToken, standsAlone, type TextQuery } from '../expand/text-query.js';
import { isMistypedPrefix, isRelated, isTypedAlone, WEIGHTS } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import type { ParsedSearch } from '../parse-search.js';
import type { PageBound } from '../sort/page-bound.js';
import { BONUS_WINDOW } from './bonuses.js';
import { gainsByCompletions } from './query-slots.js';

const NEAREST_FACTOR = 1 + NEARNESS_PERCENT / 100;
const WHOLE_FACTOR = WHOLE_PERCENT / 100;
const BEGINS_FACTOR = BEGINS_PERCENT / 100;

/** More than 32-bit floats that are multiplied in another order differ by. */
const SAFE = 1 - 1e-5;
/** A 32-bit float, above which no score is looked for. */
const SCORE_MAX = 1e30;

/** What the schema says of the queried fields, and how near scores are ties. */
export interface BoundedFields {
  /** Whether other terms may be as good as the typed one, because they share its stem. */
  readonly areStemmed: boolean;
  /** Documents with a score below that of the page's last one, times this, cannot be on it. */
  readonly margin: number;
}

/** The bound of `search`, which gets bonuses, as the stage `text` reads it; null: all of the window matter. */
export function pageBound(
  search: ParsedSearch,
  text: TextQuery,
  map: FieldMap,
  { areStemmed, margin }: BoundedFields,
): PageBound | null {
  const { slots, isRankAsked, ranked: page } = search;
  if (isRankAsked || page === 0 || page >= BONUS_WINDOW) return null;
  const largest = slots.length > 1 ? NEAREST_FACTOR * WHOLE_FACTOR : WHOLE_FACTOR;
  const wholeShare = (SAFE * margin) / largest;
  const typed = slots.length === 1 ? text.typed[slots[0].clause] : null;
  const only = typed?.kind === 'token' && map.areSurelySingle ? typed : null;
  const whole = only === null || isFew(only, map, page) ? 0 : leastWhole(only, map, areStemmed);
  return {
    page,
    share: whole > 0 ? (SAFE * margin) / BEGINS_FACTOR : wholeShare,
    wholeShare,
    whole,
    isJudged: only !== null && only.related.length === 0,
    isCompletedJudged: only !== null && !gainsByCompletions(only.clause),
    hasRelated: areStemmed,
  };
}

/** Whether all that match `matched` surely are on the page, whatever they score. */
const isFew = ({ expansion, sought }: MatchedToken, map: FieldMap, page: number): boolean =>
  sought.length === 0 && expansion.df * map.count <= page && isTypedAlone(expansion);

/** What a document scores at least of which a value is one token that `matched` stands for; 0: that is not known. */
function leastWhole(matched: MatchedToken, map: FieldMap, areStemmed: boolean): number {
  if (!standsAlone(matched)) return 0;
  const { expansion, repeats } = matched;
  let weight = Number.POSITIVE_INFINITY;
  for (let w = 0; w < WEIGHTS.length; w++) {
    const isRead = (expansion.ranges.weights & (1 << w)) !== 0;
    const isCompletion = isMistypedPrefix(w) || (isRelated(w) && !areStemmed);
    if (isRead && !isCompletion) weight = Math.min(weight, WEIGHTS[w]);
  }
  if (weight === Number.POSITIVE_INFINITY) return SCORE_MAX;
  const factor = idf(map.documents, Math.min(expansion.df, map.documents)) * repeats * weight * SAFE;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < map.count; i++) least = Math.min(least, map.scaleOf(i, factor) * map.tfPart(i, WHOLE_IMPACT));
  return Math.min(least, SCORE_MAX);
}
