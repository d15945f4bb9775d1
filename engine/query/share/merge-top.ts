/**
 * Puts the best documents of several parts of a search together. Those of a segment that is being collected are offered as further matches
 * of it; else all of them are offered once more, segment by segment, as if nothing else had matched. So every order of documents is
 * what it is without sharing, ties included.
 */
import type { SortSource } from '../sort/sort-source.js';
import type { TopDocs } from '../sort/top-docs.js';
import { type PartTop, topOf } from './search-part.js';

/** The best documents of a part, of which each lies in segment `index`. */
const isIn = ({ segments }: PartTop, index: number): boolean => segments.every((segment) => segment === index);

/** Whether the best documents of `parts` all lie in segment `index`. */
export const areAllIn = (parts: readonly Uint32Array[], index: number): boolean =>
  parts.every((part) => isIn(topOf(part), index));

/** Offers `top` the best documents of `parts`, which all lie in the segment that is being collected. */
export function addTop(top: TopDocs, parts: readonly Uint32Array[]): void {
  for (const part of parts) {
    const { docs, scores } = topOf(part);
    top.collectDocs(docs, scores);
  }
}

/** Begins `top` anew with `begin`, and offers it what it has kept and the best documents of `parts`. */
export function mergeTop(
  top: TopDocs,
  parts: readonly Uint32Array[],
  segments: readonly SortSource[],
  begin: () => void,
): void {
  const all = [ownTop(top), ...parts.map(topOf)];
  begin();
  for (let index = 0; index < segments.length; index++) {
    if (!all.some((part) => part.segments.includes(index))) continue;
    segments[index].binding.heap.reset();
    top.beginSegment(segments[index], index);
    // Of each part by itself: all of them may be more than are taken at once.
    for (const part of all) {
      const { docs, scores } = inSegment(part, index);
      top.collectDocs(docs, scores);
    }
    top.endSegment();
  }
}

/** A copy of what `top` has kept, whose collecting is ended by that. */
function ownTop(top: TopDocs): PartTop {
  const count = top.finishUnordered();
  return {
    segments: top.segments.slice(0, count),
    docs: top.docs.slice(0, count),
    scores: top.scores.slice(0, count),
  };
}

/** The documents of a part that lie in segment `index`. */
function inSegment({ segments, docs, scores }: PartTop, index: number): Pick<PartTop, 'docs' | 'scores'> {
  const places: number[] = [];
  for (let at = segments.indexOf(index); at >= 0; at = segments.indexOf(index, at + 1)) places.push(at);
  return {
    docs: Uint32Array.from(places, (at) => docs[at]),
    scores: Float32Array.from(places, (at) => scores[at]),
  };
}
