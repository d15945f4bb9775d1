/**
 * Writes answers. Called by the routes and by error-reply.ts, once for each exchange that is still open.
 *
 * The body may be a view of shared memory that is valid only during the call: what the socket does not take at once is
 * copied. A client that stops reading holds at most its one unsent body, and all of them together at most
 * UNSENT_BYTES_MAX.
 */
import type { Exchange } from './exchange.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const MSGPACK_TYPE = 'application/msgpack';

/** Beyond this many unsent bytes, the connection of the next client that does not keep up is dropped. */
export const UNSENT_BYTES_MAX = 512 * 1024 * 1024;

/**
 * 'drain': the client is told to close, and what it still sends is read and thrown away. Many clients send their whole
 * body before they look at an answer; closing at once would show them a broken pipe instead of the error.
 * 'cut': the connection is closed as soon as the answer is sent.
 */
export type UnreadBody = 'drain' | 'cut';

export interface Answer {
  readonly status: number;
  /** null: no body. */
  readonly contentType: string | null;
  /** Empty exactly when `contentType` is null. */
  readonly body: string | Uint8Array;
  /** Further headers: name, value, name, value. */
  readonly headers?: readonly string[];
  /** What becomes of the connection when the request's body is not wanted; absent: it stays. */
  readonly connection?: UnreadBody;
}

const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  201: '201 Created',
  204: '204 No Content',
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
  507: '507 Insufficient Storage',
};

/** Returns the status line's text of `status`. */
export const statusLine = (status: number): string => STATUS_LINES[status] ?? String(status);

/** Every status this server answers with. */
export const STATUSES: readonly number[] = Object.keys(STATUS_LINES).map(Number);

/** Answers `exchange`; does nothing when it was answered already or its client went away. */
export function reply(exchange: Exchange, answer: Answer): void {
  if (!exchange.isOpen) return;
  if (exchange.isCorked) writeAnswer(exchange, answer);
  else exchange.response.cork(() => writeAnswer(exchange, answer));
}

/** Answers with `value` as JSON. */
export function replyJson(exchange: Exchange, status: number, value: unknown): void {
  reply(exchange, { status, contentType: JSON_TYPE, body: JSON.stringify(value) });
}

/** Answers 204 without a body. */
export function replyNoContent(exchange: Exchange): void {
  reply(exchange, { status: 204, contentType: null, body: '' });
}

function writeAnswer(exchange: Exchange, answer: Answer): void {
  const { response } = exchange;
  exchange.markAnswered(answer.status);
  if (answer.status !== 200) response.writeStatus(statusLine(answer.status));
  if (answer.contentType !== null) response.writeHeader('content-type', answer.contentType);
  exchange.writeCommonHeaders();
  if (answer.connection === 'drain') response.writeHeader('connection', 'close');
  if (answer.headers !== undefined) {
    for (let index = 0; index < answer.headers.length; index += 2) {
      response.writeHeader(answer.headers[index] as string, answer.headers[index + 1] as string);
    }
  }
  writeBody(exchange, answer);
}

function writeBody(exchange: Exchange, answer: Answer): void {
  const { response } = exchange;
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  if (exchange.isHead && answer.contentType !== null) {
    response.writeHeader('content-length', String(body.byteLength));
    response.endWithoutBody();
  } else if (answer.contentType === null) {
    response.endWithoutBody();
  } else if (answer.connection === 'cut') {
    response.end(body, true);
  } else {
    const [, isComplete] = response.tryEnd(body, body.byteLength);
    if (!isComplete) {
      sendRest(exchange, body);
      return;
    }
  }
  exchange.close();
}

let unsentBytes = 0;

/** Returns how many bytes of answers wait for clients that read slowly. */
export const unsentBytesNow = (): number => unsentBytes;

/**
 * Keeps a copy of what the socket did not take and sends it as the client reads. A client that reads nothing is dropped
 * by the socket's own timeout, which runs the abort handler and so gives the copy back.
 */
function sendRest(exchange: Exchange, body: Uint8Array): void {
  const { response } = exchange;
  const totalBytes = body.byteLength;
  const sentBytes = response.getWriteOffset();
  const restBytes = totalBytes - sentBytes;
  if (unsentBytes + restBytes > UNSENT_BYTES_MAX) {
    response.close();
    return;
  }
  const rest = new Uint8Array(restBytes);
  rest.set(body.subarray(sentBytes));
  unsentBytes += restBytes;
  const releaseBefore = exchange.release;
  exchange.release = () => {
    unsentBytes -= restBytes;
    releaseBefore();
  };
  response.onWritable((offset) => {
    const [isTaken, isComplete] = response.tryEnd(rest.subarray(offset - sentBytes), totalBytes);
    if (isComplete) exchange.close();
    return isTaken;
  });
}
