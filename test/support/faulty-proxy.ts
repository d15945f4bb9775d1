/**
 * A proxy before a real server that does wrong what a test tells it to: for each request the next of its faults, until there
 * are none left. Counts what it was asked.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { freePort } from './server.js';

export interface Fault {
  /** `answer`: a status and a body without asking the server; `reset`: the connection breaks, before or after the server was asked; `silence`: no answer. */
  readonly kind: 'answer' | 'reset' | 'reset-after' | 'silence';
  readonly status?: number;
  readonly code?: string;
  readonly retryAfter?: string;
  readonly location?: string;
}

export interface FaultyProxy {
  readonly url: string;
  /** What goes wrong from now on, one fault for each request. */
  readonly faults: Fault[];
  /** `GET /path` of each request so far, and when it came. */
  readonly asked: { readonly line: string; readonly atMs: number; readonly headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/** Starts one before the server at `port`, on the port `own` or a free one. The caller closes it. */
export async function startFaultyProxy(port: number, own?: number): Promise<FaultyProxy> {
  const at = own ?? (await freePort());
  const faults: Fault[] = [];
  const asked: FaultyProxy['asked'] = [];

  const forward = (incoming: IncomingMessage, answer: (reply: IncomingMessage) => void): void => {
    const { method, url: path, headers } = incoming;
    incoming.pipe(request({ host: '127.0.0.1', port, method, path, headers }, answer));
  };
  const fail = (fault: Fault, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (fault.kind === 'reset') incoming.socket.destroy();
    else if (fault.kind === 'reset-after') forward(incoming, () => incoming.socket.destroy());
    else if (fault.kind === 'answer') {
      const headers = {
        ...(fault.retryAfter !== undefined && { 'retry-after': fault.retryAfter }),
        ...(fault.location !== undefined && { location: fault.location }),
      };
      const body = fault.code === undefined ? '<html>' : JSON.stringify({ error: { code: fault.code, message: 'no' } });
      incoming.resume();
      outgoing.writeHead(fault.status ?? 503, headers).end(body);
    }
  };
  const proxy = createServer((incoming, outgoing) => {
    asked.push({ line: `${incoming.method} ${incoming.url}`, atMs: performance.now(), headers: incoming.headers });
    const fault = faults.shift();
    if (fault !== undefined) fail(fault, incoming, outgoing);
    else
      forward(incoming, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      });
  });
  await new Promise<void>((resolve) => proxy.listen(at, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${at}`,
    faults,
    asked,
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
