/**
 * Collects the values of one field while a segment is built, then writes them as a column (layout/columns.ts).
 *
 * Driven by the segment builder, one builder a field, reused from segment to segment. Allocates nothing per value.
 */
import { assert } from '../core/assert.js';
import { type GrowthRoom, NO_BOUND } from '../core/growth-room.js';
import type { RegionWriter } from '../memory/region-writer.js';
import type { ColumnKind, ColumnReader } from './column-reader.js';
import {
  type CodeRange,
  type ColumnShape,
  columnBytes,
  NO_DICTIONARY,
  ordinalRange,
  reserveColumn,
  writeZones,
} from './column-sections.js';
import { compareKeys } from './number-keys.js';
import { sortValues } from './sort-values.js';
import { copyValue, type Hash64, hashValue } from './value-bytes.js';
import { ValueInterner } from './value-interner.js';

const INITIAL_VALUES = 32;
/** Arrays beyond this are given up by reset(). */
const KEPT_VALUES_MAX = 1 << 20;
/** What a place for a value takes here, sorted, and in the segment. */
const PLACE_BYTES = 24;
/** Runs of one document's values up to this length are sorted by insertion. */
const SMALL_RUN = 32;

/** Any two numbers may lie this far apart. */
const WIDEST: CodeRange = { baseHi: 0, baseLo: 0, maxCodeHi: 0xffffffff, maxCodeLo: 0xffffffff };

export class ColumnBuilder {
  readonly kind: ColumnKind;
  /** One entry a value: its document, and the halves of its key. Keywords: `lo` is the value's number, later ordinal. */
  #docs = new Uint32Array(INITIAL_VALUES);
  #lo = new Uint32Array(INITIAL_VALUES);
  #hi: Int32Array;
  #count = 0;
  readonly #interner: ValueInterner | null;
  /** Keywords, once finished: the interner's numbers in byte order. */
  #order: Uint32Array = new Uint32Array(0);
  #docsWithValue = 0;
  #finished = false;
  readonly #room: GrowthRoom;

  constructor(kind: ColumnKind, room = NO_BOUND) {
    this.kind = kind;
    this.#room = room;
    this.#hi = new Int32Array(kind === 'number' ? INITIAL_VALUES : 0);
    this.#interner = kind === 'keyword' ? new ValueInterner(room) : null;
  }

  /** Whether no value was added since the last reset. */
  get empty(): boolean {
    return this.#count === 0;
  }

  /**
   * Adds a value to `doc`, as the ordered key of values/number-keys.ts: signed high and unsigned low half. Documents
   * come in ascending order; one may have several values, in any order and repeated.
   */
  addNumber(doc: number, hi: number, lo: number): void {
    const at = this.#count;
    if (at === this.#docs.length || this.#finished) this.#grow();
    this.#docs[at] = doc;
    this.#lo[at] = lo;
    this.#hi[at] = hi;
    this.#count = at + 1;
  }

  /** Adds the keyword value of bytes [start, end), which are copied when new, to `doc`; documents as for addNumber. */
  addBytes(doc: number, bytes: Uint8Array, start: number, end: number): void {
    const interner = this.#interner;
    assert(interner !== null, 'bytes go to a keyword column');
    const at = this.#count;
    if (at === this.#docs.length || this.#finished) this.#grow();
    this.#docs[at] = doc;
    this.#lo[at] = interner.intern(bytes, start, end);
    this.#count = at + 1;
  }

  /** Bytes that write() takes at most if nothing more is added; more may be. */
  boundBytes(maxDoc: number): number {
    const counts = { multi: true, values: Math.max(this.#count, maxDoc), docsWithValue: 0 };
    const interner = this.#interner;
    if (interner === null)
      return columnBytes({ kind: this.kind, maxDoc, counts, range: WIDEST, dictionary: NO_DICTIONARY });
    const dictionary = { cardinality: interner.count, byteCount: interner.byteCount };
    return columnBytes({ kind: this.kind, maxDoc, counts, range: ordinalRange(interner.count), dictionary });
  }

  /** Bytes that write() will take. Ends the adding of values until reset(). */
  estimateBytes(maxDoc: number): number {
    this.#finish();
    return columnBytes(this.#shape(maxDoc));
  }

  /**
   * Writes the column of a segment of `maxDoc` documents and returns the offset of its header. Ends the adding of values
   * until reset(); may be called again after a RegionFullError.
   */
  write(out: RegionWriter, maxDoc: number): number {
    this.#finish();
    assert(this.#count === 0 || this.#docs[this.#count - 1] < maxDoc, 'documents of values lie below maxDoc');
    const column = reserveColumn(out, this.#shape(maxDoc));
    if (column.multi) this.#writeStarts(column);
    if (column.present.length > 0) this.#writePresent(column);
    this.#writeCodes(column);
    if (column.kind === 'keyword') this.#writeDictionary(column);
    writeZones(column);
    return column.offset;
  }

  /** Forgets all values, ready for the next segment. */
  reset(): void {
    this.#count = 0;
    this.#finished = false;
    this.#order = new Uint32Array(0);
    this.#interner?.reset();
    if (this.#docs.length <= KEPT_VALUES_MAX) return;
    this.#docs = new Uint32Array(INITIAL_VALUES);
    this.#lo = new Uint32Array(INITIAL_VALUES);
    this.#hi = new Int32Array(this.kind === 'number' ? INITIAL_VALUES : 0);
  }

  #grow(): void {
    assert(!this.#finished, 'no value is added after the column was written');
    const capacity = 2 * this.#docs.length;
    this.#room.add(PLACE_BYTES * this.#docs.length);
    const docs = new Uint32Array(capacity);
    const lo = new Uint32Array(capacity);
    docs.set(this.#docs);
    lo.set(this.#lo);
    this.#docs = docs;
    this.#lo = lo;
    if (this.kind === 'keyword') return;
    const hi = new Int32Array(capacity);
    hi.set(this.#hi);
    this.#hi = hi;
  }

  /** Brings the entries into their final form: ordinals for keywords, each document's values ascending and distinct. */
  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#interner !== null) this.#rankValues(this.#interner);
    const docs = this.#docs;
    const count = this.#count;
    let kept = 0;
    let docsWithValue = 0;
    for (let first = 0; first < count; docsWithValue++) {
      const doc = docs[first];
      let end = first + 1;
      while (end < count && docs[end] === doc) end++;
      assert(end === count || docs[end] > doc, 'documents are added in ascending order');
      if (end - first > 1) this.#sortRun(first, end);
      kept = this.#keepDistinct(first, end, kept);
      first = end;
    }
    this.#count = kept;
    this.#docsWithValue = docsWithValue;
  }

  #rankValues(interner: ValueInterner): void {
    const order = sortValues(interner.bytes, interner.offsets, interner.count);
    const ranks = new Uint32Array(order.length);
    for (let ord = 0; ord < order.length; ord++) ranks[order[ord]] = ord;
    const lo = this.#lo;
    for (let i = 0; i < this.#count; i++) lo[i] = ranks[lo[i]];
    this.#order = order;
  }

  #sortRun(first: number, end: number): void {
    if (end - first > SMALL_RUN) {
      this.#sortLongRun(first, end);
      return;
    }
    const lo = this.#lo;
    const hi = this.#hi;
    const wide = this.kind === 'number';
    for (let i = first + 1; i < end; i++) {
      const keyLo = lo[i];
      const keyHi = wide ? hi[i] : 0;
      let hole = i;
      for (; hole > first; hole--) {
        if (compareKeys(wide ? hi[hole - 1] : 0, lo[hole - 1], keyHi, keyLo) <= 0) break;
        lo[hole] = lo[hole - 1];
        if (wide) hi[hole] = hi[hole - 1];
      }
      lo[hole] = keyLo;
      if (wide) hi[hole] = keyHi;
    }
  }

  #sortLongRun(first: number, end: number): void {
    const lo = this.#lo.subarray(first, end);
    if (this.kind === 'keyword') {
      lo.sort();
      return;
    }
    const hi = this.#hi.subarray(first, end);
    const keys = new BigInt64Array(end - first);
    const words = new Uint32Array(keys.buffer);
    for (let i = 0; i < keys.length; i++) {
      words[2 * i] = lo[i];
      words[2 * i + 1] = hi[i];
    }
    keys.sort();
    for (let i = 0; i < keys.length; i++) {
      lo[i] = words[2 * i];
      hi[i] = words[2 * i + 1];
    }
  }

  /** Moves the distinct entries of the sorted run [first, end) to `kept` and returns the index past them. */
  #keepDistinct(first: number, end: number, kept: number): number {
    const docs = this.#docs;
    const lo = this.#lo;
    const hi = this.#hi;
    const wide = this.kind === 'number';
    let at = kept;
    for (let i = first; i < end; i++) {
      if (at > kept && lo[at - 1] === lo[i] && (!wide || hi[at - 1] === hi[i])) continue;
      docs[at] = docs[i];
      lo[at] = lo[i];
      if (wide) hi[at] = hi[i];
      at++;
    }
    return at;
  }

  #shape(maxDoc: number): ColumnShape {
    const docsWithValue = this.#docsWithValue;
    const counts = { multi: this.#count > docsWithValue, values: this.#count, docsWithValue };
    const { kind } = this;
    const interner = this.#interner;
    if (interner === null) return { kind, maxDoc, counts, range: this.#range(), dictionary: NO_DICTIONARY };
    const dictionary = { cardinality: interner.count, byteCount: interner.byteCount };
    return { kind, maxDoc, counts, range: ordinalRange(interner.count), dictionary };
  }

  #range(): CodeRange {
    const lo = this.#lo;
    const hi = this.#hi;
    if (this.#count === 0) return { baseHi: 0, baseLo: 0, maxCodeHi: 0, maxCodeLo: 0 };
    let min = 0;
    let max = 0;
    for (let i = 1; i < this.#count; i++) {
      if (compareKeys(hi[i], lo[i], hi[min], lo[min]) < 0) min = i;
      if (compareKeys(hi[i], lo[i], hi[max], lo[max]) > 0) max = i;
    }
    return {
      baseHi: hi[min],
      baseLo: lo[min],
      maxCodeHi: (hi[max] - hi[min] - (lo[max] < lo[min] ? 1 : 0)) >>> 0,
      maxCodeLo: (lo[max] - lo[min]) >>> 0,
    };
  }

  #writeStarts(column: ColumnReader): void {
    const { starts, maxDoc } = column;
    const docs = this.#docs;
    let at = 0;
    for (let doc = 0; doc < maxDoc; doc++) {
      starts[doc] = at;
      while (at < this.#count && docs[at] === doc) at++;
    }
    starts[maxDoc] = at;
  }

  #writePresent(column: ColumnReader): void {
    const { present } = column;
    const docs = this.#docs;
    for (let i = 0; i < this.#count; i++) present[docs[i] >>> 5] |= 1 << (docs[i] & 31);
  }

  #writeCodes(column: ColumnReader): void {
    const { codes, multi, width, baseHi, baseLo } = column;
    const docs = this.#docs;
    const lo = this.#lo;
    const hi = this.#hi;
    for (let i = 0; i < this.#count; i++) {
      const at = multi ? i : docs[i];
      if (width < 8) {
        codes[at] = lo[i] - baseLo;
      } else {
        codes[2 * at] = lo[i] - baseLo;
        codes[2 * at + 1] = hi[i] - baseHi - (lo[i] < baseLo ? 1 : 0);
      }
    }
  }

  #writeDictionary(column: ColumnReader): void {
    const { dictOffsets, dictHashes, dictBase, views } = column;
    const interner = this.#interner;
    assert(interner !== null, 'a keyword column has a dictionary');
    const { bytes, offsets } = interner;
    const order = this.#order;
    const hash: Hash64 = { lo: 0, hi: 0 };
    let at = 0;
    for (let ord = 0; ord < order.length; ord++) {
      const value = order[ord];
      dictOffsets[ord] = at;
      hashValue(bytes, offsets[value], offsets[value + 1], hash);
      dictHashes[2 * ord] = hash.lo;
      dictHashes[2 * ord + 1] = hash.hi;
      copyValue(bytes, offsets[value], offsets[value + 1], views.u8, dictBase + at);
      at += offsets[value + 1] - offsets[value];
    }
    dictOffsets[order.length] = at;
  }
}
