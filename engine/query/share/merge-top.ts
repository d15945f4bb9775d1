/**
 * Puts the best documents of several parts of a search together. Those of a segment that is being collected are offered as further matches
 * of it; else all of them are offered once more, in order of insertion, as if nothing else had matched. So every order of documents is
 * what it is without sharing, ties included.
 */
import { CHUNK_DOCS, SCRATCH_ACC, SCRATCH_LIST_A } from '../../layout/scratch.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { TopDocs } from '../sort/top-docs.js';
import { readTop, topCountOf } from './search-part.js';

/** Documents of all parts are fewer: with less than 2^30 of a collection that leaves doubles exact. */
const PLACES_MAX = 2 ** 22;

/** Documents of several parts; `order` has them in order of insertion. */
interface Candidates {
  readonly segments: Uint32Array;
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
  readonly order: Uint32Array;
}

/**
 * Begins `top` anew with `begin`, and offers it what it has kept and the best documents of `parts`. `hasScores` false: all
 * scores are 0.
 */
export function mergeTop(
  top: TopDocs,
  parts: readonly Uint32Array[],
  segments: readonly SearchableSegment[],
  hasScores: boolean,
  begin: () => void,
): void {
  const candidates = gather(top, top.finish(), parts, segments);
  begin();
  const { order } = candidates;
  for (let from = 0; from < order.length; ) {
    const index = candidates.segments[order[from]];
    const segment = segments[index];
    segment.binding.heap.reset();
    top.beginSegment(segment, index);
    while (from < order.length && candidates.segments[order[from]] === index)
      from = offerChunk(top, candidates, segment, from, hasScores);
    top.endSegment();
  }
}

/** Whether the best documents of `parts` all lie in segment `index`. */
export function areAllIn(parts: readonly Uint32Array[], index: number): boolean {
  let areIn = true;
  for (const part of parts)
    readTop(part, (segment) => {
      areIn &&= segment === index;
    });
  return areIn;
}

/** Offers `top` the best documents of `parts`, which all lie in segment `index`, the one that is being collected. */
export function addTop(
  top: TopDocs,
  parts: readonly Uint32Array[],
  segments: readonly SearchableSegment[],
  index: number,
  hasScores: boolean,
): void {
  const candidates = gather(top, 0, parts, segments);
  for (let from = 0; from < candidates.order.length; )
    from = offerChunk(top, candidates, segments[index], from, hasScores);
}

/** The first `own` documents of `top`, and those of `parts`. */
function gather(
  top: TopDocs,
  own: number,
  parts: readonly Uint32Array[],
  all: readonly SearchableSegment[],
): Candidates {
  let count = own;
  for (const part of parts) count += topCountOf(part);
  const segments = new Uint32Array(count);
  const docs = new Uint32Array(count);
  const scores = new Float32Array(count);
  segments.set(top.segments.subarray(0, own));
  docs.set(top.docs.subarray(0, own));
  scores.set(top.scores.subarray(0, own));
  let at = own;
  for (const part of parts)
    readTop(part, (segment, doc, score) => {
      segments[at] = segment;
      docs[at] = doc;
      scores[at++] = score;
    });
  return { segments, docs, scores, order: inOrder(segments, docs, all) };
}

/** The places of documents in order of insertion. Numbers sort several times as fast as by a function that compares them. */
function inOrder(segments: Uint32Array, docs: Uint32Array, all: readonly SearchableSegment[]): Uint32Array {
  const bases = new Float64Array(all.length);
  for (let i = 1; i < all.length; i++) bases[i] = bases[i - 1] + all[i - 1].maxDoc;
  const keys = new Float64Array(docs.length);
  for (let i = 0; i < keys.length; i++) keys[i] = (bases[segments[i]] + docs[i]) * PLACES_MAX + i;
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) order[i] = keys[i] % PLACES_MAX;
  return order;
}

/** Offers the candidates from `from` on that lie in one chunk of `segment`, and returns where the others begin. */
function offerChunk(
  top: TopDocs,
  { segments, docs, scores, order }: Candidates,
  { binding: { scratch } }: SearchableSegment,
  from: number,
  hasScores: boolean,
): number {
  const index = segments[order[from]];
  const chunk = Math.floor(docs[order[from]] / CHUNK_DOCS);
  let to = from;
  for (; to < order.length; to++) {
    const at = order[to];
    if (segments[at] !== index || Math.floor(docs[at] / CHUNK_DOCS) !== chunk) break;
    const doc = docs[at] - chunk * CHUNK_DOCS;
    scratch.u16[SCRATCH_LIST_A / 2 + to - from] = doc;
    scratch.f32[SCRATCH_ACC / 4 + doc] = scores[at];
  }
  const acc = hasScores ? scratch.ptr + SCRATCH_ACC : 0;
  top.collectChunk(chunk * CHUNK_DOCS, scratch.ptr + SCRATCH_LIST_A, to - from, acc);
  return to;
}
