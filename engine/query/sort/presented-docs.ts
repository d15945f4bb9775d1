/**
 * The best documents as the rest of a query sees them. Filled by what keeps them, read through TopDocs.
 */
export interface PresentedDocs {
  /** By rank: the segment as the evaluator calls it, the document in it, its score. */
  readonly segments: Uint32Array;
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
}
