/**
 * Bounds the connections that are open at a time, so that the files of the engine always find a descriptor.
 *
 * Told by server.ts of every connection that opens or closes. One too many is answered before it asked anything: the
 * library tells connections apart only here.
 */
import { JSON_TYPE, statusLine } from './reply.js';
import type { ResponsePort } from './response-port.js';

const RETRY_AFTER_S = 1;

export class ConnectionLimit {
  readonly max: number;
  #open = 0;
  #refused = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#open;
  }

  /** Connections that were turned away since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** `change` 1: the connection of `response` opens; -1: it closed. */
  note(response: ResponsePort, change: number): void {
    this.#open += change;
    if (change < 0 || this.#open <= this.max) return;
    this.#refused += 1;
    const message = `the server has ${this.max} connections already; try again later`;
    response.cork(() => {
      response.writeStatus(statusLine(503));
      response.writeHeader('content-type', JSON_TYPE);
      response.writeHeader('retry-after', String(RETRY_AFTER_S));
      response.end(JSON.stringify({ error: { code: 'overloaded', message } }), true);
    });
  }
}
