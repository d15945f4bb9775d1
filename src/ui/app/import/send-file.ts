/**
 * Sends the documents of a file in batches, one under way while the next is read, and counts what became of them.
 */
import { type BatchReport, type SabreClient, SabreError } from '../../../client/client.js';
import { sleep } from '../../../client/waiting.js';
import { type DocumentBatch, lineOfDocument } from '../../../import/batch-builder.js';
import type { FieldType } from '../../../import/declared-field.js';
import { batchesOf, type FileInput, type IdChoice } from './file-documents.js';

const BATCH = { documents: 5000, bytes: 4 * 1024 * 1024 };
const ATTEMPTS_MAX = 8;
const BACKOFF_MS = 250;
/** Of what was refused, the first are kept to be shown. */
const FAILURES_KEPT_MAX = 50;

export interface Failure {
  /** In the file; of an array or a table, the number of the document. */
  readonly line: number;
  readonly id: string;
  readonly error: string;
}

/** How far an import is. */
export interface SendProgress {
  readonly indexed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
  readonly bytesRead: number;
  readonly seconds: number;
}

export interface SendPlan {
  readonly collection: string;
  readonly id: IdChoice;
  readonly types: ReadonlyMap<string, FieldType>;
}

const isPassing = (error: unknown): boolean =>
  error instanceof SabreError && (error.status === 429 || error.status === 503 || error.code === 'unreachable');

/** A batch may be sent again: a document that is there already is replaced by itself. */
async function sendBatch(
  client: SabreClient,
  collection: string,
  lines: Uint8Array,
  signal: AbortSignal,
): Promise<BatchReport> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.collection(collection).index(lines, { signal, retries: 0, timeoutMs: 0 });
    } catch (error) {
      if (!isPassing(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    await sleep(BACKOFF_MS * 2 ** (attempt - 1), signal);
  }
}

/**
 * Sends all documents of `input`; `onProgress` is told after each batch, and of none once this has ended. Errors: SabreError,
 * InputError, AbortError.
 */
export async function sendFile(
  client: SabreClient,
  input: FileInput,
  plan: SendPlan,
  signal: AbortSignal,
  onProgress: (progress: SendProgress) => void,
): Promise<void> {
  const startedMs = performance.now();
  let progress: SendProgress = { indexed: 0, failed: 0, failures: [], bytesRead: 0, seconds: 0 };
  let bytesRead = 0;
  const count = async (batch: DocumentBatch): Promise<void> => {
    const readSoFar = bytesRead;
    const report = await sendBatch(client, plan.collection, batch.body, signal);
    const failures = [...progress.failures];
    for (const [index, { success, id, error }] of report.results.entries()) {
      if (success || failures.length >= FAILURES_KEPT_MAX) continue;
      failures.push({ line: lineOfDocument(batch, index), id, error: error ?? '' });
    }
    progress = {
      indexed: progress.indexed + report.num_indexed,
      failed: progress.failed + report.num_failed,
      failures,
      bytesRead: readSoFar,
      seconds: (performance.now() - startedMs) / 1000,
    };
    onProgress(progress);
  };
  const reading = {
    ...{ id: plan.id, types: plan.types, signal },
    onRead: (bytes: number): void => {
      bytesRead = bytes;
    },
  };
  let underWay: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batchesOf(input, reading, BATCH)) {
      await underWay;
      underWay = count(batch);
      // It is awaited with the next one: until then a failure is nobody's.
      underWay.catch(() => {});
    }
  } catch (error) {
    // Where the file cannot be read on, the batch before is still counted.
    await underWay.catch(() => {});
    throw error;
  }
  await underWay;
}
