/**
 * One connection to a server, on which requests are asked one after the other: a client that costs little of its own, so that what
 * it measures is the server and the socket. Used by multi-search.ts and search-helpers.ts.
 *
 * Speaks just the HTTP/1.1 that this server answers: one response with Content-Length at a time.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const SERVER_TIME = /\r\nserver-timing: *search;dur=([\d.]+)/i;
const NO_BYTES: Buffer = Buffer.alloc(0);

export interface TimedAnswer {
  /** Microseconds from the request's first byte sent to the answer's last byte received. */
  readonly clientUs: number;
  /** Microseconds by Server-Timing. */
  readonly serverUs: number;
  readonly body: Buffer;
}

/** A request as it goes over the wire. */
export function requestBytes(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  const json = JSON.stringify(body);
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
}

export class OneConnection {
  readonly #socket: Socket;
  #received = NO_BYTES;
  #onAnswer: (head: string, body: Buffer) => void = () => {};
  #onError: (error: Error) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#onError(error));
    socket.on('close', () => this.#onError(new Error('the server closed the connection')));
  }

  /** Connects to the server on `port`. Errors: those of the connection. */
  static async open(port: number): Promise<OneConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new OneConnection(socket);
  }

  /** Asks `request` when the one before was answered. Throws when it is not answered with 200. */
  ask(request: Buffer): Promise<TimedAnswer> {
    return new Promise((resolve, reject) => {
      this.#onError = reject;
      const startedMs = performance.now();
      this.#onAnswer = (head, body) => {
        const clientUs = (performance.now() - startedMs) * 1000;
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(`answered ${head.slice(0, 40)}: ${body.toString()}`));
        else resolve({ clientUs, serverUs: Number(SERVER_TIME.exec(head)?.[1] ?? Number.NaN) * 1000, body });
      };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const bodyStart = headEnd + HEAD_END.length;
    const bodyBytes = Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
    if (this.#received.length < bodyStart + bodyBytes) return;
    const body = this.#received.subarray(bodyStart, bodyStart + bodyBytes);
    this.#received = NO_BYTES;
    this.#onAnswer(head, body);
  }
}
