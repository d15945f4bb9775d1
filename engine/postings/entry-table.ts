/**
 * The postings entries of a segment while it is written: what is known of each (term, field), in order of term, then
 * field. Filled by the postings builder and merger; kept outside the region because its size is known only at the end.
 */
import { ENTRY_BYTES } from '../layout/postings.js';
import type { RegionWriter } from '../memory/region-writer.js';
import {
  DF_WORD,
  ENTRY_WORDS,
  isTailSigned,
  LIST_WORD,
  POSITIONS_WORD,
  packTail,
  signTail,
  TAIL_WORD,
  tailField,
  tailKind,
} from './entry-words.js';
import type { ListWriter } from './list-writer.js';

const INITIAL_ENTRIES = 1 << 8;
/** A table that has grown beyond is not kept. */
const KEPT_ENTRIES_MAX = 1 << 16;

const NO_WORDS = new Uint32Array(0);
/** What the last table was made of: most segments written are those of small commits, faster written than allocated. */
let spare = NO_WORDS;

/** Where the sections of a written table lie. */
export interface EntrySections {
  /** First entry of each term. */
  readonly starts: number;
  readonly table: number;
  /** Entries of the terms; those of prefix postings follow. */
  readonly count: number;
}

export class EntryTable {
  #words: Uint32Array<ArrayBuffer>;
  #count = 0;
  #postingCount = 0;

  get count(): number {
    return this.#count;
  }

  constructor() {
    this.#words = spare.length > 0 ? spare : new Uint32Array(INITIAL_ENTRIES * ENTRY_WORDS);
    spare = NO_WORDS;
  }

  /** Postings of all entries. */
  get postingCount(): number {
    return this.#postingCount;
  }

  /** Adds the entry of the list that `lists` wrote last and returns its index. */
  add(lists: Pick<ListWriter, 'list' | 'kind' | 'maxImpact'>, field: number, df: number): number {
    if ((this.#count + 1) * ENTRY_WORDS > this.#words.length) {
      const words = new Uint32Array(this.#words.length * 2);
      words.set(this.#words);
      this.#words = words;
    }
    const at = this.#count * ENTRY_WORDS;
    this.#words[at + LIST_WORD] = lists.list;
    this.#words[at + DF_WORD] = df;
    this.#words[at + POSITIONS_WORD] = 0;
    this.#words[at + TAIL_WORD] = packTail(field, lists.maxImpact, lists.kind);
    this.#postingCount += df;
    return this.#count++;
  }

  df(index: number): number {
    return this.#words[index * ENTRY_WORDS + DF_WORD];
  }

  field(index: number): number {
    return tailField(this.#words[index * ENTRY_WORDS + TAIL_WORD]);
  }

  /** ENTRY_KIND_* of entry `index`. */
  kind(index: number): number {
    return tailKind(this.#words[index * ENTRY_WORDS + TAIL_WORD]);
  }

  /** Offset of the list of entry `index`. */
  list(index: number): number {
    return this.#words[index * ENTRY_WORDS + LIST_WORD];
  }

  /** Offset of the signatures of entry `index`; 0: it has none. */
  signatures(index: number): number {
    const at = index * ENTRY_WORDS;
    return isTailSigned(this.#words[at + TAIL_WORD]) ? this.#words[at + POSITIONS_WORD] : 0;
  }

  /** `isSigned`: they begin with signatures. */
  setPositions(index: number, offset: number, isSigned: boolean): void {
    const at = index * ENTRY_WORDS;
    this.#words[at + POSITIONS_WORD] = offset;
    if (isSigned) this.#words[at + TAIL_WORD] = signTail(this.#words[at + TAIL_WORD]);
  }

  /**
   * Writes both sections, and ends the table. firsts[t] is the first entry of term t; `termCount` terms have entries,
   * `count` in all: those after belong to no term.
   */
  write(out: RegionWriter, firsts: Uint32Array, termCount: number, count: number): EntrySections {
    const starts = out.align(64);
    out.reserve((termCount + 1) * 4);
    out.views.u32.set(firsts.subarray(0, termCount), starts >> 2);
    out.views.u32[(starts >> 2) + termCount] = count;
    const table = out.align(64);
    out.reserve(this.#count * ENTRY_BYTES);
    out.views.u32.set(this.#words.subarray(0, this.#count * ENTRY_WORDS), table >> 2);
    if (this.#words.length <= KEPT_ENTRIES_MAX * ENTRY_WORDS) spare = this.#words;
    this.#words = NO_WORDS;
    return { starts, table, count };
  }
}
