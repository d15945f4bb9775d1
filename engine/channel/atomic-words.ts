/**
 * The operations on shared words that the protocols of this folder are made of, so that a model test can put a scheduler
 * in the place of the processor (test/channel/model/).
 *
 * All are sequentially consistent, as Atomics are.
 */

// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';

/** 32-bit words that threads share. Places count words. */
export interface AtomicWords {
  load(place: number): number;
  store(place: number, value: number): void;
  /** Adds modulo 2^32 and returns what was there before. */
  add(place: number, value: number): number;
  /** Puts `value` there if `expected` is there, and returns what was there before. */
  compareExchange(place: number, expected: number, value: number): number;
  /** Sleeps until notified, unless something else than `value` is there already. */
  wait(place: number, value: number): void;
  /** As wait(), for what is about to happen: looks for a while before it sleeps. */
  waitSoon(place: number, value: number): void;
  /** Looks for `ms` milliseconds, awake, whether something else than `value` is there; false: it is not. */
  lookFor(place: number, value: number, ms: number): boolean;
  /** As wait(), for `ms` milliseconds at most; false: they are over. */
  waitFor(place: number, value: number, ms: number): boolean;
  /** As wait(), for a thread that must not block; null: something else is there already. */
  waitAsync(place: number, value: number): Promise<unknown> | null;
  /** Wakes one thread that waits at `place`. */
  notify(place: number): void;
}

/** To be woken takes a thread some 50 us where a core is free, and milliseconds where others want it. */
const SPIN_MS = 0.3;
const LOOKS_PER_CLOCK = 100;

/** Words in shared memory. */
export class SharedWords implements AtomicWords {
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  load(place: number): number {
    return Atomics.load(this.#words, place);
  }

  store(place: number, value: number): void {
    Atomics.store(this.#words, place, value);
  }

  add(place: number, value: number): number {
    return Atomics.add(this.#words, place, value);
  }

  compareExchange(place: number, expected: number, value: number): number {
    return Atomics.compareExchange(this.#words, place, expected, value);
  }

  wait(place: number, value: number): void {
    Atomics.wait(this.#words, place, value);
  }

  lookFor(place: number, value: number, ms: number): boolean {
    const untilMs = performance.now() + ms;
    do for (let look = 0; look < LOOKS_PER_CLOCK; look++) if (this.load(place) !== value) return true;
    while (performance.now() < untilMs);
    return false;
  }

  waitSoon(place: number, value: number): void {
    if (!this.lookFor(place, value, SPIN_MS)) this.wait(place, value);
  }

  waitFor(place: number, value: number, ms: number): boolean {
    return Atomics.wait(this.#words, place, value, ms) !== 'timed-out';
  }

  waitAsync(place: number, value: number): Promise<unknown> | null {
    const wait = Atomics.waitAsync(this.#words, place, value);
    return wait.async ? wait.value : null;
  }

  notify(place: number): void {
    Atomics.notify(this.#words, place, 1);
  }
}
