/**
 * Writes answers. Called by the routes and by error-reply.ts, once for each exchange that is still open. An answer goes
 * reply() -> Exchange.beginAnswer() -> HttpServer.beginAnswer(), once; its own headers and its body follow from here.
 *
 * The body may be a view of shared memory that is valid only during the call: what the socket does not take at once is
 * copied. A large one is written only when there is room to keep it for a client that reads slowly (unsent-bytes.ts), and
 * handed to the socket piece by piece as that takes it.
 */
import { EngineError } from '../../engine/index.js';
import { type Encoding, encodingOf } from './accept-encoding.js';
import type { AnswerHead } from './answer-head.js';
import type { NoRoom } from './client-budget.js';
import type { Exchange } from './exchange.js';
import { heldOpen } from './held-open.js';
import { RequestError } from './request-error.js';
import { UNCOUNTED_ANSWER_BYTES, type UnsentBytes } from './unsent-bytes.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const NDJSON_TYPE = 'application/x-ndjson';
export const MSGPACK_TYPE = 'application/msgpack';

/** The one that takes less time of this thread first. */
const ENCODINGS: readonly Encoding[] = ['gzip', 'br'];

export interface Answer extends AnswerHead {
  /** Empty exactly when `contentType` is null. */
  readonly body: string | Uint8Array;
  /** The body goes out as it is: it was compressed before, or the client does not want that. */
  readonly isEncoded?: true;
  /** It tells what was done, and cannot be undone because there is no room for the answer. */
  readonly isDone?: true | undefined;
}

const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  201: '201 Created',
  204: '204 No Content',
  302: '302 Found',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  409: '409 Conflict',
  413: '413 Content Too Large',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
  504: '504 Gateway Timeout',
  507: '507 Insufficient Storage',
};

/** Returns the status line's text of `status`. */
export const statusLine = (status: number): string => STATUS_LINES[status] ?? String(status);

/** Every status this server answers with. */
export const STATUSES: readonly number[] = Object.keys(STATUS_LINES).map(Number);

/**
 * Answers `exchange`; does nothing when it was answered already or its client went away. A large answer is replaced by
 * `overloaded`, 503 or for too much of one client 429, when there is no room to keep it; one that tells what was done is not, unless twice
 * the room is taken, and then by `unknown_outcome`, after which nobody does it again without looking.
 */
export function reply(exchange: Exchange, answer: Answer): void {
  const { minBytes } = exchange.compressor;
  const isLarge = minBytes > 0 && answer.body.length >= minBytes;
  if (answer.status === 200 && isLarge && answer.isEncoded !== true) replyLarge(exchange, answer);
  else replyPlain(exchange, answer);
}

/** Answers compressed, if the client wants that and there is time for it. */
function replyLarge(exchange: Exchange, answer: Answer): void {
  if (!exchange.isOpen) return;
  const { status, contentType, body, lines, isDone } = answer;
  const headers = [...(answer.headers ?? []), 'vary', 'accept-encoding'];
  const encoding = encodingOf(exchange.head.acceptEncoding, ENCODINGS);
  // Member by member: an object that is spread is built many times slower.
  const plain =
    answer.connection === undefined ? { status, contentType, body, headers, lines, isDone } : { ...answer, headers };
  if (encoding === null) {
    replyPlain(exchange, plain);
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : ownedBytes(body);
  const isTaken = exchange.compressor.compress(encoding, bytes, (packed) => {
    if (!exchange.isOpen) return;
    if (packed === null || packed.length >= bytes.length) {
      replyPlain(exchange, { ...plain, body: bytes });
      return;
    }
    // Nobody needs the plain bytes any more.
    exchange.letGo();
    replyPlain(exchange, { ...answer, headers: [...headers, 'content-encoding', encoding], body: packed });
  });
  if (!isTaken) replyPlain(exchange, plain);
}

function replyPlain(exchange: Exchange, answer: Answer): void {
  if (!exchange.isOpen) return;
  const kept = keepBody(exchange, answer);
  if (kept === null) return;
  if (exchange.isCorked) writeAnswer(exchange, answer, kept);
  else exchange.response.cork(() => writeAnswer(exchange, answer, kept));
}

/** Writes `answer`, which was held until now and is short, with `bytes` for its body. The response is corked. */
export function replyHeld(exchange: Exchange, answer: Answer, bytes: Uint8Array): void {
  writeAnswer(exchange, answer, { bytes, client: null, keptBytes: 0 });
}

/** Answers with `value` as JSON, which tells what was done. */
export function replyDone(exchange: Exchange, status: number, value: unknown): void {
  reply(exchange, { status, contentType: JSON_TYPE, body: JSON.stringify(value), isDone: true });
}

/** Answers with `value` as JSON. */
export function replyJson(exchange: Exchange, status: number, value: unknown): void {
  reply(exchange, { status, contentType: JSON_TYPE, body: JSON.stringify(value) });
}

/** Answers 204 without a body. */
export function replyNoContent(exchange: Exchange): void {
  reply(exchange, { status: 204, contentType: null, body: '' });
}

function writeAnswer(exchange: Exchange, answer: Answer, kept: KeptBody): void {
  exchange.beginAnswer(answer);
  writeBody(exchange, answer, kept);
}

const NO_BYTES = new Uint8Array(0);

/** The bytes of a body, with what is kept of them while they are sent. */
interface KeptBody {
  readonly bytes: Uint8Array;
  /** Whose they are; null: nobody's. */
  readonly client: string | null;
  /** 0: nothing is kept yet. */
  readonly keptBytes: number;
}

/** Keeps room for the body of `answer`, or fails the exchange and returns null, as noRoomError() says. */
function keepBody(exchange: Exchange, answer: Answer): KeptBody | null {
  const bytes = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  const { byteLength } = bytes;
  if (byteLength <= UNCOUNTED_ANSWER_BYTES || exchange.isHead) return { bytes, client: null, keptBytes: 0 };
  const { client, unsent } = exchange;
  const noRoom = unsent.keep(client, byteLength);
  if (noRoom === null) return { bytes, client, keptBytes: byteLength };
  if (answer.isDone !== true) exchange.fail(noRoomError(unsent, noRoom, byteLength));
  else if (unsent.keepDone(byteLength)) return { bytes, client: null, keptBytes: byteLength };
  else exchange.fail(untoldError(byteLength));
  return null;
}

/** `unknown_outcome`: an answer of `byteLength` bytes tells what was done, and there is no room for it whatsoever. */
function untoldError(byteLength: number): EngineError {
  const message = `it was done, and what came of each part is not told: answers not yet read take all room, this one has ${byteLength} bytes`;
  return new EngineError('unknown_outcome', message, { isLate: true });
}

/** An answer of `byteLength` bytes, or so many of it, cannot be kept in `unsent`: now, which is `overloaded`, or ever, `payload_too_large`. */
export function noRoomError(unsent: UnsentBytes, noRoom: NoRoom, byteLength: number): RequestError {
  const largest = Math.min(unsent.clientMaxBytes, unsent.maxBytes);
  if (byteLength > largest) {
    const message = `the answer: expected at most ${largest} bytes for one client, got ${byteLength}; ask for fewer hits or fields`;
    return new RequestError('payload_too_large', message);
  }
  const isClients = noRoom === 'client';
  const bound = isClients ? `${unsent.clientMaxBytes} bytes for one client` : `${unsent.maxBytes} bytes together`;
  const message = `answers not yet read: at most ${bound}, this one has ${byteLength}; try again later`;
  return new RequestError('overloaded', message, isClients ? 429 : undefined);
}

function writeBody(exchange: Exchange, answer: Answer, kept: KeptBody): void {
  const { response } = exchange;
  const { bytes } = kept;
  if (answer.connection === 'cut') {
    // Without a body the library would leave the connection open.
    response.end(exchange.isHead ? NO_BYTES : bytes, true);
  } else if (exchange.isHead || answer.contentType === null) {
    if (answer.contentType !== null) response.writeHeader('content-length', String(bytes.byteLength));
    response.endWithoutBody();
  } else {
    const [, isComplete] = response.tryEnd(bytes, bytes.byteLength);
    if (!isComplete) {
      sendRest(exchange, kept);
      return;
    }
  }
  if (kept.keptBytes > 0) exchange.unsent.release(kept.client, kept.keptBytes);
  exchange.close();
}

/** `bytes`, or a copy of them: what lies in shared memory is only lent. */
const ownedBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer instanceof ArrayBuffer ? bytes : Uint8Array.from(bytes);

/**
 * Sends what the socket did not take as the client reads. A client that reads too slowly, or nothing, is cut off, which runs
 * the abort handler and so gives the memory back.
 */
function sendRest(exchange: Exchange, { bytes, client, keptBytes }: KeptBody): void {
  const { response, unsent } = exchange;
  const totalBytes = bytes.byteLength;
  const startOffset = response.getWriteOffset();
  const rest = response.keepsBody === true ? NO_BYTES : ownedBytes(bytes.subarray(startOffset));
  const restBytes = keptBytes > 0 ? keptBytes : totalBytes - startOffset;
  if (keptBytes === 0) unsent.keepSmall(restBytes);
  const transfer = { movedBytes: 0, onTooSlow: () => response.close() };
  unsent.watch.add(transfer);
  heldOpen.add(response);
  const releaseBefore = exchange.release;
  exchange.release = () => {
    unsent.watch.remove(transfer);
    heldOpen.remove(response);
    unsent.release(client, restBytes);
    releaseBefore();
  };
  response.onWritable((offset) => {
    transfer.movedBytes = offset - startOffset;
    const [isTaken, isComplete] = response.tryEnd(rest.subarray(offset - startOffset), totalBytes);
    if (isComplete) exchange.close();
    return isTaken;
  });
}
