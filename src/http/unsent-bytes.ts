/**
 * The memory of answers that their clients have not read yet: bounded for all together and for each client, freed from those
 * who read too slowly, with word for whoever waits for room.
 *
 * Used by reply.ts for every answer that may not fit into its socket. One connection has one answer at a time, so it holds at
 * most the largest there is.
 */
import { ClientBudget, type ClientShare, type NoRoom } from './client-budget.js';
import { RateWatch } from './rate-watch.js';

/** What is kept of answers that tell what was done, in so many times the bound. */
const DONE_FACTOR = 2;

/** Answers of at most this size are kept whatever is kept already: the bound on connections bounds them too. */
export const UNCOUNTED_ANSWER_BYTES = 64 * 1024;

export interface UnsentLimits {
  /** All together. */
  readonly maxBytes: number;
  /** Of one client. */
  readonly clientMaxBytes: number;
  /** Bytes a second that a client must take of an answer, over each `graceMs`; 0: as few as it likes. */
  readonly rateMin: number;
  readonly graceMs: number;
}

interface Waiting {
  readonly bytes: number;
  readonly run: () => void;
}

export class UnsentBytes {
  readonly watch: RateWatch;
  readonly #budget: ClientBudget;
  readonly #waiting: Waiting[] = [];
  #answers = 0;

  constructor({ maxBytes, clientMaxBytes, rateMin, graceMs }: UnsentLimits) {
    this.#budget = new ClientBudget(maxBytes, clientMaxBytes);
    this.watch = new RateWatch(rateMin, graceMs);
  }

  /** Bytes kept now. */
  get bytes(): number {
    return this.#budget.usedBytes;
  }

  get maxBytes(): number {
    return this.#budget.maxBytes;
  }

  get clientMaxBytes(): number {
    return this.#budget.clientMaxBytes;
  }

  /** Answers kept now, that is connections whose clients have not read all. */
  get answers(): number {
    return this.#answers;
  }

  /** Whether an answer of `bytes` could be kept now. */
  hasRoom(bytes: number): boolean {
    return this.#waiting.length === 0 && this.#fits(bytes);
  }

  /** Calls `run` once, as soon as an answer of `bytes` (at most maxBytes) can be kept: now, or in the order of asking. */
  whenRoom(bytes: number, run: () => void): void {
    if (this.hasRoom(bytes)) run();
    else this.#waiting.push({ bytes, run });
  }

  /** Keeps `bytes` for `client` (null: nobody's), or returns what is in the way. */
  keep(client: string | null, bytes: number): NoRoom | null {
    const noRoom = this.#budget.take(client, bytes);
    if (noRoom === null) this.#answers += 1;
    return noRoom;
  }

  /**
   * Keeps `bytes` of an answer that tells what was done, whoever has taken how much: who is told to try again would do it twice. False:
   * twice the bound is taken.
   */
  keepDone(bytes: number): boolean {
    if (this.#budget.usedBytes + bytes > DONE_FACTOR * this.#budget.maxBytes) return false;
    this.keepSmall(bytes);
    return true;
  }

  /** Keeps `bytes` beyond any bound: a head was sent, and the rest of a small answer must follow. */
  keepSmall(bytes: number): void {
    this.#budget.takeAnyway(bytes);
    this.#answers += 1;
  }

  /** The answer was sent, or nobody wants it any more. */
  release(client: string | null, bytes: number): void {
    this.#answers -= 1;
    this.#budget.giveBack(client, bytes);
    this.#runWaiting();
  }

  /** A share, of nothing at first, for parts of an answer that cannot be sent yet. `client` is asked whose it is. */
  openShare(client: () => string): ClientShare {
    return this.#budget.open(client);
  }

  /** Gives back what `share` has taken; may be repeated. */
  closeShare(share: ClientShare): void {
    share.close();
    this.#runWaiting();
  }

  #runWaiting(): void {
    while (this.#waiting.length > 0 && this.#fits(this.#waiting[0].bytes)) this.#waiting.shift()?.run();
  }

  #fits(bytes: number): boolean {
    return this.#budget.usedBytes + bytes <= this.#budget.maxBytes;
  }
}
