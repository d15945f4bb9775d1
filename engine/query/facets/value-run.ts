/**
 * The values of one field that occur among one segment's matches, and how often: what outlives the segment's turn.
 *
 * Filled by SegmentCounts, read by the join and the writer. Reused from query to query.
 */
import { assertPresent } from '../../core/assert.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { compareKeys } from '../../values/number-keys.js';
import { compareValues } from '../../values/value-bytes.js';

const NO_HASHES = new Uint32Array(0);

export class ValueRun {
  /** By entry, in no order. Keywords: `lo` is the ordinal; numbers: the halves of the key, unsigned and signed. */
  lo = new Uint32Array(0);
  hi = new Int32Array(0);
  /** Documents that hold the value, above 0. */
  counts = new Uint32Array(0);
  size = 0;
  /** Entries are the most frequent values of the segment alone, by falling count and rising value. */
  isInOrder = false;
  /** Which segment it is of, as the evaluator calls it. */
  segment = 0;
  /** The column's, by ordinal; empty for numbers. */
  dictHashes: Uint32Array = NO_HASHES;
  /** Room for the join's hash of each entry, once takeHashes() was called. */
  hashes = new Int32Array(0);
  #column: ColumnReader | null = null;

  get column(): ColumnReader {
    return assertPresent(this.#column, 'column of the run');
  }

  /** Empties the run and makes room for `capacity` entries of `column`, that of segment `segment`. */
  begin(column: ColumnReader, segment: number, capacity: number): void {
    this.#column = column;
    this.segment = segment;
    this.dictHashes = column.dictHashes;
    this.isInOrder = false;
    this.size = 0;
    if (this.counts.length < capacity) {
      this.lo = new Uint32Array(capacity);
      this.counts = new Uint32Array(capacity);
    }
    if (column.kind === 'number' && this.hi.length < capacity) this.hi = new Int32Array(capacity);
  }

  /** Adds a code of the column that occurs `count` > 0 times. */
  add(codeLo: number, codeHi: number, count: number): void {
    const entry = this.size++;
    this.counts[entry] = count;
    const column = this.#column as ColumnReader;
    if (column.kind === 'keyword') {
      this.lo[entry] = codeLo;
    } else {
      this.lo[entry] = column.keyLo(codeLo);
      this.hi[entry] = column.keyHi(codeLo, codeHi);
    }
  }

  /** Adds `size` codes of the column, below 2 to the power of 32, from `codes` of `words` on, and how often they occur, from `counts` on. */
  addCodes(words: Uint32Array, codes: number, counts: number, size: number): void {
    if (this.column.kind === 'number') {
      for (let i = 0; i < size; i++) this.add(words[codes + i], 0, words[counts + i]);
      return;
    }
    this.lo.set(words.subarray(codes, codes + size), this.size);
    this.counts.set(words.subarray(counts, counts + size), this.size);
    this.size += size;
  }

  /** Drops the entries for which `isKept` does not hold. */
  keep(isKept: (entry: number) => boolean): void {
    const { lo, hi, counts, size } = this;
    const isNumber = this.column.kind === 'number';
    let kept = 0;
    for (let entry = 0; entry < size; entry++) {
      if (!isKept(entry)) continue;
      lo[kept] = lo[entry];
      counts[kept] = counts[entry];
      if (isNumber) hi[kept] = hi[entry];
      kept++;
    }
    this.size = kept;
  }

  /** Writes the entries to `words` from `at` on (query/share/search-part.ts); returns where they end. */
  write(words: Uint32Array, at: number): number {
    const { size } = this;
    words[at] = this.segment;
    words[at + 1] = size;
    words.set(this.lo.subarray(0, size), at + 2);
    let end = at + 2 + size;
    if (this.column.kind === 'number') {
      words.set(this.hi.subarray(0, size), end);
      end += size;
    }
    words.set(this.counts.subarray(0, size), end);
    return end + size;
  }

  /** Makes this the run that write() has written from `at` on, of a segment with `column`; returns where it ends. */
  read(words: Uint32Array, at: number, column: ColumnReader): number {
    const size = words[at + 1];
    this.begin(column, words[at], size);
    this.size = size;
    let from = at + 2;
    this.lo.set(words.subarray(from, from + size));
    from += size;
    if (column.kind === 'number') {
      this.hi.set(words.subarray(from, from + size));
      from += size;
    }
    this.counts.set(words.subarray(from, from + size));
    return from + size;
  }

  /** `hashes`, with room for every entry. */
  takeHashes(): Int32Array {
    if (this.hashes.length < this.size) this.hashes = new Int32Array(this.counts.length);
    return this.hashes;
  }

  /** Lets go of the segment. */
  release(): void {
    this.#column = null;
    this.dictHashes = NO_HASHES;
  }
}

/** Orders entry `i` of run `a` and entry `j` of run `b`, both of one field, by their values. */
export function compareEntries(a: ValueRun, i: number, b: ValueRun, j: number): number {
  const left = a.column;
  const right = b.column;
  if (left.kind === 'number') return compareKeys(a.hi[i], a.lo[i], b.hi[j], b.lo[j]);
  const leftOrd = a.lo[i];
  const rightOrd = b.lo[j];
  if (left === right) return leftOrd - rightOrd;
  return compareValues(
    left.views.u8,
    left.dictStart(leftOrd),
    left.dictEnd(leftOrd),
    right.views.u8,
    right.dictStart(rightOrd),
    right.dictEnd(rightOrd),
  );
}

/** Low half of what tells an entry's value from others: a keyword's 64-bit hash, a number's key. */
export function idLo(run: ValueRun, entry: number): number {
  const { dictHashes } = run;
  return dictHashes.length === 0 ? run.lo[entry] : dictHashes[2 * run.lo[entry]];
}

/** The high half of the same, signed. */
export function idHi(run: ValueRun, entry: number): number {
  const { dictHashes } = run;
  return dictHashes.length === 0 ? run.hi[entry] : dictHashes[2 * run.lo[entry] + 1] | 0;
}
