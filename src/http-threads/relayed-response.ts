/**
 * The response to a request that a front thread has handed on, on the main thread: what is written goes to that thread in as
 * few messages as there can be.
 *
 * The client's socket is not here, so this always takes all that is given. Of a large answer, and of one in chunks, the front
 * thread tells how much the client has taken, so that memory is accounted for here until then.
 */
import type { ResponsePort } from '../http/response-port.js';
import { UNCOUNTED_ANSWER_BYTES } from '../http/unsent-bytes.js';
import type { AnswerEnd, AnswerMessage } from './messages.js';

/** What of a chunked answer may be on its way to the client: a slice that is being taken, and one behind it. */
const CHUNKS_BYTES_MAX = 128 * 1024;
const NO_BYTES = new Uint8Array(0);

/** Where parts of answers go. */
export interface ResponseRoute {
  answer(message: AnswerMessage): void;
  drop(id: number): void;
}

export class RelayedResponse implements ResponsePort {
  /** The front thread has it. */
  readonly keepsBody = true;
  readonly #route: ResponseRoute;
  readonly #id: number;
  readonly #address: ArrayBuffer;
  #status = '';
  #headers: string[] | null = [];
  #givenBytes = 0;
  #takenBytes = 0;
  #onWritable: (offset: number) => boolean = () => true;
  #onAborted = (): void => {};
  #onData: (chunk: ArrayBuffer, isLast: boolean) => void = () => {};

  constructor(route: ResponseRoute, id: number, address: ArrayBuffer) {
    this.#route = route;
    this.#id = id;
    this.#address = address;
  }

  writeStatus(status: string): void {
    this.#status = status;
  }

  writeHeader(name: string, value: string): void {
    this.#headers?.push(name, value);
  }

  end(body: string | Uint8Array = NO_BYTES, closeConnection = false): void {
    this.#send(typeof body === 'string' ? Buffer.from(body) : body, closeConnection ? 'cut' : 'last', false);
  }

  endWithoutBody(): void {
    this.#send(NO_BYTES, 'bodiless', false);
  }

  tryEnd(rest: Uint8Array, totalBytes: number): [boolean, boolean] {
    const isLarge = totalBytes > UNCOUNTED_ANSWER_BYTES;
    if (this.#headers !== null) this.#send(rest, 'whole', isLarge);
    const isTaken = !isLarge || this.#takenBytes === totalBytes;
    return [isTaken, isTaken];
  }

  write(chunk: Uint8Array): boolean {
    this.#givenBytes += chunk.byteLength;
    this.#send(chunk, 'chunk', true);
    return this.#hasRoom();
  }

  getWriteOffset(): number {
    return this.#takenBytes;
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.#onWritable = handler;
  }

  onAborted(handler: () => void): void {
    this.#onAborted = handler;
  }

  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.#onData = handler;
  }

  getRemoteAddress(): ArrayBuffer {
    return this.#address;
  }

  cork(write: () => void): void {
    write();
  }

  /** The front thread looks after the socket. */
  pause(): void {}

  resume(): void {}

  close(): void {
    this.#route.drop(this.#id);
  }

  /** A part of the body has come. */
  takeData(chunk: ArrayBuffer, isLast: boolean): void {
    this.#onData(chunk, isLast);
  }

  /** The client has taken `bytes` of the answer's body. */
  noteTaken(bytes: number): void {
    this.#takenBytes = bytes;
    if (this.#givenBytes === 0 || this.#hasRoom()) this.#onWritable(bytes);
  }

  /** The client has gone, or the answer is complete. */
  abort(): void {
    this.#onAborted();
  }

  #hasRoom(): boolean {
    return this.#givenBytes - this.#takenBytes <= CHUNKS_BYTES_MAX;
  }

  #send(bytes: Uint8Array, end: AnswerEnd, isTracked: boolean): void {
    const head = this.#headers === null ? null : { status: this.#status, headers: this.#headers };
    this.#headers = null;
    // A copy of their own: what is handed in may be lent for this call only.
    this.#route.answer({ kind: 'answer', id: this.#id, head, body: new Uint8Array(bytes), end, isTracked });
  }
}
