/**
 * Reads a segment's term dictionary: looks terms up, names prefixes as ordinal ranges, spells ordinals, lists
 * corrections. The form is drawn in layout/terms.ts.
 *
 * One per segment and thread; holds views and numbers alone. Damaged bytes make it throw or answer wrongly, never loop.
 */
import { assert } from '../core/assert.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  TERMS_FIRST_CHILD,
  TERMS_LABELS,
  TERMS_LOW_ORDS,
  TERMS_MASKED_COUNT,
  TERMS_MASKS,
  TERMS_NODE_COUNT,
  TERMS_ORD_MASK,
  TERMS_TERM_COUNT,
} from '../layout/terms.js';
import type { RegionViews } from '../memory/arena.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import type { DictionaryPlace, EditWalk, Mistyped } from './edit-walk.js';
import { TermCursor, type TrieArrays } from './term-cursor.js';

/** Terms `low` up to, but without, `high`. */
export interface OrdRange {
  low: number;
  high: number;
}

export class TermDictionary {
  readonly termCount: number;
  readonly #trie: TrieArrays;
  readonly #place: DictionaryPlace;

  /** `offset` is what writeTermDictionary returned. */
  constructor(views: RegionViews, offset: number) {
    const { u8, u32, i32, region } = views;
    assert(offset % SECTION_ALIGN === 0, 'the term dictionary is aligned');
    const nodeCount = u32[(offset + TERMS_NODE_COUNT) >> 2];
    const labels = u32[(offset + TERMS_LABELS) >> 2];
    const firstChild = u32[(offset + TERMS_FIRST_CHILD) >> 2];
    const lowOrds = u32[(offset + TERMS_LOW_ORDS) >> 2];
    assert(labels + nodeCount <= region.bytes, 'the labels lie in their region');
    assert(firstChild + 4 * (nodeCount + 1) <= region.bytes, 'the children lie in their region');
    assert(lowOrds + 4 * nodeCount <= region.bytes, 'the term dictionary lies in its region');
    const masks = u32[(offset + TERMS_MASKS) >> 2];
    const maskedCount = u32[(offset + TERMS_MASKED_COUNT) >> 2];
    assert(maskedCount <= nodeCount, 'the nodes with masks are nodes');
    assert(masks + 4 * maskedCount <= region.bytes, 'the masks lie in their region');
    this.termCount = u32[(offset + TERMS_TERM_COUNT) >> 2];
    this.#trie = {
      labels: u8.subarray(labels, labels + nodeCount),
      firstChild: u32.subarray(firstChild >> 2, (firstChild >> 2) + nodeCount + 1),
      lowOrds: i32.subarray(lowOrds >> 2, (lowOrds >> 2) + nodeCount),
    };
    this.#place = { arena: region.arena, segment: region.ptr, dictionary: offset };
    assert(this.termCount <= nodeCount, 'a term ends at a node of its own');
  }

  /** The ordinal of the term `bytes[start, end)`, or -1. */
  find(bytes: Uint8Array, start: number, end: number): number {
    let node = 0;
    for (let i = start; i < end; i++) {
      node = this.#child(node, bytes[i]);
      if (node < 0) return -1;
    }
    const word = this.#trie.lowOrds[node];
    return word < 0 ? word & TERMS_ORD_MASK : -1;
  }

  /** Sets `out` to the terms that begin with `bytes[start, end)`. False, with `out` untouched, when there are none. */
  findPrefix(bytes: Uint8Array, start: number, end: number, out: OrdRange): boolean {
    const { firstChild, lowOrds } = this.#trie;
    let node = 0;
    let high = this.termCount;
    for (let i = start; i < end; i++) {
      const siblingsEnd = firstChild[node + 1];
      node = this.#child(node, bytes[i]);
      if (node < 0) return false;
      if (node + 1 < siblingsEnd) high = lowOrds[node + 1] & TERMS_ORD_MASK;
    }
    if (high === 0) return false;
    assert(high <= this.termCount, 'a prefix names terms of the dictionary');
    out.low = lowOrds[node] & TERMS_ORD_MASK;
    out.high = high;
    return true;
  }

  /** How many terms come before `bytes[start, end)` in byte order, whether it is a term or not. */
  countBefore(bytes: Uint8Array, start: number, end: number): number {
    const { labels, firstChild, lowOrds } = this.#trie;
    let node = 0;
    let high = this.termCount;
    for (let i = start; i < end; i++) {
      const siblingsEnd = firstChild[node + 1];
      const child = this.#firstFrom(node, bytes[i]);
      if (child === siblingsEnd) return high;
      if (labels[child] !== bytes[i]) return lowOrds[child] & TERMS_ORD_MASK;
      if (child + 1 < siblingsEnd) high = lowOrds[child + 1] & TERMS_ORD_MASK;
      node = child;
    }
    return Math.min(lowOrds[node] & TERMS_ORD_MASK, this.termCount);
  }

  /** Writes the bytes of term `ord` into `into`, which holds TOKEN_BYTES_MAX, and returns their number. */
  readTerm(ord: number, into: Uint8Array): number {
    assert(ord >= 0 && ord < this.termCount, 'the ordinal names a term');
    const { labels, firstChild, lowOrds } = this.#trie;
    let node = 0;
    let length = 0;
    while (lowOrds[node] >= 0 || (lowOrds[node] & TERMS_ORD_MASK) !== ord) {
      // The last child that begins at or before `ord` is the one above it.
      let low = firstChild[node];
      let high = firstChild[node + 1];
      assert(low < high && high <= lowOrds.length, 'a node has children');
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((lowOrds[middle] & TERMS_ORD_MASK) <= ord) low = middle;
        else high = middle;
      }
      node = low;
      assert(length < into.length, 'a term has at most TOKEN_BYTES_MAX bytes');
      into[length++] = labels[node];
    }
    return length;
  }

  /** A cursor before the first term. */
  iterate(): TermCursor {
    return new TermCursor(this.#trie);
  }

  /**
   * The terms within 1 to so many edits of the token as `walk` allows, as ascending pairs {ordinal, edits} with the fewest
   * edits each: unrestricted Damerau-Levenshtein over code points, whole token against whole term. `binding` binds this
   * dictionary's arena.
   */
  findCorrections(binding: ArenaBinding, walk: EditWalk): readonly number[] {
    return walk.find(binding, this.#place, false).words;
  }

  /**
   * findCorrections(), and the terms of which some prefix is within 1 to so many edits of the token, as triples {low, high,
   * edits}: disjoint ascending ranges of ordinals, each with the fewest edits over its terms' prefixes. Terms that begin
   * with the token itself are left out of these.
   */
  findMistyped(binding: ArenaBinding, walk: EditWalk): Mistyped {
    return walk.find(binding, this.#place, true);
  }

  /** The child of `node` with `label`, or -1. */
  #child(node: number, label: number): number {
    const { labels, firstChild } = this.#trie;
    const child = this.#firstFrom(node, label);
    return child < firstChild[node + 1] && labels[child] === label ? child : -1;
  }

  /** The first child of `node` with `label` or a larger one; where its children end: it has none. */
  #firstFrom(node: number, label: number): number {
    const { labels, firstChild } = this.#trie;
    let low = firstChild[node];
    let high = firstChild[node + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (labels[middle] < label) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
