/**
 * What the main thread (cluster-node.ts) and the cluster thread (cluster-thread.ts) say to each other.
 */
import type { MessagePort } from 'node:worker_threads';
import type { EngineErrorCode } from '../../engine/index.js';
import type { ClusterOptions } from './cluster-options.js';
import type { ClusterState } from './cluster-state.js';
import type { StoredSnapshot } from './snapshot-keeper.js';

export interface ClusterThreadData {
  readonly options: ClusterOptions;
  readonly dataDir: string;
  readonly version: string;
  /** Of the SharedDeadlines until which reads may be answered, and until which the lease is valid. */
  readonly readWords: Int32Array<SharedArrayBuffer>;
  readonly leaseWords: Int32Array<SharedArrayBuffer>;
}

export interface ProposalMessage {
  readonly number: number;
  readonly record: Uint8Array<ArrayBuffer>;
}

export type ToCluster =
  /** The engine is open: its writer gets deliveries over `deliveries`, behind `applied`; the log is read from `replayFrom` on. */
  | {
      readonly kind: 'attach';
      readonly deliveries: MessagePort;
      readonly applied: number;
      readonly replayFrom: number;
    }
  | { readonly kind: 'propose'; readonly proposals: readonly ProposalMessage[] }
  /** Reads that begin now see all up to `sequence`. */
  | { readonly kind: 'applied'; readonly sequence: number }
  | { readonly kind: 'short'; readonly isShort: boolean }
  /** Why this node should not answer; null: it may. */
  | { readonly kind: 'fault'; readonly reason: string | null }
  /** A snapshot was written to the disk. */
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'download' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'close' };

export interface Refusal {
  readonly number: number;
  readonly code: EngineErrorCode;
  readonly message: string;
  readonly retryAfterS: number | null;
}

export type FromCluster =
  | {
      readonly kind: 'connected';
      readonly streamId: string;
      /** See NatsStream. */
      readonly isSeeded: boolean;
      readonly first: number;
      readonly last: number;
    }
  | { readonly kind: 'release'; readonly sequence: number }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  /** So many bytes of proposals are stored or refused. */
  | { readonly kind: 'done'; readonly bytes: number }
  | { readonly kind: 'state'; readonly state: ClusterState }
  /** `first`: of the first message that the log has by now. */
  | { readonly kind: 'downloaded'; readonly snapshot: StoredSnapshot | null; readonly first: number }
  | { readonly kind: 'download failed'; readonly code: EngineErrorCode; readonly message: string }
  | { readonly kind: 'left' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'fatal'; readonly code: EngineErrorCode; readonly message: string }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn';
      readonly message: string;
      readonly details?: object;
    };
