/**
 * GET of the documents of a collection: all of them as they are at one moment, or those that pass a filter, in the order of
 * insertion, as NDJSON or as one JSON array.
 *
 * Sent page by page as the client takes them: a page is asked for when the one before is gone, so at most one lies in memory, a large one
 * in what large answers may take until then. A client that takes nothing for a while is cut off, because what the export reads must
 * stay meanwhile.
 */
import { type DocumentExport, EngineError, type ExportRequest } from '../../engine/index.js';
import type { AppContext } from '../app-context.js';
import { exportFormatOf } from '../http/accept.js';
import { encodingOf } from '../http/accept-encoding.js';
import { ChunkSender } from '../http/chunk-sender.js';
import { ClientBudget } from '../http/client-budget.js';
import { GzipPages } from '../http/compressor.js';
import type { Exchange } from '../http/exchange.js';
import { heldOpen } from '../http/held-open.js';
import { JSON_TYPE, NDJSON_TYPE } from '../http/reply.js';
import { RequestError } from '../http/request-error.js';
import { decodePathSegment, type Endpoint } from '../http/router.js';
import { checkCollection, checkExportFilter, scopedList } from './scoped-reads.js';

/** Of EXPORTS_MAX, for one client: whoever does not read on keeps its places for a while. */
const CLIENT_EXPORTS_MAX = 8;

const PARAMETERS = ['filter', 'include_fields', 'exclude_fields'];

/** A page that readers have no time for is asked for again so much later. */
const RETRY_MS = 100;

/** Most pages have at most so many bytes. */
const PAGE_BYTES = 161 * 1024;

const VARIES: readonly string[] = ['vary', 'accept, accept-encoding'];

/** How the documents of an export stand in its body. */
interface ExportForm {
  readonly contentType: string;
  readonly open: string;
  readonly separator: ExportRequest['separator'];
  /** In the place of the last separator. */
  readonly close: string;
  readonly empty: string;
}

const NDJSON: ExportForm = { contentType: NDJSON_TYPE, open: '', separator: '\n', close: '\n', empty: '' };
const ARRAY: ExportForm = { contentType: JSON_TYPE, open: '[', separator: ',', close: ']', empty: '[]' };

export function exportEndpoint(context: AppContext): Endpoint {
  // The engine has a bound for all of them.
  const places = new ClientBudget(Number.POSITIVE_INFINITY, CLIENT_EXPORTS_MAX);
  const handle = (exchange: Exchange): void => {
    const collection = decodePathSegment(exchange.parameters[0] ?? '');
    const form = exportFormatOf(exchange.head.accept) === 'json' ? ARRAY : NDJSON;
    const { scope } = exchange;
    checkCollection(scope, collection);
    const [given = null, include = null, exclude = null] = exchange.values;
    const asked = scopedList(scope, 'filter', given);
    const filter = asked?.trim() === '' ? null : asked;
    checkExportFilter(scope, filter);
    const request = {
      ...{ collection, filter, requiredFilter: scope?.filter ?? null, separator: form.separator },
      includeFields: scopedList(scope, 'include_fields', include),
      excludeFields: scopedList(scope, 'exclude_fields', exclude),
    };
    const { client } = exchange;
    context.gate.pass(exchange, (engine) => {
      if (places.take(client, 1) !== null) {
        const message = `exports: at most ${CLIENT_EXPORTS_MAX} at a time for one client; try again later`;
        exchange.fail(new RequestError('overloaded', message, 429));
        return;
      }
      const giveBack = (): void => places.giveBack(client, 1);
      engine.exports.open(request, { client }).then(
        (source) => new ExportAnswer(context, exchange, form, source, giveBack).begin(),
        (error: unknown) => {
          giveBack();
          exchange.fail(error);
        },
      );
    });
  };
  return { access: 'search', isScoped: true, parameters: PARAMETERS, handle };
}

class ExportAnswer {
  readonly #context: AppContext;
  readonly #exchange: Exchange;
  readonly #form: ExportForm;
  readonly #source: DocumentExport;
  readonly #onEnd: () => void;
  /** null: it is sent plain. */
  readonly #gzip: GzipPages | null;
  /** null: nothing was sent yet. */
  #sender: ChunkSender | null = null;
  /** Of the pages that lie in shared memory: used again for each. */
  #page = new Uint8Array(0);
  /** What stands before the next document. */
  #before: string;
  /** What the page that is on its way takes of the room for large answers. */
  #heldBytes = 0;
  #sentBytes = 0;
  /** Of the page sent last. */
  #pageBytes = 0;
  /** When the page was sent that the client is to take; 0: there is none. */
  #sentAtMs = 0;
  /** How long the client may still be waited for: what it takes at a fair rate lets it have more again. */
  #patienceMs: number;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(context: AppContext, exchange: Exchange, form: ExportForm, source: DocumentExport, onEnd: () => void) {
    this.#context = context;
    this.#exchange = exchange;
    this.#form = form;
    this.#source = source;
    this.#onEnd = onEnd;
    this.#before = form.open;
    const isWanted = exchange.compressor.minBytes > 0 && encodingOf(exchange.head.acceptEncoding, ['gzip']) !== null;
    this.#gzip = isWanted ? new GzipPages() : null;
    this.#patienceMs = context.exportTimeoutMs;
  }

  begin(): void {
    this.#exchange.hold(() => this.#end());
    if (!this.#isOver) this.#ask(performance.now());
  }

  /** Has `page` compressed where that is wanted, and sent. */
  #send(page: Uint8Array<ArrayBuffer>): void {
    const { isAtEnd } = this.#source;
    const whole = isAtEnd ? Buffer.concat([page, Buffer.from(this.#ending())]) : page;
    if (this.#gzip === null || (whole.length === 0 && !isAtEnd)) {
      this.#exchange.response.cork(() => this.#write(whole));
      return;
    }
    this.#gzip.pack(whole, isAtEnd, (packed) => {
      if (this.#isOver) return;
      if (packed === null) this.#fail(new Error('a page could not be compressed'));
      else this.#exchange.response.cork(() => this.#write(packed));
    });
  }

  /** What stands behind the last document. */
  #ending(): string {
    return this.#before === this.#form.separator ? this.#form.close : this.#form.empty;
  }

  /** Asks for the next page, for the first time at `sinceMs`. */
  #ask(sinceMs: number): void {
    const { exportTimeoutMs } = this.#context;
    this.#source.next((error, result) => {
      if (result === null) {
        if (this.#isOver) return;
        const isBusy = error instanceof EngineError && (error.code === 'overloaded' || error.code === 'query_timeout');
        const mayWait = this.#sender !== null && isBusy && performance.now() - sinceMs < exportTimeoutMs;
        if (mayWait) this.#timer = setTimeout(() => this.#ask(sinceMs), RETRY_MS);
        else this.#fail(error);
        return;
      }
      this.#heldBytes = result.heldBytes;
      if (this.#isOver) this.#release();
      else this.#send(this.#copy(result.body));
    });
  }

  /** The page was taken, or is not wanted. */
  #release(): void {
    if (this.#heldBytes > 0) this.#context.gate.opened?.releaseAnswer(this.#heldBytes);
    this.#heldBytes = 0;
    if (this.#page.length > PAGE_BYTES) this.#page = new Uint8Array(0);
  }

  /** `body`, which ends with a separator, behind what must stand before it and without the separator. */
  #copy(body: Uint8Array): Uint8Array<ArrayBuffer> {
    if (body.length === 0) return this.#page.subarray(0, 0);
    const { length } = this.#before;
    const bytes = length + body.length - 1;
    if (this.#page.length < bytes) this.#page = new Uint8Array(Math.max(bytes, PAGE_BYTES));
    if (length > 0) this.#page[0] = this.#before.charCodeAt(0);
    this.#page.set(body.subarray(0, -1), length);
    this.#before = this.#form.separator;
    return this.#page.subarray(0, bytes);
  }

  /** Sends a page, the head before the first. The response is corked. */
  #write(page: Uint8Array<ArrayBuffer>): void {
    this.#sender ??= this.#start();
    if (this.#sender === null) return;
    const { isAtEnd } = this.#source;
    if (page.length === 0 && !isAtEnd) {
      this.#release();
      this.#ask(performance.now());
      return;
    }
    this.#pageBytes = page.length;
    this.#sentBytes += page.length;
    this.#sentAtMs = performance.now();
    this.#timer = setTimeout(() => this.#giveUp(), this.#patienceMs);
    if (isAtEnd) this.#sender.end(page, () => this.#exchange.close());
    else this.#sender.send(page);
  }

  /** The client has taken too little for too long. */
  #giveUp(): void {
    const { path, requestId } = this.#exchange.head;
    const message = `an export was cut off: its client did not take ${this.#pageBytes} bytes within ${Math.round(this.#patienceMs)} ms`;
    this.#context.logger.warn({ id: requestId, path }, message);
    this.#exchange.response.close();
  }

  /** Sends the head; null: and nothing more. */
  #start(): ChunkSender | null {
    const exchange = this.#exchange;
    const { contentType } = this.#form;
    const headers = this.#gzip === null ? VARIES : [...VARIES, 'content-encoding', 'gzip'];
    exchange.beginAnswer({ status: 200, contentType, headers });
    if (exchange.isHead) {
      exchange.response.writeHeader('transfer-encoding', 'chunked');
      exchange.response.endWithoutBody();
      exchange.close();
      return null;
    }
    heldOpen.add(exchange.response);
    return new ChunkSender(exchange.response, (bytes) => this.#onTaken(bytes));
  }

  /** The client has taken `bytes` in all. */
  #onTaken(bytes: number): void {
    if (this.#isOver || bytes < this.#sentBytes || this.#sentAtMs === 0) return;
    this.#release();
    if (this.#timer !== null) clearTimeout(this.#timer);
    const { exportTimeoutMs } = this.#context;
    const nowMs = performance.now();
    const earnedMs = (this.#pageBytes * 1000) / Math.max(1, this.#exchange.unsent.watch.bytesPerSecond);
    this.#patienceMs = Math.min(exportTimeoutMs, this.#patienceMs - (nowMs - this.#sentAtMs) + earnedMs);
    this.#sentAtMs = 0;
    this.#ask(nowMs);
  }

  /** There is no answer, or no rest of it: a body that was begun is cut, which its client notices. */
  #fail(error: unknown): void {
    if (this.#sender === null) {
      this.#exchange.fail(error);
      return;
    }
    const { path, requestId } = this.#exchange.head;
    this.#context.logger.warn({ id: requestId, path, err: error }, 'an export was cut off');
    this.#exchange.response.close();
  }

  #end(): void {
    this.#isOver = true;
    heldOpen.remove(this.#exchange.response);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#release();
    this.#source.close();
    this.#onEnd();
  }
}
