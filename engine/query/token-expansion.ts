/**
 * What one query token stands for in each segment: the term itself, its completions and its corrections, with their
 * weights, and the collection-wide document frequency that they share.
 *
 * Made once per token and search. Corrections cost a walk of the term dictionary, so each segment remembers them: a
 * segment never changes.
 */
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { OrdRange } from '../terms/term-dictionary.js';
import type { QueryToken } from '../text/query-tokens.js';
import type { FieldMap } from './field-map.js';
import { FrequencyMaximum } from './frequency-maximum.js';
import type { ReadBudget } from './read-budget.js';

/** Indexes into WEIGHTS. */
const EXACT = 0;
const COMPLETED = 1;
const CORRECTED = [0, 2, 3] as const;
const MISTYPED_PREFIX = [0, 4, 5] as const;
const CORRECTED_THOUGH_KNOWN = [0, 6, 7] as const;

/**
 * How much a match counts by how it came about: exact; completed; 1 and 2 edits; a mistyped prefix of 1 and 2 edits; 1
 * and 2 edits away from a token that is itself a term of the collection. What was typed is then likely what was meant,
 * and the weight is so small that length and frequency cannot lift a correction above it.
 */
export const WEIGHTS = [1, 0.5, 0.25, 0.1, 0.125, 0.05, 0.01, 0.005] as const;

/** Entry ranges of one token in one segment: low, high (exclusive), weight index, repeated. */
export type EntryRanges = readonly number[];

export interface Expansion {
  /** By segment, in the order given: what is read to match and score. */
  readonly ranges: readonly EntryRanges[];
  /** The most live documents, over all segments, that hold any one of the terms in any one field. */
  readonly df: number;
}

export interface ExpansionMode {
  readonly completed: boolean;
  readonly edits: 0 | 1 | 2;
  /** Also take the terms that begin with a mistyped form of the token. */
  readonly prefixTypos: boolean;
}

/** Expands `token` over all segments. */
export function expandToken(
  token: QueryToken,
  mode: ExpansionMode,
  segments: readonly SearchableSegment[],
  fields: FieldMap,
  budget: ReadBudget,
): Expansion {
  const exact = new ExactFrequencies(fields);
  const ords = segments.map((segment) => {
    const ord = segment.reader.dictionary.find(token.bytes, 0, token.bytes.length);
    if (ord >= 0) exact.add(segment, ord);
    return ord;
  });
  const corrected = exact.largest > 0 ? CORRECTED_THOUGH_KNOWN : CORRECTED;
  /** The terms' own entries, from which frequencies come. */
  const ranges = segments.map((segment, s) => {
    budget.check();
    return expandInSegment(token, mode, segment, ords[s], corrected);
  });
  // The term itself is likely the most frequent, and a high maximum rules the others out early.
  const best = new FrequencyMaximum(segments, fields, exact.largest, budget);
  for (let s = 0; s < segments.length; s++)
    for (let i = 0; i < ranges[s].length; i += 3)
      if (ranges[s][i + 2] !== EXACT) best.addRange(s, ranges[s][i], ranges[s][i + 1]);
  const read = mode.completed ? segments.map((segment, s) => readPrefixPostings(token, segment, ranges[s])) : ranges;
  return { ranges: read, df: best.finish() };
}

/** Puts the prefix postings of the token's completions, where the segment has them, in the place of their own lists. */
function readPrefixPostings(token: QueryToken, segment: SearchableSegment, ranges: readonly number[]): EntryRanges {
  const { dictionary, prefixPostings } = segment.reader;
  const { bytes } = token;
  if (prefixPostings.count === 0 || !dictionary.findPrefix(bytes, 0, bytes.length, prefixRange)) return ranges;
  // The union holds the token itself too. That changes no score: its own list weighs more.
  const span = prefixPostings.find(prefixRange.low, prefixRange.high);
  if (span === null) return ranges;
  const read = [span.low, span.high, COMPLETED];
  for (let i = 0; i < ranges.length; i += 3)
    if (ranges[i + 2] !== COMPLETED) read.push(ranges[i], ranges[i + 1], ranges[i + 2]);
  return read;
}

/** Live documents that hold the token itself, by field, summed over segments. */
class ExactFrequencies {
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

const prefixRange: OrdRange = { low: 0, high: 0 };

/** The entry ranges of `token` in `segment`; `exact` is its ordinal there, or -1; `corrected`: weight index by edits. */
function expandInSegment(
  token: QueryToken,
  mode: ExpansionMode,
  segment: SearchableSegment,
  exact: number,
  corrected: typeof CORRECTED | typeof CORRECTED_THOUGH_KNOWN,
): number[] {
  const { dictionary, postings } = segment.reader;
  const { bytes } = token;
  const ranges: number[] = [];
  const push = (low: number, high: number, weight: number): void => {
    if (low < high) ranges.push(postings.firstEntry(low), postings.firstEntry(high), weight);
  };
  if (exact >= 0) push(exact, exact + 1, EXACT);
  let low = 0;
  let high = 0;
  if (mode.completed && dictionary.findPrefix(bytes, 0, bytes.length, prefixRange)) {
    low = prefixRange.low;
    high = prefixRange.high;
    // The token itself, if it is a term, is the first that it begins.
    push(exact >= 0 ? low + 1 : low, high, COMPLETED);
  }
  if (mode.edits !== 0) {
    const found = segment.corrections(bytes, mode.edits);
    for (let i = 0; i < found.length; i += 2)
      if (found[i] < low || found[i] >= high) push(found[i], found[i] + 1, corrected[found[i + 1]]);
  }
  if (mode.prefixTypos && mode.edits !== 0) {
    const found = segment.mistypedPrefixes(bytes, mode.edits);
    for (let i = 0; i < found.length; i += 3) push(found[i], found[i + 1], MISTYPED_PREFIX[found[i + 2]]);
  }
  return ranges;
}
