/**
 * Follows the log and makes deliveries of its messages for the engine, in order and without a gap. Used by cluster-member.ts.
 *
 * Must never skip a message: what it does not understand, or does not find, ends the process. So does another message at the place of
 * the last that has come, which comes again whenever it begins anew: the log has lost its end meanwhile, and others wrote on. Holds
 * back where the engine does not keep up, so what was delivered and not yet applied is bounded.
 */
import { type AppliedNote, type Delivery, EngineError } from '../../engine/index.js';
import { decodeMessage, decodeRecords, type JoinPayload, type LogMessage, type Sender } from './envelope.js';
import { PartSets } from './part-sets.js';
import type { Following, LogStream, StoredMessage } from './stream-port.js';

/**
 * Bytes of records that are delivered and not applied, but for the MiB that the engine does not tell at once: beyond the first it stops,
 * below the second it goes on.
 */
const UNAPPLIED_BYTES_MAX = 64 * 1024 * 1024;
const UNAPPLIED_BYTES_LOW = 32 * 1024 * 1024;

export interface FollowerOptions {
  readonly origin: string;
  /** In order; those of one call have come together. */
  readonly deliver: (deliveries: readonly Delivery[]) => void;
  readonly onJoin: (sequence: number, sender: Sender, join: JoinPayload) => void;
  /** A message of any node, and before its delivery. */
  readonly onMessage: (sequence: number, sender: Sender) => void;
  /** What makes it impossible to go on. */
  readonly fail: (error: EngineError) => void;
}

export class Follower {
  readonly #stream: LogStream;
  readonly #options: FollowerOptions;
  readonly #sets = new PartSets();
  readonly #applied: number;
  #next: number;
  /** Whose the message before that was; null: none has come yet. */
  #last: Sender | null = null;
  #batch: Delivery[] = [];
  #unappliedBytes = 0;
  /** What the engine has told of last: bytes of records since it was opened. */
  #takenBytes = 0;
  #following: Following | null = null;
  #isStopped = false;

  /** `applied`: up to there the engine has it all; `replayFrom`: where the log has to be read from. */
  constructor(stream: LogStream, applied: number, replayFrom: number, options: FollowerOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#applied = applied;
    this.#next = replayFrom;
  }

  /** Sequence of the last message that has come. */
  get delivered(): number {
    return this.#next - 1;
  }

  /** Whether it waits for the engine. */
  get isHeld(): boolean {
    return this.#following === null;
  }

  start(): void {
    const from = this.#last === null ? this.#next : this.#next - 1;
    this.#following = this.#stream.follow(from, (message) => this.#receive(message));
  }

  stop(): void {
    this.#isStopped = true;
    this.#following?.stop();
    this.#following = null;
  }

  /** Begins anew behind the last message: there are others, and none has come for long. */
  renew(): void {
    this.#following?.renew();
  }

  /** Takes in how far the engine has got. */
  note({ bytes }: AppliedNote): void {
    this.#unappliedBytes -= bytes - this.#takenBytes;
    this.#takenBytes = bytes;
    if (!this.#isStopped && this.#following === null && this.#unappliedBytes <= UNAPPLIED_BYTES_LOW) this.start();
  }

  #receive({ sequence, bytes }: StoredMessage): void {
    if (this.#isStopped || this.#following === null || sequence < this.#next - 1) return;
    try {
      if (sequence > this.#next) throw lackingError(this.#next, sequence);
      if (sequence === this.#next) this.#take(sequence, decodeMessage(bytes));
      else if (this.#last !== null) assertSame(this.#last, decodeMessage(bytes).sender);
    } catch (error) {
      this.stop();
      this.#options.fail(
        error instanceof EngineError
          ? new EngineError(error.code, `sequence ${sequence} of the cluster's log: ${error.message}`, { cause: error })
          : new EngineError('corrupt_data', `sequence ${sequence} of the cluster's log cannot be read`, {
              cause: error,
            }),
      );
    }
  }

  #take(sequence: number, message: LogMessage): void {
    const { sender } = message;
    const isOwn = sender.origin === this.#options.origin;
    const completed = this.#sets.add(sequence, message);
    // The message's own memory is the connection's and others lie in it, while what is delivered is given away.
    const payload = message.kind === 'writes' ? new Uint8Array(message.payload) : completed;
    this.#next = sequence + 1;
    this.#last = sender;
    if (message.kind === 'join') this.#options.onJoin(sequence, sender, message.join);
    this.#options.onMessage(sequence, sender);
    if (sequence <= this.#applied) return;
    const records = payload === null ? [] : decodeRecords(payload);
    this.#push({ sequence, isOwn, records, replayFrom: this.#sets.replayFrom(sequence) });
  }

  #push(delivery: Delivery): void {
    for (const { length } of delivery.records) this.#unappliedBytes += length;
    if (this.#batch.length === 0) queueMicrotask(() => this.#deliver());
    this.#batch.push(delivery);
    if (this.#unappliedBytes <= UNAPPLIED_BYTES_MAX) return;
    this.#following?.stop();
    this.#following = null;
  }

  #deliver(): void {
    const batch = this.#batch;
    this.#batch = [];
    if (!this.#isStopped) this.#options.deliver(batch);
  }
}

/** Throws corrupt_data unless both are of one message. */
function assertSame(expected: Sender, found: Sender): void {
  if (expected.origin === found.origin && expected.counter === found.counter) return;
  const [was, is] = [expected, found].map(({ node, origin, counter }) => `message ${counter} of ${node} (${origin})`);
  throw new EngineError(
    'corrupt_data',
    `expected ${was}, which this node has read there, got ${is}: NATS has lost the end of the log, and it was written on since`,
  );
}

function lackingError(expected: number, found: number): EngineError {
  return new EngineError(
    'corrupt_data',
    `${expected} to ${found - 1} are gone: trimmed before this node has read them, and it has to begin with a snapshot, or lost`,
  );
}
