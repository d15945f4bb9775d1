/**
 * Answers with a list as JSON that may be long: made a slice at a time, other requests in between, and none before the client
 * has taken what came before. So neither a pause of the other requests nor the memory of an answer grows with the list.
 *
 * A list of at most 64 KiB is an answer like any other. A longer one is sent in chunks, since its length is known only at its
 * end.
 */
import type { AnswerHead } from './answer-head.js';
import { ChunkSender } from './chunk-sender.js';
import type { Exchange } from './exchange.js';
import { heldOpen } from './held-open.js';
import { JSON_TYPE, reply } from './reply.js';
import { UNCOUNTED_ANSWER_BYTES } from './unsent-bytes.js';

/** Characters from which on a slice is sent: less than 1 ms of work, more than the 16 KiB that the library gathers. */
const SLICE_CHARS = 32 * 1024;

const LIST_HEAD: AnswerHead = { status: 200, contentType: JSON_TYPE };

/** Answers 200 with `values`, which must stay as they are; does nothing when the client went away. */
export function replyJsonList(exchange: Exchange, values: readonly unknown[]): void {
  if (!exchange.isOpen) return;
  const list = new JsonList(values);
  const start = list.slice(UNCOUNTED_ANSWER_BYTES);
  if (list.isAtEnd) reply(exchange, { status: 200, contentType: JSON_TYPE, body: start });
  else if (exchange.isCorked) new ListAnswer(exchange, list).begin(start);
  else exchange.response.cork(() => new ListAnswer(exchange, list).begin(start));
}

/** The JSON text of a list, slice by slice. */
class JsonList {
  readonly #values: readonly unknown[];
  #next = 0;

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  /** Whether the last slice was the end of the text. */
  get isAtEnd(): boolean {
    return this.#next > this.#values.length;
  }

  /** What comes next: the end of the text, or as many values as make `charCount` characters. */
  slice(charCount: number): string {
    let text = '';
    while (text.length < charCount) {
      if (this.#next === 0) text = '[';
      if (this.#next === this.#values.length) {
        this.#next += 1;
        return `${text}]`;
      }
      if (this.#next > 0) text += ',';
      text += JSON.stringify(this.#values[this.#next]);
      this.#next += 1;
    }
    return text;
  }
}

class ListAnswer {
  readonly #exchange: Exchange;
  readonly #list: JsonList;
  readonly #transfer: { movedBytes: number; onTooSlow: () => void };
  readonly #sender: ChunkSender;
  #sentBytes = 0;
  /** Memory that is held while the client does not take what was sent last; 0: it has taken it. */
  #keptBytes = 0;
  #isOver = false;

  /** The response is corked. */
  constructor(exchange: Exchange, list: JsonList) {
    this.#exchange = exchange;
    this.#list = list;
    this.#transfer = { movedBytes: 0, onTooSlow: () => exchange.response.close() };
    this.#sender = new ChunkSender(exchange.response, (bytes) => this.#onTaken(bytes));
  }

  /** Sends the head and the first slice. The response is corked. */
  begin(start: string): void {
    const exchange = this.#exchange;
    const { response, unsent } = exchange;
    exchange.beginAnswer(LIST_HEAD);
    if (exchange.isHead) {
      // As GET has it. Without a word of the length some clients wait for the end of the connection, or end it themselves.
      response.writeHeader('transfer-encoding', 'chunked');
      response.endWithoutBody();
      exchange.close();
      return;
    }
    unsent.watch.add(this.#transfer);
    heldOpen.add(response);
    const releaseBefore = exchange.release;
    exchange.release = () => {
      this.#isOver = true;
      unsent.watch.remove(this.#transfer);
      heldOpen.remove(response);
      this.#releaseKept();
      releaseBefore();
    };
    this.#send(start);
  }

  /** Sends the next slice. The response is corked. */
  #send(slice: string): void {
    const bytes = Buffer.from(slice);
    this.#sentBytes += bytes.length;
    this.#keptBytes = bytes.length;
    this.#exchange.unsent.keepSmall(bytes.length);
    if (this.#list.isAtEnd) this.#sender.end(bytes, () => this.#exchange.close());
    else this.#sender.send(bytes);
  }

  /** The client has taken `bytes`. Once that is all, the next slice follows, other requests first. */
  #onTaken(bytes: number): void {
    this.#transfer.movedBytes = bytes;
    if (bytes < this.#sentBytes || this.#keptBytes === 0) return;
    this.#releaseKept();
    setImmediate(() => {
      if (!this.#isOver) this.#exchange.response.cork(() => this.#send(this.#list.slice(SLICE_CHARS)));
    });
  }

  #releaseKept(): void {
    if (this.#keptBytes === 0) return;
    const bytes = this.#keptBytes;
    this.#keptBytes = 0;
    this.#exchange.unsent.release(null, bytes);
  }
}
