/**
 * The main thread's end of the requests that one front thread hands on: gives each to the server as if it had come here, and
 * passes on what becomes of it.
 */
import type { RequestPort } from '../http/request-port.js';
import type { ResponsePort } from '../http/response-port.js';
import type { AnswerMessage, FromFront, RequestMessage, ToFront } from './messages.js';
import { RelayedRequest } from './relayed-request.js';
import { RelayedResponse, type ResponseRoute } from './relayed-response.js';

/** Parts of bodies are acknowledged by so much together. */
const ACKNOWLEDGED_MIN = 16 * 1024;
/** What a message takes beside its bytes, of which there may be a single one. */
const MESSAGE_BYTES = 512;

/** What a part of a body takes on its way, in bytes. */
export const weightOf = (part: ArrayBuffer): number => part.byteLength + MESSAGE_BYTES;

export class RelayReceiver implements ResponseRoute {
  readonly #handle: (response: ResponsePort, request: RequestPort) => void;
  readonly #post: (message: ToFront, transferList: readonly ArrayBuffer[]) => void;
  /** By number: until the answer is complete and its client has taken it, or has gone. */
  readonly #open = new Map<number, RelayedResponse>();
  /** By number, too: weight of the parts that were dealt with and not acknowledged. */
  readonly #owed = new Map<number, number>();

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
      const weight = weightOf(message.chunk);
      response?.takeData(message.chunk, message.isLast);
      // One that is answered, perhaps just now, is forgotten on both sides.
      if (this.#open.has(id)) this.#acknowledge(id, weight, message.isLast);
    } else if (message.kind === 'taken') {
      response?.noteTaken(message.bytes);
    } else {
      this.#open.delete(id);
      this.#owed.delete(id);
      response?.abort();
    }
  }

  #acknowledge(id: number, weight: number, isLast: boolean): void {
    const owed = (this.#owed.get(id) ?? 0) + weight;
    if (owed < ACKNOWLEDGED_MIN && !isLast) {
      this.#owed.set(id, owed);
      return;
    }
    this.#owed.delete(id);
    if (!isLast) this.#post({ kind: 'taken', id, weight: owed }, []);
  }

  answer(message: AnswerMessage): void {
    // The front thread forgets the request then, and tells of nothing more but what was taken of a tracked answer.
    if (message.end !== 'chunk' && !message.isTracked) {
      this.#open.delete(message.id);
      this.#owed.delete(message.id);
    }
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
    this.#owed.clear();
  }

  #begin(message: RequestMessage): void {
    const response = new RelayedResponse(this, message.id, message.address);
    this.#open.set(message.id, response);
    this.#handle(response, new RelayedRequest(message));
  }
}
