/**
 * Where the best documents go whose final order somebody else decides. Filled by what keeps them, through TopDocs.
 */
import type { ArenaBinding } from '../../memory/kernel-instance.js';

export interface PlacedDocs {
  /** The arena that it lies in. */
  readonly binding: ArenaBinding;
  /** The document with `rank`: the segment as the evaluator calls it, the document in it, its score. */
  set(rank: number, segment: number, doc: number, score: number): void;
  /**
   * The first `count` documents at once, of keys with the score in front at address `top` of the same arena
   * (layout/score-top.ts). Their orders come from `presented` segments: by each, in order, the order of its first document, and what the
   * evaluator calls it.
   */
  setKeys(
    top: number,
    orderBases: ArrayLike<number>,
    segments: ArrayLike<number>,
    presented: number,
    count: number,
  ): void;
}
