/**
 * The memory that the bodies in flight may take: all together, and those of one client.
 *
 * Used by body.ts alone. Without a share of its own each, one client with a few large and slow uploads would keep
 * everybody else from writing.
 */

/** Why there is no room: everybody's is taken, or the client's own. */
export type NoRoom = 'all' | 'client';

/** Bodies of at most this size count as nobody's: the bound on connections bounds them too, and telling whose they are costs more. */
const UNCOUNTED_BYTES_MAX = 2048;

export class BodyBudget {
  readonly maxBytes: number;
  readonly clientMaxBytes: number;
  readonly #byClient = new Map<string, number>();
  #usedBytes = 0;

  constructor(maxBytes: number, clientMaxBytes: number) {
    this.maxBytes = maxBytes;
    this.clientMaxBytes = clientMaxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** A body's own share, of nothing at first. `client` is asked for when the body is not a small one. */
  open(client: () => string): BodyShare {
    return new BodyShare(this, client);
  }

  /** Takes `bytes` more for `client` (null: nobody's); returns what is in the way, or null. Called by BodyShare. */
  take(client: string | null, bytes: number): NoRoom | null {
    if (this.#usedBytes + bytes > this.maxBytes) return 'all';
    if (client !== null) {
      const held = (this.#byClient.get(client) ?? 0) + bytes;
      if (held > this.clientMaxBytes) return 'client';
      this.#byClient.set(client, held);
    }
    this.#usedBytes += bytes;
    return null;
  }

  giveBack(client: string | null, bytes: number): void {
    this.#usedBytes -= bytes;
    if (client === null) return;
    const held = (this.#byClient.get(client) ?? 0) - bytes;
    if (held > 0) this.#byClient.set(client, held);
    else this.#byClient.delete(client);
  }
}

/** What one body has taken of the budget. */
export class BodyShare {
  readonly #budget: BodyBudget;
  readonly #client: () => string;
  #owner: string | null = null;
  #bytes = 0;

  constructor(budget: BodyBudget, client: () => string) {
    this.#budget = budget;
    this.#client = client;
  }

  /** Takes room for `bytes` in all, no less than before; returns what is in the way, or null. */
  grow(bytes: number): NoRoom | null {
    const owner = this.#owner ?? (bytes > UNCOUNTED_BYTES_MAX ? this.#client() : null);
    // What was nobody's becomes the client's as a whole.
    const isAdopted = owner !== this.#owner;
    if (isAdopted) this.#budget.giveBack(null, this.#bytes);
    const noRoom = this.#budget.take(owner, isAdopted ? bytes : bytes - this.#bytes);
    if (noRoom === null) {
      this.#owner = owner;
      this.#bytes = bytes;
    } else if (isAdopted) this.#budget.take(null, this.#bytes);
    return noRoom;
  }

  /** Gives everything back. */
  close(): void {
    this.#budget.giveBack(this.#owner, this.#bytes);
    this.#bytes = 0;
  }
}
