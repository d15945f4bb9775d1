/**
 * The hits of a search with one for each value of a field: the first documents of their groups, in the order of the documents.
 *
 * Filled by the searcher, from the best documents on, until it has as many as the page needs.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { PresentedDocs } from '../sort/presented-docs.js';
import { type GroupValue, groupValueOf } from './group-value.js';

export class DistinctHits implements PresentedDocs {
  readonly segments: Uint32Array;
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
  /** By rank; null: the document has no value, and stands for itself. */
  readonly groups: (GroupValue | null)[] = [];
  readonly #field: number;
  readonly #keys = new Set<string>();

  /** For the first `wanted` groups by the schema's field at index `field`. */
  constructor(field: number, wanted: number) {
    this.#field = field;
    this.segments = new Uint32Array(wanted);
    this.docs = new Uint32Array(wanted);
    this.scores = new Float32Array(wanted);
  }

  get count(): number {
    return this.groups.length;
  }

  get isFull(): boolean {
    return this.groups.length === this.docs.length;
  }

  /** Takes the first `count` documents of `top`, which come behind all that were taken before. */
  add(top: PresentedDocs, count: number, segments: readonly SearchableSegment[]): void {
    for (let rank = 0; rank < count && !this.isFull; rank++) {
      const value = groupValueOf(segments[top.segments[rank]], this.#field, top.docs[rank]);
      if (value !== null) {
        if (this.#keys.has(value.key)) continue;
        this.#keys.add(value.key);
      }
      const at = this.groups.length;
      this.segments[at] = top.segments[rank];
      this.docs[at] = top.docs[rank];
      this.scores[at] = top.scores[rank];
      this.groups.push(value);
    }
  }
}
