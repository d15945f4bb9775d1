/**
 * A small HTTP client for the commands that talk to a running server: keep-alive, bounded retries, plain messages.
 *
 * Never parses a response; its callers do.
 */
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS_MAX = 8;
const RETRY_AFTER_MS_MAX = 30_000;
const BACKOFF_MS = 250;
const RETRIED_STATUSES = new Set([429, 503]);
const RETRIED_ERRORS = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT']);

export interface ApiResponse {
  readonly status: number;
  readonly body: Buffer;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Uint8Array;
  readonly contentType?: string;
  /** Whether a server that cannot be reached may come back: false fails at once. */
  readonly patient?: boolean;
}

/** Something a person can act on; its message is shown as it is. */
export class CommandError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CommandError';
  }
}

/** Nobody answers at the URL. */
export class UnreachableError extends CommandError {}

interface RawResponse extends ApiResponse {
  readonly retryAfter: string | undefined;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Milliseconds that a Retry-After header asks for (RFC 9110, section 10.2.3), bounded; null without a usable one. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const value = header.trim();
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}

export class ApiClient {
  readonly #base: URL;
  readonly #key: string;
  readonly #agent: http.Agent;
  readonly #transport: typeof http | typeof https;
  /** Requests that were answered "later" or lost their connection. */
  retries = 0;

  /** `url`: where the server listens; `key`: '' for none. Errors: CommandError for a bad URL. */
  constructor(url: string, key: string, sockets: number) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new CommandError(`--url must be an http or https URL, got "${url}"`);
    }
    this.#base = new URL(url);
    this.#key = key;
    const isSecure = this.#base.protocol === 'https:';
    this.#transport = isSecure ? https : http;
    const options = { keepAlive: true, maxSockets: sockets };
    this.#agent = isSecure ? new https.Agent(options) : new http.Agent(options);
  }

  /** Sends a request until it is answered. Errors: CommandError when the server stays unreachable or overloaded. */
  async send(request: ApiRequest): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      let waitMs = BACKOFF_MS * 2 ** (attempt - 1);
      try {
        const response = await this.#sendOnce(request);
        if (!RETRIED_STATUSES.has(response.status)) return response;
        if (attempt === ATTEMPTS_MAX) return response;
        waitMs = retryAfterMs(response.retryAfter, Date.now()) ?? waitMs;
      } catch (error) {
        const canRetry = request.patient !== false && RETRIED_ERRORS.has(codeOf(error));
        if (!canRetry || attempt === ATTEMPTS_MAX) throw this.#unreachable(error);
      }
      this.retries++;
      await sleep(Math.min(waitMs, RETRY_AFTER_MS_MAX));
    }
  }

  /** GET of `path`: its body, once it begins. Errors: CommandError for every status but 200, about `doing`. */
  async open(path: string, accept: string, doing: string): Promise<http.IncomingMessage> {
    const url = this.#urlOf(path);
    const incoming = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const headers = { ...this.#headers(), accept };
      const outgoing = this.#transport.get(url, { headers, agent: this.#agent }, resolve);
      outgoing.on('error', (error) => reject(this.#unreachable(error)));
    });
    if (incoming.statusCode === 200) return incoming;
    const body = Buffer.concat(await incoming.toArray());
    throw describeFailure({ status: incoming.statusCode ?? 0, body }, doing);
  }

  /** Sends a request once, and returns its answer whatever that is. Errors: UnreachableError. */
  async ask(request: ApiRequest): Promise<ApiResponse> {
    try {
      return await this.#sendOnce(request);
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #urlOf(path: string): URL {
    return new URL(this.#base.pathname.replace(/\/$/, '') + path, this.#base);
  }

  #headers(): http.OutgoingHttpHeaders {
    return this.#key === '' ? {} : { 'x-service-api-key': this.#key };
  }

  #sendOnce(request: ApiRequest): Promise<RawResponse> {
    const { method, body, contentType } = request;
    const headers: http.OutgoingHttpHeaders = { ...this.#headers(), accept: 'application/json' };
    if (contentType !== undefined) headers['content-type'] = contentType;
    if (body !== undefined) headers['content-length'] = body.length;
    const url = this.#urlOf(request.path);
    return new Promise((resolve, reject) => {
      const outgoing = this.#transport.request(url, { method, headers, agent: this.#agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const retryAfter = incoming.headers['retry-after'];
          resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks), retryAfter });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  #unreachable(error: unknown): UnreachableError {
    const reason = codeOf(error) || (error instanceof Error ? error.message : String(error));
    const hint = reason === 'ECONNREFUSED' ? ': is it running, and is --url right?' : '';
    return new UnreachableError(`cannot reach the server at ${this.#base.href} (${reason})${hint}`, { cause: error });
  }
}

/** What to do about a status, in parentheses behind the message. */
export type FailureHints = Readonly<Record<number, string>>;

const KEY_HINTS: FailureHints = {
  401: '(give --key or set SABRE_ADMIN_KEY)',
  403: '(the search key cannot do this: give the admin key)',
};

/**
 * Says what an error response means: the status, the server's code and message, and what to do about it.
 *
 * `hints`: those of the command, besides the ones about keys.
 */
export function describeFailure(response: ApiResponse, doing: string, hints: FailureHints = {}): CommandError {
  const text = response.body.toString('utf8');
  let detail = text.slice(0, 500);
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    if (error !== undefined) detail = `${error.code}: ${error.message}`;
  } catch {
    // Not an error body of this server; the text itself is shown.
  }
  const hint = hints[response.status] ?? KEY_HINTS[response.status];
  const advice = hint === undefined ? '' : ` ${hint}`;
  return new CommandError(`${doing}: the server answered ${response.status} ${detail}${advice}`);
}
