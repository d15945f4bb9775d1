/**
 * Merges the sorted dictionaries of keyword columns into one: a k-way merge over a heap of cursors.
 *
 * Called by the column merge, once it knows which values survive. Moves ordinals only; bytes are copied at the end.
 */
import { assertPresent } from '../core/assert.js';
import type { ColumnReader } from './column-reader.js';
import { compareValues, copyValue } from './value-bytes.js';

/** As many bytes as a double holds exactly. */
const PREFIX_BYTES = 6;

/** A dictionary that takes part: `used[ord]` is 1 when the value survives; null: all do. */
export interface DictionarySource {
  readonly column: ColumnReader;
  readonly used: Uint8Array | null;
}

export interface MergedDictionary {
  readonly cardinality: number;
  readonly byteCount: number;
  /** By new ordinal: the source that holds the value, and its ordinal there. */
  readonly sources: Uint32Array;
  readonly ords: Uint32Array;
  /** By source: the new ordinal of each old one; undefined where the value does not survive. */
  readonly newOrds: readonly Uint32Array[];
}

/** The union of the surviving values of `sources`, in byte order. */
export function mergeDictionaries(sources: readonly DictionarySource[]): MergedDictionary {
  let total = 0;
  for (const { column } of sources) total += column.cardinality;
  const newOrds = sources.map(({ column }) => new Uint32Array(column.cardinality));
  const fromSources = new Uint32Array(total);
  const ords = new Uint32Array(total);
  const cursors = new DictionaryCursors(sources);
  let cardinality = 0;
  let byteCount = 0;
  while (cursors.open) {
    const source = cursors.source;
    const ord = cursors.ord;
    if (cardinality === 0 || cursors.differs(fromSources[cardinality - 1], ords[cardinality - 1])) {
      fromSources[cardinality] = source;
      ords[cardinality] = ord;
      cardinality++;
      const { dictOffsets } = sources[source].column;
      byteCount += dictOffsets[ord + 1] - dictOffsets[ord];
    }
    newOrds[source][ord] = cardinality - 1;
    cursors.advance();
  }
  return { cardinality, byteCount, sources: fromSources, ords, newOrds };
}

/** Writes a merged dictionary into the reserved sections of `column`. */
export function writeMergedDictionary(
  column: ColumnReader,
  merged: MergedDictionary,
  sources: readonly DictionarySource[],
): void {
  const { dictOffsets, dictHashes, dictBase, views } = column;
  let at = 0;
  for (let ord = 0; ord < merged.cardinality; ord++) {
    const source = assertPresent(sources[merged.sources[ord]], 'source of a merged value').column;
    const old = merged.ords[ord];
    const start = source.dictStart(old);
    const end = source.dictEnd(old);
    dictOffsets[ord] = at;
    dictHashes[2 * ord] = source.dictHashes[2 * old];
    dictHashes[2 * ord + 1] = source.dictHashes[2 * old + 1];
    copyValue(source.views.u8, start, end, views.u8, dictBase + at);
    at += end - start;
  }
  dictOffsets[merged.cardinality] = at;
}

/** A binary heap of the sources by their current value; ties go by source, so that the result is the same every time. */
class DictionaryCursors {
  readonly #sources: readonly DictionarySource[];
  readonly #heap: Uint32Array;
  #size = 0;
  /** Bytes that every value of every source begins with. */
  readonly #common: number;
  /**
   * By source: the current ordinal, and PREFIX_BYTES bytes of its value past the common ones, big-endian, which decide
   * most comparisons.
   */
  readonly #ords: Uint32Array;
  readonly #prefixes: Float64Array;

  constructor(sources: readonly DictionarySource[]) {
    this.#sources = sources;
    this.#heap = new Uint32Array(sources.length);
    this.#ords = new Uint32Array(sources.length);
    this.#prefixes = new Float64Array(sources.length);
    this.#common = commonBytes(sources);
    for (let source = 0; source < sources.length; source++) {
      if (this.#moveTo(source, 0)) this.#heap[this.#size++] = source;
    }
    for (let i = (this.#size >> 1) - 1; i >= 0; i--) this.#siftDown(i);
  }

  /** Whether a value is left. */
  get open(): boolean {
    return this.#size > 0;
  }

  /** The source with the smallest current value, and that value's ordinal there. */
  get source(): number {
    return this.#heap[0];
  }

  get ord(): number {
    return this.#ords[this.#heap[0]];
  }

  /** Whether the smallest current value differs from value `ord` of `source`. */
  differs(source: number, ord: number): boolean {
    const own = this.#sources[this.source].column;
    const other = this.#sources[source].column;
    const at = this.ord;
    if (own.dictHashes[2 * at] !== other.dictHashes[2 * ord]) return true;
    return this.#compareOrds(own, at, other, ord) !== 0;
  }

  /** Moves past the smallest current value. */
  advance(): void {
    const source = this.#heap[0];
    if (!this.#moveTo(source, this.#ords[source] + 1)) this.#heap[0] = this.#heap[--this.#size];
    if (this.#size > 1) this.#siftDown(0);
  }

  /** Puts the cursor of `source` on its first surviving value from `ord` on; false when there is none. */
  #moveTo(source: number, ord: number): boolean {
    const { column, used } = this.#sources[source];
    let at = ord;
    if (used !== null) while (at < column.cardinality && used[at] === 0) at++;
    if (at >= column.cardinality) return false;
    const { u8 } = column.views;
    const start = column.dictStart(at) + this.#common;
    const end = column.dictEnd(at);
    let prefix = 0;
    for (let i = start; i < start + PREFIX_BYTES; i++) prefix = prefix * 256 + (i < end ? u8[i] : 0);
    this.#ords[source] = at;
    this.#prefixes[source] = prefix;
    return true;
  }

  #siftDown(from: number): void {
    const heap = this.#heap;
    const size = this.#size;
    let parent = from;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= size) return;
      if (child + 1 < size && this.#less(heap[child + 1], heap[child])) child++;
      if (!this.#less(heap[child], heap[parent])) return;
      const moved = heap[parent];
      heap[parent] = heap[child];
      heap[child] = moved;
      parent = child;
    }
  }

  #less(a: number, b: number): boolean {
    const aPrefix = this.#prefixes[a];
    const bPrefix = this.#prefixes[b];
    if (aPrefix !== bPrefix) return aPrefix < bPrefix;
    const order = this.#compareOrds(this.#sources[a].column, this.#ords[a], this.#sources[b].column, this.#ords[b]);
    return order < 0 || (order === 0 && a < b);
  }

  #compareOrds(a: ColumnReader, aOrd: number, b: ColumnReader, bOrd: number): number {
    return compareValues(
      a.views.u8,
      a.dictStart(aOrd) + this.#common,
      a.dictEnd(aOrd),
      b.views.u8,
      b.dictStart(bOrd) + this.#common,
      b.dictEnd(bOrd),
    );
  }
}

/** Bytes that all values begin with: what the first and the last value of each dictionary, being sorted, have in common. */
function commonBytes(sources: readonly DictionarySource[]): number {
  const first = sources.find(({ column }) => column.cardinality > 0)?.column;
  if (first === undefined) return 0;
  const start = first.dictStart(0);
  let common = first.dictEnd(0) - start;
  for (const { column } of sources) {
    for (const ord of column.cardinality > 0 ? [0, column.cardinality - 1] : []) {
      const at = column.dictStart(ord);
      const length = Math.min(common, column.dictEnd(ord) - at);
      common = 0;
      while (common < length && column.views.u8[at + common] === first.views.u8[start + common]) common++;
    }
  }
  return common;
}
