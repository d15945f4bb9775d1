/**
 * What a round of a campaign has done so far: the registers for the checker, and each request for the table. Filled by traffic.ts.
 */
import { type Answer, outcomeOf } from './asking.js';
import type { History, Outcome, Read, Value, Write } from './history.js';

/** One request, of however many keys. */
export interface Asked {
  readonly isWrite: boolean;
  readonly outcome: Outcome;
  readonly invoked: number;
  readonly responded: number;
}

export class RoundRecord {
  readonly asked: Asked[] = [];
  /** Answers that no promise allows. */
  readonly oddities: string[] = [];
  readonly #initial: ReadonlyMap<string, Value>;
  readonly #writes: Write[] = [];
  readonly #reads: Read[] = [];

  constructor(initial: ReadonlyMap<string, Value>) {
    this.#initial = initial;
  }

  get history(): History {
    return { initial: this.#initial, writes: this.#writes, reads: this.#reads };
  }

  /** Writes of `values` by one request. `outcome`: where the status alone does not say it. */
  noteWrite(values: ReadonlyMap<string, Value>, invoked: number, answer: Answer, outcome = outcomeOf(answer)): void {
    const responded = performance.now();
    this.asked.push({ isWrite: true, outcome, invoked, responded });
    for (const [key, value] of values) this.#writes.push({ key, value, invoked, responded, outcome });
  }

  /** Reads of `values` by one request; none where it was not answered. */
  noteRead(values: ReadonlyMap<string, Value>, invoked: number, node: number, outcome: Outcome, isFinal = false): void {
    const responded = performance.now();
    this.asked.push({ isWrite: false, outcome, invoked, responded });
    for (const [key, value] of values) this.#reads.push({ key, value, invoked, responded, node, isFinal });
  }
}
