/**
 * What a token stands for over all segments, grouped by how its terms came about: how many they are, and the most
 * frequent by name.
 *
 * The terms of each group are walked side by side, each once, so that a prefix of a million terms takes a fraction of a
 * second; documents are counted only for terms that could be among those named.
 */

import { TOKEN_BYTES_MAX } from '../../core/limits.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { RangeMerge } from '../../terms/range-merge.js';
import type { OrdRange } from '../../terms/term-dictionary.js';
import { rangesIn, type SegmentRanges } from '../expand/segment-ranges.js';
import { WEIGHTS } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import type { MatchKind, NamedTerm, TermGroup } from './explanation.js';
import { composed } from './query-words.js';
import { kindOf, type TermKind, type TokenWords } from './term-kinds.js';

/** Terms named of a group. */
const TERMS_NAMED_MAX = 5;

/** Whether an entry of segment s counts. */
type Admits = (s: number, entry: number) => boolean;

/** Terms that came about in one way: ranges of ordinals by segment. */
interface Reached extends TermKind {
  readonly weight: number;
  readonly ranges: number[][];
  /** Of stems, by segment: their entries, since they hold for some of the queried fields; null: for all of these. */
  readonly entries: readonly Set<number>[] | null;
}

const prefixRange: OrdRange = { low: 0, high: 0 };
const termBytes = new Uint8Array(TOKEN_BYTES_MAX);

const decode = (bytes: Uint8Array, length: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('utf8');

/** The end of the entries of term `ord`: one a field at most, whatever damaged bytes say. */
function entriesEnd({ reader: { postings, fieldCount } }: SearchableSegment, ord: number): number {
  return Math.min(postings.firstEntry(ord + 1), postings.firstEntry(ord) + fieldCount);
}

/** Kinds of one weight, which the spelling of each term tells apart; of those of other weights a range has one. */
const TOLD_BY_SPELLING: ReadonlySet<MatchKind> = new Set<MatchKind>(['stem', 'synonym', 'joined']);

/** The end of the terms from `ord` on, of [ord, to), that came about as that one; `high`: the end of the completions. */
function endOf({ kind }: TermKind, ord: number, to: number, high: number): number {
  if (TOLD_BY_SPELLING.has(kind)) return ord + 1;
  // Damaged terms may begin with the token outside of what it begins.
  return kind === 'completion' && ord < high ? Math.min(to, high) : to;
}

export class TermGroups {
  readonly #segments: readonly SearchableSegment[];
  readonly #map: FieldMap;
  readonly #budget: ReadBudget;
  /** By queried field: documents of the term that is looked at. */
  readonly #sums: Float64Array;

  constructor(segments: readonly SearchableSegment[], map: FieldMap, budget: ReadBudget) {
    this.#segments = segments;
    this.#map = map;
    this.#budget = budget;
    this.#sums = new Float64Array(map.count);
  }

  /** The groups of `token`, whose `ranges` of entries are given by segment: heaviest first, then by kind. */
  of(token: TokenWords, ranges: SegmentRanges): TermGroup[] {
    const groups = this.#reach(token, ranges).sort((a, b) => b.weight - a.weight || (a.kind < b.kind ? -1 : 1));
    const seen = new Set<string>();
    return groups.map((group) => this.#describe(group, seen)).filter(({ count }) => count > 0);
  }

  #reach(token: TokenWords, byEntry: SegmentRanges): Reached[] {
    const groups = new Map<string, Reached>();
    const groupOf = (kind: TermKind, weight: number): Reached => {
      const key = `${kind.kind} ${weight}`;
      const known = groups.get(key);
      if (known !== undefined) return known;
      const entries = kind.kind === 'stem' ? this.#segments.map(() => new Set<number>()) : null;
      const group = { ...kind, weight: WEIGHTS[weight], ranges: this.#segments.map(() => []), entries };
      groups.set(key, group);
      return group;
    };
    const { bytes } = token;
    this.#segments.forEach(({ reader: { dictionary, postings } }, s) => {
      const begins = token.isCompleted && dictionary.findPrefix(bytes, 0, bytes.length, prefixRange);
      const { low, high } = begins ? prefixRange : { low: 0, high: 0 };
      const ranges = rangesIn(byEntry, s);
      for (let i = 0; i < ranges.length; i += 3) {
        const isUnion = ranges[i] >= postings.entryCount;
        let from = isUnion ? low : postings.termOfEntry(ranges[i], dictionary.termCount);
        const to = isUnion ? high : postings.termOfEntry(ranges[i + 1] - 1, dictionary.termCount) + 1;
        // The token itself has a list of its own.
        if (isUnion && dictionary.find(bytes, 0, bytes.length) === from) from++;
        for (let ord = from; ord < to; ) {
          // Only completions are many: all terms of the other kinds of their weight are looked at.
          const kind = kindOf(decode(termBytes, dictionary.readTerm(ord, termBytes)), token, ranges[i + 2]);
          const end = endOf(kind, ord, to, high);
          const group = groupOf(kind, ranges[i + 2]);
          group.ranges[s].push(ord, end);
          // The range of a stem is one entry.
          if (ranges[i + 1] === ranges[i] + 1) group.entries?.[s].add(ranges[i]);
          ord = end;
        }
      }
    });
    return [...groups.values()];
  }

  /** Describes `group` without the terms already `seen`, and adds its terms to them. */
  #describe({ kind, edits, weight, ranges, entries }: Reached, seen: Set<string>): TermGroup {
    const admits = (s: number, entry: number): boolean =>
      entries === null ? this.#map.placeOf(this.#segments[s].reader.postings.field(entry)) >= 0 : entries[s].has(entry);
    const merge = new RangeMerge(
      this.#segments.map(({ reader }) => reader.dictionary),
      ranges,
    );
    const top: NamedTerm[] = [];
    let count = 0;
    for (let step = 0; merge.next(); step++) {
      if ((step & (CHECK_EVERY - 1)) === 0) this.#budget.check();
      const bound = this.#frequency(merge, admits, (segment, entry) => segment.reader.postings.df(entry));
      if (bound === 0 || !this.#isHeld(merge, admits)) continue;
      const term = kind === 'completion' ? null : decode(merge.bytes, merge.length);
      if (term !== null && seen.has(term)) continue;
      if (term !== null) seen.add(term);
      count++;
      if (top.length === TERMS_NAMED_MAX && bound <= top[top.length - 1].documents) continue;
      const documents = this.#frequency(merge, admits, (segment, entry) => segment.df(entry));
      if (top.length === TERMS_NAMED_MAX && documents <= top[top.length - 1].documents) continue;
      // A stable sort leaves equally frequent terms in byte order.
      top.push({ term: composed(decode(merge.bytes, merge.length)), documents });
      top.sort((a, b) => b.documents - a.documents);
      if (top.length > TERMS_NAMED_MAX) top.pop();
    }
    return { kind, edits, weight, count, most_frequent: top };
  }

  /** Whether some live document holds the current term in a queried field. */
  #isHeld({ holderCount, holders, ords }: RangeMerge, admits: Admits): boolean {
    for (let i = 0; i < holderCount; i++) {
      const segment = this.#segments[holders[i]];
      const { postings } = segment.reader;
      const deleted = segment.maxDoc - segment.liveCount;
      const end = entriesEnd(segment, ords[i]);
      for (let entry = postings.firstEntry(ords[i]); entry < end; entry++) {
        if (!admits(holders[i], entry)) continue;
        // Most lists are longer than there are deleted documents: nothing has to be counted.
        if (postings.df(entry) > deleted || segment.df(entry) > 0) return true;
      }
    }
    return false;
  }

  /** The largest, over queried fields, of the sums of `dfOf` over segments for the current term. */
  #frequency(
    { holderCount, holders, ords }: RangeMerge,
    admits: Admits,
    dfOf: (segment: SearchableSegment, entry: number) => number,
  ): number {
    const sums = this.#sums.fill(0);
    for (let i = 0; i < holderCount; i++) {
      const segment = this.#segments[holders[i]];
      const { postings } = segment.reader;
      const end = entriesEnd(segment, ords[i]);
      for (let entry = postings.firstEntry(ords[i]); entry < end; entry++) {
        if (admits(holders[i], entry)) sums[this.#map.placeOf(postings.field(entry))] += dfOf(segment, entry);
      }
    }
    let largest = 0;
    for (let place = 0; place < sums.length; place++) largest = Math.max(largest, sums[place]);
    return largest;
  }
}
