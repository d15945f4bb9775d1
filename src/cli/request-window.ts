/**
 * Requests of a command that are under way at the same time, bounded by how many they are and by the bytes of their bodies.
 */

export class RequestWindow {
  readonly #countMax: number;
  readonly #bytesMax: number;
  readonly #running = new Set<Promise<void>>();
  #bytes = 0;

  /** `bytesMax` holds for several requests; one alone may take more. */
  constructor(countMax: number, bytesMax: number) {
    this.#countMax = countMax;
    this.#bytesMax = bytesMax;
  }

  /** Waits until a request of `bytes` may begin. */
  async room(bytes: number): Promise<void> {
    while (!this.#takes(bytes)) await Promise.race(this.#running);
  }

  /** Counts a request of `bytes` until `sending`, which never rejects, has ended. */
  add(sending: Promise<void>, bytes: number): void {
    this.#bytes += bytes;
    const running = sending.then(() => {
      this.#bytes -= bytes;
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  /** Waits until no request is under way. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }

  #takes(bytes: number): boolean {
    const count = this.#running.size;
    return count === 0 || (count < this.#countMax && this.#bytes + bytes <= this.#bytesMax);
  }
}
