/**
 * Merges the postings of several segments into one, dropping deleted documents and terms that only they had. Impacts and
 * encoded positions are copied as they are: both mean the same in every segment.
 */
import { DROPPED_DOC, type MergeInput } from '../core/merge-input.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { type EntrySections, EntryTable } from './entry-table.js';
import { type PostingsReader, skipPositions } from './list-reader.js';
import { ListWriter } from './list-writer.js';
import { PositionWriter } from './position-writer.js';
import { type SuperlistSection, SuperlistWriter } from './superlist-writer.js';

/** Source terms by merged term: `ordMaps[s][ord]` is the merged index of term `ord` of source s, ascending. */
export interface MergedTerms {
  readonly count: number;
  /** Merged term i is bytes[offsets[i] .. offsets[i + 1]). */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  readonly ordMaps: readonly Uint32Array[];
}

export interface MergedPostings extends EntrySections, SuperlistSection {
  /** 1 for each merged term that kept a posting, 0 for one that is to be dropped. */
  readonly keep: Uint8Array;
}

/** Walks the sources' entries in merged order: by term, then field, then source. */
class EntryMerge {
  readonly #inputs: readonly MergeInput<PostingsReader>[];
  readonly #ordMaps: readonly Uint32Array[];
  readonly #next: Uint32Array;
  /** Of the current term: the sources that have it and their next entry and its end. */
  readonly #entry: Uint32Array;
  readonly #end: Uint32Array;
  field = 0;
  /** Sources of the current (term, field), and their entries. */
  readonly sources: number[] = [];
  readonly entries: number[] = [];

  constructor(inputs: readonly MergeInput<PostingsReader>[], ordMaps: readonly Uint32Array[]) {
    this.#inputs = inputs;
    this.#ordMaps = ordMaps;
    this.#next = new Uint32Array(inputs.length);
    this.#entry = new Uint32Array(inputs.length);
    this.#end = new Uint32Array(inputs.length);
  }

  beginTerm(term: number): void {
    for (let s = 0; s < this.#inputs.length; s++) {
      this.#entry[s] = 0;
      this.#end[s] = 0;
      const ord = this.#next[s];
      if (ord >= this.#ordMaps[s].length || this.#ordMaps[s][ord] !== term) continue;
      this.#entry[s] = this.#inputs[s].reader.firstEntry(ord);
      this.#end[s] = this.#inputs[s].reader.firstEntry(ord + 1);
      this.#next[s] = ord + 1;
    }
  }

  /** Moves to the term's next field; false when it has no more. */
  nextField(): boolean {
    let field = 256;
    for (let s = 0; s < this.#inputs.length; s++)
      if (this.#entry[s] < this.#end[s]) field = Math.min(field, this.#inputs[s].reader.field(this.#entry[s]));
    if (field === 256) return false;
    this.field = field;
    this.sources.length = 0;
    this.entries.length = 0;
    for (let s = 0; s < this.#inputs.length; s++) {
      if (this.#entry[s] >= this.#end[s] || this.#inputs[s].reader.field(this.#entry[s]) !== field) continue;
      this.sources.push(s);
      this.entries.push(this.#entry[s]++);
    }
    return true;
  }
}

class PostingsMerger {
  readonly #out: RegionWriter;
  readonly #inputs: readonly MergeInput<PostingsReader>[];
  readonly #terms: MergedTerms;
  readonly #table = new EntryTable();
  #docs = new Uint32Array(1024);
  #impacts = new Uint8Array(1024);
  #sourceDocs = new Uint32Array(1024);

  constructor(out: RegionWriter, inputs: readonly MergeInput<PostingsReader>[], terms: MergedTerms) {
    this.#out = out;
    this.#inputs = inputs;
    this.#terms = terms;
  }

  merge(): MergedPostings {
    const keep = new Uint8Array(this.#terms.count);
    const starts = new Uint32Array(this.#terms.count);
    this.#out.align(64);
    const lists = new ListWriter(this.#out);
    const kept = this.#writeLists(lists, keep, starts);
    const entryCount = this.#table.count;
    const superlists = this.#writeSuperlists(lists, keep, starts, kept);
    this.#writePositions();
    return {
      ...this.#table.write(this.#out, starts, kept, entryCount),
      ...superlists.writeTable(),
      keep,
    };
  }

  #writeSuperlists(lists: ListWriter, keep: Uint8Array, starts: Uint32Array, count: number): SuperlistWriter {
    const { bytes, offsets } = this.#terms;
    const source = new Uint32Array(count);
    let kept = 0;
    for (let term = 0; term < keep.length; term++) if (keep[term] === 1) source[kept++] = term;
    const terms = { bytes, offsets, source, count, starts, entryCount: this.#table.count };
    const maxDoc = this.#inputs.reduce((sum, { liveCount }) => sum + liveCount, 0);
    const superlists = new SuperlistWriter(this.#out, lists, this.#table, terms, maxDoc);
    superlists.write();
    return superlists;
  }

  #writeLists(lists: ListWriter, keep: Uint8Array, starts: Uint32Array): number {
    const walk = new EntryMerge(this.#inputs, this.#terms.ordMaps);
    let kept = 0;
    for (let term = 0; term < this.#terms.count; term++) {
      const first = this.#table.count;
      walk.beginTerm(term);
      while (walk.nextField()) {
        const df = this.#gather(walk);
        if (df === 0) continue;
        lists.write(this.#docs, this.#impacts, df);
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
    for (let i = 0; i < walk.sources.length; i++) bound += this.#inputs[walk.sources[i]].reader.df(walk.entries[i]);
    this.#ensure(bound);
    let count = 0;
    for (let i = 0; i < walk.sources.length; i++) {
      const { reader, base, map } = this.#inputs[walk.sources[i]];
      const docs = this.#docs;
      const impacts = this.#impacts;
      const end = count + reader.readList(walk.entries[i], docs, impacts, count);
      if (map === null) {
        for (let k = count; k < end; k++) docs[k] += base;
        count = end;
        continue;
      }
      let live = count;
      for (let k = count; k < end; k++) {
        const doc = map[docs[k]];
        if (doc === DROPPED_DOC) continue;
        docs[live] = doc;
        impacts[live++] = impacts[k];
      }
      count = live;
    }
    return count;
  }

  #writePositions(): void {
    this.#out.align(64);
    const positions = new PositionWriter(this.#out);
    const walk = new EntryMerge(this.#inputs, this.#terms.ordMaps);
    let entry = 0;
    for (let term = 0; term < this.#terms.count; term++) {
      walk.beginTerm(term);
      while (walk.nextField()) {
        if (!this.#survives(walk)) continue;
        this.#table.setPositions(entry, positions.begin(this.#table.df(entry)));
        entry++;
        for (let i = 0; i < walk.sources.length; i++)
          this.#copyPositions(positions, this.#inputs[walk.sources[i]], walk.entries[i]);
        positions.end();
      }
    }
    positions.finish();
  }

  #survives(walk: EntryMerge): boolean {
    for (let i = 0; i < walk.sources.length; i++) {
      const { reader, map } = this.#inputs[walk.sources[i]];
      if (map === null) return true;
      const df = this.#readSource(reader, walk.entries[i]);
      for (let k = 0; k < df; k++) if (map[this.#sourceDocs[k]] !== DROPPED_DOC) return true;
    }
    return false;
  }

  #copyPositions(positions: PositionWriter, input: MergeInput<PostingsReader>, entry: number): void {
    const { reader, map } = input;
    const { u8 } = reader.views;
    const df = map === null ? reader.df(entry) : this.#readSource(reader, entry);
    let at = reader.positionsOf(entry, 0);
    for (let k = 0; k < df; k++) {
      const next = skipPositions(u8, at);
      if (map === null || map[this.#sourceDocs[k]] !== DROPPED_DOC) positions.encodedPosting(u8, at, next);
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

/** Writes the merged lists, positions and entries. Sources are in order of their documents' new numbers. */
export function mergePostings(
  out: RegionWriter,
  inputs: readonly MergeInput<PostingsReader>[],
  terms: MergedTerms,
): MergedPostings {
  return new PostingsMerger(out, inputs, terms).merge();
}
