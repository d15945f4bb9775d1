/**
 * Snapshots that were asked for and have not been written yet: the HTTP thread's side, for engine-client.ts.
 */
import { assertPresent } from '../core/assert.js';
import type { EngineError } from '../core/errors.js';
import type { SnapshotReport } from '../core/snapshots.js';

interface Waiting {
  readonly resolve: (report: SnapshotReport) => void;
  readonly reject: (error: EngineError) => void;
}

export class SnapshotClient {
  readonly #waiting = new Map<number, Waiting>();
  #nextTicket = 1;

  /** Asks with `post`, and resolves with what settle() hears for the ticket. */
  request(post: (ticket: number) => void): Promise<SnapshotReport> {
    const ticket = this.#nextTicket++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(ticket, { resolve, reject });
      post(ticket);
    });
  }

  /** `report`, or else `error`, is what came of a snapshot. */
  settle(ticket: number, report: SnapshotReport | null, error: EngineError | null): void {
    const waiting = assertPresent(this.#waiting.get(ticket) ?? null, 'a snapshot was asked for');
    this.#waiting.delete(ticket);
    if (report !== null) waiting.resolve(report);
    else waiting.reject(assertPresent(error, 'why there is no snapshot'));
  }

  refuseAll(error: EngineError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
