/**
 * Merges the term orders of several dictionaries into one, for a segment merge.
 *
 * A k-way merge that compares bytes only where prefixes tie (Ng & Kakehi, "Merging string sequences by longest common
 * prefixes", IPSJ 2008): of two terms behind the last one, the one that shares more bytes with it comes first, and the
 * cursors know how many they share. Never looks at documents; terms that lose their last one are the writer's to drop.
 */
import { assert } from '../core/assert.js';
import { LAST_SOURCE, SOURCES_MAX } from '../core/merge-input.js';
import type { TermCursor } from './term-cursor.js';
import type { TermDictionary } from './term-dictionary.js';
import type { SortedTerms } from './term-dictionary-writer.js';

export interface MergedTermOrder {
  readonly terms: SortedTerms;
  /** For each of `terms`, the dictionaries that have it, ascending; LAST_SOURCE is set in the last one's number. */
  readonly sources: Uint8Array;
}

/** One dictionary in the merge. `shared` counts the leading bytes that its current term shares with the last output. */
interface Source {
  readonly cursor: TermCursor;
  /** Which of the dictionaries it is. */
  readonly index: number;
  shared: number;
}

const INITIAL_BYTES = 1 << 12;

/** The growing output. */
class TermCollector {
  #bytes = new Uint8Array(INITIAL_BYTES);
  readonly #offsets: Uint32Array;
  readonly #sources: Uint8Array;
  #sourceCount = 0;
  #length = 0;
  count = 0;

  /** `termsMax`: terms of all dictionaries together. */
  constructor(termsMax: number) {
    this.#offsets = new Uint32Array(termsMax + 1);
    this.#sources = new Uint8Array(termsMax);
  }

  add(term: Uint8Array, length: number): void {
    if (this.#length + length > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#bytes.length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    const bytes = this.#bytes;
    let end = this.#length;
    for (let i = 0; i < length; i++) bytes[end++] = term[i];
    this.#length = end;
    this.#offsets[++this.count] = end;
  }

  /** Notes that dictionary `source` has the term added last. */
  addSource(source: number): void {
    this.#sources[this.#sourceCount++] = source;
  }

  /** The term added last has all its sources. */
  endSources(): void {
    this.#sources[this.#sourceCount - 1] |= LAST_SOURCE;
  }

  finish(): MergedTermOrder {
    const bytes = this.#bytes.subarray(0, this.#length);
    const offsets = this.#offsets.subarray(0, this.count + 1);
    return { terms: { bytes, offsets, count: this.count }, sources: this.#sources.subarray(0, this.#sourceCount) };
  }
}

/** Leading bytes that two terms share, known to be at least `from`. */
function commonPrefix(a: TermCursor, b: TermCursor, from: number): number {
  const end = Math.min(a.length, b.length);
  const left = a.bytes;
  const right = b.bytes;
  let common = from;
  while (common < end && left[common] === right[common]) common++;
  return common;
}

/** Whether `a` sorts before `b`, with which it shares exactly `common` leading bytes. */
function sortsBefore(a: TermCursor, b: TermCursor, common: number): boolean {
  if (common === b.length) return false;
  return common === a.length || a.bytes[common] < b.bytes[common];
}

/**
 * The index of the source with the first term. Afterwards `shared` of every other counts against that term, since it is
 * the next output.
 */
function pickFirst(sources: readonly Source[]): number {
  let most = -1;
  for (let i = 0; i < sources.length; i++) if (sources[i].shared > most) most = sources[i].shared;
  let first = -1;
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i];
    // Shares less with the last output, so just as much with the next one, and comes behind it.
    if (source.shared < most) continue;
    if (first < 0) {
      first = i;
      continue;
    }
    const champion = sources[first];
    const common = commonPrefix(source.cursor, champion.cursor, most);
    if (!sortsBefore(source.cursor, champion.cursor, common)) {
      source.shared = common;
      continue;
    }
    // Those beaten before lie behind the beaten champion, so they share with the new one no more than it does.
    for (let j = 0; j < i; j++) if (sources[j].shared > common) sources[j].shared = common;
    champion.shared = common;
    first = i;
  }
  return first;
}

/** Merges `dictionaries`, at most SOURCES_MAX, into ascending distinct terms. Terms that several have become one. */
export function mergeTermOrder(dictionaries: readonly TermDictionary[]): MergedTermOrder {
  assert(dictionaries.length <= SOURCES_MAX, 'a merge has few sources');
  const out = new TermCollector(dictionaries.reduce((sum, dictionary) => sum + dictionary.termCount, 0));
  const sources: Source[] = [];
  for (let index = 0; index < dictionaries.length; index++) {
    const cursor = dictionaries[index].iterate();
    if (cursor.next()) sources.push({ cursor, index, shared: 0 });
  }
  while (sources.length > 0) {
    const first = pickFirst(sources);
    const { cursor } = sources[first];
    const { length } = cursor;
    sources[first].shared = length;
    out.add(cursor.bytes, length);
    let kept = 0;
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i];
      // Not behind the output and sharing all of it: the same term.
      if (source.shared === length && source.cursor.length === length) {
        out.addSource(source.index);
        if (!source.cursor.next()) continue;
        source.shared = source.cursor.shared;
      }
      sources[kept++] = source;
    }
    out.endSources();
    if (kept < sources.length) sources.length = kept;
  }
  const merged = out.finish();
  assert(merged.terms.offsets.length === merged.terms.count + 1, 'every merged term has its end');
  return merged;
}
