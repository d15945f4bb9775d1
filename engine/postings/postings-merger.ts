/**
 * Merges the postings of several segments into one, dropping deleted documents and terms that only they had. Impacts and
 * encoded positions are copied as they are: both mean the same in every segment.
 */
import { DROPPED_DOC, LAST_SOURCE, type MergeInput } from '../core/merge-input.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { skipPositions } from './encoded-positions.js';
import { type EntrySections, EntryTable } from './entry-table.js';
import type { PostingsReader } from './list-reader.js';
import { ListWriter } from './list-writer.js';
import { MergedUnions, renumber } from './merged-unions.js';
import { type OutlineSection, writeOutlines } from './outline-writer.js';
import { PositionWriter } from './position-writer.js';
import type { PrefixPostingsReader } from './prefix-postings-reader.js';
import { type PrefixPostingsSection, PrefixPostingsWriter } from './prefix-postings-writer.js';

/** The terms of all sources in order, each once. */
export interface MergedTerms {
  /** Merged term i is bytes[offsets[i] .. offsets[i + 1]). */
  readonly terms: { readonly count: number; readonly bytes: Uint8Array; readonly offsets: Uint32Array };
  /** For each term the sources that have it, ascending; LAST_SOURCE is set in the last one's number. */
  readonly sources: Uint8Array;
}

export interface MergedPostings {
  readonly entries: EntrySections;
  readonly prefixPostings: PrefixPostingsSection;
  readonly outlines: OutlineSection;
  /** 1 for each merged term that kept a posting, 0 for one that is to be dropped. */
  readonly keep: Uint8Array;
}

/** Walks the sources' entries in merged order: by term, then field, then source. */
class EntryMerge {
  readonly #inputs: readonly MergeInput<PostingsReader>[];
  readonly #termSources: Uint8Array;
  /** Read of termSources. */
  #at = 0;
  /** By source: terms begun, the next entry, and the end of the current term's. */
  readonly #ords: Uint32Array;
  readonly #next: Uint32Array;
  readonly #ends: Uint32Array;
  /** The sources that have the current term. */
  readonly #present: Uint8Array;
  #presentCount = 0;
  field = 0;
  /** The first `count`: sources of the current (term, field), and their entries. */
  readonly sources: Uint8Array;
  readonly entries: Uint32Array;
  count = 0;

  constructor(inputs: readonly MergeInput<PostingsReader>[], termSources: Uint8Array) {
    this.#inputs = inputs;
    this.#termSources = termSources;
    this.#ords = new Uint32Array(inputs.length);
    this.#next = new Uint32Array(inputs.length);
    this.#ends = new Uint32Array(inputs.length);
    this.#present = new Uint8Array(inputs.length);
    this.sources = new Uint8Array(inputs.length);
    this.entries = new Uint32Array(inputs.length);
  }

  /** Moves to the next term, before its first field. */
  beginTerm(): void {
    let present = 0;
    for (let isLast = false; !isLast; ) {
      const mark = this.#termSources[this.#at++];
      const source = mark & ~LAST_SOURCE;
      this.#present[present++] = source;
      // The entries of a source's terms follow one another.
      this.#ends[source] = this.#inputs[source].reader.firstEntry(++this.#ords[source]);
      isLast = source !== mark;
    }
    this.#presentCount = present;
  }

  /** Moves to the term's next field; false when it has no more. */
  nextField(): boolean {
    let field = NO_FIELD;
    let count = 0;
    for (let i = 0; i < this.#presentCount; i++) {
      const source = this.#present[i];
      const entry = this.#next[source];
      if (entry >= this.#ends[source]) continue;
      const own = this.#inputs[source].reader.field(entry);
      if (own > field) continue;
      if (own < field) count = 0;
      field = own;
      this.sources[count] = source;
      this.entries[count++] = entry;
    }
    for (let i = 0; i < count; i++) this.#next[this.sources[i]]++;
    this.field = field;
    this.count = count;
    return count > 0;
  }
}

/** Behind every field's number. */
const NO_FIELD = 256;
/** Postings that most lists of small segments have no more than. */
const INITIAL_POSTINGS = 64;

class PostingsMerger {
  readonly #out: RegionWriter;
  readonly #inputs: readonly MergeInput<PostingsReader>[];
  readonly #prefixes: readonly PrefixPostingsReader[];
  readonly #terms: MergedTerms['terms'];
  readonly #termSources: Uint8Array;
  readonly #table = new EntryTable();
  #docs = new Uint32Array(INITIAL_POSTINGS);
  #impacts = new Uint8Array(INITIAL_POSTINGS);
  #sourceDocs = new Uint32Array(INITIAL_POSTINGS);

  constructor(
    out: RegionWriter,
    inputs: readonly MergeInput<PostingsReader>[],
    prefixes: readonly PrefixPostingsReader[],
    { terms, sources }: MergedTerms,
  ) {
    this.#out = out;
    this.#inputs = inputs;
    this.#prefixes = prefixes;
    this.#terms = terms;
    this.#termSources = sources;
  }

  merge(): MergedPostings {
    const keep = new Uint8Array(this.#terms.count);
    const starts = new Uint32Array(this.#terms.count);
    this.#out.align(64);
    const lists = new ListWriter(this.#out);
    const kept = this.#writeLists(lists, keep, starts);
    const entryCount = this.#table.count;
    const prefixPostings = this.#writePrefixPostings(lists, keep, starts, kept);
    this.#writePositions();
    const outlines = writeOutlines(this.#out, this.#table, entryCount);
    const entries = this.#table.write(this.#out, starts, kept, entryCount);
    return { entries, prefixPostings: prefixPostings.writeTable(), outlines, keep };
  }

  #writePrefixPostings(lists: ListWriter, keep: Uint8Array, starts: Uint32Array, count: number): PrefixPostingsWriter {
    const { bytes, offsets } = this.#terms;
    const source = (): Uint32Array => keptTerms(keep, count);
    const terms = { bytes, offsets, source, count, starts, entryCount: this.#table.count };
    const maxDoc = this.#inputs.reduce((sum, { liveCount }) => sum + liveCount, 0);
    const unions = (): MergedUnions =>
      new MergedUnions(this.#inputs, this.#prefixes, { sources: this.#termSources, keep });
    const prefixPostings = new PrefixPostingsWriter(this.#out, lists, this.#table, terms, unions, maxDoc);
    prefixPostings.write();
    return prefixPostings;
  }

  #writeLists(lists: ListWriter, keep: Uint8Array, starts: Uint32Array): number {
    const walk = new EntryMerge(this.#inputs, this.#termSources);
    let kept = 0;
    for (let term = 0; term < this.#terms.count; term++) {
      const first = this.#table.count;
      walk.beginTerm();
      while (walk.nextField()) {
        const df = this.#gather(walk);
        if (df === 0) continue;
        lists.write(this.#docs, this.#impacts, 0, df);
        this.#table.add(lists, walk.field, df);
      }
      if (this.#table.count === first) continue;
      keep[term] = 1;
      starts[kept++] = first;
    }
    return kept;
  }

  /** Surviving postings of the current (term, field) over its sources, renumbered. */
  #gather(walk: EntryMerge): number {
    let bound = 0;
    for (let i = 0; i < walk.count; i++) bound += this.#inputs[walk.sources[i]].reader.df(walk.entries[i]);
    this.#ensure(bound);
    let count = 0;
    for (let i = 0; i < walk.count; i++) {
      const input = this.#inputs[walk.sources[i]];
      const end = count + input.reader.readList(walk.entries[i], this.#docs, this.#impacts, count);
      count = renumber(this.#docs, this.#impacts, count, end, input);
    }
    return count;
  }

  #writePositions(): void {
    this.#out.align(64);
    const positions = new PositionWriter(this.#out);
    const walk = new EntryMerge(this.#inputs, this.#termSources);
    let entry = 0;
    for (let term = 0; term < this.#terms.count; term++) {
      walk.beginTerm();
      while (walk.nextField()) {
        if (!this.#survives(walk)) continue;
        this.#table.setPositions(entry, positions.begin(this.#table.df(entry)), positions.isSigned);
        entry++;
        for (let i = 0; i < walk.count; i++)
          this.#copyPositions(positions, this.#inputs[walk.sources[i]], walk.entries[i]);
        positions.end();
      }
    }
    positions.finish();
  }

  #survives(walk: EntryMerge): boolean {
    for (let i = 0; i < walk.count; i++) {
      const { reader, map } = this.#inputs[walk.sources[i]];
      if (map === null) return true;
      const df = this.#readSource(reader, walk.entries[i]);
      for (let k = 0; k < df; k++) if (map[this.#sourceDocs[k]] !== DROPPED_DOC) return true;
    }
    return false;
  }

  #copyPositions(positions: PositionWriter, input: MergeInput<PostingsReader>, entry: number): void {
    const { reader, map } = input;
    const { u8, u16 } = reader.views;
    let at = reader.positionsOf(entry, 0);
    if (map === null) {
      const signatures = reader.signatures(entry);
      positions.encodedPostings(u8, at, reader.df(entry), signatures === 0 ? null : u16, signatures >> 1);
      return;
    }
    const df = this.#readSource(reader, entry);
    for (let k = 0; k < df; k++) {
      const next = skipPositions(u8, at);
      if (map[this.#sourceDocs[k]] !== DROPPED_DOC) positions.encodedPosting(u8, at, next);
      at = next;
    }
  }

  #readSource(reader: PostingsReader, entry: number): number {
    const df = reader.df(entry);
    this.#ensure(df);
    if (this.#sourceDocs.length < df) this.#sourceDocs = new Uint32Array(df * 2);
    return reader.readList(entry, this.#sourceDocs, this.#impacts, 0);
  }

  #ensure(count: number): void {
    if (this.#docs.length >= count) return;
    this.#docs = new Uint32Array(count * 2);
    this.#impacts = new Uint8Array(count * 2);
  }
}

/** The `count` terms that `keep` marks with 1. */
function keptTerms(keep: Uint8Array, count: number): Uint32Array {
  const kept = new Uint32Array(count);
  let next = 0;
  for (let term = 0; term < keep.length; term++) if (keep[term] === 1) kept[next++] = term;
  return kept;
}

/**
 * Writes the merged lists, positions and entries. Sources are in order of their documents' new numbers; `prefixes` are their
 * prefix postings.
 */
export function mergePostings(
  out: RegionWriter,
  inputs: readonly MergeInput<PostingsReader>[],
  prefixes: readonly PrefixPostingsReader[],
  terms: MergedTerms,
): MergedPostings {
  return new PostingsMerger(out, inputs, prefixes, terms).merge();
}
