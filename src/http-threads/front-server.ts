/**
 * A front thread's server: answers reads that are quickly done, as the main thread's would, and hands on everything else,
 * faults included, to be answered there.
 *
 * So every limit, every message of an error and every write has one place. Made by front-thread.ts.
 */
import type { QuickReader } from '../../engine/index.js';
import type { AnswerHead } from '../http/answer-head.js';
import { AnswerStart, type AnswerStartOptions } from '../http/answer-start.js';
import { Apps } from '../http/apps.js';
import { type Authenticator, presentedKey } from '../http/auth.js';
import type { ClientAddresses } from '../http/client-address.js';
import type { Compressor } from '../http/compressor.js';
import type { ConnectionLimit } from '../http/connection-limit.js';
import { isExpectedError, replyFailure } from '../http/error-reply.js';
import { Exchange, type ExchangeHost } from '../http/exchange.js';
import { HeaderWalk } from '../http/header-walk.js';
import { readHead } from '../http/request-head.js';
import type { RequestTracer } from '../http/request-span.js';
import { type Endpoint, enterEndpoint, type Router } from '../http/router.js';
import type { TlsFiles } from '../http/tls-files.js';
import { traceFields } from '../http/trace-context.js';
import type { UnsentBytes } from '../http/unsent-bytes.js';
import type { AppDescriptor, HttpRequest, HttpResponse } from '../http/uws.js';
import type { FromFront, FrontTotals, ToFront } from './messages.js';
import { NOT_HERE, type QuickGate } from './quick-gate.js';
import { RequestRelay } from './request-relay.js';

export interface FrontServerOptions extends AnswerStartOptions {
  readonly gate: QuickGate;
  /** The routes of reads. */
  readonly router: Router;
  readonly authenticator: Authenticator;
  readonly clients: ClientAddresses;
  readonly connections: ConnectionLimit;
  readonly unsent: UnsentBytes;
  /** null: connections are not encrypted. */
  readonly tls: TlsFiles | null;
  readonly compressor: Compressor;
  /** null: nothing is traced. */
  readonly tracer: RequestTracer<Exchange> | null;
  readonly post: (message: FromFront) => void;
}

export class FrontServer implements ExchangeHost {
  readonly unsent: UnsentBytes;
  readonly compressor: Compressor;
  readonly #options: FrontServerOptions;
  readonly #apps: Apps;
  readonly #start: AnswerStart;
  readonly #relay: RequestRelay;
  readonly #walk = new HeaderWalk();
  #inFlight = 0;
  #isDraining = false;
  /** Within a handler: the main thread may be asked yet. */
  #isEntering = false;

  constructor(options: FrontServerOptions) {
    this.#options = options;
    this.unsent = options.unsent;
    this.compressor = options.compressor;
    this.#start = new AnswerStart(options);
    this.#relay = new RequestRelay(options.post, options.unsent, () => this.#closeIfIdle());
    this.#apps = new Apps(options.tls, (app) => {
      app.filter((response, change) => options.connections.note(response, Number(change)));
      app.any('/*', (response, request) => {
        if (!this.#answers(response, request)) this.#relay.send(response, request);
      });
    });
  }

  /** Names this server for the thread that accepts connections. */
  get descriptor(): AppDescriptor {
    return this.#apps.newest.getDescriptor();
  }

  /** Makes an app with the certificate that lies in the files now, and names it. Errors: TlsFilesError. */
  renewCertificate(): AppDescriptor {
    return this.#apps.renew();
  }

  get totals(): FrontTotals {
    return { inFlight: this.#inFlight, unsentBytes: this.unsent.bytes, unsentAnswers: this.unsent.answers };
  }

  /** Answers reads with `reader` from now on. */
  open(reader: QuickReader): void {
    this.#options.gate.open(reader);
  }

  /** Takes what the main thread says about a request. */
  receive(message: Extract<ToFront, { id: number }>): void {
    this.#relay.receive(message);
  }

  /** Drops every connection as soon as no request is under way; until then answers say that theirs is closed. */
  drain(): void {
    this.#isDraining = true;
    this.#closeIfIdle();
  }

  /** Answers a read that is quickly done. False: nothing was done. */
  #answers(response: HttpResponse, request: HttpRequest): boolean {
    const { router, gate, cors, clients } = this.#options;
    if (gate.engine === null || request.getCaseSensitiveMethod() !== 'GET') return false;
    const match = router.match(request.getUrl());
    if (match === null) return false;
    const startedMs = this.#start.logsRequests ? performance.now() : 0;
    this.#walk.begin();
    request.forEach(this.#walk.visit);
    if (this.#walk.fault() !== null) return false;
    const exchange = new Exchange(this, response, readHead(request, this.#walk, cors, clients), startedMs);
    exchange.enter(match.route, match.parameters);
    const endpoint = match.route.endpoints.GET;
    if (endpoint === undefined || !this.#mayRead(request, endpoint, exchange)) return false;
    this.#inFlight += 1;
    this.#options.tracer?.begin(exchange);
    this.#isEntering = true;
    try {
      enterEndpoint(endpoint, exchange);
    } catch (error) {
      if (exchange.isOpen) {
        this.#inFlight -= 1;
        return false;
      }
      this.#logBug(exchange, error);
    } finally {
      this.#isEntering = false;
    }
    exchange.isCorked = false;
    // What was answered completely cannot be aborted.
    if (!exchange.isClosed) response.onAborted(() => exchange.close());
    return true;
  }

  /** Whether the key of `request` lets it use `endpoint`; what it may see there is noted in `exchange`. */
  #mayRead(request: HttpRequest, endpoint: Endpoint, exchange: Exchange): boolean {
    const { authenticator } = this.#options;
    if (!authenticator.enabled) return true;
    const decision = authenticator.decide(presentedKey(request), 'search');
    if (decision.kind !== 'granted') return false;
    exchange.scope = decision.scope;
    return decision.scope === null || endpoint.isScoped === true;
  }

  #closeIfIdle(): void {
    if (!this.#isDraining || this.#inFlight + this.#relay.count > 0) return;
    // Not within the handler of a request, whose connection would go from under it.
    setImmediate(() => {
      if (this.#inFlight + this.#relay.count > 0) return;
      this.#apps.close();
      this.#options.post({ kind: 'closed' });
    });
  }

  beginAnswer(exchange: Exchange, answer: AnswerHead): void {
    this.#start.begin(exchange, answer, this.#isDraining);
  }

  /** The main thread tells what is wrong, but for what comes later, of a body that was compressed. */
  onFailed(exchange: Exchange, error: unknown): void {
    if (this.#isEntering) throw NOT_HERE;
    if (!isExpectedError(error)) this.#logBug(exchange, error);
    replyFailure(exchange, error);
  }

  #logBug(exchange: Exchange, error: unknown): void {
    const line = { id: exchange.head.requestId, ...traceFields(exchange.trace), err: error };
    this.#options.logger.error(line, 'a request failed unexpectedly');
  }

  onClosed(exchange: Exchange): void {
    this.#inFlight -= 1;
    this.#options.tracer?.end(exchange);
    this.#closeIfIdle();
  }

  clientOf({ response, head }: Exchange): string {
    return this.#options.clients.keyOf(new Uint8Array(response.getRemoteAddress()), head.forwardedFor);
  }
}
