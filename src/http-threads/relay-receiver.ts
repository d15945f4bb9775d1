/**
 * The main thread's end of the requests that one front thread hands on: gives each to the server as if it had come here, and
 * passes on what becomes of it.
 */
import type { RequestPort } from '../http/request-port.js';
import type { ResponsePort } from '../http/response-port.js';
import type { AnswerMessage, FromFront, RequestMessage, ToFront } from './messages.js';
import { RelayedRequest } from './relayed-request.js';
import { RelayedResponse, type ResponseRoute } from './relayed-response.js';

/** Parts of bodies from this size on are acknowledged: smaller ones are few. */
export const ACKNOWLEDGED_BYTES_MIN = 16 * 1024;

export class RelayReceiver implements ResponseRoute {
  readonly #handle: (response: ResponsePort, request: RequestPort) => void;
  readonly #post: (message: ToFront, transferList: readonly ArrayBuffer[]) => void;
  /** By number: until the answer is complete and its client has taken it, or has gone. */
  readonly #open = new Map<number, RelayedResponse>();

  constructor(
    handle: (response: ResponsePort, request: RequestPort) => void,
    post: (message: ToFront, transferList: readonly ArrayBuffer[]) => void,
  ) {
    this.#handle = handle;
    this.#post = post;
  }

  /** Takes a message of the front thread. */
  receive(message: Extract<FromFront, { id: number }>): void {
    if (message.kind === 'request') {
      this.#begin(message);
      return;
    }
    const { id } = message;
    const response = this.#open.get(id);
    if (message.kind === 'data') {
      const bytes = message.chunk.byteLength;
      response?.takeData(message.chunk, message.isLast);
      if (bytes >= ACKNOWLEDGED_BYTES_MIN) this.#post({ kind: 'taken', id, bytes }, []);
    } else if (message.kind === 'taken') {
      response?.noteTaken(message.bytes);
    } else {
      this.#open.delete(id);
      response?.abort();
    }
  }

  answer(message: AnswerMessage): void {
    // The front thread forgets the request then, and tells of nothing more but what was taken of a tracked answer.
    if (message.end !== 'chunk' && !message.isTracked) this.#open.delete(message.id);
    this.#post(message, [message.body.buffer]);
  }

  drop(id: number): void {
    this.#post({ kind: 'drop', id }, []);
  }

  /** Drops the connections of all that are open. */
  close(): void {
    for (const [id, response] of this.#open) {
      this.drop(id);
      response.abort();
    }
    this.#open.clear();
  }

  #begin(message: RequestMessage): void {
    const response = new RelayedResponse(this, message.id, message.address);
    this.#open.set(message.id, response);
    this.#handle(response, new RelayedRequest(message));
  }
}
