/**
 * Writes the head of an answer. To the library each header is a call of its own, and several of them take longer than all else
 * that a short answer needs. So they are handed over as one, whose name begins with the lines that hardly ever change and
 * whose value ends with those of this answer. 20.51 and 20.69 of the library write both as they are (uWebSockets.js, issue
 * 1299, asks for a check that would refuse line breaks).
 *
 * Called by server.ts once for each answer. The only thing of a client's in it is the id of its request, which request-id.ts has
 * checked.
 */
import type { ResponsePort } from './response-port.js';

/**
 * 'drain': the client is told to close, and what it still sends is read and thrown away. Many clients send their whole
 * body before they look at an answer; closing at once would show them a broken pipe instead of the error.
 * 'cut': the connection is closed as soon as the answer is sent.
 */
export type UnreadBody = 'drain' | 'cut';

export interface AnswerHead {
  readonly status: number;
  /** null: no body. */
  readonly contentType: string | null;
  /** Further headers: name, value, name, value. */
  readonly headers?: readonly string[];
  /** Further headers as they are sent: each begins with a line break. They may not come from a client. */
  readonly lines?: string | undefined;
  /** What becomes of the connection when the request's body is not wanted; absent: it stays. */
  readonly connection?: UnreadBody;
}

/**
 * The library drops a connection that was idle for 10 s, give or take the 4 s of its clock. A pool that knows sends its next
 * request on another before that, instead of into one that is closing.
 */
const KEEP_ALIVE = 'keep-alive: timeout=8\r\n';
const CLOSE = 'connection: close\r\n';
const REQUEST_ID = 'x-request-id';

/** By content type: the start of an answer after which the connection is kept. */
const keptStarts = new Map<string | null, string>();

const createStart = (connection: string, contentType: string | null): string =>
  `${connection}${contentType === null ? '' : `content-type: ${contentType}\r\n`}${REQUEST_ID}`;

function keptStart(contentType: string | null): string {
  const known = keptStarts.get(contentType);
  if (known !== undefined) return known;
  const start = createStart(KEEP_ALIVE, contentType);
  keptStarts.set(contentType, start);
  return start;
}

/**
 * Writes the headers of `head`, and those that every answer has: the id of the request, what becomes of the connection.
 * `isDraining`: none is kept. A connection that is cut is told so by the library.
 */
export function writeHeaders(response: ResponsePort, head: AnswerHead, requestId: string, isDraining: boolean): void {
  const { contentType, connection, headers, lines } = head;
  const isClosed = isDraining || connection === 'drain';
  const start =
    isClosed || connection === 'cut' ? createStart(isClosed ? CLOSE : '', contentType) : keptStart(contentType);
  let value = requestId;
  if (headers !== undefined)
    for (let i = 0; i < headers.length; i += 2) value += `\r\n${headers[i]}: ${headers[i + 1]}`;
  response.writeHeader(start, lines === undefined ? value : value + lines);
}
