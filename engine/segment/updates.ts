/**
 * What the writer tells the readers: plain data that names regions of shared memory.
 */
import type { AliasChange } from '../core/aliases.js';
import type { TextRuleChange } from '../core/text-rules.js';
import type { Arena, Region } from '../memory/arena.js';
import type { CollectionSchema } from '../schema/collection-schema.js';

/** One segment of a published generation. */
export interface SegmentDescriptor {
  /** Unique over the life of the process. */
  readonly id: number;
  readonly region: Region;
  /** null: no document is deleted. */
  readonly liveDocs: Region | null;
  readonly liveCount: number;
}

/** The whole of a collection at one generation; segments in order of insertion. */
export interface CollectionDescriptor {
  readonly id: number;
  readonly schema: CollectionSchema;
  readonly segments: readonly SegmentDescriptor[];
}

export type ReaderUpdate =
  | { readonly kind: 'arena'; readonly arena: Arena }
  | { readonly kind: 'collection'; readonly collection: CollectionDescriptor }
  | { readonly kind: 'drop'; readonly collectionId: number }
  /** What of a collection's synonyms and stop words has changed; what stays as it is is not posted again. */
  | { readonly kind: 'rules'; readonly collectionId: number; readonly changes: readonly TextRuleChange[] }
  | { readonly kind: 'alias'; readonly alias: AliasChange }
  /** The collection's files proved to be damaged: it is refused with `message` from now on. */
  | { readonly kind: 'damage'; readonly collectionId: number; readonly message: string };
