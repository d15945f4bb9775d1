/**
 * What the search view says of an explanation: each number of it in its own words.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeParts,
  describeQuery,
  describeRank,
  describeScore,
  type ExplainAnswer,
  type ExplainedPart,
  type ExplainedTerm,
} from '../../src/ui/app/search/explain-words.js';

const term = (kind: ExplainedTerm['kind'], change: Partial<ExplainedTerm> = {}): ExplainedTerm => ({
  ...{ term: 'wireless', kind, edits: 0, occurrences: 1, score: 1 },
  ...{ weight: 1, tf: 1, length: 1, tf_part: 1 },
  ...change,
});
const token = (text: string, adds: number[], terms: ExplainedTerm[], boost = 1): ExplainedPart => ({
  ...{ kind: 'token', text, repeats: 1, adds },
  fields: [{ field: 'title', boost, score: 1, terms, more_terms: 0 }],
});

interface Given {
  readonly parts?: ExplainedPart[];
  readonly nearness?: number | null;
  readonly exactness?: number | null;
  readonly rank?: number | null;
  readonly isHit?: boolean;
}

const answerOf = ({ parts = [], nearness = null, exactness = null, rank = 1, isHit = true }: Given): ExplainAnswer => {
  const bm25 = parts.flatMap(({ adds }) => adds).reduce((sum, each) => sum + each, 0);
  const score = { parts, bm25, nearness, exactness, text_match: bm25 * (nearness ?? 1) * (exactness ?? 1) };
  return {
    found: 12_345,
    explain: {
      ...{ match_mode: 'all', ranking: 'best', near_ties: false, typo_threshold: 10, excluded: [], fields: [] },
      stages: [{ stage: 2, found: 12_345, answered: true }],
      parts: [{ kind: 'token', text: 'wir', repeats: 1, documents: 1200 }],
      dropped: [{ token: 'the', reason: 'stop_word' }],
      documents: 2000,
      document: {
        ...{ id: '1', exists: true, passes_filter: null, missing: [], excluded_by: [] },
        ...{ is_hit: isHit, rank, explain: score },
      },
    },
  };
};

test('each way in which a term stands for a word has its words', () => {
  const placeOf = (kind: ExplainedTerm['kind'], edits = 0): string =>
    describeParts(answerOf({ parts: [token('wir', [1], [term(kind, { edits })])] }))[0]?.places[0] ?? '';
  assert.equal(placeOf('typed'), 'in title: “wireless”, as you typed it');
  assert.equal(placeOf('completion'), 'in title: “wireless”, which begins with “wir”');
  assert.equal(placeOf('correction', 1), 'in title: “wireless”, one letter off what you typed');
  assert.equal(placeOf('correction', 2), 'in title: “wireless”, 2 letters off what you typed');
  assert.equal(placeOf('mistyped_prefix', 1), 'in title: “wireless”, which begins like “wir”, one letter off');
  for (const kind of ['stem', 'synonym', 'joined', 'split'] as const) assert.match(placeOf(kind), /“wir”/);
});

test('words are in the order of what they add, with their shares, weights and rarity', () => {
  const parts = [token('mouse', [1], [term('typed', { occurrences: 3 })]), token('wir', [2, 1], [term('typed')], 2)];
  const [first, second] = describeParts(answerOf({ parts }));
  assert.deepEqual([first?.text, first?.share, second?.share], ['wir', 0.75, 0.25]);
  assert.equal(first?.rarity, 'in 1,200 of 2,000 documents');
  assert.equal(second?.rarity, '');
  assert.match(first?.places[0] ?? '', /counts × 2/);
  assert.match(second?.places[0] ?? '', /, 3 times$/);
});

test('the score is its factors, without those that change nothing', () => {
  const parts = [token('wir', [2], [term('typed')])];
  const valuesOf = (given: Given): string[] => describeScore(answerOf({ parts, ...given })).map(({ value }) => value);
  assert.deepEqual(valuesOf({ nearness: 1.5, exactness: 1.15 }), ['2.00', '× 1.50', '× 1.15', '= 3.45']);
  assert.deepEqual(valuesOf({ nearness: 1, exactness: 1 }), ['2.00', '= 2.00']);
  assert.deepEqual(valuesOf({}), ['2.00', '= 2.00']);
  assert.deepEqual(describeScore(answerOf({})), []);
});

test('the place, what was not searched for, and a second reading are told', () => {
  assert.equal(describeRank(answerOf({})), 'This document is number 1 of 12,345.');
  assert.match(describeRank(answerOf({ rank: null })), /beyond the first 10,000/);
  assert.match(describeRank(answerOf({ rank: null, isHit: false })), /is not found/);
  const notes = describeQuery(answerOf({}));
  assert.equal(notes.length, 2);
  assert.match(notes[0] ?? '', /Few documents/);
  assert.match(notes[1] ?? '', /“the” was not searched for: it is a stop word/);
});
