/**
 * The results of several searches on their way into one answer: bodies or errors, in the order of the searches whichever is first.
 *
 * Made by multi-search.ts for one request. What it holds while others are missing is counted as answers are that their clients have
 * not read, in the same bounds.
 */
import { encode } from '@msgpack/msgpack';
import { limits, type ReadResult, type ResponseFormat } from '../../engine/index.js';
import type { ClientShare } from '../http/client-budget.js';
import { isExpectedError } from '../http/error-reply.js';
import type { Exchange } from '../http/exchange.js';
import { JSON_TYPE, MSGPACK_TYPE, noRoomError, reply } from '../http/reply.js';
import { RequestError } from '../http/request-error.js';
import { UNCOUNTED_ANSWER_BYTES } from '../http/unsent-bytes.js';
import { ResultRoom } from './result-room.js';

/** Of all results of a request together. */
const RESULTS_BYTES_MAX = 64 * 1024 * 1024;

/** A part of an answer in the format that the client wants. */
interface Framing {
  readonly contentType: string;
  /** What stands before the first of `count` results, between two, and behind the last. */
  head(count: number): Uint8Array;
  readonly comma: Uint8Array;
  readonly tail: Uint8Array;
  error(code: string, message: string): Uint8Array;
}

const NO_BYTES = new Uint8Array(0);
/** As many bytes as most answers have, of small results that this thread finds itself. */
const room = new ResultRoom(256 * 1024, limits.MULTI_SEARCH_MAX);

const JSON_HEAD = Buffer.from('{"results":[');
const jsonFraming: Framing = {
  contentType: JSON_TYPE,
  head: () => JSON_HEAD,
  comma: Buffer.from(','),
  tail: Buffer.from(']}'),
  error: (code, message) => Buffer.from(JSON.stringify({ error: { code, message } })),
};
/** A map of one key, and an array of up to 65,535 elements. */
const msgpackFraming: Framing = {
  contentType: MSGPACK_TYPE,
  head: (count) => Buffer.concat([Buffer.of(0x81), encode('results'), Buffer.of(0xdc, count >> 8, count & 0xff)]),
  comma: NO_BYTES,
  tail: NO_BYTES,
  error: (code, message) => encode({ error: { code, message } }),
};

export class GatheredResults {
  readonly #exchange: Exchange;
  readonly #framing: Framing;
  readonly #bodies: Uint8Array[];
  readonly #share: ClientShare;
  readonly #startedMs = performance.now();
  #missing: number;
  #byteCount = 0;
  /** The results so far lie in the room, and not in #bodies. */
  #isInRoom = true;

  /** For a request of `count` searches; endCall() must be called when the call that makes this is over. */
  constructor(exchange: Exchange, format: ResponseFormat, count: number) {
    this.#exchange = exchange;
    this.#framing = format === 'json' ? jsonFraming : msgpackFraming;
    this.#bodies = new Array<Uint8Array>(count).fill(NO_BYTES);
    this.#share = exchange.unsent.openShare(() => exchange.client);
    this.#missing = count;
    room.begin(this.#framing.head(count));
  }

  /** Search `index` has succeeded. What lies in shared memory is copied. */
  add(index: number, { body, heldBytes }: ReadResult): void {
    this.#put(index, body, heldBytes === 0);
  }

  /** What is missing comes later, when another request may have the room. */
  endCall(): void {
    if (this.#isInRoom && this.#missing > 0) this.#leaveRoom();
  }

  /** Search `index` has failed; with what is not meant for the client, all of them have. */
  fail(index: number, error: unknown): void {
    if (isExpectedError(error)) this.#put(index, this.#framing.error(error.code, error.message), false);
    else this.#exchange.fail(error);
  }

  /** Nobody waits for the results any more. */
  drop(): void {
    this.#isInRoom = false;
    this.#bodies.fill(NO_BYTES);
    this.#exchange.unsent.closeShare(this.#share);
  }

  /** `isLent`: the bytes are valid only during this call. */
  #put(index: number, body: Uint8Array, isLent: boolean): void {
    const { isOpen, unsent } = this.#exchange;
    if (!isOpen) return;
    if (this.#isInRoom && !this.#putInRoom(index, body)) this.#leaveRoom();
    if (!this.#isInRoom) this.#bodies[index] = isLent ? new Uint8Array(body) : body;
    this.#byteCount += body.length;
    this.#missing -= 1;
    if (this.#byteCount > RESULTS_BYTES_MAX) {
      const message = `the results: expected at most ${RESULTS_BYTES_MAX} bytes together, got more; ask for fewer hits or fields`;
      this.#exchange.fail(new RequestError('payload_too_large', message));
      return;
    }
    const noRoom = this.#byteCount <= UNCOUNTED_ANSWER_BYTES ? null : this.#share.grow(this.#byteCount);
    if (noRoom !== null) this.#exchange.fail(noRoomError(unsent, noRoom, this.#byteCount));
    else if (this.#missing === 0) this.#answer();
  }

  #putInRoom(index: number, body: Uint8Array): boolean {
    return index === room.count && room.add(index === 0 ? NO_BYTES : this.#framing.comma, body);
  }

  #leaveRoom(): void {
    for (let index = 0; index < room.count; index++) this.#bodies[index] = room.copyOf(index);
    this.#isInRoom = false;
  }

  #joined(): Uint8Array {
    const { head, comma, tail } = this.#framing;
    const closed = this.#isInRoom ? room.close(tail) : null;
    if (closed !== null) return closed;
    if (this.#isInRoom) this.#leaveRoom();
    const parts = this.#bodies.flatMap((body, i) => (i === 0 ? [body] : [comma, body]));
    return Buffer.concat([head(this.#bodies.length), ...parts, tail]);
  }

  #answer(): void {
    const body = this.#joined();
    this.drop();
    const ms = Math.round((performance.now() - this.#startedMs) * 1000) / 1000;
    reply(this.#exchange, {
      status: 200,
      contentType: this.#framing.contentType,
      body,
      headers: ['server-timing', `search;dur=${ms}`],
    });
  }
}
