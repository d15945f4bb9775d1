/**
 * The HTTP thread's side of writes that a replicated log orders: proposes them there, bounds what waits, and settles promises with what the
 * writer answers once their place in the log has come, and whoever else reads has applied it.
 *
 * Takes the place of WriteQueue. Numbers are never used twice, so that an answer that comes after all is not taken for another's.
 */
import { EngineError } from '../core/errors.js';
import { WRITE_QUEUE_BYTES_MAX, WRITE_QUEUE_MAX } from '../core/limits.js';
import type { DurabilityStats } from '../engine.js';
import type { ReplicatedEngine, Replication } from '../replication.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import { encodeRequest, NO_TICKET } from '../writer/state/request-records.js';
import type { WriteAnswer, WriterRequest } from '../writer/state/write-requests.js';
import type { WriterInput } from './messages.js';
import type { Answered, Writes } from './write-queue.js';

/** Where the log takes nothing, it is asked again after this long. */
const PROPOSE_AGAIN_MS = 1000;

const TAKES_MEMORY: readonly WriterRequest['kind'][] = ['create', 'index', 'rule', 'change'];
/** How often is looked for what has waited too long. */
const LOOK_MS = 500;

interface Waiting {
  readonly bytes: number;
  /** When it is told that nobody knows. */
  readonly lateMs: number;
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: EngineError) => void;
}

/** Answers that may be given when everything up to `applied` is released. */
interface HeldAnswers {
  readonly applied: number;
  readonly answers: readonly WriteAnswer[];
}

export class ProposedWrites implements Writes, ReplicatedEngine {
  readonly #replication: Replication;
  readonly #post: (message: WriterInput) => void;
  readonly #waiting = new Map<number, Waiting>();
  /** Ends of changes that have no place in the log yet: how each is proposed again. */
  readonly #changeEnds = new Map<number, () => void>();
  #bytes = 0;
  #lastNumber = NO_TICKET;
  readonly #held: HeldAnswers[] = [];
  #released = 0;
  #isStopped = false;
  #appliedSequence = 0;
  #onApplied: (sequence: number) => void = () => {};
  #snapshotSequence = 0;
  #hasMetDamage = false;

  /** `post` sends to the writer. */
  constructor(replication: Replication, post: (message: WriterInput) => void) {
    this.#replication = replication;
    this.#post = post;
    setInterval(() => this.#refuseLate(), LOOK_MS).unref();
  }

  get depth(): number {
    return this.#waiting.size;
  }

  get appliedSequence(): number {
    return this.#appliedSequence;
  }

  get snapshotSequence(): number {
    return this.#snapshotSequence;
  }

  get hasMetDamage(): boolean {
    return this.#hasMetDamage;
  }

  onApplied(listener: (sequence: number) => void): void {
    this.#onApplied = listener;
  }

  /** Rejects with overloaded, with what the log says, or with what the writer answers. */
  submit(bytes: number, request: (ticket: number) => WriterRequest): Promise<Answered> {
    const isFull = this.depth >= WRITE_QUEUE_MAX || (this.#bytes > 0 && this.#bytes + bytes > WRITE_QUEUE_BYTES_MAX);
    if (isFull || this.#isStopped) {
      const why = this.#isStopped ? 'the server is stopping' : `${this.depth} writes are waiting already`;
      return Promise.reject(new EngineError('overloaded', `${why}; try again later`));
    }
    const number = ++this.#lastNumber;
    const write = request(number);
    const refused = this.#replication.admits(TAKES_MEMORY.includes(write.kind));
    if (refused !== null) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      // What changes nothing is this engine's own business.
      if (write.kind === 'change' && write.isDryRun) this.#post({ kind: 'write', request: write });
      else this.#replication.propose(number, encodeRequest(write, Date.now()));
      const withinMs = write.kind === 'change' ? Number.POSITIVE_INFINITY : this.#replication.answerWithinMs;
      this.#waiting.set(number, { bytes, lateMs: performance.now() + withinMs, resolve, reject });
      this.#bytes += bytes;
    });
  }

  /** Proposes the end of a change of a schema, until it has its place. */
  proposeChangeEnd(collectionId: number, schema: CollectionSchema): void {
    const ticket = ++this.#lastNumber;
    const request = { kind: 'change-end', ticket, collectionId, schema } as const;
    this.#changeEnds.set(ticket, () => this.proposeChangeEnd(collectionId, schema));
    this.#replication.propose(ticket, encodeRequest(request, Date.now()));
  }

  settle(answers: readonly WriteAnswer[], applied = this.#appliedSequence): void {
    if (answers.length === 0) return;
    if (applied <= this.#released) this.#give(answers);
    else this.#held.push({ applied, answers });
  }

  /** The views of all collections are as they were when `sequence` was applied. */
  noteApplied(sequence: number): void {
    if (sequence <= this.#appliedSequence) return;
    this.#appliedSequence = sequence;
    this.#onApplied(sequence);
  }

  noteDurability({ snapshots, hasMetDamage }: DurabilityStats): void {
    this.#snapshotSequence = snapshots.sequence;
    this.#hasMetDamage = hasMetDamage;
  }

  release(sequence: number): void {
    this.#released = Math.max(this.#released, sequence);
    while (this.#held.length > 0 && this.#held[0].applied <= this.#released) {
      const [{ answers }] = this.#held.splice(0, 1);
      this.#give(answers);
    }
  }

  refuse(number: number, error: EngineError): void {
    this.#take(number)?.reject(error);
    const proposeAgain = this.#changeEnds.get(number);
    this.#changeEnds.delete(number);
    if (proposeAgain !== undefined && !this.#isStopped) setTimeout(proposeAgain, PROPOSE_AGAIN_MS).unref();
  }

  stop(snapshotWithinMs: number): void {
    this.#isStopped = true;
    this.#post({ kind: 'stop', snapshotWithinMs });
  }

  /** Tells all who still wait that nobody here will know: what is applied here may not be seen by all who read yet. */
  settleAll(): void {
    this.#held.length = 0;
    const message = 'the server stops before it knows what becomes of this write: it may be done, and can be repeated';
    for (const number of [...this.#waiting.keys()])
      this.refuse(number, new EngineError('unknown_outcome', message, { isLate: true }));
  }

  /** Nothing waits for ever: the log may have it, and those who must apply it may be out of reach. */
  #refuseLate(): void {
    const nowMs = performance.now();
    for (const [number, { lateMs }] of this.#waiting) {
      if (lateMs > nowMs) continue;
      const message = `no answer within ${this.#replication.answerWithinMs} ms: the write may be done, or be done yet, and can be repeated`;
      this.refuse(number, new EngineError('unknown_outcome', message, { isLate: true }));
    }
  }

  #give(answers: readonly WriteAnswer[]): void {
    for (const answer of answers) {
      this.#changeEnds.delete(answer.ticket);
      const waiting = this.#take(answer.ticket);
      if (answer.error === null) waiting?.resolve(answer);
      else waiting?.reject(new EngineError(answer.error.code, answer.error.message));
    }
  }

  #take(number: number): Waiting | null {
    const waiting = this.#waiting.get(number);
    if (waiting === undefined) return null;
    this.#waiting.delete(number);
    this.#bytes -= waiting.bytes;
    return waiting;
  }
}
