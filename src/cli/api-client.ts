/**
 * A small HTTP client for the commands that talk to a running server: keep-alive, bounded retries, plain messages.
 *
 * Never parses a response; its callers do.
 */
import http from 'node:http';
import https from 'node:https';
import {
  type Clock,
  isPassingFault,
  isPassingStatus,
  REFUSED_MS_MAX,
  REPEATED_MS_MAX,
  retryAfterMs,
  systemClock,
  waitMs,
} from './retry.js';

export interface ApiResponse {
  readonly status: number;
  readonly body: Buffer;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Uint8Array;
  readonly contentType?: string;
  /** Whether twice is as good as once. It is sent again for minutes then, also where nobody knows whether the first try was done. */
  readonly isRepeatable?: boolean;
}

/** Something a person can act on; its message is shown as it is. */
export class CommandError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CommandError';
  }
}

/** What to do about a fault of the connection, behind the message. */
const FAULT_ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: ': is it running, and is --url right?',
  ENOTFOUND: ': is --url right?',
  EAI_AGAIN: ': is --url right?',
};

/** Nobody answers at the URL. */
export class UnreachableError extends CommandError {}

interface RawResponse extends ApiResponse {
  readonly retryAfter: string | undefined;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export class ApiClient {
  readonly #base: URL;
  readonly #key: string;
  readonly #agent: http.Agent;
  readonly #transport: typeof http | typeof https;
  readonly #clock: Clock;
  /** How often requests were sent again. */
  retries = 0;

  /** `url`: where the server listens; `key`: '' for none. Errors: CommandError for a bad URL. */
  constructor(url: string, key: string, sockets: number, clock = systemClock) {
    this.#clock = clock;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      // Without a scheme it is no address that passwords are taken out of later.
      throw new CommandError(`--url must be an http or https URL, got "${url.replace(/^.*@/, '***@')}"`);
    }
    this.#base = new URL(url);
    this.#key = key;
    const isSecure = this.#base.protocol === 'https:';
    this.#transport = isSecure ? https : http;
    const options = { keepAlive: true, maxSockets: sockets };
    this.#agent = isSecure ? new https.Agent(options) : new http.Agent(options);
  }

  /**
   * Sends a request until it is answered, for as long as retry.ts allows: after that, or once `stopped`, the last try counts. One
   * that only asks is given up then. Errors: UnreachableError.
   */
  async send(request: ApiRequest, stopped?: AbortSignal): Promise<ApiResponse> {
    const isRepeatable = request.isRepeatable === true;
    const signal = request.method === 'GET' ? stopped : undefined;
    const untilMs = this.#clock.now() + (isRepeatable ? REPEATED_MS_MAX : REFUSED_MS_MAX);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#sendOnce(request, signal).catch((error: unknown) => this.#unreachable(error));
      const isFault = outcome instanceof UnreachableError;
      const askedMs = isFault ? null : retryAfterMs(outcome.retryAfter, Date.now());
      const isPassing = isFault
        ? isPassingFault(codeOf(outcome.cause), isRepeatable)
        : isPassingStatus(outcome.status, askedMs !== null, isRepeatable);
      const ms = waitMs(attempt, askedMs ?? 0);
      const mayWait = isPassing && this.#clock.now() + ms <= untilMs;
      if (mayWait) await this.#clock.sleep(ms, stopped);
      if (!mayWait || stopped?.aborted === true) {
        if (isFault) throw outcome;
        return outcome;
      }
      this.retries++;
    }
  }

  /**
   * GET of `path`: its body, once it begins, unless that is `stopped` before its end. Errors: CommandError for every status but 200,
   * about `doing`.
   */
  async open(path: string, accept: string, doing: string, stopped: AbortSignal): Promise<http.IncomingMessage> {
    const url = this.#urlOf(path);
    const incoming = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const headers = { ...this.#headers(), accept };
      const outgoing = this.#transport.get(url, { headers, agent: this.#agent, signal: stopped }, resolve);
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

  #sendOnce(request: ApiRequest, signal?: AbortSignal): Promise<RawResponse> {
    const { method, body, contentType } = request;
    const headers: http.OutgoingHttpHeaders = { ...this.#headers(), accept: 'application/json' };
    if (contentType !== undefined) headers['content-type'] = contentType;
    if (body !== undefined) headers['content-length'] = body.length;
    const url = this.#urlOf(request.path);
    return new Promise((resolve, reject) => {
      const outgoing = this.#transport.request(url, { method, headers, agent: this.#agent, signal }, (incoming) => {
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
    const advice = FAULT_ADVICE[reason] ?? '';
    return new UnreachableError(`cannot reach the server at ${this.#base.href} (${reason})${advice}`, { cause: error });
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
