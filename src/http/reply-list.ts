/**
 * Answers with a list as JSON that may be long: made a slice at a time, other requests in between, and none before the client
 * has taken what came before. So neither a pause of the other requests nor the memory of an answer grows with the list.
 *
 * A list of at most 64 KiB is an answer like any other. A longer one is sent in chunks, since its length is known only at its
 * end. uWebSockets.js keeps what the socket does not take of a chunk, and does not tell how much that is: when the socket can
 * take more, a chunk of one byte is written, for which the library returns whether all before it is gone.
 */
import type { AnswerHead } from './answer-head.js';
import type { Exchange } from './exchange.js';
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
  /** Made and not yet written. */
  #bytes: Uint8Array = new Uint8Array(0);
  /** Memory that is held while the client does not take what was written; 0: it has taken all. */
  #keptBytes = 0;
  #isOver = false;

  constructor(exchange: Exchange, list: JsonList) {
    this.#exchange = exchange;
    this.#list = list;
    this.#transfer = { movedBytes: 0, onTooSlow: () => exchange.response.close() };
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
    const releaseBefore = exchange.release;
    exchange.release = () => {
      this.#isOver = true;
      unsent.watch.remove(this.#transfer);
      this.#releaseKept();
      releaseBefore();
    };
    response.onWritable(() => this.#onWritable());
    this.#bytes = Buffer.from(start);
    this.#write();
  }

  /** Writes what is made, and goes on if the socket takes all of it. The response is corked. */
  #write(): void {
    const { response, unsent } = this.#exchange;
    const bytes = this.#bytes;
    if (this.#list.isAtEnd) {
      response.end(bytes);
      this.#exchange.close();
      return;
    }
    const isGone = response.write(bytes);
    this.#transfer.movedBytes += bytes.length;
    if (isGone) {
      this.#bytes = new Uint8Array(0);
      this.#goOn();
      return;
    }
    this.#makeSlice();
    this.#keptBytes = bytes.length + this.#bytes.length;
    unsent.keepSmall(this.#keptBytes);
  }

  /** Goes on once the client has taken what was written. Returns whether the socket takes more. */
  #onWritable(): boolean {
    if (this.#keptBytes === 0) return true;
    // The last byte is left for the end of the answer.
    if (this.#bytes.length > 1) {
      const isGone = this.#exchange.response.write(this.#bytes.subarray(0, 1));
      this.#bytes = this.#bytes.subarray(1);
      if (!isGone) return false;
    }
    this.#releaseKept();
    this.#goOn();
    return true;
  }

  /** Other requests come first. */
  #goOn(): void {
    setImmediate(() => {
      if (this.#isOver) return;
      if (this.#bytes.length === 0) this.#makeSlice();
      this.#exchange.response.cork(() => this.#write());
    });
  }

  #makeSlice(): void {
    this.#bytes = Buffer.from(this.#list.slice(SLICE_CHARS));
  }

  #releaseKept(): void {
    if (this.#keptBytes === 0) return;
    const bytes = this.#keptBytes;
    this.#keptBytes = 0;
    this.#exchange.unsent.release(null, bytes);
  }
}
