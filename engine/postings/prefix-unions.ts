/**
 * What prefix postings are made of: unions of lists of one field, and the lowest impacts of its documents; here those of lists
 * that the segment being written has.
 *
 * Owned by the prefix postings writer. Of the segments of a merge: postings/merged-unions.ts.
 */
import type { RegionViews } from '../memory/arena.js';
import type { EntryTable } from './entry-table.js';
import { ImpactUnion } from './impact-union.js';
import { rankByFrequency } from './impacts.js';

const rank = rankByFrequency();

/** Terms [low, high), which share a prefix; `parts`: those that share a longer one, ascending, as far as they are due. */
export interface TermRun {
  readonly low: number;
  readonly high: number;
  readonly parts: readonly TermRun[];
}

export interface PrefixUnions {
  /** The last union: documents, ascending, and the impact of each by its most frequent term. */
  readonly docs: Uint32Array;
  readonly impacts: Uint8Array;
  /** Told once, before anything is asked for: runs that are no part of another, ascending. */
  begin(runs: readonly TermRun[]): void;
  /** The lowest impact by frequency that each document has in `field`, 0 when it has none. */
  lowest(field: number): Uint8Array;
  /** Unites the lists of `part`, one of the run that is united next; returns how many documents they have. */
  unitePart(part: TermRun, field: number): number;
  /** Unites the lists of `run`, whose parts were united before, in order. Returns how many documents they have. */
  unite(run: TermRun, field: number): number;
}

/** Notes in lowest[docs[i]] which of impacts[i] are lower by frequency than what is there, or the first. */
export function lower(lowest: Uint8Array, docs: Uint32Array, impacts: Uint8Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const doc = docs[i];
    const impact = impacts[i];
    const other = lowest[doc];
    if (other === 0 || rank[impact] < rank[other]) lowest[doc] = impact;
  }
}

/** Of the lists of `entries`, which lie in `views`: term t has entries [firstEntry(t), firstEntry(t + 1)). */
export class OwnUnions implements PrefixUnions {
  docs = new Uint32Array(0);
  impacts = new Uint8Array(0);
  readonly #entries: EntryTable;
  readonly #entryCount: number;
  readonly #firstEntry: (term: number) => number;
  readonly #views: RegionViews;
  readonly #maxDoc: number;
  readonly #part: ImpactUnion;
  readonly #whole: ImpactUnion;

  constructor(entries: EntryTable, firstEntry: (term: number) => number, views: RegionViews, maxDoc: number) {
    this.#entries = entries;
    this.#entryCount = entries.count;
    this.#firstEntry = firstEntry;
    this.#views = views;
    this.#maxDoc = maxDoc;
    this.#part = new ImpactUnion(maxDoc);
    this.#whole = new ImpactUnion(maxDoc);
  }

  begin(): void {}

  lowest(field: number): Uint8Array {
    const lowest = new Uint8Array(this.#maxDoc);
    for (let entry = 0; entry < this.#entryCount; entry++) {
      if (this.#entries.field(entry) !== field) continue;
      const df = this.#read(entry);
      lower(lowest, this.docs, this.impacts, df);
    }
    return lowest;
  }

  unitePart({ low, high }: TermRun, field: number): number {
    this.#add(this.#part, low, high, field);
    const count = this.#take(this.#part);
    this.#whole.add(this.docs, this.impacts, count);
    return count;
  }

  unite({ low, high, parts }: TermRun, field: number): number {
    let from = low;
    for (const part of parts) {
      this.#add(this.#whole, from, part.low, field);
      from = part.high;
    }
    this.#add(this.#whole, from, high, field);
    return this.#take(this.#whole);
  }

  /** Adds the lists of terms [low, high). */
  #add(union: ImpactUnion, low: number, high: number, field: number): void {
    const end = this.#firstEntry(high);
    for (let entry = this.#firstEntry(low); entry < end; entry++) {
      if (this.#entries.field(entry) !== field) continue;
      const count = this.#read(entry);
      union.add(this.docs, this.impacts, count);
    }
  }

  #take(union: ImpactUnion): number {
    const { count } = union;
    this.#ensure(count);
    union.take(this.docs, this.impacts, 0);
    return count;
  }

  /** Reads the list of `entry` to docs and impacts; returns its length. */
  #read(entry: number): number {
    this.#ensure(this.#entries.df(entry));
    return this.#entries.readList(entry, this.#views, this.docs, this.impacts);
  }

  #ensure(count: number): void {
    if (this.docs.length >= count) return;
    this.docs = new Uint32Array(count * 2);
    this.impacts = new Uint8Array(count * 2);
  }
}
