/**
 * One request and its answer: what the routes see of HTTP, and the only place that knows whether it may still be answered.
 *
 * Made by server.ts for each request, answered once through reply.ts. After the client went away it is silently dead: a
 * late answer is dropped, the response port is never touched again.
 */
import type { KeyScope } from '../keys/key-scope.js';
import type { AnswerHead } from './answer-head.js';
import type { Compressor } from './compressor.js';
import type { RequestSpan } from './request-span.js';
import type { ResponsePort } from './response-port.js';
import { joinTrace, type TraceIds } from './trace-context.js';
import type { UnsentBytes } from './unsent-bytes.js';

/** What an exchange knows of its route; router.ts has the rest. */
export interface MatchedRoute {
  readonly template: string;
  /** The Allow header of a 405. */
  readonly allow: string;
}

/** What an exchange reports to its server. */
export interface ExchangeHost {
  /** Counts and logs an answer, and writes its status and all headers. */
  beginAnswer(exchange: Exchange, head: AnswerHead): void;
  /** Answers with `error`, and logs it when it is a bug. */
  onFailed(exchange: Exchange, error: unknown): void;
  /** Every byte is handed to the socket, or the client went away: nothing of this exchange is left. */
  onClosed(exchange: Exchange): void;
  /** Tells who sent the request (client-address.ts). */
  clientOf(exchange: Exchange): string;
  /** Where answers are kept that their clients have not read yet. */
  readonly unsent: UnsentBytes;
  readonly compressor: Compressor;
}

/** The parts of a request that can only be read before its handler returns. */
export interface RequestHead {
  /** As sent; methods are case-sensitive. */
  readonly method: string;
  /** Not decoded, without the query string. */
  readonly path: string;
  readonly query: string;
  readonly requestId: string;
  /** The header `traceparent`; '' when there is none, or more than one. */
  readonly traceParent: string;
  /** Headers, '' when absent. */
  readonly accept: string;
  readonly ifNoneMatch: string;
  /** The header `x-sabre-sequence`: what a node of a cluster must have applied before it answers. */
  readonly sequence: string;
  readonly acceptEncoding: string;
  readonly contentType: string;
  readonly contentLength: string;
  readonly contentEncoding: string;
  /** All of them, joined by commas; '' also when no proxy is trusted. */
  readonly forwardedFor: string;
  /** Value for `access-control-allow-origin`; null: none. */
  readonly allowedOrigin: string | null;
}

const noRelease = (): void => {};
const NO_NAMES: readonly string[] = [];

export class Exchange {
  readonly response: ResponsePort;
  readonly head: RequestHead;
  readonly isHead: boolean;
  /** performance.now() at arrival when requests are logged, else 0. */
  readonly startedMs: number;
  /** Raw path parameters, in the order of the route's template. */
  parameters = NO_NAMES;
  /** Decoded query parameters, in the order the endpoint names them; null: not given. */
  values: readonly (string | null)[] = [];
  /** What was given and is not known: to be named in the answer. */
  unknownParameters = NO_NAMES;
  /** The query string wants such things to be refused. */
  isStrict = false;
  route: MatchedRoute | null = null;
  /** What its key lets it see; null: everything. */
  scope: KeyScope | null = null;
  /** null: it is not traced. */
  span: RequestSpan | null = null;
  /** True while the server's handler runs: writes are corked already. */
  isCorked = true;
  /** True when the answer may still be written. */
  isOpen = true;
  /** Gives back what the exchange holds (body memory, unsent bytes). Replaced by whoever holds something. */
  release: () => void = noRelease;
  readonly #host: ExchangeHost;
  #isClosed = false;
  #client: string | null = null;
  /** undefined: nobody has asked. */
  #trace: TraceIds | null | undefined = undefined;

  constructor(host: ExchangeHost, response: ResponsePort, head: RequestHead, startedMs: number) {
    this.#host = host;
    this.response = response;
    this.head = head;
    this.isHead = head.method === 'HEAD';
    this.startedMs = startedMs;
  }

  /** It goes to `route`, with the raw text of the parameters of its template. */
  enter(route: MatchedRoute, parameters: readonly string[]): void {
    this.route = route;
    this.parameters = parameters;
  }

  /** Its place in a trace, which is that of its span if it has one; null: it belongs to none. */
  get trace(): TraceIds | null {
    if (this.span !== null) return this.span.ids;
    if (this.#trace === undefined) this.#trace = joinTrace(this.head.traceParent);
    return this.#trace;
  }

  /** Who sent the request, for fairness between clients. Its first use must come while the exchange is open. */
  get client(): string {
    this.#client ??= this.#host.clientOf(this);
    return this.#client;
  }

  /**
   * Lets `release` be called when the exchange ends, in the place of what was to be called; null: nothing. Called at once
   * when the exchange has ended already.
   */
  hold(release: (() => void) | null): void {
    if (!this.#isClosed) this.release = release ?? noRelease;
    else release?.();
  }

  /** Gives back now what the exchange holds: it is not needed any more. */
  letGo(): void {
    const { release } = this;
    this.release = noRelease;
    release();
  }

  /** What the exchange holds is the caller's from now on: to be given back by what is returned, whether the client waits or not. */
  takeOver(): () => void {
    const { release } = this;
    this.release = noRelease;
    return release;
  }

  /** True when nothing of the exchange is left. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get unsent(): UnsentBytes {
    return this.#host.unsent;
  }

  get compressor(): Compressor {
    return this.#host.compressor;
  }

  /**
   * Begins the answer: writes its status, the headers of `head` and those that every answer has. From now on nobody else may
   * answer.
   */
  beginAnswer(head: AnswerHead): void {
    this.isOpen = false;
    this.#host.beginAnswer(this, head);
  }

  /** Answers with `error`: an EngineError or RequestError as it says, anything else as an internal error. */
  fail(error: unknown): void {
    this.#host.onFailed(this, error);
  }

  /** Ends the exchange: the answer is complete, or the client went away. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.isOpen = false;
    this.letGo();
    this.#host.onClosed(this);
  }
}
