/**
 * How far the log reaches: asks it now and then, and has it followed anew where more is known to be there and nothing comes. Used by
 * cluster-member.ts.
 *
 * What it says may be old: good enough to tell whether a node has caught up, never to decide what may be read.
 */
import type { Clock } from './clock.js';
import type { Follower } from './follower.js';
import type { LogInfo, LogStream } from './stream-port.js';

/** How old a look at the end of the log may be by which a node has caught up. */
const FRESH_MS = 500;
const IDLE_LOOK_MS = 5000;

export class LogWatch {
  readonly #stream: LogStream;
  readonly #clock: Clock;
  readonly #stuckMs: number;
  readonly #onLook: () => void;
  #info: LogInfo | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  /** What the follower has got as far as, though more is there, and since when. */
  #stuck: { readonly at: number; readonly since: number } | null = null;

  /** `stuckMs`: how long nothing may come; `onLook` hears that info is new. */
  constructor(stream: LogStream, clock: Clock, stuckMs: number, onLook: () => void) {
    this.#stream = stream;
    this.#clock = clock;
    this.#stuckMs = stuckMs;
    this.#onLook = onLook;
  }

  /** As it was seen last; null: never. */
  get info(): LogInfo | null {
    return this.#info;
  }

  /** Whether `applied` is all there was a moment ago. */
  isAll(applied: number): boolean {
    return this.#info !== null && applied >= this.#info.last && this.#clock.now() - this.#lookedAt <= FRESH_MS;
  }

  /** To be called often. `isUrgent`: an answer is waited for. */
  tick(isUrgent: boolean): void {
    if (this.#isLooking || this.#clock.now() - this.#lookedAt < (isUrgent ? FRESH_MS / 2 : IDLE_LOOK_MS)) return;
    this.#isLooking = true;
    void this.#look();
  }

  /** To be called often: `known` is in the log for sure. */
  check(follower: Follower, known: number): void {
    const { delivered } = follower;
    if (follower.isHeld || delivered >= known) this.#stuck = null;
    else if (this.#stuck?.at !== delivered) this.#stuck = { at: delivered, since: this.#clock.now() };
    else if (this.#clock.now() - this.#stuck.since > this.#stuckMs) {
      this.#stuck = null;
      follower.renew();
    }
  }

  async #look(): Promise<void> {
    try {
      this.#info = await this.#stream.info();
      this.#lookedAt = this.#clock.now();
      this.#onLook();
    } catch {
      // Nobody answers: the next call asks again.
    }
    this.#isLooking = false;
  }
}
