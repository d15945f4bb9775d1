/**
 * Branded numbers, so that a document is never passed where a term is wanted, and the sentinels of iteration.
 */

declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

/** A document's index within its segment, 0-based, in order of insertion. */
export type DocId = Branded<'DocId'>;
/** A term's rank among the segment's terms in byte order, 0-based. */
export type TermOrd = Branded<'TermOrd'>;

export const docId = (value: number): DocId => value as DocId;
export const termOrd = (value: number): TermOrd => value as TermOrd;

/** Past the last document of a list. */
export const NO_MORE_DOCS = 0x7fffffff;
