/**
 * Which clauses of a query a term of one field of a segment matches, and where in a run of terms its phrases stand.
 *
 * Asks what the query was expanded to, so a word is marked exactly when it counts as a match, however it came about.
 * Remembers each distinct term: the texts of a page repeat their words. Made by highlighter.ts, one for each segment and
 * field that a page shows.
 */
import { assert } from '../../core/assert.js';
import { U32List } from '../../documents/byte-pool.js';
import { TermInterner } from '../../postings/term-interner.js';
import type { SegmentReader } from '../../segment/segment-reader.js';
import type { QueryToken } from '../../text/query-tokens.js';
import { type EntryRanges, rangesIn, type SegmentRanges } from '../expand/segment-ranges.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';

/** What one clause of a query marks. */
export interface MarkingClause {
  /** Marks every term that it begins; null: none. */
  readonly prefix: QueryToken | null;
  /** The entries of terms that it marks; null: none. */
  readonly ranges: SegmentRanges | null;
  /** Marks terms that stand side by side; each of one term or more. */
  readonly phrases: readonly (readonly QueryToken[])[];
}

interface PhraseTerms {
  readonly clause: number;
  readonly terms: readonly number[];
}

const NONE: readonly number[] = [];

/** Entries as disjoint ranges in ascending order: low, high (exclusive), repeated. */
function sortRanges(ranges: EntryRanges): number[] {
  const lows: number[] = [];
  for (let i = 0; i < ranges.length; i += 3) lows.push(i);
  lows.sort((a, b) => ranges[a] - ranges[b]);
  const sorted: number[] = [];
  for (const i of lows) {
    const last = sorted.length - 1;
    if (last > 0 && ranges[i] <= sorted[last]) sorted[last] = Math.max(sorted[last], ranges[i + 1]);
    else sorted.push(ranges[i], ranges[i + 1]);
  }
  return sorted;
}

function contains(sorted: readonly number[], entry: number): boolean {
  let low = 0;
  let high = sorted.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[2 * middle + 1] <= entry) low = middle + 1;
    else high = middle;
  }
  return 2 * low < sorted.length && sorted[2 * low] <= entry;
}

function beginsWith(bytes: Uint8Array, start: number, end: number, prefix: Uint8Array): boolean {
  if (end - start < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return false;
  return true;
}

/** The clauses of a query in one segment. */
export class SegmentClauses {
  readonly clauses: readonly MarkingClause[];
  readonly reader: SegmentReader;
  /** By clause. */
  readonly #ranges: readonly (readonly number[])[];
  /** By clause: what its terms begin with; null: they are those of its ranges alone. */
  readonly #prefixes: readonly (Uint8Array | null)[];

  /** `segment` is the segment's place in the search. */
  constructor(clauses: readonly MarkingClause[], reader: SegmentReader, segment: number) {
    this.clauses = clauses;
    this.reader = reader;
    this.#ranges = clauses.map(({ ranges }) => (ranges === null ? NONE : sortRanges(rangesIn(ranges, segment))));
    this.#prefixes = clauses.map(({ prefix }) => prefix?.bytes ?? null);
  }

  /** The clauses that the term `bytes[start, end)` of `field` matches by itself. */
  match(bytes: Uint8Array, start: number, end: number, field: number): readonly number[] {
    const ord = this.reader.dictionary.find(bytes, start, end);
    const entry = ord < 0 ? -1 : this.reader.postings.findEntry(ord, field);
    if (entry < 0) return NONE;
    const matched: number[] = [];
    this.#prefixes.forEach((prefix, c) => {
      if (contains(this.#ranges[c], entry) || (prefix !== null && beginsWith(bytes, start, end, prefix)))
        matched.push(c);
    });
    return matched.length === 0 ? NONE : matched;
  }
}

export class TermMarks {
  readonly #segment: SegmentClauses;
  readonly #field: number;
  readonly #budget: ReadBudget;
  readonly #terms = new TermInterner();
  /** By term. */
  readonly #clauses: (readonly number[])[] = [];
  /** By first term. */
  readonly #phrases = new Map<number, PhraseTerms[]>();

  constructor(segment: SegmentClauses, field: number, budget: ReadBudget) {
    this.#segment = segment;
    this.#field = field;
    this.#budget = budget;
    segment.clauses.forEach(({ phrases }, clause) => {
      for (const phrase of phrases) {
        const terms = phrase.map(({ bytes }) => this.termOf(bytes, 0, bytes.length));
        const others = this.#phrases.get(terms[0]);
        if (others === undefined) this.#phrases.set(terms[0], [{ clause, terms }]);
        else others.push({ clause, terms });
      }
    });
  }

  /** A number that stands for the term `bytes[start, end)` in the other calls. */
  termOf(bytes: Uint8Array, start: number, end: number): number {
    const term = this.#terms.intern(bytes, start, end);
    if (term === this.#clauses.length) this.#clauses.push(this.#segment.match(bytes, start, end, this.#field));
    return term;
  }

  /** Puts into `marks` where among `terms`, the terms of one value in order, clauses match by a term or a phrase. */
  markAll(terms: U32List, marks: PlaceMarks): void {
    const { values, length } = terms;
    for (let at = 0; at < length; at++) {
      if (at % CHECK_EVERY === 0) this.#budget.check();
      const own = this.#clauses[values[at]];
      if (own.length > 0) marks.add(at, own);
      const phrases = this.#phrases.get(values[at]);
      if (phrases === undefined) continue;
      for (const { clause, terms: phrase } of phrases)
        if (standsAt(phrase, terms, at)) for (let i = 0; i < phrase.length; i++) marks.add(at + i, [clause]);
    }
  }
}

/** The places of one value at which clauses match, ascending. */
export class PlaceMarks {
  readonly places = new U32List();
  /** By mark: at least one, each once. */
  readonly clauses: (readonly number[])[] = [];

  reset(): void {
    this.places.reset();
    this.clauses.length = 0;
  }

  /** Adds marks at `place`: past the last one, or among those that a phrase has put right before it. */
  add(place: number, clauses: readonly number[]): void {
    const { values, length } = this.places;
    const last = length === 0 ? -1 : values[length - 1];
    if (place > last) {
      this.places.push(place);
      this.clauses.push(clauses);
      return;
    }
    // A phrase marks places without a gap.
    const mark = length - 1 - (last - place);
    assert(values[mark] === place, 'marks are added in order');
    const others = this.clauses[mark];
    this.clauses[mark] = [...others, ...clauses.filter((clause) => !others.includes(clause))];
  }
}

function standsAt(phrase: readonly number[], { values, length }: U32List, at: number): boolean {
  return at + phrase.length <= length && phrase.every((term, i) => values[at + i] === term);
}
