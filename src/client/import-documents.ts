/**
 * Imports documents from whatever gives them one by one: bounded batches, a bounded number of them under way, and a report of
 * every document. Called by a collection.
 *
 * Never holds more of the source than the batches under way and the next one, and never waits for it after a failure.
 */
import type { BatchReport } from '../api/types/documents.js';
import { cutLines, iterate } from './lines.js';
import { SabreError } from './sabre-error.js';
import type { ImportOptions, ImportOutcome, ImportReport, ImportSource } from './types.js';
import { unlessAborted } from './waiting.js';

const BATCH_DOCUMENTS = 1000;
const BATCH_CHARS = 4_000_000;
const FAILURES_KEPT = 1000;

/** Sends a batch as NDJSON. */
export type SendBatch = (ndjson: string, signal: AbortSignal) => Promise<BatchReport>;

/** What `source` gives until `signal` is aborted, whose reason it throws then. */
async function* itemsOf<Value>(
  source: Iterable<Value> | AsyncIterable<Value> | ReadableStream<Value>,
  signal: AbortSignal,
): AsyncGenerator<Value> {
  const items = iterate(source);
  let isOver = false;
  try {
    for (;;) {
      const next = await unlessAborted(items.next(), signal);
      isOver = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Told that no more is wanted, but not waited for: it may give nothing for ever.
    if (!isOver) Promise.resolve(items.return?.()).catch(() => {});
  }
}

/** The documents of `source` as lines of JSON. Errors: of itemsOf(), and of lines that are not UTF-8. */
async function* linesOf<T>(
  source: ImportSource<T>,
  stringify: (value: unknown) => string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const cutter = cutLines();
  for await (const item of itemsOf(source as AsyncIterable<T | Uint8Array>, signal)) {
    if (item instanceof Uint8Array) yield* cutter.push(item);
    else yield stringify(item);
  }
  yield* cutter.end();
}

/** Reads `source` to its end. Errors: those of the source and of send(), with `report` on a SabreError. */
export async function importDocuments<T>(
  source: ImportSource<T>,
  send: SendBatch,
  stringify: (value: unknown) => string,
  options: ImportOptions,
): Promise<ImportReport> {
  const { batchDocuments = BATCH_DOCUMENTS, batchChars = BATCH_CHARS, concurrency = 1, signal, onBatch } = options;
  const report: ImportReport = { num_indexed: 0, num_failed: 0, failures: [] };
  const underWay = new Set<Promise<void>>();
  /** Ends it all: the first failure, or the caller's reason. */
  const stop = new AbortController();
  const leave = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true, signal: stop.signal });
  let lines: string[] = [];
  let chars = 0;
  let first = 0;

  const note = (batch: BatchReport, offset: number): void => {
    const outcomes: ImportOutcome[] = batch.results.map((result, at) => ({ index: offset + at, ...result }));
    report.num_indexed += batch.num_indexed;
    report.num_failed += batch.num_failed;
    for (const outcome of outcomes)
      if (!outcome.success && report.failures.length < FAILURES_KEPT) report.failures.push(outcome);
    onBatch?.(outcomes);
  };
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    while (underWay.size >= concurrency) await Promise.race(underWay);
    const offset = first;
    const batch: Promise<void> = send(lines.join('\n'), stop.signal).then((answer) => {
      underWay.delete(batch);
      note(answer, offset);
    });
    batch.catch((error) => stop.abort(error));
    underWay.add(batch);
    first += lines.length;
    lines = [];
    chars = 0;
  };

  try {
    for await (const line of linesOf(source, stringify, stop.signal)) {
      stop.signal.throwIfAborted();
      lines.push(line);
      chars += line.length;
      if (lines.length >= batchDocuments || chars >= batchChars) await flush();
    }
    await flush();
    await Promise.all(underWay);
    return report;
  } catch (error) {
    stop.abort();
    await Promise.allSettled(underWay);
    if (error instanceof SabreError) error.report = report;
    throw error;
  } finally {
    stop.abort();
  }
}
