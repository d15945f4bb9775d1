/**
 * A segment as a query sees it: its reader, its live documents at one generation, and the thread's arena binding.
 *
 * Made by the searcher when a generation is published. What is remembered of the term dictionary (corrections of tokens)
 * outlives generations, because it belongs to the immutable part.
 */

import type { RegionViews } from '../memory/arena.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import type { ColumnReader } from '../values/column-reader.js';
import { SegmentReader } from './segment-reader.js';

/** Numbers remembered per segment and kind, 4 bytes each; beyond, all is forgotten. */
const REMEMBERED_NUMBERS_MAX = 1 << 17;
/** What a remembered token costs beside its numbers. */
const TOKEN_NUMBERS = 32;

/** A segment opened by one thread: shared by all generations that contain it. */
export class OpenSegment {
  readonly reader: SegmentReader;
  readonly binding: ArenaBinding;
  readonly #corrections = new WalkMemory();
  readonly #prefixes = new WalkMemory();

  constructor(views: RegionViews, binding: ArenaBinding) {
    this.reader = new SegmentReader(views);
    this.binding = binding;
  }

  /** Terms within `edits` edits of `token`, as TermDictionary.findCorrections gives them. */
  corrections(token: Uint8Array, edits: 1 | 2): Uint32Array {
    const key = walkKey(token, edits);
    return (
      this.#corrections.get(key) ??
      this.#corrections.add(key, this.reader.dictionary.findCorrections(this.binding, token, edits))
    );
  }

  /** Terms that begin with a mistyped form of `token`, as TermDictionary.findMistypedPrefixes gives them. */
  mistypedPrefixes(token: Uint8Array, edits: 1 | 2): Uint32Array {
    const key = walkKey(token, edits);
    return (
      this.#prefixes.get(key) ??
      this.#prefixes.add(key, this.reader.dictionary.findMistypedPrefixes(this.binding, token, edits))
    );
  }
}

const walkKey = (token: Uint8Array, edits: number): string =>
  `${edits}${Buffer.from(token.buffer, token.byteOffset, token.length).toString('latin1')}`;

/** What walks of the term dictionary found, by token. */
class WalkMemory {
  readonly #found = new Map<string, Uint32Array>();
  #numbers = 0;

  get(key: string): Uint32Array | undefined {
    return this.#found.get(key);
  }

  /** Remembers `found` and returns it. */
  add(key: string, found: Uint32Array): Uint32Array {
    const numbers = found.length + TOKEN_NUMBERS;
    if (numbers > REMEMBERED_NUMBERS_MAX) return found;
    if (this.#numbers + numbers > REMEMBERED_NUMBERS_MAX) {
      this.#found.clear();
      this.#numbers = 0;
    }
    this.#found.set(key, found);
    this.#numbers += numbers;
    return found;
  }
}

/** A segment at one generation. */
export class SearchableSegment {
  readonly open: OpenSegment;
  /** null: no document is deleted. */
  readonly liveDocs: RegionViews | null;
  readonly liveCount: number;

  constructor(open: OpenSegment, liveDocs: RegionViews | null, liveCount: number) {
    this.open = open;
    this.liveDocs = liveDocs;
    this.liveCount = liveCount;
  }

  get reader(): SegmentReader {
    return this.open.reader;
  }

  get binding(): ArenaBinding {
    return this.open.binding;
  }

  get maxDoc(): number {
    return this.open.reader.maxDoc;
  }

  /** Absolute address of the live-docs bitmap, 0 for none. */
  get liveDocsPtr(): number {
    return this.liveDocs === null ? 0 : this.liveDocs.region.ptr;
  }

  corrections(token: Uint8Array, edits: 1 | 2): Uint32Array {
    return this.open.corrections(token, edits);
  }

  mistypedPrefixes(token: Uint8Array, edits: 1 | 2): Uint32Array {
    return this.open.mistypedPrefixes(token, edits);
  }

  column(field: number): ColumnReader | null {
    return this.reader.column(field);
  }

  /** The live document with the id `id`, or -1. */
  findDocument(id: Uint8Array): number {
    const doc = this.reader.ids.find(id, 0, id.length);
    if (doc < 0 || this.liveDocs === null) return doc;
    return (this.liveDocs.u8[doc >> 3] & (1 << (doc & 7))) === 0 ? -1 : doc;
  }
}
