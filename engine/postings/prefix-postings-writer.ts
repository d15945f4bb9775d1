/**
 * Writes the prefix postings of a segment: for each prefix of one or two code points that begins many terms, the union
 * of their lists, field by field (layout/postings.ts).
 *
 * Called by the postings merger once all lists are written. A prefix search then reads one list instead of thousands.
 */
import {
  BITSET_BYTES,
  BLOCK_POSTINGS,
  PREFIX_LISTS_MIN,
  PREFIX_POSTINGS_MIN,
  PREFIX_ROW_BYTES,
} from '../layout/postings.js';
import { CHUNK_DOCS } from '../layout/scratch.js';
import type { RegionWriter } from '../memory/region-writer.js';
import type { EntryTable } from './entry-table.js';
import { ImpactUnion } from './impact-union.js';
import { rankByFrequency } from './impacts.js';
import type { CommonImpacts, ListWriter } from './list-writer.js';

const PREFIX_CODE_POINTS_MAX = 2;
/**
 * In a segment that holds few documents, fewer postings are enough: as many as one in so many documents, but these. There the many
 * short lists of a prefix take longer to read than the long ones of all larger segments.
 */
const DOCS_PER_POSTING = 16;
const SMALL_POSTINGS_MIN = 1024;
const SPARSE_POSTING_BYTES = 3;
const rank = rankByFrequency();

/** The terms of the segment in byte order: term t is bytes[offsets[i] .. offsets[i + 1]) with i = source()[t]. */
export interface PrefixTerms {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** Asked for once, and only when there may be any. */
  readonly source: () => Uint32Array;
  readonly count: number;
  /** First entry of each term; `entryCount` entries in all. */
  readonly starts: Uint32Array;
  readonly entryCount: number;
}

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);

/** Terms [low, high), which share a prefix. */
interface TermRun {
  readonly low: number;
  readonly high: number;
}

/** @internal How many postings the lists of a prefix must hold in a segment of `maxDoc` documents for it to get prefix postings. */
export function prefixPostingsMin(maxDoc: number): number {
  return Math.min(PREFIX_POSTINGS_MIN, Math.max(SMALL_POSTINGS_MIN, Math.ceil(maxDoc / DOCS_PER_POSTING)));
}

/** Where the table of prefix postings lies, and its length. */
export interface PrefixPostingsSection {
  readonly table: number;
  readonly count: number;
}

/** Bytes of the first `codePoints` code points of the UTF-8 bytes[start..end); 0 when there are fewer. */
function prefixBytes(bytes: Uint8Array, start: number, end: number, codePoints: number): number {
  let at = start;
  for (let left = codePoints; left > 0; left--) {
    if (at >= end) return 0;
    at++;
    while (at < end && (bytes[at] & 0xc0) === 0x80) at++;
  }
  return at - start;
}

export class PrefixPostingsWriter {
  readonly #out: RegionWriter;
  readonly #lists: ListWriter;
  readonly #entries: EntryTable;
  readonly #terms: PrefixTerms;
  readonly #maxDoc: number;
  #source: Uint32Array = NO_WORDS;
  #docs = NO_WORDS;
  #impacts = NO_BYTES;
  readonly #rows: number[] = [];

  constructor(out: RegionWriter, lists: ListWriter, entries: EntryTable, terms: PrefixTerms, maxDoc: number) {
    this.#out = out;
    this.#lists = lists;
    this.#entries = entries;
    this.#terms = terms;
    this.#maxDoc = maxDoc;
  }

  /** Writes all prefix postings that are due, their entries after the terms' own. */
  write(): void {
    // Most segments written are those of small commits.
    if (this.#entries.postingCount < prefixPostingsMin(this.#maxDoc)) return;
    this.#source = this.#terms.source();
    const runs: TermRun[] = [];
    for (let low = 0; low < this.#terms.count; ) low = this.#findRun(low, this.#terms.count, 1, runs);
    const common = this.#writeCommonImpacts(runs);
    this.#out.align(4);
    const union = new ImpactUnion(this.#maxDoc);
    for (const { low, high } of runs) this.#writeUnion(union, low, high, common);
  }

  /** Writes the table, once all lists are written. */
  writeTable(): PrefixPostingsSection {
    const table = this.#out.align(64);
    this.#out.reserve(this.#rows.length * 4);
    this.#out.views.u32.set(this.#rows, table >> 2);
    return { table, count: (this.#rows.length * 4) / PREFIX_ROW_BYTES };
  }

  /**
   * Appends the run of terms from `low` on that share a prefix of `codePoints`, and the longer prefixes in it, to `runs`
   * as far as they are due; returns its end.
   */
  #findRun(low: number, limit: number, codePoints: number, runs: TermRun[]): number {
    const source = this.#source;
    const { bytes, offsets } = this.#terms;
    const start = offsets[source[low]];
    const length = prefixBytes(bytes, start, offsets[source[low] + 1], codePoints);
    if (length === 0) return low + 1;
    let high = low + 1;
    while (high < limit && this.#shares(start, length, source[high])) high++;
    if (!this.#isDue(low, high)) return high;
    runs.push({ low, high });
    if (codePoints === PREFIX_CODE_POINTS_MAX) return high;
    for (let from = low; from < high; ) from = this.#findRun(from, high, codePoints + 1, runs);
    return high;
  }

  /** Writes the common impacts of each field where they are expected to save more bytes than they take; by field. */
  #writeCommonImpacts(runs: readonly TermRun[]): Map<number, CommonImpacts> {
    const maxDoc = this.#maxDoc;
    const bitsets = Math.ceil(maxDoc / CHUNK_DOCS) * BITSET_BYTES;
    const saved = new Map<number, number>();
    for (const run of runs)
      for (const [field, postings] of this.#countPostings(run))
        saved.set(field, (saved.get(field) ?? 0) + Math.max(0, postings * SPARSE_POSTING_BYTES - bitsets));
    const common = new Map<number, CommonImpacts>();
    for (const [field, bytes] of saved) {
      if (bytes <= maxDoc) continue;
      const offset = this.#out.align(64);
      this.#out.reserveZeroed(Math.ceil(maxDoc / BLOCK_POSTINGS) * BLOCK_POSTINGS);
      const impacts = this.#findLowest(field);
      this.#out.views.u8.set(impacts, offset);
      common.set(field, { offset, impacts });
    }
    return common;
  }

  /** By field: postings of the run's lists. */
  #countPostings({ low, high }: TermRun): Map<number, number> {
    const counts = new Map<number, number>();
    const end = this.#firstEntry(high);
    for (let entry = this.#firstEntry(low); entry < end; entry++) {
      const field = this.#entries.field(entry);
      counts.set(field, (counts.get(field) ?? 0) + this.#entries.df(entry));
    }
    return counts;
  }

  /** The lowest impact by frequency that each document has in `field`, 0 when it has none. */
  #findLowest(field: number): Uint8Array {
    const lowest = new Uint8Array(this.#maxDoc);
    for (let entry = 0; entry < this.#terms.entryCount; entry++) {
      if (this.#entries.field(entry) !== field) continue;
      const df = this.#read(entry);
      const docs = this.#docs;
      const impacts = this.#impacts;
      for (let i = 0; i < df; i++) {
        const doc = docs[i];
        const impact = impacts[i];
        const other = lowest[doc];
        if (other === 0 || rank[impact] < rank[other]) lowest[doc] = impact;
      }
    }
    return lowest;
  }

  #shares(start: number, length: number, term: number): boolean {
    const { bytes, offsets } = this.#terms;
    const at = offsets[term];
    if (offsets[term + 1] - at < length) return false;
    for (let i = 0; i < length; i++) if (bytes[at + i] !== bytes[start + i]) return false;
    return true;
  }

  /** First entry of term t, or the end of all entries. */
  #firstEntry(term: number): number {
    return term < this.#terms.count ? this.#terms.starts[term] : this.#terms.entryCount;
  }

  #isDue(low: number, high: number): boolean {
    const first = this.#firstEntry(low);
    const end = this.#firstEntry(high);
    if (end - first < PREFIX_LISTS_MIN) return false;
    let postings = 0;
    for (let entry = first; entry < end; entry++) postings += this.#entries.df(entry);
    return postings >= prefixPostingsMin(this.#maxDoc);
  }

  #writeUnion(union: ImpactUnion, low: number, high: number, common: ReadonlyMap<number, CommonImpacts>): void {
    const first = this.#firstEntry(low);
    const end = this.#firstEntry(high);
    const fields = new Set<number>();
    for (let entry = first; entry < end; entry++) fields.add(this.#entries.field(entry));
    const entry = this.#entries.count;
    for (const field of [...fields].sort((a, b) => a - b)) {
      for (let e = first; e < end; e++) {
        if (this.#entries.field(e) !== field) continue;
        const count = this.#read(e);
        union.add(this.#docs, this.#impacts, count);
      }
      const df = union.count;
      this.#ensure(df);
      union.take(this.#docs, this.#impacts);
      this.#lists.write(this.#docs, this.#impacts, df, common.get(field) ?? null);
      this.#entries.add(this.#lists, field, df);
    }
    this.#rows.push(low, high, entry, this.#entries.count - entry);
  }

  /** Reads the list of `entry` to docs and impacts; returns its length. */
  #read(entry: number): number {
    this.#ensure(this.#entries.df(entry));
    return this.#entries.readList(entry, this.#out.views, this.#docs, this.#impacts);
  }

  #ensure(count: number): void {
    if (this.#docs.length >= count) return;
    this.#docs = new Uint32Array(count * 2);
    this.#impacts = new Uint8Array(count * 2);
  }
}
