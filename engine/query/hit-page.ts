/**
 * Has a kernel write the hits of a page whose documents are shown whole, or their ids alone. Called by write-hits.ts, once a page unless that is long or
 * lies in several arenas. Layout: layout/hit-page.ts.
 */
import {
  HIT_BYTES,
  HIT_DOC,
  HIT_END,
  HIT_PAGE_BYTES,
  HIT_PAGE_HITS,
  HIT_SCORE,
  HIT_SEGMENT,
  HIT_STORE,
} from '../layout/hit-page.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { PresentedDocs } from './sort/presented-docs.js';

/** What is written at once, and the room for it. */
const HITS_MAX = 64;
const JSON_BYTES = 1 << 16;
/** Shared memory is copied by words of this size where both sides begin at the same place of one, else byte by byte. */
const WORD_BYTES = 8;

/** Hits as JSON, a comma before each: a range of `bytes`, until others are written. None: the first is to be written in another way. */
export type ComposedHits = Readonly<ComposedRange>;

interface ComposedRange {
  count: number;
  bytes: Uint8Array;
  start: number;
  end: number;
}

/** Whose documents are to be written, or their ids alone: those of the ranks before `end`. */
interface PlacedHits {
  readonly segments: readonly SearchableSegment[];
  readonly top: PresentedDocs;
  readonly end: number;
}

const composed: ComposedRange = { count: 0, bytes: new Uint8Array(0), start: 0, end: 0 };

/**
 * Writes hits from rank `from` on, and returns as many as there is room for, always in the same object. Resets a scratch heap.
 * `copyTo`: the address, of any kind, that the first byte will be copied to.
 */
export function composeHits(
  { segments, top, end }: PlacedHits,
  from: number,
  copyTo: number,
  areIds: boolean,
): ComposedHits {
  composed.count = 0;
  const { binding } = segments[top.segments[from]];
  const { heap, kernels, scratch } = binding;
  heap.reset();
  const page = heap.allocate(HIT_PAGE_HITS + HITS_MAX * HIT_BYTES);
  const room = heap.allocate(JSON_BYTES + WORD_BYTES);
  if (page === 0 || room === 0) return composed;
  const { u8, u32, f32, ptr } = scratch;
  const json = room + ((copyTo - (u8.byteOffset + room - ptr)) & (WORD_BYTES - 1));
  const head = (page - ptr) >> 2;
  const limit = Math.min(end, from + HITS_MAX);
  let to = from;
  for (let word = head + (HIT_PAGE_HITS >> 2); to < limit; to++, word += HIT_BYTES >> 2) {
    const segment = segments[top.segments[to]];
    if (segment.binding !== binding) break;
    const { documents, ids, views } = segment.reader;
    u32[word + (HIT_SEGMENT >> 2)] = views.region.ptr;
    u32[word + (HIT_END >> 2)] = views.region.ptr + views.u8.length;
    u32[word + (HIT_STORE >> 2)] = areIds ? ids.ptr : documents.ptr;
    u32[word + (HIT_DOC >> 2)] = top.docs[to];
    f32[word + (HIT_SCORE >> 2)] = top.scores[to];
  }
  composed.count = kernels.writeHits(page, to - from, json, json + JSON_BYTES, areIds);
  composed.bytes = u8;
  composed.start = json - ptr;
  composed.end = composed.start + u32[head + (HIT_PAGE_BYTES >> 2)];
  return composed;
}
