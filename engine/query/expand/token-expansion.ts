/**
 * What one query token stands for in each segment, with weights: the term itself, its completions and corrections, and
 * other terms that are as good. And the collection-wide document frequency that all of them share.
 *
 * Made once per token and search (text-query.ts), in two steps: what the first stage reads, and what the second adds to it.
 * Corrections cost a walk of the term dictionary, so each segment remembers them: a segment never changes.
 */
import { PLAN_WEIGHT_TYPED, PLAN_WHOLE_WEIGHTS } from '../../layout/token-plan.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { EditWalk, type Mistyped } from '../../terms/edit-walk.js';
import type { OrdRange } from '../../terms/term-dictionary.js';
import type { QueryToken } from '../../text/query-tokens.js';
import type { FieldMap } from '../field-map.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import { CompletionFrequency } from './completion-frequency.js';
import { FrequencyMaximum } from './frequency-maximum.js';
import { RangeLog, type SegmentRanges } from './segment-ranges.js';
import { type StemmedFields, takeStemEntries } from './stem-terms.js';

/** Indexes into WEIGHTS. */
const TYPED = PLAN_WEIGHT_TYPED;
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
/** Whether a range of `weight`, an index, is completions of the typed term, or another term that is as good. */
export const isRelated = (weight: number): boolean => weight === RELATED;
/** Whether terms of `weight`, an index, stand for all of the token, and not for one that it begins, unless that is related. */
export const isWhole = (weight: number): boolean => (PLAN_WHOLE_WEIGHTS & (1 << weight)) !== 0;
/** Whether a range of `weight`, an index, holds terms that a mistyped form of the token begins. */
export const isMistypedPrefix = (weight: number): boolean =>
  weight === MISTYPED_PREFIX[1] ||
  weight === MISTYPED_PREFIX[2] ||
  weight === MISTYPED_THOUGH_KNOWN[1] ||
  weight === MISTYPED_THOUGH_KNOWN[2];

export interface Expansion {
  /** What is read to match and score. */
  readonly ranges: SegmentRanges;
  /**
   * The live documents, over all segments, that idf comes from: those that hold the typed token in the field where most
   * do; where none does, those of the most frequent of the other terms.
   */
  readonly df: number;
  /** As df, of the most frequent of all the terms, or a bound of it: tells how much there is to read. */
  readonly largestDf: number;
  /** What says how frequent that is, where largestDf is a bound; else null. */
  readonly completions: CompletionFrequency | null;
  /** Some live document holds the token itself in a queried field. */
  readonly isTerm: boolean;
  /** Some live document holds the token, or a term that it is completed to, in a queried field. */
  readonly isKnown: boolean;
}

/** Whether the token stands for itself alone: then its frequency in the only queried field is the number of matches. */
export const isTypedAlone = ({ ranges: { weights } }: Pick<Expansion, 'ranges'>): boolean =>
  (weights & ~(1 << TYPED)) === 0;

/** Whether the token stands for itself, if at all, and terms that are related to it, which are its completions but for stems. */
export const standsForCompletions = ({ ranges: { weights } }: Expansion): boolean =>
  (weights & ~((1 << TYPED) | (1 << RELATED))) === 0;

/** As df, of the most frequent of all the terms. */
export const exactLargestDf = ({ completions, largestDf }: Expansion): number => completions?.largest ?? largestDf;

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

/** The ranges of the expansion that is made: one at a time. */
const log = new RangeLog();

/** Gathers terms beside the typed one: their entries in `log`, and the most live documents of any one of them. */
class OtherTerms {
  readonly #segments: readonly SearchableSegment[];
  readonly #best: FrequencyMaximum;

  /** `atLeast`: a frequency already known. */
  constructor({ segments, fields, budget }: ExpansionSource, atLeast: number) {
    this.#segments = segments;
    this.#best = new FrequencyMaximum(segments, fields, atLeast, budget);
  }

  /** Takes in the terms of [low, high) of the dictionary of segment s. */
  add(s: number, low: number, high: number, weight: number): void {
    if (low >= high) return;
    const { postings } = this.#segments[s].reader;
    const first = postings.firstEntry(low);
    const end = postings.firstEntry(high);
    log.add(s, first, end, weight);
    this.#best.addRange(s, first, end);
  }

  /** The largest frequency of all. */
  largest(): number {
    return this.#best.finish();
  }
}

const completed: OrdRange = { low: 0, high: 0 };

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
export function expandExactly({ bytes }: QueryToken, source: ExpansionSource): Expansion {
  const { segments } = source;
  log.begin();
  const df = addTyped(bytes, source, new Int32Array(segments.length));
  return { ranges: log.finish(segments.length), df, largestDf: df, completions: null, isTerm: df > 0, isKnown: df > 0 };
}

/** What `token` stands for in the first stage: it is corrected only if it is not known. */
export function expandToken(
  { bytes }: QueryToken,
  { isCompleted, edits, stemmed }: ExpansionMode,
  source: ExpansionSource,
): Expansion {
  const { segments, budget } = source;
  log.begin();
  const ords = new Int32Array(segments.length);
  const df = addTyped(bytes, source, ords);
  const completions = new CompletionFrequency(segments, source.fields, budget, df);
  if (isCompleted) addCompletions(bytes, ords, completions, source);
  const isTerm = df > 0;
  const isKnown = isTerm || completions.largest > 0;
  const correctedDf = isKnown || edits === 0 ? 0 : addCorrections(bytes, isCompleted, edits, source);
  // They hold for their own fields alone, so their frequencies are not those of whole terms.
  const stemDf = takeStemEntries(bytes, ords, stemmed, segments, budget, addStem);
  const isBound = isTerm && isCompleted && stemDf === 0;
  const largestDf = isBound ? completions.bound : Math.max(completions.largest, correctedDf, stemDf);
  const ranges = log.finish(segments.length);
  const bounded = isBound ? completions : null;
  return { ranges, df: isTerm ? df : largestDf, largestDf, completions: bounded, isTerm, isKnown };
}

/** Takes in the token `bytes` itself, sets `ords` to the term that it is in each segment, or -1, and returns its frequency. */
function addTyped(bytes: Uint8Array, { segments, fields, budget }: ExpansionSource, ords: Int32Array): number {
  const typed = new TypedFrequencies(fields);
  for (let s = 0; s < segments.length; s++) {
    budget.check();
    const { dictionary, postings } = segments[s].reader;
    const ord = dictionary.find(bytes, 0, bytes.length);
    ords[s] = ord;
    if (ord < 0) continue;
    log.add(s, postings.firstEntry(ord), postings.firstEntry(ord + 1), TYPED);
    typed.add(segments[s], ord);
  }
  return typed.largest;
}

function addStem(s: number, entry: number): void {
  log.add(s, entry, entry + 1, RELATED);
}

/** Takes in the completions of the token `bytes`, which is term `ords[s]` of segment s, or no term where that is -1. */
function addCompletions(
  bytes: Uint8Array,
  ords: Int32Array,
  frequency: CompletionFrequency,
  { segments, budget }: ExpansionSource,
): void {
  for (let s = 0; s < segments.length; s++) {
    budget.check();
    const { dictionary, postings, prefixPostings } = segments[s].reader;
    if (!dictionary.findPrefix(bytes, 0, bytes.length, completed)) continue;
    const { low, high } = completed;
    // The token itself, if it is a term, is the first that it begins.
    const first = ords[s] >= 0 ? low + 1 : low;
    budget.expectTerms(high - first);
    if (first >= high) continue;
    const firstEntry = postings.firstEntry(first);
    const endEntry = postings.firstEntry(high);
    frequency.add(s, firstEntry, endEntry);
    // Read in the place of the completions' own lists, from which frequencies come. The union holds the token itself
    // too. That changes no score: its own list weighs more.
    const union = prefixPostings.count === 0 ? null : prefixPostings.find(low, high);
    if (union === null) log.add(s, firstEntry, endEntry, RELATED);
    else log.add(s, union.low, union.high, RELATED);
  }
}

/** Takes in the corrections of the token `bytes`, which is not known; how frequent the most frequent one is. */
function addCorrections(bytes: Uint8Array, isCompleted: boolean, edits: 1 | 2, source: ExpansionSource): number {
  const { segments, budget } = source;
  const others = new OtherTerms(source, 0);
  const walk = new EditWalk(bytes, edits);
  for (let s = 0; s < segments.length; s++) {
    budget.expectTerms(segments[s].reader.dictionary.termCount);
    const { words, prefixes } = findMistyped(segments[s], walk, isCompleted);
    for (let i = 0; i < words.length; i += 2) others.add(s, words[i], words[i] + 1, CORRECTED[words[i + 1]]);
    for (let i = 0; i < prefixes.length; i += 3)
      others.add(s, prefixes[i], prefixes[i + 1], MISTYPED_PREFIX[prefixes[i + 2]]);
  }
  return others.largest();
}

const NO_PREFIXES: readonly number[] = [];

/** What `walk` finds in `segment`: of prefixes, as far as `withPrefixes` says so. */
const findMistyped = (segment: SearchableSegment, walk: EditWalk, withPrefixes: boolean): Mistyped =>
  withPrefixes ? segment.mistyped(walk) : { words: segment.corrections(walk), prefixes: NO_PREFIXES };

/**
 * What `token`, expanded to `first` in the first stage, stands for in the second, where known tokens are corrected too;
 * `first` itself when that adds nothing that live documents hold. `foundNothing`: the first stage did, so a completed
 * token may be a mistyped prefix, though some term begins with it.
 */
export function widenExpansion(
  { bytes }: QueryToken,
  first: Expansion,
  { isCompleted, edits }: ExpansionMode,
  foundNothing: boolean,
  source: ExpansionSource,
): Expansion {
  if (!first.isKnown || edits === 0) return first;
  const { segments, budget } = source;
  log.begin();
  log.addAll(first.ranges);
  const others = new OtherTerms(source, exactLargestDf(first));
  const walk = new EditWalk(bytes, edits);
  let hasMore = false;
  for (let s = 0; s < segments.length; s++) {
    const segment = segments[s];
    budget.expectTerms(segment.reader.dictionary.termCount);
    const { words, prefixes } = findMistyped(segment, walk, isCompleted && foundNothing);
    const isPrefix = isCompleted && segment.reader.dictionary.findPrefix(bytes, 0, bytes.length, completed);
    const low = isPrefix ? completed.low : 0;
    const high = isPrefix ? completed.high : 0;
    for (let i = 0; i < words.length; i += 2) {
      // A completion weighs more, and so does the token itself, which the walk leaves out.
      if (words[i] >= low && words[i] < high) continue;
      hasMore ||= isHeld(segment, words[i], words[i] + 1, source);
      others.add(s, words[i], words[i] + 1, CORRECTED_THOUGH_KNOWN[words[i + 1]]);
    }
    for (let i = 0; i < prefixes.length; i += 3) {
      hasMore ||= isHeld(segment, prefixes[i], prefixes[i + 1], source);
      others.add(s, prefixes[i], prefixes[i + 1], MISTYPED_THOUGH_KNOWN[prefixes[i + 2]]);
    }
  }
  if (!hasMore) return first;
  const largestDf = others.largest();
  const df = first.isTerm ? first.df : largestDf;
  return { ...first, ranges: log.finish(segments.length), df, largestDf, completions: null };
}

/** Whether some live document holds one of the terms [low, high) in a queried field: a merge forgets the others. */
function isHeld(segment: SearchableSegment, low: number, high: number, { fields, budget }: ExpansionSource): boolean {
  const { postings } = segment.reader;
  const end = postings.firstEntry(high);
  for (let entry = postings.firstEntry(low); entry < end; entry++) {
    if ((entry & (CHECK_EVERY - 1)) === 0) budget.check();
    if (fields.placeOf(postings.field(entry)) >= 0 && segment.df(entry) > 0) return true;
  }
  return false;
}

/** `expansion` with the terms that `tokens` are, none of them completed or corrected, as related ones. */
export function addTerms(expansion: Expansion, tokens: readonly QueryToken[], source: ExpansionSource): Expansion {
  const { segments } = source;
  log.begin();
  log.addAll(expansion.ranges);
  let largestDf = exactLargestDf(expansion);
  for (const { bytes } of tokens) {
    source.budget.check();
    const frequencies = new TypedFrequencies(source.fields);
    for (let s = 0; s < segments.length; s++) {
      const { dictionary, postings } = segments[s].reader;
      const ord = dictionary.find(bytes, 0, bytes.length);
      if (ord < 0) continue;
      frequencies.add(segments[s], ord);
      log.add(s, postings.firstEntry(ord), postings.firstEntry(ord + 1), RELATED);
    }
    largestDf = Math.max(largestDf, frequencies.largest);
  }
  const ranges = log.finish(segments.length);
  return { ...expansion, ranges, largestDf, completions: null, df: expansion.isTerm ? expansion.df : largestDf };
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
