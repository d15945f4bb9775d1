/**
 * One segment as a merge reads it: its documents keep their order, deleted ones are dropped, the rest are renumbered.
 */

/** In a document map: the document does not survive the merge. */
export const DROPPED_DOC = 0xffffffff;

/** In a list of which sources have each merged term: the number in the other bits is the last of its term. */
export const LAST_SOURCE = 0x80;
/** Most sources that such a list can number: those below LAST_SOURCE. */
export const SOURCES_MAX = 0x80;

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

/**
 * The same source, of which a part of the merge reads `reader`. Never by a spread: V8 would forget the shape of such
 * objects, and with it the machine code of whatever reads them, each time that none is left.
 */
export function withReader<Reader>(input: MergeInput<unknown>, reader: Reader): MergeInput<Reader> {
  const { maxDoc, base, map, liveCount } = input;
  return { reader, maxDoc, base, map, liveCount };
}
