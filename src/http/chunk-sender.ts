/**
 * Sends the chunks of an answer to its client and tells how much of them the client has taken.
 *
 * The library keeps what the socket does not take, and does not tell how much that is. So while something is kept some bytes
 * are held back: when the socket can take more, one of them is written, for which the library returns whether all before it
 * is gone. The answer is ended once it is: after that nobody but the library's own clock waits for the client.
 */
import type { ResponsePort } from './response-port.js';

const HELD_BYTES = 1024;
const NO_BYTES = new Uint8Array(0);

export class ChunkSender {
  readonly #response: ResponsePort;
  readonly #onTaken: (bytes: number) => void;
  #held = NO_BYTES;
  #writtenBytes = 0;
  /** What is called when the answer has ended; null: more chunks come. */
  #onEnded: (() => void) | null = null;
  #isEnded = false;

  /** `onTaken` hears how much the client has taken in all, to within HELD_BYTES, but of the last chunk. */
  constructor(response: ResponsePort, onTaken: (bytes: number) => void) {
    this.#response = response;
    this.#onTaken = onTaken;
    response.onWritable(() => this.#goOn());
  }

  /** Sends `chunk` behind what was sent before. The response is corked. */
  send(chunk: Uint8Array<ArrayBuffer>): void {
    if (this.#held.length > 0) this.#held = joined(this.#held, chunk);
    else this.#write(chunk);
  }

  /** Sends the last chunk, which may be empty, and ends the answer when its client has taken nearly all. The response is corked. */
  end(chunk: Uint8Array<ArrayBuffer>, onEnded: () => void): void {
    this.#onEnded = onEnded;
    this.send(chunk);
  }

  /** Writes `bytes`, before which nothing is kept. */
  #write(bytes: Uint8Array<ArrayBuffer>): void {
    const end = Math.max(0, bytes.length - HELD_BYTES);
    this.#held = bytes.subarray(end);
    if (end > 0 && !this.#writes(bytes.subarray(0, end))) return;
    this.#writeHeld();
  }

  #goOn(): boolean {
    if (this.#isEnded) return true;
    if (this.#held.length > 0) {
      const isGone = this.#writes(this.#held.subarray(0, 1));
      this.#held = this.#held.subarray(1);
      // Else there is nothing more to ask with, and the client has taken more a thousand times.
      if (!isGone && this.#held.length > 0) return false;
    }
    if (this.#onEnded === null) this.#onTaken(this.#writtenBytes);
    const rest = this.#held;
    this.#held = NO_BYTES;
    if (rest.length > 0 || this.#onEnded !== null) this.#write(rest);
    return true;
  }

  /** Writes what is held back, before which nothing is kept. */
  #writeHeld(): void {
    const rest = this.#held;
    this.#held = NO_BYTES;
    if (this.#onEnded !== null) {
      this.#isEnded = true;
      this.#response.end(rest);
      this.#onEnded();
      return;
    }
    if (rest.length > 0) this.#writes(rest);
    this.#onTaken(this.#writtenBytes);
  }

  #writes(bytes: Uint8Array): boolean {
    this.#writtenBytes += bytes.length;
    return this.#response.write(bytes);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
