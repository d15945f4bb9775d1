/**
 * Collects the chunks of a search that this thread takes, wherever they lie. Called by the searcher for a helper, and by collect-shared.ts
 * for the starter.
 */
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { TextQuery } from '../expand/text-query.js';
import { beginFaceted, shareOf } from '../faceted-sweep.js';
import type { SweptQuery } from '../match/swept-query.js';
import { beginSegment, type Collectors, type SegmentRun } from '../segment-collector.js';
import type { ChunkSource } from './work-share.js';

const chunksOf = ({ maxDoc }: SearchableSegment): number => Math.ceil(maxDoc / CHUNK_DOCS);

/** How many chunks `segments` have. */
export function countChunks(segments: readonly SearchableSegment[]): number {
  let chunks = 0;
  for (const segment of segments) chunks += chunksOf(segment);
  return chunks;
}

/** What came of chunks, of which the last segment is still open: values that others counted in it may be added. */
export interface CollectedChunks {
  /** Documents that match. */
  readonly found: number;
  /** The segment that is open; -1: none is. */
  readonly open: number;
  /** Ends the last segment. */
  end(): void;
}

/** Takes in the chunks of `segments` that `source` gives. `swept`: `text` as it is swept, with facets; null: it goes the general way. */
export function collectChunks(
  collectors: Collectors,
  text: TextQuery | null,
  swept: SweptQuery | null,
  segments: readonly SearchableSegment[],
  source: ChunkSource,
): CollectedChunks {
  const share = swept === null || text === null ? 0 : shareOf(text, segments);
  const begin = (index: number): SegmentRun | null =>
    swept === null || text === null
      ? beginSegment(collectors, text, segments[index], index)
      : beginFaceted(swept, text, segments, index, share, collectors);
  let found = 0;
  /** The segment of the last chunk, and its first one. */
  let index = 0;
  let firstChunk = 0;
  let begun = -1;
  let run: SegmentRun | null = null;
  while (source.take()) {
    for (let chunk = source.first; chunk < source.end; chunk++) {
      while (chunk >= firstChunk + chunksOf(segments[index])) firstChunk += chunksOf(segments[index++]);
      if (begun !== index) {
        run?.end();
        collectors.budget.check();
        segments[index].binding.heap.reset();
        run = begin(index);
        begun = index;
      }
      if (run !== null) found += run.collect(chunk - firstChunk);
    }
  }
  return { found, open: run === null ? -1 : begun, end: () => run?.end() };
}
