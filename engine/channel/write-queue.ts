/**
 * The HTTP thread's side of the writer: sends writes, bounds what waits, settles promises with the answers.
 */
import type { Worker } from 'node:worker_threads';
import { assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { WRITE_QUEUE_BYTES_MAX, WRITE_QUEUE_MAX } from '../core/limits.js';
import type { WriteAnswer, WriterRequest } from '../writer/state/write-requests.js';
import type { WriterInput } from './messages.js';
import { type IndexWrite, isPackable, packWrites } from './packed-writes.js';

/** Small writes that go out together at most: the writer begins with these while more are being read. */
const PORTION_MAX = 128;
/** Answers given before requests are read again, some milliseconds' worth; of more than twice as many, half are. */
const SETTLED_AT_ONCE = 128;

/** The answer to a write that was done. */
export type Answered = Extract<WriteAnswer, { readonly error: null }>;

/** Writes on their way to the writer, as those who ask for them see it. */
export interface Writes {
  /** Writes sent and not yet answered. */
  readonly depth: number;
  /**
   * Sends the write that `request` makes with a ticket; a large body, of `bytes` bytes, goes over without a copy. Rejects with overloaded,
   * or with what the writer answers.
   */
  submit(bytes: number, request: (ticket: number) => WriterRequest): Promise<Answered>;
  /** Gives `answers` to those who wait, after all before. */
  settle(answers: readonly WriteAnswer[], applied?: number): void;
  /** Gives all answers that have come. */
  settleAll(): void;
  /** Refuses new writes; the writer stops once it has answered the others and had its time for a snapshot. */
  stop(snapshotWithinMs: number): void;
}

interface Waiting {
  readonly bytes: number;
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: EngineError) => void;
}

export class WriteQueue implements Writes {
  readonly #writer: Worker;
  /**
   * By ticket; null: the ticket is free. Not a map, whose outgrown tables refer to those that follow: once one of them is
   * old, the collector keeps all later ones, and what waited in them, until it looks at everything.
   */
  readonly #waiting: (Waiting | null)[] = [];
  readonly #freeTickets: number[] = [];
  #bytes = 0;
  /** Small writes, in order, that go out together as soon as the requests at hand have been read. */
  #outgoing: IndexWrite[] = [];
  /** Answers, in order, that are yet to be given. */
  readonly #answers: WriteAnswer[] = [];
  #stopped = false;

  constructor(writer: Worker) {
    this.#writer = writer;
  }

  get depth(): number {
    return this.#waiting.length - this.#freeTickets.length;
  }

  submit(bytes: number, request: (ticket: number) => WriterRequest): Promise<Answered> {
    const full = this.depth >= WRITE_QUEUE_MAX || (this.#bytes > 0 && this.#bytes + bytes > WRITE_QUEUE_BYTES_MAX);
    if (full || this.#stopped) {
      const why = this.#stopped ? 'the server is stopping' : `${this.depth} writes are waiting already`;
      return Promise.reject(new EngineError('overloaded', `${why}; try again later`));
    }
    const ticket = this.#freeTickets.pop() ?? this.#waiting.length;
    return new Promise((resolve, reject) => {
      this.#waiting[ticket] = { bytes, resolve, reject };
      this.#bytes += bytes;
      this.#send(request(ticket));
    });
  }

  /** Some now, and the others in portions between requests. */
  settle(answers: readonly WriteAnswer[]): void {
    if (answers.length === 0) return;
    const isAtWork = this.#answers.length > 0;
    for (const answer of answers) this.#answers.push(answer);
    if (!isAtWork) this.#settlePortion();
  }

  settleAll(): void {
    for (const answer of this.#answers.splice(0)) this.#settleOne(answer);
  }

  #settlePortion(): void {
    const count = Math.max(SETTLED_AT_ONCE, this.#answers.length >> 1);
    for (const answer of this.#answers.splice(0, count)) this.#settleOne(answer);
    if (this.#answers.length > 0) setImmediate(() => this.#settlePortion());
  }

  #settleOne(answer: WriteAnswer): void {
    const waiting = assertPresent(this.#waiting[answer.ticket], 'a write waits for its answer');
    this.#waiting[answer.ticket] = null;
    this.#freeTickets.push(answer.ticket);
    this.#bytes -= waiting.bytes;
    if (answer.error === null) waiting.resolve(answer);
    else waiting.reject(new EngineError(answer.error.code, answer.error.message));
  }

  stop(snapshotWithinMs: number): void {
    this.#stopped = true;
    this.#flush();
    this.#writer.postMessage({ kind: 'stop', snapshotWithinMs } satisfies WriterInput);
  }

  #send(request: WriterRequest): void {
    if (request.kind === 'index' && isPackable(request.body)) {
      if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
      this.#outgoing.push(request);
      if (this.#outgoing.length >= PORTION_MAX) this.#flush();
      return;
    }
    this.#flush();
    const message: WriterInput = { kind: 'write', request };
    this.#writer.postMessage(message, request.kind === 'index' ? [request.body.buffer] : []);
  }

  #flush(): void {
    if (this.#outgoing.length === 0) return;
    const writes = packWrites(this.#outgoing);
    this.#outgoing = [];
    this.#writer.postMessage({ kind: 'writes', writes } satisfies WriterInput);
  }
}
