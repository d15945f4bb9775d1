/**
 * Bounds the connections that are open at a time, so that the files of the engine always find a descriptor.
 *
 * Told by each HTTP thread of every connection that opens or closes. One too many is answered before it asked anything: the
 * library tells connections apart only here.
 */
import type { SharedCounter } from '../../engine/index.js';
import { JSON_TYPE, statusLine } from './reply.js';
import { requestIdOf } from './request-id.js';
import type { ResponsePort } from './response-port.js';

const RETRY_AFTER_S = 1;

export class ConnectionLimit {
  readonly max: number;
  readonly #open: SharedCounter;
  readonly #refused: SharedCounter;

  /** `open` and `refused` count for all threads. */
  constructor(max: number, open: SharedCounter, refused: SharedCounter) {
    this.max = max;
    this.#open = open;
    this.#refused = refused;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#open.value;
  }

  /** Connections that were turned away since the start. */
  get refused(): number {
    return this.#refused.value;
  }

  /** `change` 1: the connection of `response` opens; -1: it closed. */
  note(response: ResponsePort, change: number): void {
    const open = this.#open.add(change);
    if (change < 0 || open <= this.max) return;
    this.#refused.add(1);
    const message = `the server has ${this.max} connections already; try again later`;
    response.cork(() => {
      response.writeStatus(statusLine(503));
      response.writeHeader('content-type', JSON_TYPE);
      response.writeHeader('retry-after', String(RETRY_AFTER_S));
      response.writeHeader('x-request-id', requestIdOf(''));
      response.end(JSON.stringify({ error: { code: 'overloaded', message } }), true);
    });
  }
}
