/**
 * Counts answers by route, method and status in plain numbers; the metrics endpoint folds them into Prometheus form.
 *
 * Written for every request, so counting is one addition; read at a scrape.
 */

import type { MatchedRoute } from './exchange.js';
import { KNOWN_METHODS } from './known-methods.js';
import { STATUSES } from './reply.js';

/** Route of a path that has none. */
export const NO_ROUTE = 'none';
const METHODS = [...KNOWN_METHODS, 'OTHER'];
/** Maps, as clients' methods may be named like what every object has. */
const METHOD_INDEX: ReadonlyMap<string, number> = new Map(METHODS.map((method, rank) => [method, rank]));
const STATUS_INDEX: ReadonlyMap<number, number> = new Map(STATUSES.map((status, rank) => [status, rank]));

const ROW_LENGTH = METHODS.length * STATUSES.length;

export class HttpCounters {
  /** One row of counts for each template that was answered. */
  readonly #rows = new Map<string, Float64Array>();
  /** The route that was answered last, and its row. */
  #lastRoute: MatchedRoute | null = null;
  #lastRow: Float64Array | null = null;
  /** Requests received and not yet answered completely. */
  inFlight = 0;
  /** Answers that this thread has counted, of any kind. */
  total = 0;

  /** Counts one answer. `route` null: the path has none. `status` must be one of STATUSES. */
  count(route: MatchedRoute | null, method: string, status: number): void {
    this.total++;
    if (this.#lastRow === null || route !== this.#lastRoute) {
      this.#lastRow = this.#rowOf(route === null ? NO_ROUTE : route.template);
      this.#lastRoute = route;
    }
    this.#lastRow[placeOf(method, status)] += 1;
  }

  /** Adds what another thread has counted. */
  add(template: string, method: string, status: number, count: number): void {
    this.#rowOf(template)[placeOf(method, status)] += count;
  }

  /** Forgets all answers. */
  clear(): void {
    for (const row of this.#rows.values()) row.fill(0);
  }

  /** Calls `visit` for each combination that was counted at least once. */
  forEach(visit: (route: string, method: string, status: number, count: number) => void): void {
    for (const [template, row] of this.#rows) {
      for (const [index, count] of row.entries()) {
        const method = METHODS[Math.floor(index / STATUSES.length)] as string;
        if (count > 0) visit(template, method, STATUSES[index % STATUSES.length] as number, count);
      }
    }
  }

  #rowOf(template: string): Float64Array {
    let row = this.#rows.get(template);
    if (row === undefined) {
      row = new Float64Array(ROW_LENGTH);
      this.#rows.set(template, row);
    }
    return row;
  }
}

function placeOf(method: string, status: number): number {
  const methodIndex = METHOD_INDEX.get(method) ?? METHODS.length - 1;
  const statusIndex = STATUS_INDEX.get(status);
  if (statusIndex === undefined) throw new Error(`${status} is none of the statuses that are counted`);
  return methodIndex * STATUSES.length + statusIndex;
}
