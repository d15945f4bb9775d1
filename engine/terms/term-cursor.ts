/**
 * Iterates over the terms of one dictionary in order, without an allocation per term.
 *
 * Used by merges and by completions. A depth-first walk over breadth-first nodes: every level is read front to back.
 */
import { assert } from '../core/assert.js';
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import { TERMS_ORD_MASK } from '../layout/terms.js';

/** The arrays of a dictionary, as layout/terms.ts draws them. */
export interface TrieArrays {
  readonly labels: Uint8Array;
  readonly firstChild: Uint32Array;
  readonly lowOrds: Int32Array;
}

export class TermCursor {
  /** Ordinal of the current term; -1 before the first. */
  ord = -1;
  /** The current term's bytes are `bytes[0, length)`. Overwritten by next(). */
  readonly bytes: Uint8Array;
  length = 0;
  /** Leading bytes that the current term shares with the one before it. */
  shared = 0;

  readonly #trie: TrieArrays;
  /** The path to the current node, by depth, and where the siblings of each of its nodes end. */
  readonly #nodes: Uint32Array;
  readonly #ends: Uint32Array;
  #done = false;

  constructor(trie: TrieArrays) {
    this.#trie = trie;
    // One piece of memory: a merge of tiny segments has as many cursors as a large one.
    const words = TOKEN_BYTES_MAX + 1;
    const buffer = new ArrayBuffer(words * 8 + TOKEN_BYTES_MAX);
    this.#nodes = new Uint32Array(buffer, 0, words);
    this.#ends = new Uint32Array(buffer, words * 4, words);
    this.bytes = new Uint8Array(buffer, words * 8);
  }

  /** Moves to the term `ord`, which the dictionary has, wherever the cursor stands; `shared` is then 0. */
  seek(ord: number): void {
    const { labels, firstChild, lowOrds } = this.#trie;
    let node = 0;
    let depth = 0;
    while (lowOrds[node] >= 0 || (lowOrds[node] & TERMS_ORD_MASK) !== ord) {
      // The last child that begins at or before `ord` is the one above it.
      let low = firstChild[node];
      const end = firstChild[node + 1];
      assert(low < end && end <= lowOrds.length, 'a node has children');
      for (let high = end; high - low > 1; ) {
        const middle = (low + high) >> 1;
        if ((lowOrds[middle] & TERMS_ORD_MASK) <= ord) low = middle;
        else high = middle;
      }
      node = low;
      depth++;
      assert(depth <= TOKEN_BYTES_MAX, 'a term has at most TOKEN_BYTES_MAX bytes');
      this.#nodes[depth] = node;
      this.#ends[depth] = end;
      this.bytes[depth - 1] = labels[node];
    }
    this.ord = ord;
    this.length = depth;
    this.shared = 0;
    this.#done = false;
  }

  /** Moves to the next term. False when there is none; the fields then keep the last term. */
  next(): boolean {
    if (this.#done) return false;
    const { labels, firstChild, lowOrds } = this.#trie;
    const nodes = this.#nodes;
    const ends = this.#ends;
    let depth = this.length;
    let shared = depth;
    let node = nodes[depth];
    do {
      const child = firstChild[node];
      const childEnd = firstChild[node + 1];
      if (child < childEnd) {
        depth++;
        assert(depth <= TOKEN_BYTES_MAX, 'a term has at most TOKEN_BYTES_MAX bytes');
        ends[depth] = childEnd;
        node = child;
      } else {
        while (depth > 0 && nodes[depth] + 1 === ends[depth]) depth--;
        if (depth === 0) {
          this.#done = true;
          return false;
        }
        node = nodes[depth] + 1;
        if (depth <= shared) shared = depth - 1;
      }
      nodes[depth] = node;
      this.bytes[depth - 1] = labels[node];
      // A set top bit makes the word negative: the node ends a term.
    } while (lowOrds[node] >= 0);
    this.ord++;
    this.length = depth;
    this.shared = shared;
    return true;
  }
}
