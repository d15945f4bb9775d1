/**
 * What the write path is asked to do and what it answers: plain data that crosses threads.
 */
import type { AliasChange } from '../../core/aliases.js';
import type { EngineErrorCode } from '../../core/errors.js';
import type { BodyFormat, DocumentAction, IndexResult } from '../../core/requests.js';
import type { TextRuleChange } from '../../core/text-rules.js';
import type { CollectionStats, CollectionView } from '../../engine.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { Misfits } from '../../segment/segment-rebuilder.js';

export type WriteRequest =
  /** `createdAt`: Unix time in milliseconds; not given: now. */
  | {
      readonly kind: 'create';
      readonly ticket: number;
      readonly schema: CollectionSchema;
      readonly createdAt?: number;
    }
  /** `force`: with its aliases; else it is refused where there are some. */
  | { readonly kind: 'drop'; readonly ticket: number; readonly collectionId: number; readonly force?: boolean }
  | { readonly kind: 'alias'; readonly ticket: number; readonly change: AliasChange }
  | {
      readonly kind: 'index';
      readonly ticket: number;
      readonly collectionId: number;
      readonly body: Uint8Array<ArrayBuffer>;
      readonly format: BodyFormat;
      /** Not there: upsert. patch: the body is a merge patch of the document `documentId`. */
      readonly action?: DocumentAction | 'patch';
      readonly documentId?: string;
    }
  | { readonly kind: 'delete'; readonly ticket: number; readonly collectionId: number; readonly documentId: string }
  /** Deletes what passes a filter. */
  | {
      readonly kind: 'delete-matching';
      readonly ticket: number;
      readonly collectionId: number;
      readonly filter: string;
    }
  | {
      readonly kind: 'rule';
      readonly ticket: number;
      readonly collectionId: number;
      readonly change: TextRuleChange;
      /** Of its words, about. */
      readonly bytes: number;
    };

/** Number of the collection that `request` changes; null: none that was there before. */
export const collectionOf = (request: WriteRequest): number | null =>
  'collectionId' in request ? request.collectionId : null;

/** Asks for a change of a schema; committed alone. */
export interface SchemaChangeRequest {
  readonly kind: 'change';
  readonly ticket: number;
  readonly collectionId: number;
  /** Parsed JSON, as schema/patch-schema.ts takes it. */
  readonly change: unknown;
  /** Only counts the documents that would not fit. */
  readonly isDryRun: boolean;
}

/**
 * Decides the change to `schema` that is under way: it is in force from here on, or refused. Part of a replicated log, so that all
 * who follow that decide at one place.
 */
export interface ChangeEndRequest {
  readonly kind: 'change-end';
  readonly ticket: number;
  readonly collectionId: number;
  readonly schema: CollectionSchema;
}

/** What is committed alone. */
export type LoneRequest = SchemaChangeRequest | ChangeEndRequest;

/** Whatever the writer is asked for: what commits together, and what does not. */
export type WriterRequest = WriteRequest | LoneRequest;

/** Bytes that `request` brings. */
export function bodyBytes(request: WriterRequest): number {
  if (request.kind === 'rule') return request.bytes;
  return request.kind === 'index' ? request.body.length : 0;
}

/**
 * The answer to one request. `collectionId` is set for a create, to which `view` is added where it is given, `report` for an index, which for a patch holds the document, `misfits` for
 * a dry run of a change, `deleted` for a deletion by filter.
 */
export type WriteAnswer =
  | {
      readonly ticket: number;
      readonly error: null;
      readonly collectionId: number | null;
      readonly view?: CollectionView;
      readonly report: IndexResult | null;
      readonly misfits?: Misfits;
      readonly deleted?: number;
    }
  | { readonly ticket: number; readonly error: { readonly code: EngineErrorCode; readonly message: string } };

/** A collection as the HTTP thread sees it. */
export interface ViewedCollection {
  readonly id: number;
  readonly view: CollectionView;
  /** Counts what has changed of the view beside its figures. */
  readonly version: number;
  readonly segmentBytes: number;
  /** What is wrong with its files, null when nothing is: else every use of it is refused with this message. */
  readonly damage: string | null;
}

/** What of the synonyms and stop words of a collection has changed. */
export interface ChangedRules {
  readonly collectionId: number;
  readonly changes: readonly TextRuleChange[];
}

/** The writer's counters at one moment. */
export interface WriterStats {
  readonly walBytes: number;
  readonly walSyncs: number;
  readonly arenaBytesReserved: number;
  readonly arenaBytesUsed: number;
  /** The memory budget, what is taken of it, and what of it documents may not take. */
  readonly memoryBytesMax: number;
  readonly memoryBytesUsed: number;
  readonly memoryBytesKept: number;
  /** Writes refused for want of memory. */
  readonly memoryRefusals: number;
  readonly documentsIndexed: number;
  readonly documentsFailed: number;
  readonly documentsDeleted: number;
  readonly merges: number;
}

/** What one commit, or one merge, changed. Answers come with the state that they promise. */
export interface CommitResult {
  readonly changed: readonly ViewedCollection[];
  readonly dropped: readonly number[];
  readonly rules: readonly ChangedRules[];
  readonly aliases: readonly AliasChange[];
  readonly answers: readonly WriteAnswer[];
  readonly stats: WriterStats;
  /** The place of a replicated log up to which all is applied. */
  readonly applied?: number;
}

/** Of a commit that has changed nothing. */
export const NO_CHANGES = { changed: [], dropped: [], rules: [], aliases: [] } as const;

export const statsOf = ({ view, segmentBytes }: ViewedCollection): CollectionStats => ({
  name: view.name,
  documents: view.num_documents,
  segments: view.num_segments,
  segmentBytes,
});
