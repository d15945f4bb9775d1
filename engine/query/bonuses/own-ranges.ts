/**
 * What a token stands for by itself, as ranges of entries: the typed term and others as good, apart from what it is completed to. Kept
 * with what the token stands for, and made segment by segment.
 *
 * Used by query-slots.ts.
 */
import { assertPresent } from '../../core/assert.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { OrdRange } from '../../terms/term-dictionary.js';
import type { QueryToken } from '../../text/query-tokens.js';
import { type Expansion, isMistypedPrefix, isRelated, isTyped } from '../expand/token-expansion.js';
import type { TokenClause } from '../query-clauses.js';

/** Entry ranges of one source in one segment: low, high (exclusive, not low), repeated; the typed term's come first. */
export type SourceRanges = readonly number[];

export const NO_RANGES: SourceRanges = [];

const prefix: OrdRange = { low: 0, high: 0 };

/** Sets `prefix` to the entries of the terms that `token` begins; false: there are none. */
function findPrefixEntries({ bytes }: QueryToken, { reader }: SearchableSegment): boolean {
  if (!reader.dictionary.findPrefix(bytes, 0, bytes.length, prefix)) return false;
  prefix.low = reader.postings.firstEntry(prefix.low);
  prefix.high = reader.postings.firstEntry(prefix.high);
  return true;
}

/** What a token stands for by itself in each segment, found when it is first asked for. */
export class OwnRanges {
  readonly #token: QueryToken;
  readonly #isCompleted: boolean;
  readonly #own: Expansion;
  readonly #segments: readonly SearchableSegment[];
  /** By segment: the typed term, then the others but completions in their order. */
  readonly #plain: (SourceRanges | undefined)[];
  /** By segment: the terms that the token begins, but itself, or that a mistyped form of it begins. */
  readonly #completed: (SourceRanges | undefined)[];

  constructor(clause: TokenClause, own: Expansion, segments: readonly SearchableSegment[]) {
    this.#token = clause.token;
    this.#isCompleted = clause.isCompleted;
    this.#own = own;
    this.#segments = segments;
    // As long as they will be: an array that grows keeps room for more.
    this.#plain = new Array<SourceRanges | undefined>(segments.length).fill(undefined);
    this.#completed = new Array<SourceRanges | undefined>(segments.length).fill(undefined);
  }

  readonly plain = (index: number): SourceRanges => this.#plain[index] ?? this.#find(index, this.#plain);

  readonly completed = (index: number): SourceRanges => this.#completed[index] ?? this.#find(index, this.#completed);

  /** Finds both in segment `index`; returns what is in `wanted`. */
  #find(index: number, wanted: readonly (SourceRanges | undefined)[]): SourceRanges {
    const { words, starts } = this.#own.ranges;
    const { entryCount } = this.#segments[index].reader.postings;
    const isPrefix = this.#findPrefix(index);
    const plain: number[] = [];
    const others: number[] = [];
    const completed: number[] = [];
    let begun = prefix.low;
    for (let i = starts[index]; i < starts[index + 1]; i += 3) {
      const low = words[i];
      const high = words[i + 1];
      const weight = words[i + 2];
      if (low === high) continue;
      if (isTyped(weight)) {
        plain.push(low, high);
        begun = high;
      } else if (isMistypedPrefix(weight)) completed.push(low, high);
      // Prefix postings have no positions, and stand for completions alone.
      else if (low < entryCount && !(isPrefix && low >= prefix.low && low < prefix.high)) others.push(low, high);
    }
    if (isPrefix && begun < prefix.high) completed.push(begun, prefix.high);
    this.#plain[index] = kept(others.length === 0 ? plain : plain.concat(inOrder(others)));
    this.#completed[index] = kept(inOrder(completed));
    return assertPresent(wanted[index], 'what was found');
  }

  /**
   * Sets `prefix` to the entries of the terms of segment `index` that the token begins, if it is completed; false: it is
   * not, or there are none. Several related entries in one range are its completions, which are all the terms that it
   * begins but itself; else the dictionary is asked.
   */
  #findPrefix(index: number): boolean {
    if (!this.#isCompleted || !this.#own.isKnown) return false;
    const { words, starts } = this.#own.ranges;
    const { entryCount } = this.#segments[index].reader.postings;
    let typed = -1;
    for (let i = starts[index]; i < starts[index + 1]; i += 3) {
      if (isTyped(words[i + 2])) typed = words[i];
      else if (isRelated(words[i + 2]) && words[i] < entryCount && words[i + 1] - words[i] > 1) {
        prefix.low = typed < 0 ? words[i] : typed;
        prefix.high = words[i + 1];
        return true;
      }
    }
    return findPrefixEntries(this.#token, this.#segments[index]);
  }
}

/** `ranges` without the room that they had to grow. */
const kept = (ranges: SourceRanges): SourceRanges => (ranges.length === 0 ? NO_RANGES : ranges.slice());

/** `ranges` by their low ends, then their high ends. */
function inOrder(ranges: readonly number[]): readonly number[] {
  let i = 2;
  while (i < ranges.length && ranges[i] > ranges[i - 2]) i += 2;
  if (i >= ranges.length) return ranges;
  const pairs: { readonly low: number; readonly high: number }[] = [];
  for (let at = 0; at < ranges.length; at += 2) pairs.push({ low: ranges[at], high: ranges[at + 1] });
  pairs.sort((a, b) => a.low - b.low || a.high - b.high);
  return pairs.flatMap(({ low, high }) => [low, high]);
}
