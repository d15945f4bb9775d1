/**
 * The messages between the HTTP thread, the writer and the maintenance thread. Reads never travel this way.
 */
import type { MessagePort } from 'node:worker_threads';
import type { MergeOrder } from '../collection/merge-job.js';
import type { WriteRequest, WriterNews } from '../collection/write-requests.js';
import type { Arena } from '../memory/arena.js';

/** What the writer thread is started with. */
export interface WriterData {
  readonly dataDir: string;
  readonly syncIntervalMs: number;
  readonly readers: number;
  readonly words: Int32Array<SharedArrayBuffer>;
  /** One a reader: updates go out here. */
  readonly readerPorts: readonly MessagePort[];
  readonly maintenancePort: MessagePort;
}

/** What a reader thread is started with. */
export interface ReaderData {
  readonly index: number;
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly mailbox: SharedArrayBuffer;
  readonly updates: MessagePort;
}

/** What the maintenance thread is started with. */
export interface MaintenanceData {
  readonly writerPort: MessagePort;
}

/** HTTP thread to writer. */
export type WriterInput = { readonly kind: 'write'; readonly request: WriteRequest } | { readonly kind: 'stop' };

/** Writer to HTTP thread. */
export type WriterOutput =
  | { readonly kind: 'ready'; readonly news: WriterNews }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'news'; readonly news: WriterNews }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly details: object;
      readonly message: string;
    }
  /** The last message. `error`: what was acknowledged may not be durable. */
  | { readonly kind: 'stopped'; readonly error: { readonly code: string; readonly message: string } | null };

/** Writer to maintenance thread. */
export type MaintenanceInput =
  | { readonly kind: 'arena'; readonly arena: Arena }
  | { readonly kind: 'merge'; readonly order: MergeOrder };
