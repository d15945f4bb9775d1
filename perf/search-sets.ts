/**
 * Sets of five searches as products ask them at once, drawn from the documents themselves: what multi-search.ts measures.
 */
import { WordSource } from './query-mixes.js';
import { createRandom } from './random.js';
import type { Corpus } from './schemas.js';
import type { Vocabulary } from './vocabulary.js';

/** Parameters of a search, of the types that a query string and a JSON object have in common. */
export type SearchParameters = Readonly<Record<string, string | number | boolean>>;

export interface SetKind {
  readonly name: string;
  readonly sets: readonly (readonly SearchParameters[])[];
}

const SEARCHES = 5;
const EXACT: SearchParameters = { prefix: false, typo_tolerance: false };

/** Hits under two filters and what the boxes beside them show: the values of each field, under the filters of the others. */
function facetedPage(q: string, corpus: Corpus): SearchParameters[] {
  const facets = corpus.fields.filter(({ facet }) => facet === true).map(({ name }) => name);
  const [number] = corpus.fields.filter(({ type }) => type === 'int').map(({ name }) => name);
  const filter = `${number}:>1`;
  const boxes = facets.slice(0, SEARCHES - 1).map((facet) => ({ q, ...EXACT, limit: 0, facet, filter }));
  return [{ q, ...EXACT, filter }, ...boxes];
}

/** `count` sets of each kind. */
export function createSets(corpus: Corpus, vocabulary: Vocabulary, count: number): SetKind[] {
  const source = new WordSource(createRandom(11), vocabulary);
  const five = (draw: () => SearchParameters) => (): SearchParameters[] => Array.from({ length: SEARCHES }, draw);
  const kind = (name: string, draw: () => SearchParameters[]): SetKind => ({
    name,
    sets: Array.from({ length: count }, draw),
  });
  return [
    kind(
      'five words exact, by occurrence',
      five(() => ({ q: source.byOccurrence(), ...EXACT })),
    ),
    kind(
      'five words exact, by distinct word',
      five(() => ({ q: source.byWord(), ...EXACT })),
    ),
    kind(
      'five words, default',
      five(() => ({ q: source.byOccurrence() })),
    ),
    kind(
      'five times two words, default',
      five(() => ({ q: source.pair(false) })),
    ),
    kind('page with four boxes, by occurrence', () => facetedPage(source.byOccurrence(), corpus)),
    kind('page with four boxes, by distinct word', () => facetedPage(source.byWord(), corpus)),
  ];
}
