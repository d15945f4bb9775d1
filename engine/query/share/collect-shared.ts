/**
 * Collects a search with the help of other threads: the starter's side. Called by the searcher.
 */
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { TextQuery } from '../expand/text-query.js';
import { totalCounts } from '../facets/count-totals.js';
import type { FacetCollector } from '../facets/facet-collector.js';
import type { SweptQuery } from '../match/swept-query.js';
import { type Collectors, looksAtMatches } from '../segment-collector.js';
import type { PageBound } from '../sort/page-bound.js';
import { collectChunks, countChunks } from './collect-chunks.js';
import { addTop, areAllIn, mergeTop } from './merge-top.js';
import { foundOf, partWordsMax, runsOf } from './search-part.js';
import type { WorkShare } from './work-share.js';

/** A search, or a stage of it, that may be shared. */
export interface SharedWork {
  readonly text: TextQuery | null;
  /** `text` as it is swept, with facets; null: it goes the general way. */
  readonly swept: SweptQuery | null;
  /** What it takes, about, in microseconds. */
  readonly costUs: number;
  /** What the stage before found. */
  readonly foundBefore: number;
  /** Whether no stage comes after one that finds `found`. */
  readonly isLast: (found: number) => boolean;
  /** Best documents that are kept, and which of them need not be; null: all matter. */
  readonly wanted: number;
  readonly bound: PageBound | null;
}

/** Whether every chunk has to be gone through: one list alone is read where the best documents are. */
export const isWorthSharing = (collectors: Collectors, text: TextQuery | null): boolean =>
  text === null || text.clauses.length > 1 || looksAtMatches(collectors);

/**
 * Collects `work` with the threads that `share` finds, and returns how many documents match; -1: it is to be collected alone, and `begin` has
 * begun to collect anew. Where the facets await totals then, `share` is not released yet.
 */
export function collectShared(
  collectors: Collectors,
  { text, swept, costUs, foundBefore, isLast, wanted, bound }: SharedWork,
  segments: readonly SearchableSegment[],
  share: WorkShare,
  begin: () => void,
): number {
  const { search, facets, top } = collectors;
  const partWords = partWordsMax(wanted, search.facets, segments);
  if (!share.offer({ costUs, chunks: countChunks(segments), foundBefore, partWords })) return -1;
  try {
    const own = collectChunks(collectors, text, swept, segments, share);
    const parts = share.close();
    if (parts === null) {
      begin();
      return -1;
    }
    let { found } = own;
    for (const part of parts) found += foundOf(part);
    const starts = parts.map(runsOf);
    const isAsked =
      facets !== null &&
      isLast(found) &&
      share.askForTotals((task, adder) => facets.writeTask(task, parts, starts, adder));
    if (isAsked) facets.awaitTotals();
    else {
      for (const [i, part] of parts.entries()) facets?.addRuns(part, starts[i]);
      share.giveBack();
    }
    const isAdded = own.open >= 0 && areAllIn(parts, own.open);
    if (isAdded) addTop(top, parts);
    own.end();
    const beginTop = (): void => top.begin(search.sort, wanted, bound);
    if (!isAdded && parts.length > 0) mergeTop(top, parts, segments, beginTop);
    return found;
  } finally {
    if (facets?.awaitsTotals !== true) share.release();
  }
}

/** Takes what another thread has added up of the facets of `segment`, the only one, since collectShared() has asked it to, if it has. */
export function takeTotals(facets: FacetCollector, segment: SearchableSegment, share: WorkShare): void {
  if (!facets.awaitsTotals) return;
  facets.takeTotals(share.takeTotals((task) => totalCounts(segment.binding, task)));
  share.release();
}

/** After a search: nothing that is being added up for it is wanted any more, if it was stopped. */
export function dropTotals(facets: FacetCollector, share: WorkShare): void {
  if (!facets.awaitsTotals) return;
  facets.dropTotals();
  share.release();
}
