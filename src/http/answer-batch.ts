/**
 * Answers that are known while their requests are being read, held until the end of the loop's turn and written then, one behind
 * the other. A client, or a proxy, on the same machine is woken by the first of them and takes the others while it is awake;
 * written one by one, each finds it asleep again, and waking it costs this thread more than the answer. Code that reads and
 * code that sends also change places once a turn, instead of once a request.
 *
 * It takes answers only while several come in a turn: a request that comes alone waits for nothing. Used by reply-read.ts.
 */
import type { Exchange } from './exchange.js';
import { type Answer, replyHeld } from './reply.js';

/** In a turn; what comes beyond is answered at once. */
const ANSWERS_MAX = 64;
/** What evaluating the answers took that are held, together: none waits for longer, about. */
const HELD_US_MAX = 1000;
const ANSWER_BYTES_MAX = 16 * 1024;
const ROOM_BYTES = 256 * 1024;
/** Of so many answers in a turn it is worth it. */
const WORTHWHILE = 4;
/** Answers after which it is looked how many come in a turn, and turns with too few of them after which it is given up. */
const ANSWERS_PER_LOOK = 64;
const POOR_TURNS_MAX = 16;
/** Copies begin there as their originals do: memory that is shared is copied by words only then. */
const ALIGNMENT = 8;

interface HeldAnswer {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly bytes: Uint8Array;
}

export class AnswerBatch {
  readonly #held: HeldAnswer[] = [];
  /** Shared, as what lies in it is only lent. */
  readonly #room = new Uint8Array(new SharedArrayBuffer(ROOM_BYTES));
  #filledBytes = 0;
  #heldUs = 0;
  #isOn = false;
  #poorTurns = 0;
  /** Answers that were not taken since it was looked last; or in the turn that is looked at. */
  #passed = 0;
  #isLooking = false;
  /** The one that is being written. */
  #next = 0;
  readonly #writeNext = (): void => {
    const { exchange, answer, bytes } = this.#held[this.#next];
    replyHeld(exchange, answer, bytes);
  };
  readonly #writeAll = (): void => this.#write();
  readonly #beginTurn = (): void => {
    this.#passed = 0;
    setImmediate(this.#judge);
  };
  readonly #judge = (): void => {
    this.#isLooking = false;
    this.#isOn = this.#passed >= WORTHWHILE;
    this.#passed = 0;
  };

  /** Takes `answer`, which took `elapsedUs` and whose body may be lent, to write it soon; false: it is the caller's to write. */
  take(exchange: Exchange, answer: Answer, elapsedUs: number): boolean {
    const { body } = answer;
    if (!exchange.isCorked || !exchange.isOpen || typeof body === 'string') return false;
    if (!this.#isOn) {
      this.#look();
      return false;
    }
    const { length } = body;
    const { minBytes } = exchange.compressor;
    if (length > ANSWER_BYTES_MAX || (minBytes > 0 && length >= minBytes)) return false;
    const count = this.#held.length;
    const start = this.#filledBytes;
    if (count === ANSWERS_MAX || this.#heldUs > HELD_US_MAX || start + length > ROOM_BYTES) return false;
    const bytes = this.#room.subarray(start, start + length);
    bytes.set(body);
    this.#filledBytes = (start + length + ALIGNMENT - 1) & -ALIGNMENT;
    this.#heldUs += elapsedUs;
    this.#held.push({ exchange, answer, bytes });
    // Nobody else may answer any more.
    exchange.isOpen = false;
    if (count === 0) setImmediate(this.#writeAll);
    return true;
  }

  #look(): void {
    this.#passed += 1;
    if (this.#isLooking || this.#passed < ANSWERS_PER_LOOK) return;
    this.#isLooking = true;
    // The next turn, from its beginning: of this one nobody knows how much is left.
    setImmediate(this.#beginTurn);
  }

  #write(): void {
    const count = this.#held.length;
    for (this.#next = 0; this.#next < count; this.#next++) {
      const { exchange } = this.#held[this.#next];
      // Else its client has gone.
      if (!exchange.isClosed) exchange.response.cork(this.#writeNext);
    }
    this.#held.length = 0;
    this.#filledBytes = 0;
    this.#heldUs = 0;
    this.#poorTurns = count < WORTHWHILE ? this.#poorTurns + 1 : 0;
    if (this.#poorTurns < POOR_TURNS_MAX) return;
    this.#poorTurns = 0;
    this.#isOn = false;
  }
}
