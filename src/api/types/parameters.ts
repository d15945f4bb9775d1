/**
 * The query parameters that have bounds, after their text was read as a number or lower-cased. Bounds are the engine's.
 */
import type { tags } from 'typia';
import type { limits } from '../../../engine/index.js';

/** Read from decimal digits, so whole and not negative. */
type Natural<Max extends number> = number & tags.Maximum<Max>;
type Positive<Max extends number> = number & tags.Minimum<1> & tags.Maximum<Max>;

export interface SearchBounds {
  limit: Natural<typeof limits.SEARCH_LIMIT_MAX>;
  offset: Natural<typeof limits.SEARCH_WINDOW_MAX>;
  match_mode: 'all' | 'any';
}

export interface SuggestBounds {
  limit: Positive<typeof limits.SUGGEST_LIMIT_MAX>;
}
