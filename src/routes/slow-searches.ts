/**
 * The log of slow searches: a line for each, with what it asked, how long it waited and was evaluated, and how its words were
 * read: the stages, and for how many terms each word stood.
 *
 * Called by record-search.ts when a search was slow, and only then: the reading is found out by asking again for it alone, with
 * no hits, after the answer was sent. Lines and such questions are bounded in number, lines in length. Never writes a key, a
 * document, a term of the index, or what a key's own filter and parameters say.
 */
import type { Logger } from 'pino';
import type { QueryExplanation, ReadResult, SearchRequest } from '../../engine/index.js';
import type { Exchange } from '../http/exchange.js';
import { traceFields } from '../http/trace-context.js';
import type { ReadEngine } from '../read-engine.js';
import { type LoggedReading, readingOf } from './logged-reading.js';

const TEXT_CHARS_MAX = 256;
/** Lines that may be written at once, and how many more each second. */
const LINES_MAX = 20;
const LINES_PER_SECOND = 10;
/** Asking again takes at most this share of the time of one thread. */
const ASKING_SHARE = 0.05;
const ASKING_PAUSE_MS_MIN = 20;

/** Parameters that can be read off a reading. */
const READ_PARAMETERS = ['q', 'query_by', 'prefix', 'typo_tolerance', 'match_mode', 'ranking'];

const cut = (text: string | null): string | null =>
  text === null || text.length <= TEXT_CHARS_MAX ? text : `${text.slice(0, TEXT_CHARS_MAX)}...`;

/** Whether the key of `exchange` says what `parameter` is. */
const isFixed = ({ scope }: Exchange, parameter: string): boolean => scope !== null && parameter in scope.parameters;

const asMs = (us: number): number => Math.round(us) / 1000;

const decoder = new TextDecoder();

/** `request` for its reading alone. */
const withoutHits = (request: SearchRequest): SearchRequest => ({
  ...request,
  ...{ explain: true, explainId: null, limit: 0, offset: 0, format: 'json' },
  ...{ facet: null, facetQuery: null, facetStats: false, highlight: null, distinct: null },
});

/** Asked as one client, which takes its turn like any other. */
const ASKER = { client: 'slow searches', place: 'readers' } as const;

export class SlowSearchLog {
  /** A search that takes longer is slow. */
  readonly thresholdUs: number;
  readonly #logger: Logger;
  #lines = LINES_MAX;
  #refilledMs = performance.now();
  /** Slow searches without a line since the last one that has one. */
  #omitted = 0;
  #isAsking = false;
  #askAfterMs = 0;

  constructor(thresholdUs: number, logger: Logger) {
    this.thresholdUs = thresholdUs;
    this.#logger = logger;
  }

  /** Writes the line of a search that was slow, at once or when its reading is known. `exchange` may be over. */
  note(exchange: Exchange, request: SearchRequest, result: Omit<ReadResult, 'body'>, engine: ReadEngine): void {
    if (!this.#takeLine()) {
      this.#omitted += 1;
      return;
    }
    const write = this.#lineOf(exchange, request, result);
    const mayTell = !READ_PARAMETERS.some((parameter) => isFixed(exchange, parameter));
    if (!mayTell || this.#isAsking || performance.now() < this.#askAfterMs) {
      write(null);
      return;
    }
    this.#isAsking = true;
    // Not within the callback of the search, which comes before its answer is sent.
    setImmediate(() => this.#ask(request, engine, write));
  }

  #takeLine(): boolean {
    const nowMs = performance.now();
    this.#lines = Math.min(LINES_MAX, this.#lines + ((nowMs - this.#refilledMs) / 1000) * LINES_PER_SECOND);
    this.#refilledMs = nowMs;
    if (this.#lines < 1) return false;
    this.#lines -= 1;
    return true;
  }

  /** Returns what writes the line; null: the reading is not known. */
  #lineOf(
    exchange: Exchange,
    request: SearchRequest,
    { found, elapsedUs, waitedUs }: Omit<ReadResult, 'body'>,
  ): (reading: LoggedReading | null) => void {
    const { head, trace } = exchange;
    // What the key says is not the client's.
    const given = <Value>(parameter: string, value: Value): Value | null =>
      isFixed(exchange, parameter) ? null : value;
    const text = (parameter: string, value: string | null): string | null => given(parameter, cut(value));
    const omitted = this.#omitted;
    this.#omitted = 0;
    const line = {
      ...{ id: head.requestId, ...traceFields(trace), collection: cut(request.collection), q: text('q', request.q) },
      ...{ query_by: text('query_by', request.queryBy), filter: text('filter', request.filter) },
      ...{ sort: text('sort', request.sort), facet: text('facet', request.facet) },
      ...{ distinct: text('distinct', request.distinct), prefix: given('prefix', request.prefix) },
      ...{ limit: given('limit', request.limit), offset: given('offset', request.offset), found },
      ...{ ms: asMs(elapsedUs + waitedUs), waited_ms: asMs(waitedUs), evaluated_ms: asMs(elapsedUs) },
      ...(omitted > 0 ? { lines_omitted: omitted } : {}),
    };
    return (plan) => this.#logger.warn({ ...line, plan }, 'slow search');
  }

  #ask(request: SearchRequest, engine: ReadEngine, write: (reading: LoggedReading | null) => void): void {
    const askedMs = performance.now();
    const finish = (reading: LoggedReading | null, tookMs: number): void => {
      this.#isAsking = false;
      this.#askAfterMs = performance.now() + Math.max(ASKING_PAUSE_MS_MIN, tookMs / ASKING_SHARE);
      write(reading);
    };
    try {
      engine.search(
        withoutHits(request),
        (_, result) => {
          const tookMs = result === null ? performance.now() - askedMs : result.elapsedUs / 1000;
          const reading = result === null ? null : readResult(result.body);
          if (result !== null && result.heldBytes > 0) engine.releaseAnswer(result.heldBytes);
          finish(reading, tookMs);
        },
        ASKER,
      );
    } catch {
      // This thread does not answer it by itself, or the engine is gone.
      finish(null, 0);
    }
  }
}

function readResult(body: Uint8Array): LoggedReading | null {
  // A copy: the decoder takes no shared memory.
  const { explain } = JSON.parse(decoder.decode(body.slice())) as { explain?: QueryExplanation };
  return explain === undefined ? null : readingOf(explain);
}
