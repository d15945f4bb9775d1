/**
 * A TCP connection on which a test writes bytes as it likes: malformed heads, half bodies, pipelined requests.
 */
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export class RawSocket {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #closed = false;
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    const end = (): void => {
      this.#closed = true;
      this.#wake();
    };
    socket.on('error', end);
    socket.on('end', end);
    socket.on('close', end);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get received(): string {
    return this.#received.toString('latin1');
  }

  write(bytes: string | Buffer): void {
    if (!this.#closed) this.socket.write(bytes);
  }

  /** Waits until `isDone` holds, the peer closed, or the time is over; returns whether it holds. */
  async waitFor(isDone: () => boolean, withinMs = 10_000): Promise<boolean> {
    const deadline = Date.now() + withinMs;
    while (!isDone() && !this.#closed && Date.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(1, deadline - Date.now()));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return isDone();
  }

  /** Waits for the peer to close the connection. */
  async waitForClose(withinMs = 10_000): Promise<boolean> {
    await this.waitFor(() => this.#closed, withinMs);
    return this.#closed;
  }

  /** Takes the next response with a Content-Length (or without body) off the stream; null when none comes in time. */
  async next(withinMs = 10_000): Promise<RawResponse | null> {
    let taken: RawResponse | null = null;
    await this.waitFor(() => {
      taken ??= this.#take();
      return taken !== null;
    }, withinMs);
    return taken;
  }

  #take(): RawResponse | null {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return null;
    const head = this.#received.subarray(0, headEnd).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const bodyStart = headEnd + 4;
    if (this.#received.length < bodyStart + length) return null;
    const body = this.#received.subarray(bodyStart, bodyStart + length).toString('utf8');
    this.#received = this.#received.subarray(bodyStart + length);
    return { status, head, body };
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** Connects to the server on `port`. */
export function openSocket(port: number): Promise<RawSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(new RawSocket(socket));
    });
  });
}

/** The bytes of a request without body. */
export function rawGet(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`;
}
