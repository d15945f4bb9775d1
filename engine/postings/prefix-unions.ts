/**
 * What prefix postings are made of: unions of lists of one field, and the lowest impacts of its documents; here those of lists
 * that the segment being written has.
 *
 * Owned by the prefix postings writer. Of the segments of a merge: postings/merged-unions.ts.
 */
import { assertPresent } from '../core/assert.js';
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

/** Notes in lowest[docs[i]] which of impacts[i], i in [0, count), are lower by frequency than what is there, or the first. */
export function lower(lowest: Uint8Array, docs: Uint32Array, impacts: Uint8Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const doc = docs[i];
    const impact = impacts[i];
    const other = lowest[doc];
    if (other === 0 || rank[impact] < rank[other]) lowest[doc] = impact;
  }
}

/** The lists of one field behind one another, in order of term: that of term t is [starts[t], starts[t + 1]). */
export interface FieldPostings {
  readonly field: number;
  readonly docs: Uint32Array;
  readonly impacts: Uint8Array;
  readonly starts: Uint32Array;
}

/** Of the lists of a segment of `maxDoc` documents that lie in memory. */
export class OwnUnions implements PrefixUnions {
  docs = new Uint32Array(0);
  impacts = new Uint8Array(0);
  readonly #fields: readonly FieldPostings[];
  readonly #maxDoc: number;
  readonly #part: ImpactUnion;
  readonly #whole: ImpactUnion;

  constructor(fields: readonly FieldPostings[], maxDoc: number) {
    this.#fields = fields;
    this.#maxDoc = maxDoc;
    this.#part = new ImpactUnion(maxDoc);
    this.#whole = new ImpactUnion(maxDoc);
  }

  begin(): void {}

  lowest(field: number): Uint8Array {
    const lowest = new Uint8Array(this.#maxDoc);
    const { docs, impacts, starts } = this.#postings(field);
    lower(lowest, docs, impacts, starts[starts.length - 1]);
    return lowest;
  }

  unitePart({ low, high }: TermRun, field: number): number {
    this.#add(this.#part, low, high, field);
    const count = this.#take(this.#part);
    this.#whole.add(this.docs, this.impacts, 0, count);
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
    const { docs, impacts, starts } = this.#postings(field);
    union.add(docs, impacts, starts[low], starts[high]);
  }

  #take(union: ImpactUnion): number {
    const { count } = union;
    if (this.docs.length < count) {
      this.docs = new Uint32Array(count * 2);
      this.impacts = new Uint8Array(count * 2);
    }
    union.take(this.docs, this.impacts, 0);
    return count;
  }

  #postings(field: number): FieldPostings {
    return assertPresent(
      this.#fields.find((each) => each.field === field),
      'postings of the field',
    );
  }
}
