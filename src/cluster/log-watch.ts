/**
 * How far the log reaches: asks it now and then, and has it followed anew where more is known to be there and nothing comes. Tells when it
 * is gone, and ends the node when another is in its place. Used by cluster-member.ts.
 *
 * What it says may be old: good enough to tell whether a node has caught up, never to decide what may be read.
 */
import { EngineError } from '../../engine/index.js';
import type { Clock } from './clock.js';
import type { Follower } from './follower.js';
import type { MemberHost } from './member-ports.js';
import type { LogInfo, LogStream } from './stream-port.js';

/** How old a look at the end of the log may be by which a node has caught up. */
const FRESH_MS = 500;
const IDLE_LOOK_MS = 2500;
/** So long a follower is waited for at most that was begun anew in vain. */
const STUCK_MS_MAX = 60_000;
/** What was seen longer ago is not told to anybody. */
const KNOWN_MS = 5000;

export class LogWatch {
  readonly #stream: LogStream;
  readonly #clock: Clock;
  readonly #stuckMs: number;
  readonly #host: Pick<MemberHost, 'fail' | 'tell'>;
  readonly #onLook: () => void;
  #info: LogInfo | null = null;
  #isGone = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isLooking = false;
  /** What the follower has got as far as, though more is there, since when, and how long it may stay so. */
  #stuck: { readonly at: number; readonly since: number; readonly withinMs: number } | null = null;

  /**
   * `stuckMs`: how long nothing may come; twice as long after each time that it was in vain: what comes may be large for the link.
   * `onLook` hears that info is new.
   */
  constructor(
    stream: LogStream,
    clock: Clock,
    stuckMs: number,
    host: Pick<MemberHost, 'fail' | 'tell'>,
    onLook: () => void,
  ) {
    this.#host = host;
    this.#stream = stream;
    this.#clock = clock;
    this.#stuckMs = stuckMs;
    this.#onLook = onLook;
  }

  /** As it was seen within five seconds; null: it was not. */
  get info(): LogInfo | null {
    return this.#isGone || this.#clock.now() - this.#lookedAt > KNOWN_MS ? null : this.#info;
  }

  /** Of the last message that was ever seen to be there; 0: none. */
  get last(): number {
    return this.#info?.last ?? 0;
  }

  /** Whether `applied` is all there was a moment ago. */
  isAll(applied: number): boolean {
    const isFresh = !this.#isGone && this.#clock.now() - this.#lookedAt <= FRESH_MS;
    return isFresh && this.#info !== null && applied >= this.#info.last;
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
    else if (this.#stuck?.at !== delivered)
      this.#stuck = { at: delivered, since: this.#clock.now(), withinMs: this.#stuckMs };
    else if (this.#clock.now() - this.#stuck.since > this.#stuck.withinMs) {
      const withinMs = Math.max(this.#stuckMs, Math.min(2 * this.#stuck.withinMs, STUCK_MS_MAX));
      this.#stuck = { at: delivered, since: this.#clock.now(), withinMs };
      follower.renew();
    }
  }

  async #look(): Promise<void> {
    try {
      const info = await this.#stream.info();
      this.#tellGone(info === null);
      this.#lookedAt = this.#clock.now();
      if (info !== null) {
        this.#info = info;
        this.#onLook();
      }
    } catch (error) {
      // Where nobody answers the next call asks again.
      if (error instanceof EngineError) this.#host.fail(error);
    }
    this.#isLooking = false;
  }

  /** A log that is gone may come back, when a NATS server gets its files back. */
  #tellGone(isGone: boolean): void {
    if (isGone === this.#isGone) return;
    this.#isGone = isGone;
    if (isGone) this.#host.tell('warn', 'NATS no longer has the log of this cluster: nothing can be written');
    else this.#host.tell('info', 'NATS has the log of this cluster again');
  }
}
