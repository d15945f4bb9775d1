/**
 * One field of titles, and words that are one list in each segment: answers by outlines of these compared with answers without.
 */
import assert from 'node:assert/strict';
import type { SearchTarget } from '../../engine/query/searcher.js';
import type { OracleSchema } from '../oracle/collection.js';
import type { Params } from './client.js';
import { binding } from './engine-arena.js';
import { freshTarget, type InProcessCollection, searchTarget, withoutOutlines } from './engine-collection.js';

/** Outlines are made one segment a search, when a word has come twice before. */
const TIMES = 9;

export const TITLES: OracleSchema = {
  fields: [{ name: 'title', type: 'text', index: true, facet: false, filter: false, sort: false, boost: null }],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

let outlined = 0;

/** Comparisons so far with outlines that were kept. */
export const comparedWithKept = (): number => outlined;

/** What matters of an answer. */
export function answerOf(target: SearchTarget, params: Params): unknown {
  const { found, hits } = searchTarget(target, params);
  return { found, hits: hits.map(({ document, text_match }) => [document['id'], text_match]) };
}

/** Compares answers by outlines of segments, and such as are kept, with those of the same segments read without any. */
export function compareOutlined(
  { schema: own, segments, target }: InProcessCollection,
  requests: readonly Params[],
): void {
  const older = segments.map(withoutOutlines);
  const kept = freshTarget(own, older);
  for (const params of requests) {
    const expected = answerOf(freshTarget(own, older), params);
    assert.deepEqual(answerOf(target, params), expected);
    for (let times = 0; times < TIMES; times++) assert.deepEqual(answerOf(kept, params), expected);
  }
  if (binding.unions.usedBytes > 0) outlined++;
  for (const { open } of older) open.release();
}

/** Titles of so many words, with the word at their end or at their beginning: with a bonus one word more scores more. */
export const FILLERS = ['one', 'two', 'six', 'ten', 'five', 'four', 'nine'];
export const ends = (words: number): string => [...FILLERS.slice(0, words - 1), 'alpha'].join(' ');
export const begins = (words: number): string => ['alpha', ...FILLERS.slice(0, words - 1)].join(' ');
