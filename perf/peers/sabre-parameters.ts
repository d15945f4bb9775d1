/**
 * How Sabre is asked what the others are asked, over HTTP and in a process of its own alike.
 */
import type { Mode, Shape } from './contestant.js';

export const COLLECTION = 'titles';
export const SABRE_SCHEMA = { name: COLLECTION, fields: [{ name: 'title', type: 'text' }] };

/** As the others rank, or as Sabre does by default. */
export type Ranking = 'bm25' | 'best';

const HITS = '10';

function parametersOf(shape: Shape, text: string): Record<string, string> {
  if (shape === 'corrected' || shape === 'in two steps') return { q: text };
  const q = shape === 'phrase' ? `"${text}"` : text;
  return { q, typo_tolerance: 'false', prefix: 'false', match_mode: shape === 'any' ? 'any' : 'all' };
}

function answerOf(mode: Mode): Record<string, string> {
  if (mode === 'count') return { limit: '0' };
  return mode === 'top+count' ? { limit: HITS, include_fields: 'id' } : { limit: HITS };
}

/** The query string of the search for `text`. */
export const searchFor = (mode: Mode, shape: Shape, ranking: Ranking, text: string): string =>
  new URLSearchParams({ ...parametersOf(shape, text), ...answerOf(mode), ranking }).toString();
