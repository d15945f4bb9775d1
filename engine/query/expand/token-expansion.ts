/**
 * What one query token stands for in each segment, with weights: the term itself, its completions and corrections, and
 * other terms that are as good. And the collection-wide document frequency that all of them share.
 *
 * Made once per token and search (text-query.ts), in two steps: what the first stage reads, and what the second adds to it.
 * Corrections cost a walk of the term dictionary, so each segment remembers them: a segment never changes.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { OrdRange } from '../../terms/term-dictionary.js';
import type { QueryToken } from '../../text/query-tokens.js';
import type { FieldMap } from '../field-map.js';
import type { ReadBudget } from '../read-budget.js';
import { FrequencyMaximum } from './frequency-maximum.js';
import { type StemmedFields, takeStemEntries } from './stem-terms.js';

/** Indexes into WEIGHTS. */
const TYPED = 0;
const RELATED = 1;
const CORRECTED = [TYPED, 2, 3] as const;
const MISTYPED_PREFIX = [TYPED, 4, 5] as const;
const CORRECTED_THOUGH_KNOWN = [TYPED, 6, 7] as const;
const MISTYPED_THOUGH_KNOWN = [TYPED, 8, 9] as const;

/**
 * How much a match counts by how it came about. A term that is reached in several ways counts by the largest.
 *
 *   0    1     the term as typed
 *   1    0.8   a completion, and every other term that is as good as the typed one
 *   2 3  0.9, 0.6    one edit, two edits from a token that is not known: it must be a mistake
 *   4 5  0.72, 0.48  a completion of one edit, two edits from it: both weights, multiplied
 *   6 7  0.25, 0.1   one edit, two edits from a known token: what was typed is likely what was meant
 *   8 9  0.2, 0.08   a completion of one edit, two edits from a known token: both weights, multiplied
 */
export const WEIGHTS = [1, 0.8, 0.9, 0.6, 0.72, 0.48, 0.25, 0.1, 0.2, 0.08] as const;

/** That of a term that is as good as the typed one, but is not it. */
export const RELATED_WEIGHT = WEIGHTS[RELATED];
/** Whether a range of `weight`, an index, is the term as typed. */
export const isTyped = (weight: number): boolean => weight === TYPED;
/** Whether a range of `weight`, an index, holds terms that a mistyped form of the token begins. */
export const isMistypedPrefix = (weight: number): boolean =>
  weight === MISTYPED_PREFIX[1] ||
  weight === MISTYPED_PREFIX[2] ||
  weight === MISTYPED_THOUGH_KNOWN[1] ||
  weight === MISTYPED_THOUGH_KNOWN[2];

/** Entry ranges of one token in one segment: low, high (exclusive), weight index, repeated. */
export type EntryRanges = readonly number[];

export interface Expansion {
  /** By segment, in the order given: what is read to match and score. */
  readonly ranges: readonly EntryRanges[];
  /**
   * The live documents, over all segments, that idf comes from: those that hold the typed token in the field where most
   * do; where none does, those of the most frequent of the other terms.
   */
  readonly df: number;
  /** As df, of the most frequent of all the terms: tells how much there is to read. */
  readonly largestDf: number;
  /** Some live document holds the token itself in a queried field. */
  readonly isTerm: boolean;
  /** Some live document holds the token, or a term that it is completed to, in a queried field. */
  readonly isKnown: boolean;
}

export interface ExpansionMode {
  readonly isCompleted: boolean;
  readonly edits: 0 | 1 | 2;
  /** Queried fields in which the terms of the token's stem are taken in. */
  readonly stemmed: readonly StemmedFields[];
}

/** What expanding needs beside the token. */
export interface ExpansionSource {
  readonly segments: readonly SearchableSegment[];
  readonly fields: FieldMap;
  readonly budget: ReadBudget;
}

/** Puts the terms of [low, high) of a segment's dictionary in, at a weight. */
type PushTerms = (low: number, high: number, weight: number) => void;

/** Ranges by segment as they are gathered. */
class GatheredRanges {
  readonly #source: ExpansionSource;
  readonly bySegment: readonly number[][];
  /** Of everything gathered: of the terms' own entries. */
  readonly best: FrequencyMaximum;

  constructor(source: ExpansionSource, known: Expansion | null, atLeast: number) {
    this.#source = source;
    const { segments, fields, budget } = source;
    this.bySegment = segments.map((_, s) => (known === null ? [] : [...known.ranges[s]]));
    this.best = new FrequencyMaximum(segments, fields, atLeast, budget);
  }

  /** Has `find` put terms of each segment in. */
  gather(find: (segment: SearchableSegment, push: PushTerms, s: number) => void): void {
    const { segments, budget } = this.#source;
    segments.forEach((segment, s) => {
      budget.check();
      const { postings } = segment.reader;
      const ranges = this.bySegment[s];
      find(
        segment,
        (low, high, weight) => {
          if (low >= high) return;
          const [first, end] = [postings.firstEntry(low), postings.firstEntry(high)];
          ranges.push(first, end, weight);
          if (weight !== TYPED) this.best.addRange(s, first, end);
        },
        s,
      );
    });
  }
}

const completions: OrdRange = { low: 0, high: 0 };

/** Live documents that hold `token` as it is, in the queried field where most do. */
export function countTyped({ bytes }: QueryToken, { segments, fields }: ExpansionSource): number {
  const typed = new TypedFrequencies(fields);
  for (const segment of segments) {
    const ord = segment.reader.dictionary.find(bytes, 0, bytes.length);
    if (ord >= 0) typed.add(segment, ord);
  }
  return typed.largest;
}

/** The token itself and nothing else: of a phrase, or one that is excluded. */
export function expandExactly(token: QueryToken, source: ExpansionSource): Expansion {
  return expandToken(token, { isCompleted: false, edits: 0, stemmed: [] }, source);
}

/** What `token` stands for in the first stage: it is corrected only if it is not known. */
export function expandToken(token: QueryToken, mode: ExpansionMode, source: ExpansionSource): Expansion {
  const { bytes } = token;
  const typed = new TypedFrequencies(source.fields);
  const ords = source.segments.map((segment) => {
    const ord = segment.reader.dictionary.find(bytes, 0, bytes.length);
    if (ord >= 0) typed.add(segment, ord);
    return ord;
  });
  const df = typed.largest;
  // The term itself is likely the most frequent, and a high maximum rules the others out early.
  const gathered = new GatheredRanges(source, null, df);
  gathered.gather((_, push, s) => push(ords[s], ords[s] + (ords[s] < 0 ? 0 : 1), TYPED));
  if (mode.isCompleted) gatherCompletions(token, ords, gathered);
  const isKnown = df > 0 || gathered.best.finish() > 0;
  const { edits } = mode;
  if (!isKnown && edits !== 0)
    gathered.gather((segment, push) => {
      const found = segment.corrections(bytes, edits);
      for (let i = 0; i < found.length; i += 2) push(found[i], found[i] + 1, CORRECTED[found[i + 1]]);
      if (!mode.isCompleted) return;
      const prefixes = segment.mistypedPrefixes(bytes, edits);
      for (let i = 0; i < prefixes.length; i += 3) push(prefixes[i], prefixes[i + 1], MISTYPED_PREFIX[prefixes[i + 2]]);
    });
  // They hold for their own fields alone, so their frequencies are not those of whole terms.
  const { segments, budget } = source;
  const stemDf = takeStemEntries(bytes, ords, mode.stemmed, segments, budget, (s, entry) =>
    gathered.bySegment[s].push(entry, entry + 1, RELATED),
  );
  const largestDf = Math.max(stemDf, gathered.best.finish());
  return { ranges: gathered.bySegment, df: df > 0 ? df : largestDf, largestDf, isTerm: df > 0, isKnown };
}

/**
 * What `token`, expanded to `first` in the first stage, stands for in the second, where known tokens are corrected too;
 * `first` itself when that adds nothing. `foundNothing`: the first stage did, so a completed token may be a mistyped prefix,
 * though some term begins with it.
 */
export function widenExpansion(
  token: QueryToken,
  first: Expansion,
  { isCompleted, edits }: ExpansionMode,
  foundNothing: boolean,
  source: ExpansionSource,
): Expansion {
  if (!first.isKnown || edits === 0) return first;
  const { bytes } = token;
  const gathered = new GatheredRanges(source, first, first.largestDf);
  let hasMore = false;
  gathered.gather((segment, push) => {
    const found = segment.corrections(bytes, edits);
    const isPrefix = isCompleted && segment.reader.dictionary.findPrefix(bytes, 0, bytes.length, completions);
    const low = isPrefix ? completions.low : 0;
    const high = isPrefix ? completions.high : 0;
    for (let i = 0; i < found.length; i += 2) {
      // A completion weighs more, and so does the token itself, which the walk leaves out.
      if (found[i] >= low && found[i] < high) continue;
      hasMore = true;
      push(found[i], found[i] + 1, CORRECTED_THOUGH_KNOWN[found[i + 1]]);
    }
    if (!isCompleted || !foundNothing) return;
    const prefixes = segment.mistypedPrefixes(bytes, edits);
    for (let i = 0; i < prefixes.length; i += 3) {
      hasMore = true;
      push(prefixes[i], prefixes[i + 1], MISTYPED_THOUGH_KNOWN[prefixes[i + 2]]);
    }
  });
  if (!hasMore) return first;
  const largestDf = gathered.best.finish();
  return { ...first, ranges: gathered.bySegment, df: first.isTerm ? first.df : largestDf, largestDf };
}

/** `expansion` with the terms that `tokens` are, none of them completed or corrected, as related ones. */
export function addTerms(expansion: Expansion, tokens: readonly QueryToken[], source: ExpansionSource): Expansion {
  const ranges = expansion.ranges.map((range) => [...range]);
  let { largestDf } = expansion;
  for (const { bytes } of tokens) {
    source.budget.check();
    const frequencies = new TypedFrequencies(source.fields);
    source.segments.forEach((segment, s) => {
      const ord = segment.reader.dictionary.find(bytes, 0, bytes.length);
      if (ord < 0) return;
      const { postings } = segment.reader;
      frequencies.add(segment, ord);
      ranges[s].push(postings.firstEntry(ord), postings.firstEntry(ord + 1), RELATED);
    });
    largestDf = Math.max(largestDf, frequencies.largest);
  }
  return { ...expansion, ranges, largestDf, df: expansion.isTerm ? expansion.df : largestDf };
}

/** Puts the completions of `token` in, which is term `ords[s]` of segment s, or no term where that is -1. */
function gatherCompletions({ bytes }: QueryToken, ords: readonly number[], gathered: GatheredRanges): void {
  gathered.gather((segment, push, s) => {
    const { dictionary, prefixPostings } = segment.reader;
    if (!dictionary.findPrefix(bytes, 0, bytes.length, completions)) return;
    const { low, high } = completions;
    const ranges = gathered.bySegment[s];
    const own = ranges.length;
    // The token itself, if it is a term, is the first that it begins.
    push(ords[s] >= 0 ? low + 1 : low, high, RELATED);
    const union = prefixPostings.count === 0 ? null : prefixPostings.find(low, high);
    if (union === null) return;
    // Read in the place of the completions' own lists, from which frequencies come. The union holds the token itself
    // too. That changes no score: its own list weighs more.
    ranges.length = own;
    ranges.push(union.low, union.high, RELATED);
  });
}

/** Live documents that hold the token itself, by field, summed over segments. */
class TypedFrequencies {
  readonly #fields: FieldMap;
  readonly #byPlace: number[] = [];

  constructor(fields: FieldMap) {
    this.#fields = fields;
  }

  add(segment: SearchableSegment, ord: number): void {
    const { postings } = segment.reader;
    const end = postings.firstEntry(ord + 1);
    for (let entry = postings.firstEntry(ord); entry < end; entry++) {
      const place = this.#fields.placeOf(postings.field(entry));
      if (place < 0) continue;
      this.#byPlace[place] = (this.#byPlace[place] ?? 0) + segment.df(entry);
    }
  }

  get largest(): number {
    let largest = 0;
    for (const df of this.#byPlace) largest = Math.max(largest, df ?? 0);
    return largest;
  }
}
