/**
 * The messages between the HTTP thread, the writer and the maintenance thread. Reads never travel this way.
 */
import type { MessagePort } from 'node:worker_threads';
import type { EngineErrorCode } from '../core/errors.js';
import type { SnapshotReport } from '../core/snapshots.js';
import type { DurabilityStats, RecoveryProgress, VerifyMode } from '../engine.js';
import type { Arena } from '../memory/arena.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import type { CollectionDescriptor } from '../segment/updates.js';
import type { HeldFolder } from '../storage/files/node-directory.js';
import type { ManifestSegment } from '../storage/types/manifest.js';
import type { RebuildOrder, RebuildOutcome } from '../writer/change/rebuild-order.js';
import type { MergeOrder, MergeOutcome } from '../writer/merge/merge-job.js';
import type { BuiltBundle, ReplayOrder } from '../writer/recovery/replay-bundle.js';
import type { SnapshotOrder, SnapshotOutcome } from '../writer/snapshot/snapshot-job.js';
import type { CommitResult, WriterRequest } from '../writer/state/write-requests.js';
import type { Packed } from './packed-writes.js';
import type { PostedView } from './posted-views.js';
import type { SearchSharing } from './search-share.js';

/** What the writer thread is started with. */
export interface WriterData {
  readonly dataDir: string;
  readonly memoryBytes: number;
  /** Reserved, to be used first. */
  readonly arenas: readonly Arena[];
  readonly syncIntervalMs: number;
  readonly snapshotWalBytes: number;
  readonly snapshotIntervalMs: number;
  readonly verify: VerifyMode;
  readonly mapFiles: boolean;
  readonly words: Int32Array<SharedArrayBuffer>;
  /** One a reader: updates go out here. */
  readonly readerPorts: readonly MessagePort[];
  readonly maintenancePort: MessagePort;
  /** The log that is followed, and where its deliveries come in; null: the directory has a log. */
  readonly followed: { readonly streamId: string; readonly deliveries: MessagePort } | null;
}

/** What a reader thread is started with. */
export interface ReaderData {
  readonly index: number;
  /** How many there are. */
  readonly readers: number;
  readonly answerBytesMax: number;
  readonly responseBytesMax: number;
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly mailbox: SharedArrayBuffer;
  readonly cacheBytes: number;
  readonly updates: MessagePort;
  /** Of what readers do of one another's searches (search-share.ts). */
  readonly rooms: SharedArrayBuffer;
  readonly sharing: SearchSharing;
}

/** What the maintenance thread is started with. */
export interface MaintenanceData {
  readonly writerPort: MessagePort;
}

/** What one commit, or one merge, changed, as it crosses threads. */
export interface PostedResult extends Omit<CommitResult, 'changed'> {
  readonly changed: readonly PostedView[];
}

/** An EngineError as it crosses threads. */
export interface PostedError {
  readonly code: EngineErrorCode;
  readonly message: string;
}

/** HTTP thread to writer. */
export type WriterInput =
  | { readonly kind: 'write'; readonly request: WriterRequest }
  | { readonly kind: 'writes'; readonly writes: Packed }
  | { readonly kind: 'snapshot'; readonly ticket: number }
  /** The segments of the collection as they are now stay until they are let go. */
  | { readonly kind: 'hold'; readonly ticket: number; readonly collectionId: number }
  | { readonly kind: 'letGo'; readonly ticket: number }
  /** A reader met damage in the collection. */
  | { readonly kind: 'suspect'; readonly collectionId: number; readonly message: string }
  | { readonly kind: 'stop'; readonly snapshotWithinMs: number };

/** Writer to HTTP thread. */
export type WriterOutput =
  | { readonly kind: 'progress'; readonly progress: RecoveryProgress }
  | { readonly kind: 'ready'; readonly result: PostedResult; readonly durability: DurabilityStats }
  | { readonly kind: 'failed'; readonly error: PostedError }
  /** `reports`: further answers of the commit, packed. */
  | { readonly kind: 'result'; readonly result: PostedResult; readonly reports: Packed | null }
  /** A change of a schema is to be decided, at a place of the replicated log. */
  | { readonly kind: 'change-end'; readonly collectionId: number; readonly schema: CollectionSchema }
  /** Sent when it has changed, at most half a second late. */
  | { readonly kind: 'durability'; readonly durability: DurabilityStats }
  | {
      readonly kind: 'snapshot';
      readonly ticket: number;
      readonly report: SnapshotReport | null;
      readonly error: PostedError | null;
    }
  /** `collection` null: there is none any more. */
  | { readonly kind: 'held'; readonly ticket: number; readonly collection: CollectionDescriptor | null }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly details: object;
      readonly message: string;
    }
  /** The last message. `error`: what was acknowledged may not be durable. */
  | { readonly kind: 'stopped'; readonly error: PostedError | null };

/** Writer to maintenance thread: at most one order of each kind at a time, but any number to build, at start. */
export type MaintenanceInput =
  /** The first message: the data folder, which the writer has created and locked. */
  | { readonly kind: 'folder'; readonly folder: HeldFolder }
  | { readonly kind: 'arena'; readonly arena: Arena }
  | { readonly kind: 'merge'; readonly order: MergeOrder }
  | { readonly kind: 'rebuild'; readonly order: RebuildOrder }
  /** `state`: the writer waits for it at start (replay-client.ts); null: for the answer alone. */
  | {
      readonly kind: 'snapshot';
      readonly order: SnapshotOrder;
      readonly state: Int32Array<SharedArrayBuffer> | null;
    }
  | { readonly kind: 'verify'; readonly segment: ManifestSegment }
  /** `state`: who has the order (replay-client.ts). */
  | { readonly kind: 'build'; readonly order: ReplayOrder; readonly state: Int32Array<SharedArrayBuffer> }
  /** Nothing more is to be built. */
  | { readonly kind: 'built' }
  /** Memory is short: garbage is to be collected. */
  | { readonly kind: 'collect' };

/** Maintenance thread to writer, an answer to each order; to one to build only when it was not taken back. */
export type MaintenanceOutput =
  | { readonly kind: 'merge'; readonly outcome: MergeOutcome }
  | { readonly kind: 'rebuild'; readonly outcome: RebuildOutcome }
  | { readonly kind: 'snapshot'; readonly outcome: SnapshotOutcome }
  | { readonly kind: 'verify'; readonly error: PostedError | null }
  | { readonly kind: 'build'; readonly collectionId: number; readonly built: BuiltBundle | null };
