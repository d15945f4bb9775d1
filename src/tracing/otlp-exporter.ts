/**
 * Sends spans to a collector over OTLP/HTTP in batches. Lives on the main thread; made only when --otlp-endpoint is given.
 *
 * What cannot be sent waits in a bounded queue, then it is dropped and counted. Nothing here throws into a request, waits for
 * one, or keeps the process alive.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OtlpTarget } from '../otlp-target.js';
import { exportRequest } from './otlp-json.js';
import type { SpanRecord } from './span-record.js';

/** Spans that wait, and that are sent at a time. */
const QUEUE_MAX = 8192;
const BATCH_MAX = 512;
/** How long spans wait for others. */
const GATHER_MS = 500;
const SEND_WITHIN_MS = 10_000;
/** After a failure a batch is sent again, after twice the time each time. */
const ATTEMPTS = 5;
const RETRY_MS = 1000;
/** As the specification lists them: others say that the batch will never be taken. */
const RETRIED = new Set([429, 502, 503, 504]);
/** A failure is logged so often at most. */
const WARN_EVERY_MS = 60_000;

/** What a batch that was not taken says. */
class Refusal extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

export interface OtlpExporterOptions {
  readonly target: OtlpTarget;
  readonly version: string;
  readonly logger: Logger;
  /** Instead of RETRY_MS. */
  readonly retryMs?: number;
}

export class OtlpExporter {
  /** Spans taken by the collector; spans lost, for want of room or because it would not take them; requests that failed. */
  exported = 0;
  dropped = 0;
  failures = 0;
  readonly #options: OtlpExporterOptions;
  readonly #resource: Readonly<Record<string, string | number>>;
  readonly #stop = new AbortController();
  #queue: SpanRecord[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  #warnedMs = Number.NEGATIVE_INFINITY;

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
    this.#resource = {
      'service.name': options.target.serviceName,
      'service.version': options.version,
      'process.pid': process.pid,
      'process.runtime.name': 'nodejs',
      'process.runtime.version': process.versions.node,
    };
  }

  /** Spans that wait to be sent. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Takes `spans`, those of one request or of several. */
  add(spans: readonly SpanRecord[]): void {
    const room = QUEUE_MAX - this.#queue.length;
    if (spans.length > room) {
      // All of a request or nothing: half of a trace misleads.
      this.dropped += spans.length;
      return;
    }
    this.#queue.push(...spans);
    if (this.#queue.length >= BATCH_MAX) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
  }

  /** Sends what waits, for at most `withinMs`; what is left then is lost. */
  async close(withinMs: number): Promise<void> {
    const late = setTimeout(() => this.#stop.abort(), withinMs);
    while (this.#queue.length > 0 && !this.#stop.signal.aborted) {
      this.#send();
      await this.#sending;
    }
    await this.#sending;
    clearTimeout(late);
    this.#stop.abort();
    this.dropped += this.#queue.length;
    this.#queue = [];
  }

  #send(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
      if (this.#queue.length > 0 && !this.#stop.signal.aborted)
        this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
    });
  }

  /** Sends whole batches, and what is left when it began. */
  async #sendAll(): Promise<void> {
    do await this.#sendBatch(this.#queue.splice(0, BATCH_MAX));
    while (this.#queue.length >= BATCH_MAX && !this.#stop.signal.aborted);
  }

  async #sendBatch(batch: readonly SpanRecord[]): Promise<void> {
    const { version, retryMs = RETRY_MS } = this.#options;
    const body = exportRequest(this.#resource, version, batch);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        const rejected = Math.min(await this.#post(body), batch.length);
        this.exported += batch.length - rejected;
        this.dropped += rejected;
        return;
      } catch (error) {
        this.failures += 1;
        this.#warn(error);
        if (this.#stop.signal.aborted || (error instanceof Refusal && error.isFinal)) break;
      }
      if (attempt < ATTEMPTS) await this.#pause(retryMs * 2 ** (attempt - 1));
      if (this.#stop.signal.aborted) break;
    }
    this.dropped += batch.length;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {});
  }

  /** Posts a batch, and returns how many of its spans the collector rejected. Throws when it did not take it. */
  async #post(body: string): Promise<number> {
    const { url, headers } = this.#options.target;
    const signal = AbortSignal.any([AbortSignal.timeout(SEND_WITHIN_MS), this.#stop.signal]);
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body, signal };
    const answer = await fetch(url, { ...options, redirect: 'error' });
    const text = await answer.text();
    if (!answer.ok) throw new Refusal(`it answered ${answer.status}`, !RETRIED.has(answer.status));
    return rejectedSpans(text);
  }

  #warn(error: unknown): void {
    const nowMs = performance.now();
    if (nowMs - this.#warnedMs < WARN_EVERY_MS || this.#stop.signal.aborted) return;
    this.#warnedMs = nowMs;
    const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    // What a collector is asked with beside may be a key of it.
    const { origin, pathname } = new URL(this.#options.target.url);
    this.#options.logger.warn(
      { url: origin + pathname, reason, dropped: this.dropped },
      'spans could not be exported (--otlp-endpoint)',
    );
  }
}

/** How many spans the answer of a collector says that it rejected. */
function rejectedSpans(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: string | number } };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    // It may answer nothing, or another form.
    return 0;
  }
}
