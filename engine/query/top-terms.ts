/**
 * Finds the terms with the most live documents among ranges of each segment's terms, over all segments, exactly.
 *
 * A threshold algorithm (Fagin, Lotem & Naor, "Optimal aggregation algorithms for middleware", 2001): once `limit` terms
 * with at least T documents are known, another can only matter if some segment alone holds ceil(T / segments) of its
 * documents, so most terms are passed over by their document frequency.
 */
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { LiveCounts } from './live-counts.js';

/** Term ordinals [low, high) of one segment: low, high, repeated. */
export type OrdRanges = readonly number[];

export interface CountedTerm {
  /** UTF-8, one character a byte. */
  readonly key: string;
  readonly count: number;
  /** Where the term was found: a segment and its ordinal there. */
  readonly segment: number;
  readonly ord: number;
}

export class TopTerms {
  readonly #counts = new LiveCounts();
  readonly #term = new Uint8Array(TOKEN_BYTES_MAX);
  #segments: readonly SearchableSegment[] = [];
  #admits: (field: number) => boolean = () => false;
  #limit = 0;
  #best: CountedTerm[] = [];
  #known = new Set<string>();

  /** The `limit` best terms of `ranges`, one list a segment, by count descending, then bytes ascending; none with 0. */
  find(
    segments: readonly SearchableSegment[],
    ranges: readonly OrdRanges[],
    admits: (field: number) => boolean,
    limit: number,
  ): readonly CountedTerm[] {
    this.#segments = segments;
    this.#admits = admits;
    this.#limit = limit;
    this.#best = [];
    this.#known = new Set();
    // The most frequent of each segment first: they set a threshold that spares the rest.
    for (let s = 0; s < segments.length; s++) for (const ord of this.#mostFrequent(s, ranges[s])) this.#offer(s, ord);
    for (let s = 0; s < segments.length; s++)
      for (let i = 0; i < ranges[s].length; i += 2) this.#scan(s, ranges[s][i], ranges[s][i + 1]);
    return this.#best;
  }

  /** Documents that the worst of the best has; 0 while there is room. */
  get #threshold(): number {
    return this.#best.length < this.#limit ? 0 : this.#best[this.#limit - 1].count;
  }

  #scan(s: number, low: number, high: number): void {
    let wanted = Math.ceil(this.#threshold / this.#segments.length);
    for (let ord = low; ord < high; ord++) {
      if (this.#bound(s, ord) < wanted) continue;
      this.#offer(s, ord);
      wanted = Math.ceil(this.#threshold / this.#segments.length);
    }
  }

  #mostFrequent(s: number, ranges: OrdRanges): number[] {
    const top: { ord: number; bound: number }[] = [];
    for (let i = 0; i < ranges.length; i += 2) {
      for (let ord = ranges[i]; ord < ranges[i + 1]; ord++) {
        const bound = this.#bound(s, ord);
        if (top.length === this.#limit && bound <= top[top.length - 1].bound) continue;
        let at = top.length;
        while (at > 0 && top[at - 1].bound < bound) at--;
        top.splice(at, 0, { ord, bound });
        if (top.length > this.#limit) top.pop();
      }
    }
    return top.map(({ ord }) => ord);
  }

  /** At least as many documents of segment s as hold the term in an admitted field. */
  #bound(s: number, ord: number): number {
    const { postings } = this.#segments[s].reader;
    const end = postings.firstEntry(ord + 1);
    let bound = 0;
    for (let entry = postings.firstEntry(ord); entry < end; entry++)
      if (this.#admits(postings.field(entry))) bound += postings.df(entry);
    return bound;
  }

  #offer(s: number, ord: number): void {
    const segments = this.#segments;
    const length = segments[s].reader.dictionary.readTerm(ord, this.#term);
    const key = Buffer.from(this.#term.buffer, 0, length).toString('latin1');
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const ords = segments.map(({ reader }, other) =>
      other === s ? ord : reader.dictionary.find(this.#term, 0, length),
    );
    let bound = 0;
    for (let i = 0; i < ords.length; i++) if (ords[i] >= 0) bound += this.#bound(i, ords[i]);
    if (bound === 0 || bound < this.#threshold) return;
    let count = 0;
    for (let i = 0; i < ords.length; i++)
      if (ords[i] >= 0) count += this.#counts.count(segments[i], ords[i], this.#admits);
    if (count > 0) this.#insert({ key, count, segment: s, ord });
  }

  #insert(term: CountedTerm): void {
    const best = this.#best;
    let at = best.length;
    while (
      at > 0 &&
      (best[at - 1].count < term.count || (best[at - 1].count === term.count && best[at - 1].key > term.key))
    )
      at--;
    if (at >= this.#limit) return;
    best.splice(at, 0, term);
    if (best.length > this.#limit) best.pop();
  }
}
