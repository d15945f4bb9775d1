/**
 * Unions of lists for the prefix postings of a merged segment, out of what its sources have: their documents follow one another, so
 * a union is theirs one after the other, and that of a source mostly lies there as prefix postings.
 *
 * Owned by the postings merger.
 */
import { assert } from '../core/assert.js';
import { DROPPED_DOC, LAST_SOURCE, type MergeInput } from '../core/merge-input.js';
import { ImpactUnion } from './impact-union.js';
import type { PostingsReader } from './list-reader.js';
import type { PrefixPostingsReader } from './prefix-postings-reader.js';
import { lower, type PrefixUnions, type TermRun } from './prefix-unions.js';

/** The terms of all sources in order, each once. */
export interface TermSources {
  /** For each term the sources that have it, ascending; LAST_SOURCE is set in the last one's number. */
  readonly sources: Uint8Array;
  /** 1 for each term that the merged segment keeps; runs count those alone. */
  readonly keep: Uint8Array;
}

/**
 * Gives the postings docs[from..to) and impacts[from..to) of a source the documents' new numbers, without those that are dropped.
 * Returns where they end.
 */
export function renumber(
  docs: Uint32Array,
  impacts: Uint8Array,
  from: number,
  to: number,
  { base, map }: MergeInput<unknown>,
): number {
  if (map === null) {
    for (let i = from; i < to; i++) docs[i] += base;
    return to;
  }
  let live = from;
  for (let i = from; i < to; i++) {
    const doc = map[docs[i]];
    if (doc === DROPPED_DOC) continue;
    docs[live] = doc;
    impacts[live++] = impacts[i];
  }
  return live;
}

export class MergedUnions implements PrefixUnions {
  docs = new Uint32Array(0);
  impacts = new Uint8Array(0);
  readonly #inputs: readonly MergeInput<PostingsReader>[];
  readonly #prefixes: readonly PrefixPostingsReader[];
  readonly #terms: TermSources;
  /** By source, from the first term of a run on and to the end of one: terms of the source before. */
  readonly #lows = new Map<number, Uint32Array>();
  readonly #highs = new Map<number, Uint32Array>();
  /** By source, from when its lists are first united; empty in between. */
  readonly #unions: ImpactUnion[] = [];
  #listDocs = new Uint32Array(0);
  #listImpacts = new Uint8Array(0);

  /** `prefixes`: of the sources. */
  constructor(
    inputs: readonly MergeInput<PostingsReader>[],
    prefixes: readonly PrefixPostingsReader[],
    terms: TermSources,
  ) {
    this.#inputs = inputs;
    this.#prefixes = prefixes;
    this.#terms = terms;
  }

  begin(runs: readonly TermRun[]): void {
    for (const run of runs.flatMap((each) => [each, ...each.parts])) {
      this.#lows.set(run.low, new Uint32Array(0));
      this.#highs.set(run.high, new Uint32Array(0));
    }
    const { sources, keep } = this.#terms;
    const before = new Uint32Array(this.#inputs.length);
    let at = 0;
    let kept = 0;
    for (let term = 0; term < keep.length; term++) {
      const isKept = keep[term] === 1;
      if (isKept && this.#lows.has(kept)) this.#lows.set(kept, before.slice());
      for (let isLast = false; !isLast; ) {
        const mark = sources[at++];
        before[mark & ~LAST_SOURCE]++;
        isLast = mark >= LAST_SOURCE;
      }
      if (isKept && this.#highs.has(++kept)) this.#highs.set(kept, before.slice());
    }
  }

  lowest(field: number): Uint8Array {
    const merged = new Uint8Array(this.#inputs.reduce((sum, { liveCount }) => sum + liveCount, 0));
    this.#inputs.forEach((input, source) => {
      const { reader, base, map, maxDoc } = input;
      const own = this.#prefixes[source].commonImpacts(reader, field, maxDoc) ?? this.#lowestOf(input, field);
      if (map === null) merged.set(own, base);
      else for (let doc = 0; doc < maxDoc; doc++) if (map[doc] !== DROPPED_DOC) merged[map[doc]] = own[doc];
    });
    return merged;
  }

  unitePart(part: TermRun, field: number): number {
    return this.unite(part, field);
  }

  unite(run: TermRun, field: number): number {
    const lows = this.#lows.get(run.low);
    const highs = this.#highs.get(run.high);
    assert(lows !== undefined && highs !== undefined, 'the run was told');
    let count = 0;
    for (let source = 0; source < lows.length; source++) {
      const input = this.#inputs[source];
      const span = this.#prefixes[source].find(lows[source], highs[source]);
      let end = count;
      if (span === null) end = this.#uniteLists(source, lows[source], highs[source], field, count);
      else {
        const { reader, maxDoc } = input;
        for (let entry = span.low; entry < span.high; entry++) {
          if (reader.field(entry) !== field) continue;
          assert(reader.df(entry) <= maxDoc, 'a union holds a document once');
          this.#ensure(count + reader.df(entry), count);
          end = count + reader.readList(entry, this.docs, this.impacts, count);
        }
      }
      count = renumber(this.docs, this.impacts, count, end, input);
    }
    return count;
  }

  /** Writes the union of the lists of terms [low, high) of a source to docs and impacts from `from` on; returns its end. */
  #uniteLists(source: number, low: number, high: number, field: number, from: number): number {
    const { reader, maxDoc } = this.#inputs[source];
    const endEntry = reader.firstEntry(high);
    const firstEntry = reader.firstEntry(low);
    if (firstEntry === endEntry) return from;
    this.#unions[source] ??= new ImpactUnion(maxDoc);
    const union = this.#unions[source];
    for (let entry = firstEntry; entry < endEntry; entry++) {
      if (reader.field(entry) !== field) continue;
      const df = this.#readList(reader, entry);
      union.add(this.#listDocs, this.#listImpacts, 0, df);
    }
    const { count } = union;
    this.#ensure(from + count, from);
    union.take(this.docs, this.impacts, from);
    return from + count;
  }

  #lowestOf({ reader, maxDoc }: MergeInput<PostingsReader>, field: number): Uint8Array {
    const lowest = new Uint8Array(maxDoc);
    for (let entry = 0; entry < reader.entryCount; entry++) {
      if (reader.field(entry) !== field) continue;
      const df = this.#readList(reader, entry);
      lower(lowest, this.#listDocs, this.#listImpacts, df);
    }
    return lowest;
  }

  #readList(reader: PostingsReader, entry: number): number {
    const df = reader.df(entry);
    if (this.#listDocs.length < df) {
      this.#listDocs = new Uint32Array(df * 2);
      this.#listImpacts = new Uint8Array(df * 2);
    }
    return reader.readList(entry, this.#listDocs, this.#listImpacts, 0);
  }

  /** Makes room for `count` postings, of which `used` are there. */
  #ensure(count: number, used: number): void {
    if (this.docs.length >= count) return;
    const docs = new Uint32Array(count * 2);
    const impacts = new Uint8Array(count * 2);
    docs.set(this.docs.subarray(0, used));
    impacts.set(this.impacts.subarray(0, used));
    this.docs = docs;
    this.impacts = impacts;
  }
}
