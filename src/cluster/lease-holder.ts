/**
 * The lease of this node: takes it, renews it, gives it back, and notices that another node has evicted it. Used by cluster-member.ts.
 *
 * A lease is valid from the moment before it was asked for, so the answer may take as long as it likes. Each time it is taken it gets a
 * new life, by which the others tell it from the one before.
 */
import { randomBytes } from 'node:crypto';
import { EngineError } from '../../engine/index.js';
import type { Clock } from './clock.js';
import type { LeaseBucket, LeaseEntry, LeaseValue } from './lease-port.js';
import type { ReadDeadline } from './read-deadline.js';

/** How often it is renewed in its time. */
const RENEWALS = 4;
const GIVE_BACK_TRIES = 3;

export interface LeaseHolderOptions {
  readonly node: string;
  readonly origin: string;
  readonly leaseMs: number;
  readonly url: string | null;
  readonly version: string;
  readonly clock: Clock;
  readonly deadline: Pick<ReadDeadline, 'now'>;
  /** What the lease says of the node. */
  readonly describe: () => { readonly applied: number; readonly isShort: boolean };
  /** It is valid for validMs(leaseMs) from `moment` on, of `deadline`. */
  readonly onGranted: (moment: number) => void;
  /** It is not, and never will be again in this life. */
  readonly onLost: (reason: string) => void;
  readonly fail: (error: EngineError) => void;
}

export class LeaseHolder {
  readonly #bucket: LeaseBucket;
  readonly #options: LeaseHolderOptions;
  /** Moments at which the changes with these numbers were asked for. */
  readonly #asked = new Map<number, number>();
  #life: string | null = null;
  #isGranted = false;
  /** The key as it was last seen. */
  #key: { readonly revision: number; readonly value: LeaseValue | null; readonly at: number } | null = null;
  /** Life of the other process that holds the key, and has changed it since this one was there. */
  #rival: string | null = null;
  #hasHeld = false;
  #isBusy = false;
  #isUrgent = false;
  #renewal = 0;
  #lastAskedAt = Number.NEGATIVE_INFINITY;
  #beganWith = 0;
  /** Since when each change that was asked for was made in time; null: the last was not. */
  #contactSince: number | null = null;

  constructor(bucket: LeaseBucket, options: LeaseHolderOptions) {
    this.#bucket = bucket;
    this.#options = options;
  }

  /** Of the lease that is held; null: none, or nobody has confirmed it yet. */
  get life(): string | null {
    return this.#isGranted ? this.#life : null;
  }

  /** Revision with which the lease began. */
  get beganWith(): number {
    return this.#beganWith;
  }

  /** Since when this node can tell who has renewed. */
  get contactSince(): number | null {
    return this.#contactSince;
  }

  /** Asks for the lease where it may be taken, and returns whether it does; to be called now and then until it is granted. */
  claim(): boolean {
    if (this.#life !== null || this.#isBusy || !this.#isFree()) return false;
    this.#life = randomBytes(8).toString('hex');
    this.#isGranted = false;
    this.#asked.clear();
    void this.#ask();
    return true;
  }

  /** Renews the lease if it is time; to be called often. */
  tick(): void {
    if (this.#life === null || this.#isBusy) return;
    const { clock, leaseMs } = this.#options;
    if (this.#isUrgent || clock.now() - this.#lastAskedAt >= leaseMs / RENEWALS) void this.#ask();
  }

  /** Has what describe() says told to the others soon. */
  hurry(): void {
    this.#isUrgent = true;
    this.tick();
  }

  /** The bucket has told of this node's key. */
  see({ revision, value }: LeaseEntry): void {
    if (this.#key !== null && revision <= this.#key.revision) return;
    const now = this.#options.clock.now();
    this.#key = { revision, value, at: now };
    if (value?.origin !== this.#options.origin) this.#seeRival(value, revision);
    else if (value.life !== this.#life) return;
    else if (value.state === 'held') this.#grant(value.renewal, revision);
    else if (value.state === 'evicted')
      this.#lose('another node has taken the lease from this one, which was too slow');
  }

  /** Ends the lease at once and tells the others, if they can be told soon. Nothing may be read from this node any more. */
  async giveBack(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    this.#isGranted = false;
    for (let i = 0; life !== null && i < GIVE_BACK_TRIES; i++) {
      const key = this.#key;
      if (key?.value != null && (key.value.life !== life || key.value.state !== 'held')) return;
      const outcome = await this.#put(this.#value(life, 'left'));
      if (outcome === 'stored') return;
      // The answer to a renewal may be under way.
      await this.#options.clock.sleep(this.#options.leaseMs / RENEWALS / 2);
    }
  }

  #isFree(): boolean {
    if (this.#key === null) return true;
    const { value, at } = this.#key;
    if (value?.origin === this.#options.origin || value?.state === 'left') return true;
    const leaseMs = value?.leaseMs ?? this.#options.leaseMs;
    return this.#options.clock.now() - at >= leaseMs;
  }

  #seeRival(value: LeaseValue | null, revision: number): void {
    const { node, fail } = this.#options;
    if (this.#life !== null) this.#lose('the lease of this node was overwritten');
    if (value === null || value.state !== 'held' || revision <= this.#bucket.opened) return;
    const isKnown = this.#rival === value.life;
    this.#rival = value.life;
    // One change may have been under way when its process ended; two, or one in this node's place, come from a process that runs.
    if (!isKnown && !this.#hasHeld) return;
    fail(
      new EngineError(
        'io_error',
        `another process is the node ${node} of this cluster: each needs a name of its own (--cluster-node)`,
      ),
    );
  }

  #grant(renewal: number, revision: number): void {
    const moment = this.#asked.get(renewal);
    if (moment === undefined || this.#life === null) return;
    for (const number of this.#asked.keys()) if (number <= renewal) this.#asked.delete(number);
    if (!this.#isGranted) this.#beganWith = revision;
    this.#isGranted = true;
    this.#hasHeld = true;
    this.#options.onGranted(moment);
  }

  #lose(reason: string): void {
    const wasGranted = this.#isGranted;
    this.#life = null;
    this.#isGranted = false;
    if (wasGranted) this.#options.onLost(reason);
  }

  /** Asks for the lease, or for more of it. */
  async #ask(): Promise<void> {
    const life = this.#life;
    if (life === null) return;
    const { clock, deadline, leaseMs } = this.#options;
    this.#isBusy = true;
    this.#isUrgent = false;
    const askedAt = clock.now();
    this.#lastAskedAt = askedAt;
    const value = this.#value(life, 'held');
    this.#asked.set(value.renewal, deadline.now());
    const outcome = await this.#put(value);
    this.#isBusy = false;
    const isInTime = outcome === 'stored' && clock.now() - askedAt < leaseMs / 2;
    this.#contactSince = isInTime ? (this.#contactSince ?? askedAt) : null;
    // Not taken, and by somebody else: what the watch tells decides when it is tried again.
    if (outcome === 'conflict' && !this.#isGranted && this.#life === life) this.#life = null;
  }

  #value(life: string, state: LeaseValue['state']): LeaseValue {
    const { origin, leaseMs, url, version, describe } = this.#options;
    return { ...{ origin, life, state, leaseMs, url, version }, ...describe(), renewal: ++this.#renewal, over: null };
  }

  async #put(value: LeaseValue): Promise<'stored' | 'conflict' | 'unknown'> {
    const { node, leaseMs } = this.#options;
    const outcome = await this.#bucket.put(node, value, this.#key?.revision ?? 0, leaseMs / 2);
    if (outcome.kind === 'stored') this.see({ node, revision: outcome.revision, value });
    return outcome.kind;
  }
}
