/**
 * How the write side finds documents by a filter, without knowing the search side: threads/writer-thread.ts gives it what does.
 */
import type { RegionViews } from '../../memory/arena.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';

export interface DocumentMatcher {
  /**
   * Calls `take` with each document of each of `segments`, by its place there, that passes `filter`, deleted ones too, in order. Errors:
   * invalid_query.
   */
  match(
    filter: string,
    schema: CollectionSchema,
    segments: readonly RegionViews[],
    take: (segment: number, doc: number) => void,
  ): void;
}
