/**
 * A request that a front thread has handed on, as the main thread's server sees it: it looks like one of the library's.
 */
import type { RequestPort } from '../http/request-port.js';
import type { RequestMessage } from './messages.js';

export class RelayedRequest implements RequestPort {
  readonly #message: RequestMessage;

  constructor(message: RequestMessage) {
    this.#message = message;
  }

  forEach(visit: (name: string, value: string) => void): void {
    const { headers } = this.#message;
    for (let i = 0; i < headers.length; i += 2) visit(headers[i], headers[i + 1]);
  }

  getCaseSensitiveMethod(): string {
    return this.#message.method;
  }

  getUrl(): string {
    return this.#message.url;
  }

  getQuery(): string {
    return this.#message.query;
  }

  getHeader(name: string): string {
    const { headers } = this.#message;
    for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return headers[i + 1];
    return '';
  }
}
