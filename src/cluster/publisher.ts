/**
 * Has the proposals of this process stored in the log, in the order in which they came, each once or not at all, and says what has
 * become of them. Used by cluster-member.ts.
 *
 * One message is under way at a time: what comes meanwhile is packed into the next one, so a log that is slow to store gets few big
 * messages. What is bigger than a message goes in parts. An attempt that nobody answers is repeated until the write timeout: the
 * log refuses an attempt whose predecessor was stored.
 */
import { EngineError } from '../../engine/index.js';
import type { Clock } from './clock.js';
import {
  decodeMessage,
  encodeJoin,
  encodePart,
  encodeRecords,
  encodeWrites,
  type JoinPayload,
  partOverhead,
  writesBytes,
} from './envelope.js';
import type { LogStream, PublishOutcome, StoredMessage } from './stream-port.js';

/** How long an attempt may take before the next. */
const ATTEMPT_MS = 2000;
/** Between two attempts that nobody has taken. */
const PAUSE_MS = 100;
const RETRY_AFTER_S = 1;
/** Why a message is not stored where another seems to be the last of its origin. */
const OVERTAKEN = 'what it holds of this node is not what was stored';

export interface Proposal {
  readonly number: number;
  readonly record: Uint8Array;
}

export interface PublisherOptions {
  readonly node: string;
  readonly origin: string;
  readonly writeTimeoutMs: number;
  readonly clock: Clock;
  /** All messages of this origin with a counter up to `counter` are stored, or given up. */
  readonly onSettled: (counter: number) => void;
  /** `bytes` of proposals need no more memory: stored or refused. */
  readonly onDone: (bytes: number) => void;
  readonly onRefused: (number: number, error: EngineError) => void;
}

/** What was tried with a message: whether it is stored, surely not, or maybe. */
type Fate = { readonly kind: 'stored' } | { readonly kind: 'lost' | 'unknown'; readonly reason: string };

interface Waiting extends Proposal {
  readonly since: number;
}

export class Publisher {
  readonly #stream: LogStream;
  readonly #options: PublisherOptions;
  readonly #waiting: Waiting[] = [];
  #counter = 0;
  /** Sequence of the last message of this origin that is known to be stored. */
  #previous = 0;
  #isBusy = false;
  #isClosed = false;
  #join: { readonly payload: JoinPayload; readonly done: (isStored: boolean) => void } | null = null;

  constructor(stream: LogStream, options: PublisherOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /** Has a write stored behind all that were proposed before. */
  propose(proposals: readonly Proposal[]): void {
    const since = this.#options.clock.now();
    for (const { number, record } of proposals) this.#waiting.push({ number, record, since });
    this.#begin();
  }

  /** Tells all nodes that this one joins; resolves with whether that is stored. */
  join(payload: JoinPayload): Promise<boolean> {
    return new Promise((done) => {
      this.#join?.done(false);
      this.#join = { payload, done };
      this.#begin();
    });
  }

  /** Refuses what waits; what is under way goes on. */
  close(): void {
    this.#isClosed = true;
    this.#refuse(this.#waiting.splice(0), 'lost', 'this node is stopping');
  }

  #begin(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    for (;;) {
      // One turn of the event loop is enough for writes that have come together to be packed together.
      await Promise.resolve();
      if (this.#isClosed) this.#refuse(this.#waiting.splice(0), 'lost', 'this node is stopping');
      const join = this.#join;
      this.#join = null;
      if (join !== null) join.done(await this.#sendJoin(join.payload));
      else if (this.#waiting.length > 0) await this.#sendWrites();
      else break;
    }
    this.#isBusy = false;
  }

  async #sendJoin(payload: JoinPayload): Promise<boolean> {
    const until = this.#options.clock.now() + this.#options.writeTimeoutMs;
    const fate = await this.#store((counter) => encodeJoin(this.#sender(counter), payload), until);
    return fate.kind === 'stored';
  }

  async #sendWrites(): Promise<void> {
    const { node, clock, writeTimeoutMs } = this.#options;
    // Waited in vain for its turn: those before it took all the time there is.
    const expired = this.#waiting.findIndex(({ since }) => clock.now() - since < writeTimeoutMs);
    const late = this.#waiting.splice(0, expired < 0 ? this.#waiting.length : expired);
    this.#refuse(late, 'lost', 'the log has stored nothing for too long');
    const taken = this.#takeMessage();
    if (taken.length === 0) return;
    const records = taken.map(({ record }) => record);
    const until = taken[0].since + writeTimeoutMs;
    const bytes = writesBytes(
      node,
      records.map(({ length }) => length),
    );
    const fate =
      bytes <= this.#stream.payloadMax
        ? await this.#store((counter) => encodeWrites(this.#sender(counter), records), until)
        : await this.#storeParts(encodeRecords(records), until);
    if (fate.kind === 'stored') this.#options.onDone(bytesOf(taken));
    else this.#refuse(taken, fate.kind, fate.reason);
  }

  /** As many proposals as fit into one message, and one at least. */
  #takeMessage(): Waiting[] {
    const lengths: number[] = [];
    for (const { record } of this.#waiting) {
      lengths.push(record.length);
      if (lengths.length > 1 && writesBytes(this.#options.node, lengths) > this.#stream.payloadMax) {
        lengths.pop();
        break;
      }
    }
    return this.#waiting.splice(0, lengths.length);
  }

  async #storeParts(payload: Uint8Array, until: number): Promise<Fate> {
    const partBytes = this.#stream.payloadMax - partOverhead(this.#options.node);
    const count = Math.ceil(payload.length / partBytes);
    const set = this.#counter + 1;
    for (let index = 0; index < count; index++) {
      const bytes = payload.subarray(index * partBytes, (index + 1) * partBytes);
      const fate = await this.#store(
        (counter) => encodePart(this.#sender(counter), { set, index, count, bytes }),
        until,
      );
      // Without the parts behind it, which are never sent, the set is never applied.
      if (fate.kind !== 'stored') return index < count - 1 ? { kind: 'lost', reason: fate.reason } : fate;
    }
    return { kind: 'stored' };
  }

  #sender(counter: number): { node: string; origin: string; counter: number } {
    return { node: this.#options.node, origin: this.#options.origin, counter };
  }

  /** Tries to have one message stored until the moment `until`, once at least. */
  async #store(encode: (counter: number) => Uint8Array, until: number): Promise<Fate> {
    const { clock, origin, onSettled } = this.#options;
    const counter = ++this.#counter;
    const bytes = encode(counter);
    let mayBeStored = false;
    let reason = '';
    do {
      const timeoutMs = Math.max(PAUSE_MS, Math.min(ATTEMPT_MS, until - clock.now()));
      const outcome = await this.#stream.publish({ origin, counter, previous: this.#previous, bytes }, timeoutMs);
      const isStored = await this.#isStored(outcome, counter);
      if (isStored) {
        onSettled(counter);
        return { kind: 'stored' };
      }
      if (outcome.kind === 'unknown') mayBeStored = true;
      if (outcome.kind !== 'stored') reason = outcome.kind === 'overtaken' ? OVERTAKEN : outcome.reason;
      if (outcome.kind === 'refused') break;
      if (outcome.kind === 'not stored') await clock.sleep(PAUSE_MS);
    } while (clock.now() < until);
    onSettled(counter);
    return { kind: mayBeStored ? 'unknown' : 'lost', reason };
  }

  /** Whether the message `counter` is stored, after an attempt with `outcome`; learns what the last stored one is. */
  async #isStored(outcome: PublishOutcome, counter: number): Promise<boolean> {
    if (outcome.kind === 'stored') this.#previous = outcome.sequence;
    if (outcome.kind !== 'overtaken') return outcome.kind === 'stored';
    try {
      const last = await this.#stream.lastOf(this.#options.origin);
      const sequence = last?.sequence ?? 0;
      const isNews = sequence > this.#previous || (sequence < this.#previous && (await this.#isTrimmed(last)));
      if (isNews) this.#previous = sequence;
      if (last !== null && decodeMessage(last.bytes).sender.counter === counter) return true;
      if (isNews) return false;
    } catch {
      // Nobody answers: the next attempt will ask again.
    }
    await this.#options.clock.sleep(PAUSE_MS);
    return false;
  }

  /**
   * Whether the message that this origin had stored last is gone because the log was trimmed, where the last is `last` now. Else whoever
   * answers is behind, or the log has lost its end: what was stored there now would lie where nodes have read something else.
   */
  async #isTrimmed(last: StoredMessage | null): Promise<boolean> {
    if (last !== null) return false;
    const info = await this.#stream.info();
    return info !== null && info.first > this.#previous;
  }

  #refuse(proposals: readonly Waiting[], kind: 'lost' | 'unknown', reason: string): void {
    for (const { number } of proposals) {
      const error =
        kind === 'lost'
          ? new EngineError('overloaded', `the cluster's log has not taken the write: ${reason}`, {
              retryAfterS: RETRY_AFTER_S,
            })
          : new EngineError(
              'unknown_outcome',
              `nobody knows whether the cluster's log has taken the write (${reason}); it may be seen later, and the same request can be sent again`,
            );
      this.#options.onRefused(number, error);
    }
    if (proposals.length > 0) this.#options.onDone(bytesOf(proposals));
  }
}

const bytesOf = (proposals: readonly Proposal[]): number =>
  proposals.reduce((sum, { record }) => sum + record.length, 0);
