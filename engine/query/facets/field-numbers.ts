/**
 * The distinct values of a keyword field over several segments, numbered from 0 in no order.
 *
 * Owned by ValueNumbers. Values are equal when their bytes are; their hashes, which the segments hold, say where to look. What is
 * remembered refers to the columns that were followed last, whose memory must be there.
 */
import { assertPresent } from '../../core/assert.js';
import { hashWords } from '../../core/hash-words.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { compareValues } from '../../values/value-bytes.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';

const NUMBERS_MIN = 256;

export class FieldNumbers {
  /** By column: the number of each ordinal. */
  #numbers = new Map<ColumnReader, Uint32Array>();
  #columns: ColumnReader[] = [];
  /** By number: the halves of the value's hash, and where it occurs, an index into #columns and an ordinal. */
  #lo = new Uint32Array(NUMBERS_MIN);
  #hi = new Uint32Array(NUMBERS_MIN);
  #holder = new Uint32Array(NUMBERS_MIN);
  #ord = new Uint32Array(NUMBERS_MIN);
  /** Hash table of the numbers, half full at most: number + 1, or 0. */
  #slots = new Uint32Array(2 * NUMBERS_MIN);
  /** Numbers in use. */
  count = 0;

  /** What all of it takes, about. */
  get bytes(): number {
    let bytes = 1024 + 4 * this.#lo.byteLength + this.#slots.byteLength;
    for (const numbers of this.#numbers.values()) bytes += 512 + numbers.byteLength;
    return bytes;
  }

  /** Values that follow() would have to look at; 0 when it would change nothing. */
  costOf(columns: readonly ColumnReader[]): number {
    let cost = 0;
    let known = 0;
    for (const column of columns) {
      if (this.#numbers.has(column)) known++;
      else cost += column.cardinality;
    }
    return known === this.#numbers.size ? cost : cost + this.count;
  }

  /** Numbers the values of `columns` and no others. Stopped by `budget`, it is of no use any more. */
  follow(columns: readonly ColumnReader[], budget: ReadBudget): void {
    const kept = columns.filter((column) => this.#numbers.has(column));
    if (kept.length < this.#numbers.size) this.#renumber(kept, budget);
    for (const column of columns) if (!this.#numbers.has(column)) this.#add(column, budget);
  }

  /** By ordinal of `column`, one of those that are followed: the value's number. */
  numbersOf(column: ColumnReader): Uint32Array {
    return assertPresent(this.#numbers.get(column), 'column that is followed');
  }

  /** A column that has the value with number `value`, and its ordinal there. */
  columnOf(value: number): ColumnReader {
    return this.#columns[this.#holder[value]];
  }

  ordOf(value: number): number {
    return this.#ord[value];
  }

  /** Orders values as their bytes are ordered. */
  compare(a: number, b: number): number {
    return compareOrds(this.columnOf(a), this.#ord[a], this.columnOf(b), this.#ord[b]);
  }

  #add(column: ColumnReader, budget: ReadBudget): void {
    const { cardinality, dictHashes } = column;
    const numbers = new Uint32Array(cardinality);
    const holder = this.#columns.push(column) - 1;
    for (let ord = 0; ord < cardinality; ord++) {
      if ((ord & (CHECK_EVERY - 1)) === 0) budget.check();
      if (this.count === this.#lo.length) this.#grow();
      const lo = dictHashes[2 * ord];
      const hi = dictHashes[2 * ord + 1];
      const slot = this.#findSlot(lo, hi, column, ord);
      if (this.#slots[slot] === 0) {
        this.#set(this.count, lo, hi, holder, ord);
        this.#slots[slot] = ++this.count;
      }
      numbers[ord] = this.#slots[slot] - 1;
    }
    this.#numbers.set(column, numbers);
  }

  /** Forgets all columns but `kept`, and values that none of these has. */
  #renumber(kept: readonly ColumnReader[], budget: ReadBudget): void {
    /** By old number: the new one + 1, or 0. */
    const renumbered = new Uint32Array(this.count);
    const lo = this.#lo;
    const hi = this.#hi;
    const before = this.#numbers;
    this.#columns = [...kept];
    this.#numbers = new Map();
    this.count = 0;
    this.#lo = new Uint32Array(lo.length);
    this.#hi = new Uint32Array(lo.length);
    for (const [holder, column] of kept.entries()) {
      budget.check();
      const numbers = assertPresent(before.get(column), 'column that was followed');
      for (let ord = 0; ord < numbers.length; ord++) {
        const old = numbers[ord];
        if (renumbered[old] === 0) {
          this.#set(this.count, lo[old], hi[old], holder, ord);
          renumbered[old] = ++this.count;
        }
        numbers[ord] = renumbered[old] - 1;
      }
      this.#numbers.set(column, numbers);
    }
    this.#fillSlots();
  }

  #set(number: number, lo: number, hi: number, holder: number, ord: number): void {
    this.#lo[number] = lo;
    this.#hi[number] = hi;
    this.#holder[number] = holder;
    this.#ord[number] = ord;
  }

  /** The slot of the value with ordinal `ord` in `column`, or the free one where it belongs. */
  #findSlot(lo: number, hi: number, column: ColumnReader, ord: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashWords(lo, hi) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const value = slots[slot] - 1;
      if (this.#lo[value] !== lo || this.#hi[value] !== hi) continue;
      if (compareOrds(this.columnOf(value), this.#ord[value], column, ord) === 0) break;
    }
    return slot;
  }

  #grow(): void {
    const grown = (from: Uint32Array): Uint32Array<ArrayBuffer> => {
      const to = new Uint32Array(2 * from.length);
      to.set(from);
      return to;
    };
    this.#lo = grown(this.#lo);
    this.#hi = grown(this.#hi);
    this.#holder = grown(this.#holder);
    this.#ord = grown(this.#ord);
    this.#fillSlots();
  }

  #fillSlots(): void {
    this.#slots = new Uint32Array(2 * this.#lo.length);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let value = 0; value < this.count; value++) {
      let slot = hashWords(this.#lo[value], this.#hi[value]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = value + 1;
    }
  }
}

function compareOrds(a: ColumnReader, i: number, b: ColumnReader, j: number): number {
  return compareValues(a.views.u8, a.dictStart(i), a.dictEnd(i), b.views.u8, b.dictStart(j), b.dictEnd(j));
}
