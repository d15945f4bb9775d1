/**
 * Requests that wait until a node of a cluster has applied a place of the log. Used by serve-cluster.ts.
 *
 * Anybody may name a place that never comes, so each client has a share of what may wait.
 */
import { ClientBudget } from './http/client-budget.js';

/** Requests that wait, of all clients and of each, and how long they may. */
const WAITING_MAX = 1024;
const CLIENT_WAITING_MAX = WAITING_MAX / 4;
const WAIT_MS = 5000;

interface Waiting {
  readonly sequence: number;
  readonly client: string;
  readonly run: () => void;
  readonly timer: NodeJS.Timeout;
}

const nothingWaits = (): void => {};

export class AppliedWaits {
  readonly #places = new ClientBudget(WAITING_MAX, CLIENT_WAITING_MAX);
  readonly #waiting = new Set<Waiting>();

  /** Has `run` called by admit(), or `refuse` where that takes too long or too many wait. Returns what has neither called. */
  add(sequence: number, client: string, run: () => void, refuse: () => void): () => void {
    if (this.#places.take(client, 1) !== null) {
      refuse();
      return nothingWaits;
    }
    const timer = setTimeout(() => {
      this.#remove(waiting);
      refuse();
    }, WAIT_MS);
    const waiting: Waiting = { sequence, client, run, timer };
    this.#waiting.add(waiting);
    return () => this.#remove(waiting);
  }

  /** Everything up to `applied` is applied. */
  admit(applied: number): void {
    for (const waiting of this.#waiting) {
      if (waiting.sequence > applied) continue;
      this.#remove(waiting);
      waiting.run();
    }
  }

  #remove(waiting: Waiting): void {
    if (!this.#waiting.delete(waiting)) return;
    clearTimeout(waiting.timer);
    this.#places.giveBack(waiting.client, 1);
  }
}
