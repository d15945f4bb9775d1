/**
 * Time, chance and processes of a simulated cluster: events in the order of their time, each run to its end before the next. A process
 * may stand still, lose its connection, die, and has a clock that is a little fast or slow.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/cluster/clock.js';
import { DRIFT } from '../../src/cluster/membership.js';
import type { Random } from '../support/simulated-random.js';

interface SimulatedEvent {
  readonly at: number;
  readonly order: number;
  readonly process: SimulatedProcess | null;
  readonly run: () => void;
}

export class SimulatedProcess implements Clock {
  readonly world: SimulatedWorld;
  isAlive = true;
  isCut = false;
  /** Until when nothing comes of the log, of the leases, of the others' progress. */
  readonly deafUntil = { log: 0, leases: 0, progress: 0 };
  pausedUntil = 0;
  readonly #rate: number;
  readonly #offset: number;

  constructor(world: SimulatedWorld) {
    this.world = world;
    // Two clocks differ by DRIFT at most, with something to spare.
    this.#rate = 1 + (world.random() - 0.5) * DRIFT * 0.9;
    this.#offset = Math.floor(world.random() * 10_000);
  }

  now(): number {
    return this.#offset + this.world.time * this.#rate;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Runs `run` in this process, `ms` from now or when it goes on; never, if it is dead by then. */
  after(ms: number, run: () => void): void {
    this.world.schedule(ms, this, run);
  }
}

export class SimulatedWorld {
  readonly random: Random;
  /** How often a request, or an answer, gets lost. */
  loss = 0.03;
  time = 0;
  #order = 0;
  readonly #events: SimulatedEvent[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  /** From `least` on, rarely up to `most`. */
  delay(least: number, most: number): number {
    return least + (most - least) * this.random() ** 4;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  schedule(ms: number, process: SimulatedProcess | null, run: () => void): void {
    this.#insert({ at: this.time + ms, order: this.#order++, process, run });
  }

  /** Runs all events of the next `ms`, and calls `check` after each. */
  async run(ms: number, check: () => void): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const next = this.#events[0];
      if (next === undefined || next.at > end) break;
      this.#events.shift();
      this.time = Math.max(this.time, next.at);
      const { process, run } = next;
      if (process !== null && !process.isAlive) continue;
      if (process !== null && process.pausedUntil > this.time) {
        this.#insert({ ...next, at: process.pausedUntil });
        continue;
      }
      check();
      run();
      await turn();
      check();
    }
    this.time = end;
  }

  #insert(event: SimulatedEvent): void {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#events[middle];
      if (other !== undefined && (other.at < event.at || (other.at === event.at && other.order < event.order)))
        low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }
}
