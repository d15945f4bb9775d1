/**
 * Collects the chunks of a search that this thread takes, wherever they lie. Called by the searcher, of starter and helper alike.
 */
import { CHUNK_DOCS } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { TextQuery } from '../expand/text-query.js';
import { beginSegment, type Collectors, endSegment, type SegmentRun } from '../segment-collector.js';
import type { ChunkSource } from './work-share.js';

const chunksOf = ({ maxDoc }: SearchableSegment): number => Math.ceil(maxDoc / CHUNK_DOCS);

/** How many chunks `segments` have. */
export function countChunks(segments: readonly SearchableSegment[]): number {
  let chunks = 0;
  for (const segment of segments) chunks += chunksOf(segment);
  return chunks;
}

/** Takes in the chunks of `segments` that `source` gives, and returns how many of their documents match. */
export function collectChunks(
  collectors: Collectors,
  text: TextQuery | null,
  segments: readonly SearchableSegment[],
  source: ChunkSource,
): number {
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
        if (run !== null) endSegment(collectors);
        collectors.budget.check();
        segments[index].binding.heap.reset();
        run = beginSegment(collectors, text, segments[index], index);
        begun = index;
      }
      if (run !== null) found += run.collect(chunk - firstChunk);
    }
  }
  if (run !== null) endSegment(collectors);
  return found;
}
