/**
 * What the HTTP threads post to one another: front threads, which answer what they can and hand on the rest, and the main
 * thread, which has the engine.
 *
 * Requests that are handed on have numbers, counted by each front thread.
 */
import type { ReadSeat } from '../../engine/index.js';
import type { Config } from '../config.js';
import type { AppDescriptor } from '../http/uws.js';
import type { SpanRecord } from '../tracing/span-record.js';

/** What a front thread is started with. */
export interface FrontData {
  readonly config: Config;
  readonly maxConnections: number;
  readonly processMark: string;
  /** Whether the log is for people: this thread cannot tell. */
  readonly logsToTerminal: boolean;
  /** Words of counters that all HTTP threads share: connections that are open, that were refused. */
  readonly openWord: Int32Array<SharedArrayBuffer>;
  readonly refusedWord: Int32Array<SharedArrayBuffer>;
  /** Of the deadline until which a node of a cluster may answer; null: this is none. */
  readonly leaseWords: Int32Array<SharedArrayBuffer> | null;
}

/** A request that is handed on. */
export interface RequestMessage {
  readonly kind: 'request';
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly query: string;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly address: ArrayBuffer;
}

/** How an answer ends: all of its body is there, or it goes on, or it has none; 'cut': the connection is closed, too. */
export type AnswerEnd = 'whole' | 'chunk' | 'last' | 'cut' | 'bodiless';

/** A part of an answer, and its only one in most cases. */
export interface AnswerMessage {
  readonly kind: 'answer';
  readonly id: number;
  /** Null behind the first part. */
  readonly head: { readonly status: string; readonly headers: readonly string[] } | null;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly end: AnswerEnd;
  /** The main thread wants to know what the client has taken. */
  readonly isTracked: boolean;
}

/** What a front thread has answered itself since the last time. */
export interface TallyMessage {
  readonly kind: 'tally';
  /** Of the question that this answers; 0: nobody asked. */
  readonly ticket: number;
  readonly answers: readonly (readonly [template: string, method: string, status: number, count: number])[];
  /** By search. */
  readonly collections: readonly string[];
  readonly queries: readonly string[];
  readonly found: readonly number[];
  readonly searchUs: readonly number[];
  readonly suggestUs: readonly number[];
  readonly fetchUs: readonly number[];
  readonly slowSearches: number;
  readonly totals: FrontTotals;
}

/** What a front thread has under way at a moment, beside what it has handed on; or all of them together. */
export interface FrontTotals {
  /** Requests that are not answered completely. */
  readonly inFlight: number;
  /** Answers that their clients have not read. */
  readonly unsentBytes: number;
  readonly unsentAnswers: number;
}

export type FromFront =
  | { readonly kind: 'loaded'; readonly app: AppDescriptor }
  /** From now on `app` takes connections in the place of `old`. */
  | { readonly kind: 'renewed'; readonly old: AppDescriptor; readonly app: AppDescriptor }
  | RequestMessage
  | { readonly kind: 'data'; readonly id: number; readonly chunk: ArrayBuffer; readonly isLast: boolean }
  /** Nothing more comes of a request: its client has gone, or has taken all of a tracked answer. */
  | { readonly kind: 'over'; readonly id: number }
  /** Of a tracked answer: the client has taken so many bytes of its body. */
  | { readonly kind: 'taken'; readonly id: number; readonly bytes: number }
  | TallyMessage
  /** Of requests that it has answered itself. */
  | { readonly kind: 'spans'; readonly spans: readonly SpanRecord[] }
  | { readonly kind: 'closed' }
  | { readonly kind: 'died'; readonly message: string };

export type ToFront =
  | { readonly kind: 'open'; readonly seat: ReadSeat }
  | AnswerMessage
  /** Parts of the request's body of that weight (relay-receiver.ts) are dealt with. */
  | { readonly kind: 'taken'; readonly id: number; readonly weight: number }
  | { readonly kind: 'drop'; readonly id: number }
  | { readonly kind: 'tally'; readonly ticket: number }
  /** Take the certificate that lies in the files now. */
  | { readonly kind: 'renew' }
  /** Close every connection as soon as no request is under way. */
  | { readonly kind: 'drain' };
