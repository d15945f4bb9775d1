/**
 * Reads request bodies into memory of their own, bounded one by one and all together.
 *
 * Called by the routes that take a body, inside the server's handler. A body that is too large is refused as soon as
 * that is known: from Content-Length before the first byte, else when a chunk passes the bound.
 */
import type { ClientBudget, ClientShare, NoRoom } from './client-budget.js';
import { replyError } from './error-reply.js';
import type { Exchange } from './exchange.js';
import { heldOpen } from './held-open.js';
import type { RateWatch, WatchedTransfer } from './rate-watch.js';
import { quoteForMessage } from './request-error.js';

/** What bounds the bodies in flight. */
export interface BodyLimits {
  readonly budget: ClientBudget;
  readonly watch: RateWatch;
}

const FIRST_CHUNKED_BYTES = 64 * 1024;
/** A refused body longer than this many times the bound is not worth reading to its end. */
const DRAINED_BODIES = 4;
/** Beyond, a body has a buffer of its own, which can be moved to another thread. */
const POOLED_BYTES_MAX = 2048;
const NO_BYTES = new Uint8Array(0);

/**
 * Reads the body of `exchange` and calls `done` with it, unless it was refused or the client went away.
 *
 * At most `maxBytes` bytes, else 413 at once, and the rest is thrown away or cut off; 503 when the budget has no room, 429
 * when the client's share of it has none; 408 when the body comes too slowly; 400 before the first byte when it is
 * compressed. The buffer belongs to the caller, but its room in the budget is taken until the exchange is closed, or
 * whoever takes it over gives it back. `done` may run within this call.
 */
export function readBody(
  exchange: Exchange,
  maxBytes: number,
  limits: BodyLimits,
  done: (body: Uint8Array<ArrayBuffer>) => void,
): void {
  if (!isPlain(exchange)) return;
  const collector = new BodyCollector(exchange, maxBytes, limits);
  if (!collector.begin(exchange.head.contentLength)) return;
  exchange.response.onData((chunk, isLast) => {
    if (!exchange.isOpen || !collector.append(chunk)) return;
    if (!isLast) return;
    try {
      done(collector.finish());
    } catch (error) {
      exchange.fail(error);
    }
  });
}

/** False: the body is encoded in a way that is not understood, and the exchange is answered. */
function isPlain(exchange: Exchange): boolean {
  const { contentEncoding } = exchange.head;
  if (contentEncoding === '' || contentEncoding.toLowerCase() === 'identity') return true;
  const message = `header "content-encoding": expected none or identity, got ${quoteForMessage(contentEncoding)}`;
  replyError(exchange, 'invalid_json', message, { connection: 'drain' });
  return false;
}

/** The number that `text`, one decimal digit or more, stands for; -1 when it is anything else. */
function decimal(text: string): number {
  let value = text === '' ? -1 : 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

class BodyCollector implements WatchedTransfer {
  readonly #exchange: Exchange;
  readonly #maxBytes: number;
  readonly #limits: BodyLimits;
  readonly #share: ClientShare;
  #bytes: Uint8Array<ArrayBuffer> = NO_BYTES;
  #length = 0;

  constructor(exchange: Exchange, maxBytes: number, limits: BodyLimits) {
    this.#exchange = exchange;
    this.#maxBytes = maxBytes;
    this.#limits = limits;
    this.#share = limits.budget.open(() => exchange.client);
    exchange.release = () => {
      this.#end();
      this.#share.close();
    };
  }

  get movedBytes(): number {
    return this.#length;
  }

  /** Makes room for the announced length, all at once so that what was accepted can be finished. False: refused. */
  begin(contentLength: string): boolean {
    const announced = decimal(contentLength);
    if (announced > this.#maxBytes) return this.#refuseLength(`${announced} bytes`, announced);
    if (announced >= 0 && !this.#grow(announced)) return false;
    this.#limits.watch.add(this);
    heldOpen.add(this.#exchange.response);
    return true;
  }

  /** False: refused, and the exchange is answered. */
  append(chunk: ArrayBuffer): boolean {
    const needed = this.#length + chunk.byteLength;
    if (needed > this.#maxBytes) return this.#refuseLength('more', needed);
    if (needed > this.#bytes.length) {
      const doubled = Math.max(needed, this.#bytes.length * 2, FIRST_CHUNKED_BYTES);
      if (!this.#grow(Math.min(doubled, this.#maxBytes))) return false;
    }
    this.#bytes.set(new Uint8Array(chunk), this.#length);
    this.#length = needed;
    return true;
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#end();
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length);
  }

  /** No more is waited for. */
  #end(): void {
    this.#limits.watch.remove(this);
    heldOpen.remove(this.#exchange.response);
  }

  #grow(capacity: number): boolean {
    const noRoom = this.#share.grow(capacity);
    if (noRoom !== null) {
      this.#refuseRoom(noRoom);
      return false;
    }
    // From Node's pool when small: it need not be zeroed, since only what was received is handed out.
    const grown = capacity <= POOLED_BYTES_MAX ? Buffer.allocUnsafe(capacity) : new Uint8Array(capacity);
    if (this.#length > 0) grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    return true;
  }

  onTooSlow(): void {
    const { bytesPerSecond, windowMs } = this.#limits.watch;
    const expected = `at least ${bytesPerSecond} bytes a second over ${windowMs} ms`;
    replyError(
      this.#exchange,
      'request_timeout',
      `request body: expected ${expected}, got ${this.#length} bytes so far`,
      { connection: 'cut' },
    );
  }

  #refuseRoom(noRoom: NoRoom): void {
    const { maxBytes, clientMaxBytes } = this.#limits.budget;
    const isClients = noRoom === 'client';
    const bound = isClients ? `${clientMaxBytes} bytes of one client` : `${maxBytes} bytes together`;
    replyError(this.#exchange, 'overloaded', `request bodies in flight: at most ${bound}, try again later`, {
      connection: 'drain',
      status: isClients ? 429 : undefined,
    });
  }

  /** `bytes`: the length as far as it is known. */
  #refuseLength(got: string, bytes: number): boolean {
    const message = `request body: at most ${this.#maxBytes} bytes expected, got ${got}`;
    const connection = bytes > this.#maxBytes * DRAINED_BODIES ? 'cut' : 'drain';
    replyError(this.#exchange, 'payload_too_large', message, { connection });
    return false;
  }
}
