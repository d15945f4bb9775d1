/**
 * The HTTP server: with uws.ts, which loads it, the only module that knows uWebSockets.js. Reads the head of a request,
 * decides who may do what, and hands it to its route.
 *
 * Called by serve.ts. Never waits, never parses a body, never touches a response after its abort handler ran.
 */
import type { Logger } from 'pino';
import type { AnswerHead } from './answer-head.js';
import { AnswerStart } from './answer-start.js';
import { Apps, createApp } from './apps.js';
import { type Authenticator, KEY_HEADER, presentedKey } from './auth.js';
import type { ClientAddresses } from './client-address.js';
import type { Compressor } from './compressor.js';
import type { ConnectionLimit } from './connection-limit.js';
import type { CorsPolicy } from './cors.js';
import { isExpectedError, replyError, replyFailure } from './error-reply.js';
import { Exchange, type ExchangeHost } from './exchange.js';
import { HeaderWalk } from './header-walk.js';
import type { HttpCounters } from './http-counters.js';
import { describeListenFailure } from './listen-failure.js';
import { reply } from './reply.js';
import { readHead } from './request-head.js';
import type { RequestPort } from './request-port.js';
import type { RequestTracer } from './request-span.js';
import type { ResponsePort } from './response-port.js';
import { type Endpoint, enterEndpoint, type Method, type Router } from './router.js';
import type { TlsFiles } from './tls-files.js';
import { traceFields } from './trace-context.js';
import type { UnsentBytes } from './unsent-bytes.js';
import { type App, type AppDescriptor, loadUws, type us_listen_socket } from './uws.js';

export interface HttpServerOptions {
  readonly router: Router;
  readonly authenticator: Authenticator;
  readonly cors: CorsPolicy;
  readonly counters: HttpCounters;
  readonly clients: ClientAddresses;
  readonly connections: ConnectionLimit;
  readonly unsent: UnsentBytes;
  /** null: connections are not encrypted. */
  readonly tls: TlsFiles | null;
  readonly compressor: Compressor;
  /** null: nothing is traced. */
  readonly tracer: RequestTracer<Exchange> | null;
  readonly logger: Logger;
  /** See AnswerStartOptions. */
  readonly appliedSequence: (() => number | null) | null;
}

const EXCLUSIVE_PORT = 1;

export class HttpServer implements ExchangeHost {
  readonly unsent: UnsentBytes;
  readonly compressor: Compressor;
  readonly #options: HttpServerOptions;
  readonly #uws = loadUws();
  readonly #apps: Apps;
  /** Those of other threads that take connections, too. */
  #others: readonly AppDescriptor[] = [];
  /** What listens. It has no connections, but for those of the only app there ever is. */
  #acceptor: App | null = null;
  readonly #start: AnswerStart;
  #listenSocket: us_listen_socket | null = null;
  #isDraining = false;
  readonly #walk = new HeaderWalk();
  #onIdle: (() => void) | null = null;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.unsent = options.unsent;
    this.compressor = options.compressor;
    this.#start = new AnswerStart(options);
    this.#apps = new Apps(options.tls, (app) => {
      app.filter((response, change) => options.connections.note(response, Number(change)));
      app.any('/*', (response, request) => this.handle(response, request));
    });
  }

  /** Answers that this thread has counted. */
  get answered(): number {
    return this.#options.counters.total;
  }

  /** Lets connections go in turn to this server and to apps of other threads. To be called before listen(). */
  share(others: readonly AppDescriptor[]): void {
    this.#others = others;
  }

  /** Gives connections of this thread from now on the certificate that lies in the files now. Errors: TlsFilesError; then all is as before. */
  renewCertificate(): void {
    const old = this.#apps.newest.getDescriptor();
    this.replace(old, this.#apps.renew());
  }

  /** Gives connections from now on to the app `renewed` in the place of `old`, of whichever thread. */
  replace(old: AppDescriptor, renewed: AppDescriptor): void {
    this.#others = this.#others.map((other) => (other === old ? renewed : other));
    this.#acceptor?.addChildAppDescriptor(renewed);
    this.#acceptor?.removeChildAppDescriptor(old);
  }

  #createAcceptor(): App {
    const { newest } = this.#apps;
    const { tls } = this.#options;
    if (tls === null && this.#others.length === 0) return newest;
    const acceptor = createApp(this.#uws, tls);
    for (const descriptor of [newest.getDescriptor(), ...this.#others]) acceptor.addChildAppDescriptor(descriptor);
    return acceptor;
  }

  /** Listens and returns the port (useful when `port` is 0). Rejects when the address is taken or not ours. */
  listen(host: string, port: number): Promise<number> {
    this.#acceptor = this.#createAcceptor();
    const acceptor = this.#acceptor;
    return new Promise((resolve, reject) => {
      const onListen = (socket: us_listen_socket | false): void => {
        if (socket === false) {
          describeListenFailure(host, port).then((message) => reject(new Error(message)), reject);
          return;
        }
        this.#listenSocket = socket;
        resolve(this.#uws.us_socket_local_port(socket));
      };
      // Without the option, two servers would share the port in silence. The type declarations lack this overload.
      const listenExclusively = acceptor.listen as unknown as (
        host: string,
        port: number,
        options: number,
        callback: typeof onListen,
      ) => unknown;
      listenExclusively.call(acceptor, host, port, EXCLUSIVE_PORT, onListen);
    });
  }

  /**
   * Stops accepting connections and resolves when every request was answered, or after `timeoutMs`. May be called again.
   *
   * Requests that still arrive on open connections are answered, with `Connection: close`.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true;
    this.#stopListening();
    const endMs = performance.now() + timeoutMs;
    for (
      let leftMs = timeoutMs;
      this.#options.counters.inFlight > 0 && leftMs > 0;
      leftMs = endMs - performance.now()
    ) {
      await this.#whenIdle(leftMs);
      // Not within the handler of a request, whose answer would go with its connection.
      await new Promise(setImmediate);
    }
  }

  /** Resolves when no request is under way, or after `withinMs`. */
  #whenIdle(withinMs: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Drops every connection. */
  close(): void {
    this.#stopListening();
    this.#apps.close();
  }

  #stopListening(): void {
    if (this.#listenSocket !== null) this.#uws.us_listen_socket_close(this.#listenSocket);
    this.#listenSocket = null;
  }

  /** Takes a request, from the library or from another thread. */
  handle(response: ResponsePort, request: RequestPort): void {
    const startedMs = this.#start.logsRequests ? performance.now() : 0;
    this.#walk.begin();
    request.forEach(this.#walk.visit);
    const head = readHead(request, this.#walk, this.#options.cors, this.#options.clients);
    const exchange = new Exchange(this, response, head, startedMs);
    this.#options.counters.inFlight += 1;
    if (this.#options.tracer !== null) this.#options.tracer.begin(exchange);
    try {
      const fault = this.#walk.fault();
      if (fault !== null) this.#refuseConnection(exchange, fault);
      else this.#dispatch(exchange, request);
    } catch (error) {
      this.onFailed(exchange, error);
    }
    exchange.isCorked = false;
    // What was answered completely cannot be aborted.
    if (!exchange.isClosed) response.onAborted(() => exchange.close());
  }

  /**
   * Answers 400 and ends the connection. Not at once: the library closes when this handler has returned and everything it
   * received is parsed, and until then would hand out what follows as further requests. While an answer is outstanding it
   * does not, but drops the connection.
   */
  #refuseConnection(exchange: Exchange, message: string): void {
    setImmediate(() => replyError(exchange, 'invalid_request', message, { connection: 'cut' }));
  }

  #dispatch(exchange: Exchange, request: RequestPort): void {
    const { method, path } = exchange.head;
    const { router, authenticator, cors } = this.#options;
    const match = router.match(path);
    const route = match === null ? null : match.route;
    if (match !== null) exchange.enter(match.route, match.parameters);
    if (method === 'OPTIONS' && cors.enabled && request.getHeader('access-control-request-method') !== '') {
      this.#replyPreflight(exchange);
      return;
    }
    const endpoint = route === null ? undefined : endpointOf(route, method === 'HEAD' ? 'GET' : method);
    const access = endpoint?.access ?? (route?.endpoints.GET?.access === 'public' ? 'public' : 'search');
    if (authenticator.enabled && access !== 'public') {
      const key = presentedKey(request);
      const decision = authenticator.decide(key, access);
      if (decision.kind === 'unauthorized') {
        replyError(exchange, 'unauthorized', `header "${KEY_HEADER}": expected a valid key, got ${decision.got}`);
        return;
      }
      if (decision.kind !== 'granted') {
        const message = `header "${KEY_HEADER}": ${method} here needs the admin key, got ${decision.got}`;
        replyError(exchange, 'forbidden', message);
        return;
      }
      exchange.scope = decision.scope;
      if (decision.scope !== null && endpoint?.isScoped !== true) {
        const message = `header "${KEY_HEADER}": expected the search key, got a scoped key, which may search, suggest, fetch and export alone`;
        replyError(exchange, 'forbidden', message);
        return;
      }
    }
    if (route === null) {
      replyError(exchange, 'not_found', `no such endpoint: ${method} ${path.slice(0, 200)}; /docs lists them`);
    } else if (endpoint === undefined) {
      replyError(exchange, 'method_not_allowed', `${route.template}: expected ${route.allow}, got ${method}`);
    } else {
      enterEndpoint(endpoint, exchange);
    }
  }

  #replyPreflight(exchange: Exchange): void {
    const { cors } = this.#options;
    const headers = cors.preflightHeaders(exchange.head.allowedOrigin);
    reply(exchange, { status: 204, contentType: null, body: '', headers });
  }

  onFailed(exchange: Exchange, error: unknown): void {
    if (!isExpectedError(error)) {
      const line = { id: exchange.head.requestId, ...traceFields(exchange.trace), err: error };
      this.#options.logger.error(line, 'a request failed unexpectedly');
    }
    replyFailure(exchange, error);
  }

  clientOf({ response, head }: Exchange): string {
    return this.#options.clients.keyOf(new Uint8Array(response.getRemoteAddress()), head.forwardedFor);
  }

  beginAnswer(exchange: Exchange, answer: AnswerHead): void {
    this.#start.begin(exchange, answer, this.#isDraining);
  }

  onClosed(exchange: Exchange): void {
    const { counters, tracer } = this.#options;
    if (tracer !== null) tracer.end(exchange);
    counters.inFlight -= 1;
    if (counters.inFlight === 0 && this.#onIdle !== null) this.#onIdle();
  }
}

/** What `route` does for `method`: any text, which may name what every object has. */
const endpointOf = ({ endpoints }: { readonly endpoints: Partial<Record<Method, Endpoint>> }, method: string) =>
  Object.hasOwn(endpoints, method) ? endpoints[method as Method] : undefined;
