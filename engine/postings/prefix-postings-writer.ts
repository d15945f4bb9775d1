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
import type { CommonImpacts, ListWriter } from './list-writer.js';
import type { PrefixUnions, TermRun } from './prefix-unions.js';

/**
 * In a segment that holds few documents, fewer postings are enough: as many as one in so many documents, but these. There the many
 * short lists of a prefix take longer to read than the long ones of all larger segments.
 */
const DOCS_PER_POSTING = 16;
const SMALL_POSTINGS_MIN = 1024;
const SPARSE_POSTING_BYTES = 3;

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

const NO_WORDS = new Uint32Array(0);

/** A list that was written, as its entry takes it. */
interface WrittenList {
  readonly field: number;
  readonly df: number;
  readonly list: number;
  readonly kind: number;
  readonly maxImpact: number;
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
  readonly #unions: () => PrefixUnions;
  readonly #maxDoc: number;
  #source: Uint32Array = NO_WORDS;
  readonly #rows: number[] = [];

  /** `unions` is asked for once, and only when some prefix is due. */
  constructor(
    out: RegionWriter,
    lists: ListWriter,
    entries: EntryTable,
    terms: PrefixTerms,
    unions: () => PrefixUnions,
    maxDoc: number,
  ) {
    this.#out = out;
    this.#lists = lists;
    this.#entries = entries;
    this.#terms = terms;
    this.#unions = unions;
    this.#maxDoc = maxDoc;
  }

  /** Writes all prefix postings that are due, their entries after the terms' own. */
  write(): void {
    // Most segments written are those of small commits.
    if (this.#entries.postingCount < prefixPostingsMin(this.#maxDoc)) return;
    this.#source = this.#terms.source();
    const runs = this.#findRuns(0, this.#terms.count, 1);
    if (runs.length === 0) return;
    const unions = this.#unions();
    unions.begin(runs);
    const common = this.#writeCommonImpacts(runs, unions);
    this.#out.align(4);
    for (const run of runs) this.#writeRun(run, unions, common);
  }

  /** Writes the table, once all lists are written. */
  writeTable(): PrefixPostingsSection {
    const table = this.#out.align(64);
    this.#out.reserve(this.#rows.length * 4);
    this.#out.views.u32.set(this.#rows, table >> 2);
    return { table, count: (this.#rows.length * 4) / PREFIX_ROW_BYTES };
  }

  /** The runs of terms [low, limit) that share a prefix of `codePoints`, as far as they are due, ascending. */
  #findRuns(low: number, limit: number, codePoints: 1 | 2): TermRun[] {
    const source = this.#source;
    const { bytes, offsets } = this.#terms;
    const runs: TermRun[] = [];
    for (let from = low; from < limit; ) {
      const start = offsets[source[from]];
      const length = prefixBytes(bytes, start, offsets[source[from] + 1], codePoints);
      let high = from + 1;
      // Shorter terms have no such prefix.
      if (length > 0) while (high < limit && this.#shares(start, length, source[high])) high++;
      if (length > 0 && this.#isDue(from, high)) {
        const parts = codePoints === 1 ? this.#findRuns(from, high, 2) : [];
        runs.push({ low: from, high, parts });
      }
      from = high;
    }
    return runs;
  }

  /** Writes the common impacts of each field where they are expected to save more bytes than they take; by field. */
  #writeCommonImpacts(runs: readonly TermRun[], unions: PrefixUnions): Map<number, CommonImpacts> {
    const maxDoc = this.#maxDoc;
    const bitsets = Math.ceil(maxDoc / CHUNK_DOCS) * BITSET_BYTES;
    const saved = new Map<number, number>();
    for (const run of runs.flatMap((each) => [each, ...each.parts]))
      for (const [field, postings] of this.#countPostings(run))
        saved.set(field, (saved.get(field) ?? 0) + Math.max(0, postings * SPARSE_POSTING_BYTES - bitsets));
    const common = new Map<number, CommonImpacts>();
    for (const [field, bytes] of saved) {
      if (bytes <= maxDoc) continue;
      const offset = this.#out.align(64);
      this.#out.reserveZeroed(Math.ceil(maxDoc / BLOCK_POSTINGS) * BLOCK_POSTINGS);
      const impacts = unions.lowest(field);
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

  /** Writes the unions of a run and of its parts, and then their entries and rows. */
  #writeRun(run: TermRun, unions: PrefixUnions, common: ReadonlyMap<number, CommonImpacts>): void {
    const members = [run, ...run.parts];
    const written = members.map((): WrittenList[] => []);
    const fields = [...this.#countPostings(run).keys()].sort((a, b) => a - b);
    for (const field of fields) {
      run.parts.forEach((part, i) => {
        this.#writeUnion(written[i + 1], unions, field, unions.unitePart(part, field), common);
      });
      this.#writeUnion(written[0], unions, field, unions.unite(run, field), common);
    }
    members.forEach(({ low, high }, i) => {
      this.#rows.push(low, high, this.#entries.count, written[i].length);
      for (const list of written[i]) this.#entries.add(list, list.field, list.df);
    });
  }

  /** Writes the last union, of `df` documents, and notes it in `written`. */
  #writeUnion(
    written: WrittenList[],
    { docs, impacts }: PrefixUnions,
    field: number,
    df: number,
    common: ReadonlyMap<number, CommonImpacts>,
  ): void {
    if (df === 0) return;
    this.#lists.write(docs, impacts, 0, df, common.get(field) ?? null);
    const { list, kind, maxImpact } = this.#lists;
    written.push({ field, df, list, kind, maxImpact });
  }
}
