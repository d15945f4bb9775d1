/**
 * Decides which requests are traced, and hands their spans on when they are over. One for each HTTP thread, made only when
 * traces are exported (--otlp-endpoint): without it a request pays one comparison.
 */
import type { Exchange } from '../http/exchange.js';
import { RequestSpan, type RequestTracer } from '../http/request-span.js';
import { startTrace } from '../http/trace-context.js';
import { type SpanRecord, spanRecordsOf } from './span-record.js';

export class Tracer implements RequestTracer<Exchange> {
  readonly #ratio: number;
  readonly #hand: (spans: readonly SpanRecord[]) => void;

  /** `ratio`: how many of the requests that belong to no trace begin one. `hand` takes the spans of a request. */
  constructor(ratio: number, hand: (spans: readonly SpanRecord[]) => void) {
    this.#ratio = ratio;
    this.#hand = hand;
  }

  /** Traces `exchange` if its client keeps its own part of the trace, or, where it belongs to none, if its turn comes. */
  begin(exchange: Exchange): void {
    const joined = exchange.head.traceParent === '' ? null : exchange.trace;
    const isTraced = joined === null ? Math.random() < this.#ratio : joined.isSampled;
    if (isTraced) exchange.span = new RequestSpan(joined ?? startTrace(), performance.now());
  }

  end(exchange: Exchange): void {
    if (exchange.span !== null) this.#hand(spanRecordsOf(exchange, exchange.span));
  }
}
