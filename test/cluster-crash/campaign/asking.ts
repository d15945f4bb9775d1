/**
 * Requests to nodes that may be dead, stopped or cut off: each ends within a time, and says what is known of it. Used by traffic.ts.
 */
import { Agent, request as httpRequest } from 'node:http';
import type { Outcome } from './history.js';

/** Where a node is asked. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface Answer {
  /** 0: there was none. */
  readonly status: number;
  readonly text: string;
  /** Without an answer: whether the node may have got the request. */
  readonly wasSent: boolean;
  /** The whole seconds that Retry-After asks for, 0 without. */
  readonly retryAfterS: number;
}

/** Faults of making a connection. */
const NOT_SENT = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];
const REFUSED = [429, 503, 507];
/** Servers close connections that are idle for 8 seconds. */
const IDLE_MS_MAX = 4000;

/** What an answer to a write says of it. */
export function outcomeOf({ status, wasSent }: Answer): Outcome {
  if (status >= 200 && status < 300) return 'acknowledged';
  if (status === 0) return wasSent ? 'unknown' : 'refused';
  return (status >= 400 && status < 500) || REFUSED.includes(status) ? 'refused' : 'unknown';
}

export class Asker {
  readonly #agents = new Map<string, Agent>();

  /** Asks, and waits for the whole answer, `withinMs` at most. Never throws. */
  ask({ host, port }: Target, method: string, path: string, body: string | null, withinMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      const fail = (wasSent: boolean) => (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        resolve({
          status: 0,
          text: String(error),
          wasSent: wasSent && !NOT_SENT.includes(error.code ?? ''),
          retryAfterS: 0,
        });
      };
      const headers = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
      const agent = this.#agentOf(`${host}:${port}`);
      const outgoing = httpRequest({ host, port, method, path, headers, agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail(true));
        incoming.on('end', () => {
          clearTimeout(timer);
          const retryAfterS = Number(incoming.headers['retry-after'] ?? 0);
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: incoming.statusCode ?? 0, text, wasSent: true, retryAfterS });
        });
      });
      const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${withinMs} ms`)), withinMs);
      outgoing.on('error', fail(true));
      outgoing.end(body ?? undefined);
    });
  }

  #agentOf(key: string): Agent {
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const agent = new Agent({ keepAlive: true, timeout: IDLE_MS_MAX });
    // An idle connection that times out is closed by the agent; one in use ends by the timer of its request.
    this.#agents.set(key, agent);
    return agent;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}
