/**
 * Finds the documents that those of a new segment replace: the same ids in the segments that are there.
 *
 * Owned by state/collection-state.ts, one a collection. Most ids of an import are new, and looking for each in every segment is much
 * of what writing costs: after as many look-ups as there are documents, a filter says which ids may be there at all.
 */
import { hashId } from '../../documents/id-hash.js';
import type { HashedIds, IdTableReader } from '../../documents/id-table.js';
import { docsByHash } from './docs-by-hash.js';
import { FILTERED_IDS_MAX, IdFilter } from './id-filter.js';
import type { OwnedSegment } from './owned-segment.js';

/** A new filter has room for so many times the ids that are there. */
const GROWTH = 4;

export class ReplacedIds {
  /** Of the ids of all segments; null: nobody knows. */
  #filter: IdFilter | null = null;
  /** Look-ups without a filter. */
  #lookUps = 0;

  /**
   * Looks for `ids`, of a segment about to be staged, in all `segments` of the collection: segment by segment, and within one along its
   * table, because what a look-up costs is the memory it waits for. `takes` says whether a document that has one is live, and
   * deletes it; of an id there is one at most.
   */
  find(
    ids: HashedIds,
    segments: readonly OwnedSegment[],
    takes: (segment: OwnedSegment, doc: number) => boolean,
  ): void {
    const waiting = docsByHash(ids);
    const { hashes } = ids;
    let count = waiting.length;
    const filter = this.#filterFor(segments, count);
    if (filter !== null) {
      let left = 0;
      for (let i = 0; i < count; i++) if (filter.has(hashes[waiting[i]])) waiting[left++] = waiting[i];
      count = left;
      for (let doc = 0; doc < ids.count; doc++) filter.add(hashes[doc]);
      if (filter.isFull) this.forget();
    }
    for (const segment of segments)
      count = segment.reader.ids.findEach(ids, waiting, count, (doc) => takes(segment, doc));
  }

  /** Forgets what is known of the ids: segments were exchanged for others. */
  forget(): void {
    this.#filter = null;
    this.#lookUps = 0;
  }

  /** The filter for `count` ids more, made when it has become worth it. */
  #filterFor(segments: readonly OwnedSegment[], count: number): IdFilter | null {
    if (this.#filter !== null) return this.#filter;
    const documents = segments.reduce((sum, { reader }) => sum + reader.maxDoc, 0);
    this.#lookUps += count * segments.length;
    if (this.#lookUps < documents || documents === 0 || documents + count > FILTERED_IDS_MAX) return null;
    this.#filter = new IdFilter(Math.min(FILTERED_IDS_MAX, GROWTH * (documents + count)));
    for (const { reader } of segments) addIds(this.#filter, reader.ids);
    return this.#filter;
  }
}

function addIds(filter: IdFilter, { rows }: IdTableReader): void {
  const { u8 } = rows.views;
  let start = rows.start(0);
  for (let doc = 0; doc < rows.count; doc++) {
    const end = rows.end(doc);
    filter.add(hashId(u8, start, end));
    start = end;
  }
}
