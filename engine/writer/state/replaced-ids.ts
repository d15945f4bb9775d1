/**
 * Finds the documents that those of a new segment replace: the same ids in the segments that are there.
 *
 * Owned by state/collection-state.ts, one a collection. Most ids of an import are new, and looking for each in every segment is much
 * of what writing costs: after as many look-ups as there are documents, a filter that a large batch has made says which ids may be there at all.
 */
import { HASH_KEY } from '../../core/hash-seed.js';
import { hashId } from '../../documents/id-hash.js';
import { type HashedIds, type IdTableReader, isSameKey, rehashed } from '../../documents/id-table.js';
import { allDocs, docsByHash } from './docs-by-hash.js';
import { FILTERED_IDS_MAX, IdFilter } from './id-filter.js';
import type { OwnedSegment } from './owned-segment.js';

/** A filter is made for a batch of so many documents: of single ones, none waits until all ids of a collection are hashed. */
const BATCH_MIN = 1000;
/** A new filter has room for so many times the ids that are there. */
const GROWTH = 4;

export class ReplacedIds {
  /** Of the ids of all segments; null: nobody knows. */
  #filter: IdFilter | null = null;
  /** Look-ups of large batches without a filter. */
  #lookUps = 0;

  /**
   * Looks for `ids`, of a segment about to be staged, in all `segments` of the collection: segment by segment, and within one along its
   * table, because what a look-up costs is the memory it waits for. Segments of an earlier process have keys of their own, for which all is hashed
   * and ordered again. `takes` says whether a document that has one is live, and
   * deletes it; of an id there is one at most.
   */
  find(
    ids: HashedIds,
    segments: readonly OwnedSegment[],
    takes: (segment: OwnedSegment, doc: number) => boolean,
  ): void {
    let keyed = ids;
    let waiting = docsByHash(ids, allDocs(ids));
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
    for (const segment of segments) {
      if (count === 0) return;
      const table = segment.reader.ids;
      if (!isSameKey(keyed.key, table.key)) {
        waiting = waiting.subarray(0, count);
        keyed = isSameKey(ids.key, table.key) ? ids : rehashed(ids, table.key, waiting);
        waiting = docsByHash(keyed, waiting);
      }
      count = table.findEach(keyed, waiting, count, (doc) => takes(segment, doc));
    }
  }

  /** Forgets what is known of the ids: segments were exchanged for others. */
  forget(): void {
    this.#filter = null;
    this.#lookUps = 0;
  }

  /** The filter for `count` ids more, made for a large batch when it has become worth it; null: there is none. */
  #filterFor(segments: readonly OwnedSegment[], count: number): IdFilter | null {
    if (this.#filter !== null || count < BATCH_MIN) return this.#filter;
    const documents = segments.reduce((sum, { reader }) => sum + reader.maxDoc, 0);
    this.#lookUps += count * segments.length;
    if (this.#lookUps < documents || documents === 0 || 2 * (documents + count) > FILTERED_IDS_MAX) return null;
    this.#lookUps = 0;
    const filter = new IdFilter(Math.min(FILTERED_IDS_MAX, GROWTH * (documents + count)));
    if (!segments.every(({ reader }) => addIds(filter, reader.ids))) return null;
    this.#filter = filter;
    return filter;
  }
}

/** Adds all ids of a table; false: it is damaged, and does not tell where they lie. */
function addIds(filter: IdFilter, { rows }: IdTableReader): boolean {
  const { u8 } = rows.views;
  let start = rows.start(0);
  for (let doc = 0; doc < rows.count; doc++) {
    const end = rows.end(doc);
    if (start > end || end > u8.length) return false;
    filter.add(hashId(HASH_KEY, u8, start, end));
    start = end;
  }
  return true;
}
