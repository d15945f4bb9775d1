/**
 * What the only list that a sweep reads of a segment has of deleted documents, by impact, in scratch memory: taken off what the list's
 * outline tells (layout/list-outline.ts), it tells what is live. Counted by kernels/losses.ts, written by query/match/sweep-losses.ts once
 * a sweep.
 *
 *     0 classCount  u32
 *     4 postings    u32  of deleted documents
 *     8 classes, as those of an outline
 */

export const LOSSES_CLASS_COUNT = 0;
export const LOSSES_POSTINGS = 4;
export const LOSSES_CLASSES = 8;
