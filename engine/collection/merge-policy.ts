/**
 * Chooses which neighbouring segments to merge, so that a search sees about a dozen at most.
 *
 * Neighbours only: documents stay in order of insertion. When there are more segments than SEGMENTS_WANTED, the window
 * that costs the fewest bytes per segment saved is merged; a stream of small batches so ends up in tiers, as in O'Neil et
 * al., "The log-structured merge-tree", 1996. A segment with many deletions is rewritten on its own. Pure: decides, and
 * merges nothing.
 */

/** Segments of a collection beyond which a merge is due. */
export const SEGMENTS_WANTED = 10;
/** Most segments merged at once. */
export const FAN_IN = 8;
/** No merge produces a larger segment. */
export const MERGED_BYTES_MAX = 1 << 30;
/** A segment is rewritten when this share of it is deleted. */
const RECLAIM_SHARE = 0.2;

/** A segment as the policy sees it. */
export interface PolicySegment {
  readonly bytes: number;
  readonly maxDoc: number;
  readonly liveCount: number;
  /** Part of a merge under way: not to be touched, nor merged across. */
  readonly merging: boolean;
}

/** Segments [from, to) are to be merged. */
export interface MergeWindow {
  readonly from: number;
  readonly to: number;
}

/** Bytes that a merge of `segment` writes, about. */
const liveBytes = ({ bytes, maxDoc, liveCount }: PolicySegment): number => (bytes * liveCount) / maxDoc;

/** The merge that is due and writes at most `bytesMax` bytes, or null. */
export function chooseMerge(segments: readonly PolicySegment[], bytesMax: number): MergeWindow | null {
  const reclaim = segments.findIndex(
    (segment) =>
      !segment.merging &&
      segment.maxDoc - segment.liveCount > segment.maxDoc * RECLAIM_SHARE &&
      liveBytes(segment) <= bytesMax,
  );
  if (reclaim >= 0) return { from: reclaim, to: reclaim + 1 };
  return segments.length > SEGMENTS_WANTED ? cheapestWindow(segments, bytesMax) : null;
}

function cheapestWindow(segments: readonly PolicySegment[], bytesMax: number): MergeWindow | null {
  let best: MergeWindow | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let from = 0; from < segments.length; from++) {
    let bytes = 0;
    for (let to = from; to < segments.length && to - from < FAN_IN && !segments[to].merging; to++) {
      bytes += liveBytes(segments[to]);
      if (to === from) continue;
      if (bytes > bytesMax) break;
      const cost = bytes / (to - from);
      if (cost >= bestCost) continue;
      bestCost = cost;
      best = { from, to: to + 1 };
    }
  }
  return best;
}
