/**
 * Up to where own writes may be acknowledged, and who has to hear of it when. Used by cluster-member.ts.
 *
 * The log's acknowledgement of an own message has to come, too: what this node has applied may not be stored at a majority yet.
 */

export class Releases {
  readonly #release: (sequence: number) => void;
  /** Own message that was delivered and whose storing is not confirmed. */
  #unsettled: { readonly sequence: number; readonly counter: number } | null = null;
  /** Counter of the last message that is confirmed, or given up. */
  #settled = 0;
  /** Place of the last own message. */
  #own = 0;
  #sequence = 0;
  #told = 0;

  /** `release` hears up to where: at once where an own message waits for it. */
  constructor(release: (sequence: number) => void) {
    this.#release = release;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Nothing behind it may be acknowledged. */
  get limit(): number {
    return this.#unsettled === null ? Number.MAX_SAFE_INTEGER : this.#unsettled.sequence - 1;
  }

  /** The own message `counter` has come. */
  noteOwn(sequence: number, counter: number): void {
    this.#own = sequence;
    if (counter > this.#settled) this.#unsettled = { sequence, counter };
  }

  /** All own messages up to `counter` are stored, or given up. */
  settle(counter: number): void {
    this.#settled = counter;
    if (this.#unsettled !== null && this.#unsettled.counter <= counter) this.#unsettled = null;
  }

  /** All up to `sequence` may be acknowledged. */
  advance(sequence: number): void {
    if (sequence <= this.#sequence) return;
    this.#sequence = sequence;
    // Whoever waits for something else, as the end of a change of a schema, has the time until the next tick.
    if (this.#own > this.#told) this.tell();
  }

  /** To be called now and then: tells what nobody has waited for. */
  tell(): void {
    if (this.#sequence === this.#told) return;
    this.#told = this.#sequence;
    this.#release(this.#sequence);
  }
}
