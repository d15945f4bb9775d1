/**
 * What is remembered of a request that is traced, until it ends: its place in the trace, and how long its parts took.
 *
 * Made by a tracer, which an HTTP server has only when traces are exported; noted into by reply-read.ts and the routes of writes.
 */
import type { ReadResult } from '../../engine/index.js';
import type { TraceIds } from './trace-context.js';

/** Values of attributes: texts, and numbers that are whole. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A part of a request, in milliseconds of performance.now(). */
export interface SpanPart {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly attributes: SpanAttributes;
}

/** Of a request with the most searches, each of which waits and is evaluated. */
const PARTS_MAX = 128;

export class RequestSpan {
  readonly ids: TraceIds;
  readonly startedMs: number;
  /** Of the answer; 0: there was none, because the client went away. */
  status = 0;
  readonly parts: SpanPart[] = [];

  constructor(ids: TraceIds, startedMs: number) {
    this.ids = ids;
    this.startedMs = startedMs;
  }

  addPart(name: string, fromMs: number, toMs: number, attributes: SpanAttributes = {}): void {
    if (this.parts.length < PARTS_MAX) this.parts.push({ name, fromMs, toMs, attributes });
  }

  /** Notes a read that has just come back: what it waited for a thread, and its evaluation there. */
  addRead({ elapsedUs, waitedUs, found }: ReadResult, attributes: SpanAttributes = {}): void {
    const nowMs = performance.now();
    const beganMs = nowMs - elapsedUs / 1000;
    if (waitedUs > 0) this.addPart('wait', beganMs - waitedUs / 1000, beganMs, attributes);
    this.addPart('evaluate', beganMs, nowMs, { ...attributes, 'sabre.found': found });
  }
}

/** Makes spans of requests. */
export interface RequestTracer<Traced> {
  /** A request has come: gives it a span if it is to be traced. */
  begin(request: Traced): void;
  /** It is over: what its span says is exported, if it has one. */
  end(request: Traced): void;
}
