/**
 * Collects the tokens of a batch and writes them as postings: inversion in memory.
 *
 * Fed by the segment builder, document by document, field by field, positions ascending. Tokens are kept as flat columns
 * per field and brought into order of term by one counting sort. Nothing is written before write().
 */
import { assertPresent } from '../core/assert.js';
import { type GrowthRoom, NO_BOUND } from '../core/growth-room.js';
import { POSITION_MAX } from '../layout/postings.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { type EntrySections, EntryTable } from './entry-table.js';
import { encodeImpact } from './impacts.js';
import { ListWriter } from './list-writer.js';
import { type OutlineSection, writeOutlines } from './outline-writer.js';
import { PositionWriter } from './position-writer.js';
import { type PrefixPostingsSection, PrefixPostingsWriter } from './prefix-postings-writer.js';
import { type FieldPostings, OwnUnions } from './prefix-unions.js';
import { TermInterner } from './term-interner.js';

const INITIAL_TOKENS = 1 << 7;
/** Buffers beyond this many tokens are dropped at reset. */
const KEPT_TOKENS = 1 << 20;
/** What a place for a token takes here, sorted, and in the segment, when half of the places are used. */
const TOKEN_PLACE_BYTES = 24;

/** The tokens of one field of the batch, in order of document and position. */
class FieldTokens {
  terms = new Uint32Array(INITIAL_TOKENS);
  docs = new Uint32Array(INITIAL_TOKENS);
  positions = new Uint32Array(INITIAL_TOKENS);
  count = 0;
  readonly #room: GrowthRoom;

  constructor(room: GrowthRoom) {
    this.#room = room;
  }

  /** Makes room for `more` tokens. */
  reserve(more: number): void {
    while (this.count + more > this.terms.length) this.#grow();
  }

  /** Counts the next `count` tokens in, whose terms are there, at `position` of `doc` and the ones after it, up to POSITION_MAX. */
  place(count: number, doc: number, position: number): void {
    const { docs, positions } = this;
    const from = this.count;
    for (let i = 0; i < count; i++) {
      docs[from + i] = doc;
      positions[from + i] = Math.min(position + i, POSITION_MAX);
    }
    this.count = from + count;
  }

  /** Adds a token for which there is room. */
  add(term: number, doc: number, position: number): void {
    const i = this.count++;
    this.terms[i] = term;
    this.docs[i] = doc;
    this.positions[i] = position;
  }

  reset(): void {
    this.count = 0;
    if (this.terms.length <= KEPT_TOKENS) return;
    this.terms = new Uint32Array(INITIAL_TOKENS);
    this.docs = new Uint32Array(INITIAL_TOKENS);
    this.positions = new Uint32Array(INITIAL_TOKENS);
  }

  #grow(): void {
    const length = this.terms.length * 2;
    this.#room.add(TOKEN_PLACE_BYTES * this.terms.length);
    for (const name of ['terms', 'docs', 'positions'] as const) {
      const larger = new Uint32Array(length);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}

/** The tokens of one field in order of term rank: those of rank r lie in [starts[r], starts[r + 1]). */
interface SortedTokens {
  readonly field: number;
  readonly starts: Uint32Array;
  readonly docs: Uint32Array;
  readonly positions: Uint32Array;
}

/** The terms and entries of the segment, for the segment header and the term dictionary. */
export interface WrittenPostings {
  readonly entries: EntrySections;
  readonly prefixPostings: PrefixPostingsSection;
  readonly outlines: OutlineSection;
  readonly terms: { readonly bytes: Uint8Array; readonly offsets: Uint32Array; readonly count: number };
}

export class PostingsBuilder {
  readonly #interner: TermInterner;
  readonly #fields: readonly (FieldTokens | null)[];

  /** `searchable[f]`: whether field f of the schema has postings. */
  constructor(searchable: readonly boolean[], room = NO_BOUND) {
    this.#interner = new TermInterner(room);
    this.#fields = searchable.map((is) => (is ? new FieldTokens(room) : null));
  }

  /** Tokens collected over all fields. */
  get tokenCount(): number {
    let count = 0;
    for (const field of this.#fields) if (field !== null) count += field.count;
    return count;
  }

  /** Distinct terms collected. */
  get termCount(): number {
    return this.#interner.count;
  }

  /** Bytes of these terms. */
  get termBytes(): number {
    return this.#interner.byteCount;
  }

  /** Adds the token bytes[start..end) at `position` of `field`; documents and their positions ascend. */
  add(field: number, doc: number, position: number, bytes: Uint8Array, start: number, end: number): void {
    const tokens = assertPresent(this.#fields[field], 'searchable field');
    tokens.reserve(1);
    tokens.add(this.#interner.intern(bytes, start, end), doc, position);
  }

  /**
   * Adds `count` tokens of a value of `field`, whose records stand at the begin of `tokens` (layout/token-records.ts), at
   * `position` and the positions after it, none beyond POSITION_MAX.
   */
  addAll(field: number, doc: number, position: number, tokens: Uint32Array, count: number): void {
    const to = assertPresent(this.#fields[field], 'searchable field');
    to.reserve(count);
    this.#interner.internRecords(tokens, count, to.terms, to.count);
    to.place(count, doc, position);
  }

  reset(): void {
    this.#interner.reset();
    for (const field of this.#fields) field?.reset();
  }

  /**
   * Writes lists, prefix postings, positions, outlines and entries of `maxDoc` documents. `lengths(field)[doc]` counts the field's
   * tokens.
   */
  write(out: RegionWriter, lengths: (field: number) => Uint32Array, maxDoc: number): WrittenPostings {
    const order = this.#interner.sortedTerms();
    const rank = new Uint32Array(order.length);
    for (let i = 0; i < order.length; i++) rank[order[i]] = i;
    const fields = this.#sortFields(rank);
    const postings = fields.map((tokens) => gatherPostings(tokens, order.length, lengths(tokens.field)));
    const entries = new EntryTable();
    const lists = new ListWriter(out);
    const starts = this.#writeLists(out, lists, postings, order.length, entries);
    const terms = this.#interner.termsIn(order);
    const entryCount = entries.count;
    const source = (): Uint32Array => places(order.length);
    const { bytes, offsets, count } = terms;
    const prefixes = { bytes, offsets, source, count, starts, entryCount };
    const unions = (): OwnUnions => new OwnUnions(postings, maxDoc);
    const prefixPostings = new PrefixPostingsWriter(out, lists, entries, prefixes, unions, maxDoc);
    prefixPostings.write();
    this.#writePositions(out, fields, order.length, entries);
    const outlines = writeOutlines(out, entries, entryCount);
    const sections = entries.write(out, starts, count, entryCount);
    return { entries: sections, prefixPostings: prefixPostings.writeTable(), outlines, terms };
  }

  #sortFields(rank: Uint32Array): SortedTokens[] {
    const sorted: SortedTokens[] = [];
    this.#fields.forEach((tokens, field) => {
      if (tokens !== null && tokens.count > 0) sorted.push(sortTokens(tokens, field, rank));
    });
    return sorted;
  }

  #writeLists(
    out: RegionWriter,
    lists: ListWriter,
    fields: readonly FieldPostings[],
    termCount: number,
    entries: EntryTable,
  ): Uint32Array {
    const firsts = new Uint32Array(termCount);
    out.align(64);
    for (let term = 0; term < termCount; term++) {
      firsts[term] = entries.count;
      for (let f = 0; f < fields.length; f++) {
        const { field, docs, impacts, starts } = fields[f];
        const from = starts[term];
        const to = starts[term + 1];
        if (from === to) continue;
        lists.write(docs, impacts, from, to);
        entries.add(lists, field, to - from);
      }
    }
    return firsts;
  }

  #writePositions(out: RegionWriter, fields: readonly SortedTokens[], termCount: number, entries: EntryTable): void {
    out.align(64);
    const positions = new PositionWriter(out);
    let entry = 0;
    for (let term = 0; term < termCount; term++) {
      for (const { starts, docs, positions: values } of fields) {
        const from = starts[term];
        const to = starts[term + 1];
        if (from === to) continue;
        entries.setPositions(entry, positions.begin(entries.df(entry)), positions.isSigned);
        entry++;
        positions.postings(docs, values, from, to);
        positions.end();
      }
    }
    positions.finish();
  }
}

function sortTokens(tokens: FieldTokens, field: number, rank: Uint32Array): SortedTokens {
  const { terms, docs, positions, count } = tokens;
  // Shifted by one while scattering, so that it ends up as the start of each rank.
  const starts = new Uint32Array(rank.length + 2);
  for (let i = 0; i < count; i++) starts[rank[terms[i]] + 2]++;
  for (let r = 2; r < starts.length; r++) starts[r] += starts[r - 1];
  const sortedDocs = new Uint32Array(count);
  const sortedPositions = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const at = starts[rank[terms[i]] + 1]++;
    sortedDocs[at] = docs[i];
    sortedPositions[at] = positions[i];
  }
  return { field, starts, docs: sortedDocs, positions: sortedPositions };
}

/** Turns tokens into postings: the distinct documents of each term, and their impacts. `lengths[doc]` counts the field's tokens. */
function gatherPostings(tokens: SortedTokens, termCount: number, lengths: Uint32Array): FieldPostings {
  const { field, docs: tokenDocs, starts: tokenStarts } = tokens;
  const docs = new Uint32Array(tokenDocs.length);
  const impacts = new Uint8Array(tokenDocs.length);
  const starts = new Uint32Array(termCount + 1);
  let count = 0;
  for (let term = 0, from = 0; term < termCount; term++) {
    const end = tokenStarts[term + 1];
    while (from < end) {
      const doc = tokenDocs[from];
      let to = from + 1;
      while (to < end && tokenDocs[to] === doc) to++;
      docs[count] = doc;
      impacts[count++] = encodeImpact(to - from, lengths[doc]);
      from = to;
    }
    starts[term + 1] = count;
  }
  return { field, docs, impacts, starts };
}

/** 0, 1, 2 and so on. */
function places(count: number): Uint32Array {
  const all = new Uint32Array(count);
  for (let i = 0; i < count; i++) all[i] = i;
  return all;
}
