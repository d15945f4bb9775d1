/**
 * The writer's end of the messages between it and the HTTP thread: what it says as messages, and what it is told as calls
 * of its loop. The other end is engine-client.ts.
 */
import type { MessagePort } from 'node:worker_threads';
import { EngineError } from '../core/errors.js';
import type { SnapshotReport } from '../core/snapshots.js';
import type { DurabilityStats, EngineLogger, RecoveryProgress } from '../engine.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import type { CommitResult } from '../writer/state/write-requests.js';
import type { WriterEvents, WriterLoop } from '../writer/writer-loop.js';
import type { PostedError, WriterInput, WriterOutput } from './messages.js';
import { packAnswers, unpackWrites } from './packed-writes.js';
import { ViewPacker } from './posted-views.js';

/** How recovery goes on is reported at most this often. */
const PROGRESS_INTERVAL_MS = 50;

const posted = (error: EngineError | null): PostedError | null =>
  error === null ? null : { code: error.code, message: error.message };

export class WriterEnd implements WriterEvents {
  readonly logger: EngineLogger = {
    debug: (details, message) => this.#send({ kind: 'log', level: 'debug', details, message }),
    info: (details, message) => this.#send({ kind: 'log', level: 'info', details, message }),
    warn: (details, message) => this.#send({ kind: 'log', level: 'warn', details, message }),
    error: (details, message) => this.#send({ kind: 'log', level: 'error', details, message }),
  };
  readonly #port: MessagePort;
  readonly #views = new ViewPacker();
  #progressMs = 0;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** How recovery goes on. */
  progress(progress: RecoveryProgress): void {
    const nowMs = performance.now();
    if (nowMs - this.#progressMs < PROGRESS_INTERVAL_MS && progress.doneBytes < progress.totalBytes) return;
    this.#progressMs = nowMs;
    this.#send({ kind: 'progress', progress });
  }

  /** Recovery has ended, with all collections as they are. From now on `loop` gets what is asked. */
  ready(result: CommitResult, durability: DurabilityStats, loop: WriterLoop): void {
    const changed = this.#views.pack(result.changed, []);
    this.#send({ kind: 'ready', result: { ...result, changed }, durability });
    this.#port.on('message', (message: WriterInput) => this.#receive(message, loop));
  }

  /** Recovery has failed: there is no writer. */
  failed({ code, message }: EngineError): void {
    this.#send({ kind: 'failed', error: { code, message } });
    this.#port.close();
  }

  /** Large reports travel without a copy. */
  result(result: CommitResult): void {
    const { reports, others } = packAnswers(result.answers);
    const transfer: ArrayBuffer[] = [];
    for (const answer of others)
      if (answer.error === null && answer.report !== null) transfer.push(answer.report.body.buffer as ArrayBuffer);
    const changed = this.#views.pack(result.changed, result.dropped);
    this.#send({ kind: 'result', result: { ...result, changed, answers: others }, reports }, transfer);
  }

  durability(durability: DurabilityStats): void {
    this.#send({ kind: 'durability', durability });
  }

  proposeChangeEnd(collectionId: number, schema: CollectionSchema): void {
    this.#send({ kind: 'change-end', collectionId, schema });
  }

  snapshot(ticket: number, report: SnapshotReport | null, error: EngineError | null): void {
    this.#send({ kind: 'snapshot', ticket, report, error: posted(error) });
  }

  stopped(error: EngineError | null): void {
    this.#send({ kind: 'stopped', error: posted(error) });
    this.#port.close();
  }

  /** A bug: ends the thread, and with it the process. */
  fail(error: unknown): void {
    setImmediate(() => {
      throw error;
    });
  }

  #receive(message: WriterInput, loop: WriterLoop): void {
    switch (message.kind) {
      case 'write':
        loop.write([message.request]);
        break;
      case 'writes':
        loop.write(unpackWrites(message.writes));
        break;
      case 'snapshot':
        loop.requestSnapshot(message.ticket);
        break;
      case 'hold':
        this.#hold(message.ticket, message.collectionId, loop);
        break;
      case 'letGo':
        loop.held.letGo(message.ticket);
        break;
      case 'suspect':
        loop.suspect(message.collectionId, new EngineError('corrupt_data', message.message));
        break;
      case 'stop':
        loop.stop(message.snapshotWithinMs);
        break;
    }
  }

  #hold(ticket: number, collectionId: number, loop: WriterLoop): void {
    this.#send({ kind: 'held', ticket, collection: loop.held.hold(ticket, collectionId) });
  }

  #send(message: WriterOutput, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}
