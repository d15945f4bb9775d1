/**
 * Begins answers: counts and logs each, and writes its status and headers. Used by whatever hosts exchanges.
 */
import type { Logger } from 'pino';
import { type AnswerHead, writeHeaders } from './answer-head.js';
import type { CorsPolicy } from './cors.js';
import type { Exchange } from './exchange.js';
import { type HttpCounters, NO_ROUTE } from './http-counters.js';
import { statusLine } from './reply.js';
import { traceFields } from './trace-context.js';
import { warningOf } from './unknown-parameters.js';

export interface AnswerStartOptions {
  readonly cors: CorsPolicy;
  readonly counters: HttpCounters;
  readonly logger: Logger;
  /** What a node of a cluster has applied, which is told to who writes; null: this is none, or has not started yet. */
  readonly appliedSequence: (() => number | null) | null;
}

/** Whether an answer of `status` tells the place of the log: no fault of the server, and nothing for who has not the right key. */
const tellsPlace = (status: number): boolean => status < 500 && status !== 401 && status !== 403;

export class AnswerStart {
  /** Whether exchanges must know when they arrived. */
  readonly logsRequests: boolean;
  readonly #options: AnswerStartOptions;

  constructor(options: AnswerStartOptions) {
    this.#options = options;
    this.logsRequests = options.logger.isLevelEnabled('debug');
  }

  /** Begins `answer` to `exchange`. `isDraining`: its connection is not kept. */
  begin(exchange: Exchange, answer: AnswerHead, isDraining: boolean): void {
    const { response, head } = exchange;
    const { cors, appliedSequence } = this.#options;
    const { status } = answer;
    this.#note(exchange, status);
    if (status !== 200) response.writeStatus(statusLine(status));
    if (cors.enabled) cors.writeHeaders(response, head.allowedOrigin);
    if (exchange.unknownParameters.length > 0) response.writeHeader('warning', warningOf(exchange.unknownParameters));
    if (appliedSequence !== null && tellsPlace(status) && head.method !== 'GET') {
      const sequence = appliedSequence();
      if (sequence !== null) response.writeHeader('x-sabre-sequence', String(sequence));
    }
    writeHeaders(response, answer, head.requestId, isDraining);
  }

  /** Counts the answer, and logs it. */
  #note(exchange: Exchange, status: number): void {
    const { head, route, startedMs, span } = exchange;
    if (span !== null) span.status = status;
    this.#options.counters.count(route, head.method, status);
    if (!this.logsRequests) return;
    const ms = Math.round((performance.now() - startedMs) * 1000) / 1000;
    const template = route === null ? NO_ROUTE : route.template;
    const { requestId: id, method } = head;
    const line = { id, ...traceFields(exchange.trace), method, route: template, status, ms };
    this.#options.logger.debug(line, 'request');
  }
}
