/**
 * A front thread's end of the requests that it hands on: posts each with its body to the main thread, and writes what that
 * answers.
 *
 * How much of a body may be under way is bounded: a client that sends faster than the main thread takes it in is paused.
 */

import { ChunkSender } from '../http/chunk-sender.js';
import { heldOpen } from '../http/held-open.js';
import { mayHaveBody } from '../http/request-head.js';
import type { RequestPort } from '../http/request-port.js';
import type { ResponsePort } from '../http/response-port.js';
import type { UnsentBytes } from '../http/unsent-bytes.js';
import type { AnswerMessage, FromFront, ToFront } from './messages.js';
import { weightOf } from './relay-receiver.js';

/** Weight of the parts of a body that may be on their way to the main thread. */
const BODY_UNDER_WAY_MAX = 1024 * 1024;

interface HandedOn {
  readonly response: ResponsePort;
  /** Weight of the parts of the body that are on their way. */
  bodyWeight: number;
  chunks: ChunkSender | null;
  /** What is to be given back when the request is over. */
  release: () => void;
}

const noRelease = (): void => {};

export class RequestRelay {
  readonly #post: (message: FromFront) => void;
  readonly #unsent: UnsentBytes;
  readonly #onClosed: () => void;
  readonly #open = new Map<number, HandedOn>();
  #nextId = 0;

  /** `onClosed` is called when a request that was handed on is over. */
  constructor(post: (message: FromFront) => void, unsent: UnsentBytes, onClosed: () => void) {
    this.#post = post;
    this.#unsent = unsent;
    this.#onClosed = onClosed;
  }

  /** Requests that are under way. */
  get count(): number {
    return this.#open.size;
  }

  /** Hands `request` on. To be called within its handler. */
  send(response: ResponsePort, request: RequestPort): void {
    const id = this.#nextId++;
    const headers: string[] = [];
    request.forEach((name, value) => void headers.push(name, value));
    const method = request.getCaseSensitiveMethod();
    const head = { method, url: request.getUrl(), query: request.getQuery() ?? '', headers };
    this.#post({ kind: 'request', id, ...head, address: response.getRemoteAddress() });
    const handedOn: HandedOn = { response, bodyWeight: 0, chunks: null, release: noRelease };
    this.#open.set(id, handedOn);
    response.onAborted(() => {
      if (this.#close(id)) this.#post({ kind: 'over', id });
    });
    if (!mayHaveBody(method)) return;
    heldOpen.add(response);
    response.onData((chunk, isLast) => this.#sendData(id, handedOn, chunk, isLast));
  }

  /** Takes what the main thread says about a request, which may be over. */
  receive(message: Extract<ToFront, { id: number }>): void {
    const handedOn = this.#open.get(message.id);
    if (handedOn === undefined) return;
    const { response } = handedOn;
    if (message.kind === 'drop') {
      response.close();
    } else if (message.kind === 'taken') {
      const wasFull = handedOn.bodyWeight > BODY_UNDER_WAY_MAX;
      // Of an answered request nothing is counted any more.
      handedOn.bodyWeight = Math.max(0, handedOn.bodyWeight - message.weight);
      if (wasFull && handedOn.bodyWeight <= BODY_UNDER_WAY_MAX) this.#goOn(response);
    } else {
      response.cork(() => this.#write(handedOn, message));
    }
  }

  #sendData(id: number, handedOn: HandedOn, chunk: ArrayBuffer, isLast: boolean): void {
    if (!this.#open.has(id)) return;
    const weight = weightOf(chunk);
    this.#post({ kind: 'data', id, chunk, isLast });
    if (isLast) return;
    const wasFull = handedOn.bodyWeight > BODY_UNDER_WAY_MAX;
    handedOn.bodyWeight += weight;
    if (wasFull || handedOn.bodyWeight <= BODY_UNDER_WAY_MAX) return;
    // It is not to go on before there is room.
    heldOpen.remove(handedOn.response);
    handedOn.response.pause();
  }

  /** Lets a body go on that was held up. From then on the library waits ten seconds for more, even where there is no more to come. */
  #goOn(response: ResponsePort): void {
    response.resume();
    heldOpen.add(response);
  }

  #write(handedOn: HandedOn, message: AnswerMessage): void {
    const { response } = handedOn;
    const { id, head, body, end } = message;
    // What still comes of a body that is answered already is thrown away.
    if (handedOn.bodyWeight > BODY_UNDER_WAY_MAX) this.#goOn(response);
    handedOn.bodyWeight = 0;
    if (head !== null) {
      if (head.status !== '') response.writeStatus(head.status);
      const { headers } = head;
      for (let i = 0; i < headers.length; i += 2) response.writeHeader(headers[i], headers[i + 1]);
    }
    if (end === 'whole') {
      this.#writeWhole(handedOn, message);
      return;
    }
    if (end === 'chunk') {
      handedOn.chunks ??= new ChunkSender(response, (bytes) => this.#post({ kind: 'taken', id, bytes }));
      heldOpen.add(response);
      handedOn.chunks.send(body);
      return;
    }
    if (end === 'bodiless') response.endWithoutBody();
    else if (end === 'cut') response.end(body, true);
    else if (handedOn.chunks === null) response.end(body);
    else {
      // To the main thread the answer is over.
      this.#keep(handedOn, body.length);
      handedOn.chunks.end(body, () => this.#close(id));
      return;
    }
    this.#close(id);
  }

  #writeWhole(handedOn: HandedOn, { id, body, isTracked }: AnswerMessage): void {
    const { response } = handedOn;
    const startOffset = response.getWriteOffset();
    const finish = (): void => {
      if (isTracked) {
        this.#post({ kind: 'taken', id, bytes: body.length });
        this.#post({ kind: 'over', id });
      }
      this.#close(id);
    };
    const [, isComplete] = response.tryEnd(body, body.length);
    if (isComplete) {
      finish();
      return;
    }
    heldOpen.add(response);
    // What is tracked is accounted for, and watched, on the main thread.
    const transfer = isTracked ? null : this.#keep(handedOn, body.length);
    response.onWritable((offset) => {
      const sentBytes = offset - startOffset;
      if (transfer !== null) transfer.movedBytes = sentBytes;
      const [isTaken, isDone] = response.tryEnd(body.subarray(sentBytes), body.length);
      if (isDone) finish();
      else if (isTracked) this.#post({ kind: 'taken', id, bytes: sentBytes });
      return isTaken;
    });
  }

  /** Keeps a small answer that its client has not read. */
  #keep(handedOn: HandedOn, bytes: number): { movedBytes: number } {
    const { response } = handedOn;
    const unsent = this.#unsent;
    const transfer = { movedBytes: 0, onTooSlow: () => void response.close() };
    unsent.keepSmall(bytes);
    unsent.watch.add(transfer);
    handedOn.release = () => {
      unsent.watch.remove(transfer);
      unsent.release(null, bytes);
    };
    return transfer;
  }

  /** Returns false when the request was over before. */
  #close(id: number): boolean {
    const handedOn = this.#open.get(id);
    if (handedOn === undefined) return false;
    this.#open.delete(id);
    heldOpen.remove(handedOn.response);
    handedOn.release();
    this.#onClosed();
    return true;
  }
}
