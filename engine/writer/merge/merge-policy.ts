/**
 * Chooses which neighbouring segments to merge, so that a search sees about a dozen at most.
 *
 * Neighbours only: documents stay in order of insertion. When more than SEGMENTS_WANTED segments still grow, the window
 * is merged that rewrites least for what it moves up: equals go together, and a large segment is not rewritten for the
 * sake of a small one. Bytes are so written about as often as the best policy of that many segments would write them, a
 * logarithm of their number: see Mathieu, Staelin, Young & Yousefi, "Bigtable merge compaction", 2014. A segment with
 * many deletions is rewritten on its own. While hardly anything is written, segments are merged further, as each costs every
 * search a little; only where that moves much, so that each byte is written a logarithm of their number once more, or where as much
 * has come since all were merged that another time is paid for. Pure: decides, and merges nothing.
 */

/** Growing segments of a collection beyond which a merge is due. */
export const SEGMENTS_WANTED = 10;
/** Most segments merged at once. */
export const FAN_IN = 8;
/** No merge produces a larger segment. */
export const MERGED_BYTES_MAX = 1 << 30;
/** A segment of more live bytes is left alone: hardly anything fits beside it. */
const GROWING_BYTES_MAX = 1 << 29;
/** A segment is rewritten when this share of it is deleted. */
const RECLAIM_SHARE = 0.2;
/** The same at rest: as many as a collection ever has of those that grow. */
export const REST_FAN_IN = 20;
/** A merge at rest writes at most so many bytes for each that comes to lie in a larger segment. */
const REST_BYTES_PER_MOVED = 3;
/** Of windows that rewrite about equally much for what they move up, smaller ones go first. */
const SIZE_EXPONENT = 0.1;

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

/** Whether `segment` is to be merged with its neighbours, now or later. */
const isSmall = (segment: PolicySegment): boolean => liveBytes(segment) <= GROWING_BYTES_MAX;

/** Whether `segment` may be merged with its neighbours now. */
const isGrowing = (segment: PolicySegment): boolean => !segment.merging && isSmall(segment);

/** How many of `segments` merges will make fewer, those that are being merged included. */
export const countSmall = (segments: readonly PolicySegment[]): number => segments.filter(isSmall).length;

/** The merge that is due when more than `wanted` segments grow, and that writes at most `bytesMax` bytes; or null. */
export function chooseMerge(
  segments: readonly PolicySegment[],
  bytesMax: number,
  wanted = SEGMENTS_WANTED,
): MergeWindow | null {
  const reclaim = segments.findIndex(
    (segment) =>
      !segment.merging &&
      segment.maxDoc - segment.liveCount > segment.maxDoc * RECLAIM_SHARE &&
      liveBytes(segment) <= bytesMax,
  );
  if (reclaim >= 0) return { from: reclaim, to: reclaim + 1 };
  if (segments.filter(isGrowing).length <= wanted) return null;
  return cheapestWindow(segments, bytesMax, FAN_IN, Number.POSITIVE_INFINITY);
}

/** The merge that pays while hardly anything is written, and that writes at most `bytesMax` bytes; or null. */
export const chooseRestMerge = (segments: readonly PolicySegment[], bytesMax: number): MergeWindow | null =>
  cheapestWindow(segments, bytesMax, REST_FAN_IN, REST_BYTES_PER_MOVED);

/**
 * The merge of as many neighbours as can be one segment, of at most `bytesMax` bytes, when nothing else pays; or null. `freshBytes`: what
 * the collection has grown by since that was done last. Of each byte that comes no more than REST_BYTES_PER_MOVED are written so.
 */
export function chooseWholeMerge(
  segments: readonly PolicySegment[],
  bytesMax: number,
  freshBytes: number,
): MergeWindow | null {
  let whole: MergeWindow = { from: 0, to: 1 };
  let wholeBytes = 0;
  for (let from = 0; from < segments.length; from++) {
    let bytes = 0;
    let to = from;
    for (; to < segments.length && isGrowing(segments[to]); to++) {
      if (bytes + liveBytes(segments[to]) > bytesMax) break;
      bytes += liveBytes(segments[to]);
    }
    if (to - from <= whole.to - whole.from) continue;
    whole = { from, to };
    wholeBytes = bytes;
  }
  const pays = whole.to - whole.from > 1 && wholeBytes <= REST_BYTES_PER_MOVED * freshBytes;
  return pays ? whole : null;
}

/** Of at most `fanIn` segments; `perMovedMax` as in REST_BYTES_PER_MOVED. */
function cheapestWindow(
  segments: readonly PolicySegment[],
  bytesMax: number,
  fanIn: number,
  perMovedMax: number,
): MergeWindow | null {
  let best: MergeWindow | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let from = 0; from < segments.length; from++) {
    let bytes = 0;
    let largest = 0;
    for (let to = from; to < segments.length && to - from < fanIn && isGrowing(segments[to]); to++) {
      bytes += liveBytes(segments[to]);
      largest = Math.max(largest, liveBytes(segments[to]));
      if (to === from) continue;
      if (bytes > bytesMax) break;
      // What is written, for each byte that comes to lie in a larger segment than before.
      const perMoved = bytes / (bytes - largest);
      const cost = perMoved * bytes ** SIZE_EXPONENT;
      if (perMoved > perMovedMax || cost >= bestCost) continue;
      bestCost = cost;
      best = { from, to: to + 1 };
    }
  }
  return best;
}
