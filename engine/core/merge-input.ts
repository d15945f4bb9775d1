/**
 * One segment as a merge reads it: its documents keep their order, deleted ones are dropped, the rest are renumbered.
 */

/** In a document map: the document does not survive the merge. */
export const DROPPED_DOC = 0xffffffff;

/** In a list of which sources have each merged term: the number in the other bits is the last of its term. */
export const LAST_SOURCE = 0x80;
/** Most sources that such a list can number. */
export const SOURCES_MAX = LAST_SOURCE;

export interface MergeInput<Reader> {
  readonly reader: Reader;
  /** Documents in the source, deleted ones included. */
  readonly maxDoc: number;
  /** New number of the source's first surviving document. */
  readonly base: number;
  /** New number of each source document, or DROPPED_DOC; null: none is dropped and the new number is base + old. */
  readonly map: Uint32Array | null;
  /** Documents that survive. */
  readonly liveCount: number;
}
