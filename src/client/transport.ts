/**
 * Sends the requests of a client by fetch: the key, timeouts, further tries, and errors as SabreError.
 *
 * Knows no endpoint. A request that fails goes to the next address at once; after all of them it waits before another round.
 */
import { createAddresses } from './addresses.js';
import { hasFetchGivenUp, isWorthRetrying, readRetryAfter, waitMs } from './retry.js';
import { SabreError } from './sabre-error.js';
import type { ClientOptions, RequestOptions } from './types.js';
import { sleep, startTimer, unlessAborted } from './waiting.js';

const TIMEOUT_MS = 60_000;
const TRY_TIMEOUT_MS = 15_000;
/** Where another address may answer at once. */
const READ_TIMEOUT_MS = 5000;
const PROBE_TIMEOUT_MS = 2000;
const RETRIES = 3;
const BACKOFF_MS = 100;

export type QueryValues = Readonly<Record<string, unknown>>;

export interface Call {
  readonly method: string;
  /** from the server's root, each part encoded by segment() */
  readonly path: string;
  readonly query?: QueryValues;
  /** sent as it is */
  readonly body?: string | Uint8Array;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** changes nothing on the server. Default: it is a GET. */
  readonly isRead?: boolean;
  /** done twice it leaves what it does when done once. Default: it is a PUT or a DELETE. */
  readonly isIdempotent?: boolean;
  /** may take minutes: has a time limit only where the request itself gives one */
  readonly isLong?: boolean;
  readonly options?: RequestOptions | undefined;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface Transport {
  readonly parse: (text: string) => unknown;
  readonly stringify: (value: unknown) => string;
  /** Sends `call` and returns its answer, below 400. Errors: SabreError; the reason of an aborted signal. */
  send(call: Call): Promise<Answer>;
  /**
   * Like send(), but the body is still to be read. That ends with the reason of `whole`, which the caller aborts when it needs no
   * more, and which is aborted when the time of the request is over; and with the signal of the request.
   */
  open(call: Call, whole: AbortController): Promise<Response>;
  /** Sends `call` and returns the JSON of its answer, which the caller knows to be a `Value`. */
  json<Value>(call: Call): Promise<Value>;
}

/** One part of a path. Errors: SabreError for one that a URL would fold away, and so mean another path. */
export function segment(text: string | number): string {
  const part = encodeURIComponent(text);
  if (part === '' || part === '.' || part === '..')
    throw new SabreError('invalid_path', `"${part}" cannot be sent in a path; use a filter on id`);
  return part;
}

/**
 * `path` with the values of `query` that are given; a list is sent with commas. An empty list is none to the server, but for
 * `exclude_fields`, of which it takes no empty text: that is left out.
 */
export function withQuery(path: string, query: QueryValues = {}): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value != null && (String(value) || name !== 'exclude_fields')) values.set(name, String(value));
  const text = values.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Browsers tell of a redirect only that it is one, as of status 0. */
const isFailure = ({ status, type }: Response): boolean =>
  (status >= 300 && status !== 304) || type === 'opaqueredirect';

/** What went wrong by an answer that is a redirect, or one of 400 and above. */
async function readFailure(response: Response): Promise<SabreError> {
  const { status, headers } = response;
  const text = await response.text();
  const requestId = headers.get('x-request-id');
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now());
  let body: { error?: { code?: unknown; message?: unknown } } | null = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Not of this server: a proxy's page.
  }
  const { code, message } = body?.error ?? {};
  const details = { status, requestId, retryAfterMs, body };
  if (typeof code === 'string' && status >= 400) return new SabreError(code, String(message), details);
  const what = status < 400 ? `redirected to ${headers.get('location')}` : text;
  return new SabreError('unexpected_answer', `status ${status}: ${what.slice(0, 200)}`, details);
}

const lateError = (url: string, ms: number): SabreError =>
  new SabreError('timeout', `no whole answer from ${url} within ${Math.round(ms)} ms`);

export function createTransport(client: ClientOptions): Transport {
  const { key, backoffMs = BACKOFF_MS } = client;
  const parse = client.parse ?? JSON.parse;
  const stringify = client.stringify ?? JSON.stringify;
  const ask = client.fetch ?? fetch;

  async function isUp(address: string): Promise<boolean> {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await ask(`${address}/ready`, { headers: client.headers ?? {}, signal, redirect: 'manual' });
    await response.text();
    // Whatever is no fault of the server: a proxy may not let everybody ask.
    return response.status < 500;
  }

  const addresses = createAddresses(client.url, isUp);

  async function tryOnce<Value>(
    call: Call,
    address: string,
    stop: AbortController,
    limitMs: number,
    read: (response: Response) => Promise<Value>,
  ): Promise<Value> {
    const signal = call.options?.signal;
    const leave = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true, signal: stop.signal });
    const url = address + withQuery(call.path, call.query);
    const timer = startTimer(limitMs, () => stop.abort(lateError(url, limitMs)));
    try {
      signal?.throwIfAborted();
      const headers: Record<string, string> = { ...client.headers, ...call.headers };
      const sent = typeof key === 'function' ? await unlessAborted(Promise.resolve(key()), stop.signal) : key;
      if (sent) headers['x-service-api-key'] = sent;
      if (call.body !== undefined) headers['content-type'] = call.contentType ?? 'application/json';
      // Followed, a POST would become a GET, and the key would go to whomever the answer names.
      const init: RequestInit = { method: call.method, headers, signal: stop.signal, redirect: 'manual' };
      if (call.body !== undefined) init.body = call.body as RequestInit['body'];
      const response = await reach(ask(url, init), url);
      if (isFailure(response)) throw await reach(readFailure(response), url);
      return await reach(read(response), url);
    } catch (error) {
      // Not what fetch makes of the reason.
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function request<Value>(call: Call, read: (response: Response) => Promise<Value>, whole?: AbortController) {
    const { method, isRead = method === 'GET', isLong, options } = call;
    const { isIdempotent = method === 'PUT' || method === 'DELETE' } = call;
    const hasOthers = addresses.count > 1;
    const isRepeatable = isRead || (isIdempotent && hasOthers);
    const limit = (ms: number): number => (ms > 0 ? ms : Infinity);
    const wholeMs = limit(options?.timeoutMs ?? (isLong ? 0 : (client.timeoutMs ?? TIMEOUT_MS)));
    const usualTryMs = isRead && hasOthers ? READ_TIMEOUT_MS : TRY_TIMEOUT_MS;
    // What is not tried again after a timeout may take all of the time for its one try.
    const tryMs = isRepeatable
      ? limit(options?.tryTimeoutMs ?? (isLong ? 0 : (client.tryTimeoutMs ?? usualTryMs)))
      : Infinity;
    const retries = options?.retries ?? client.retries ?? RETRIES;
    const deadline = performance.now() + wholeMs;
    if (whole !== undefined) {
      const timer = startTimer(wholeMs, () => whole.abort(lateError(call.path, wholeMs)));
      whole.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }
    /** Of a write: the first failure that leaves open whether it was done. */
    let doubt: SabreError | undefined;
    for (let round = 0; ; round++) {
      let last: SabreError | undefined;
      let askedMs = Infinity;
      for (const address of addresses.inOrder()) {
        if (last !== undefined && performance.now() >= deadline) throw doubt ?? last;
        const stop = new AbortController();
        const passOn = (): void => stop.abort(whole?.signal.reason);
        whole?.signal.addEventListener('abort', passOn, { once: true });
        try {
          const value = await tryOnce(call, address, stop, Math.min(tryMs, deadline - performance.now()), read);
          // Takes the listener off the caller's signal, unless the body is still to come.
          if (whole === undefined) stop.abort();
          addresses.noteAnswer(address);
          return value;
        } catch (error) {
          stop.abort();
          if (isWorthRetrying(error, true)) addresses.noteFailure(address);
          if (!isWorthRetrying(error, isRepeatable)) throw error;
          if (!isRead && !isWorthRetrying(error, false)) doubt ??= error;
          last = error;
          askedMs = Math.min(askedMs, error.retryAfterMs ?? Infinity);
        }
      }
      const ms = waitMs(round, backoffMs, askedMs < Infinity ? askedMs : 0);
      if (round >= retries || performance.now() + ms >= deadline) throw doubt ?? last;
      await sleep(ms, options?.signal);
    }
  }

  const send = (call: Call): Promise<Answer> =>
    request(call, async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }));

  return {
    parse,
    stringify,
    send,
    open: (call, stop) => request(call, async (response) => response, stop),
    json: async <Value>(call: Call) => readJson<Value>(parse, await send(call)),
  };
}

/** The JSON of an answer. Errors: SabreError where it is none, as of a page that something between has sent. */
export function readJson<Value>(parse: (text: string) => unknown, { status, headers, text }: Answer): Value {
  try {
    return parse(text) as Value;
  } catch (cause) {
    const requestId = headers.get('x-request-id');
    throw new SabreError('unexpected_answer', `no JSON: ${text.slice(0, 200)}`, { status, requestId, cause });
  }
}

/** Awaits what fetch does; its own errors say that the server was not reached, or lost, or waited for too long. */
export async function reach<Value>(doing: Promise<Value>, url: string): Promise<Value> {
  try {
    return await doing;
  } catch (cause) {
    if (cause instanceof SabreError) throw cause;
    const { message, cause: inner } = cause as { message?: string; cause?: { message?: string } };
    const code = hasFetchGivenUp(cause) ? 'timeout' : 'unreachable';
    throw new SabreError(code, `cannot reach ${url}: ${inner?.message || message}`, { cause });
  }
}
