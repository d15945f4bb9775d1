/**
 * Memory, or places, that are bounded for all clients together and for each of them.
 *
 * Used for request bodies (body.ts), for answers not yet sent (unsent-bytes.ts) and for exports (routes/export.ts). Without a share of its own each, one
 * client with a few large and slow transfers would keep everybody else out.
 */

/** Why there is no room: everybody's is taken, or the client's own. */
export type NoRoom = 'all' | 'client';

/** A share of at most this size is nobody's: the bound on connections bounds it too, and telling whose it is costs more. */
const NOBODYS_BYTES_MAX = 2048;

export class ClientBudget {
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

  /** A share, of nothing at first. `client` is asked whose it is when it is not a small one. */
  open(client: () => string): ClientShare {
    return new ClientShare(this, client);
  }

  /** Takes `bytes` more for `client` (null: nobody's); returns what is in the way, or null. */
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

  /** Takes `bytes` more whether there is room or not. They are nobody's. */
  takeAnyway(bytes: number): void {
    this.#usedBytes += bytes;
  }

  giveBack(client: string | null, bytes: number): void {
    this.#usedBytes -= bytes;
    if (client === null) return;
    const held = (this.#byClient.get(client) ?? 0) - bytes;
    if (held > 0) this.#byClient.set(client, held);
    else this.#byClient.delete(client);
  }
}

/** What one transfer has taken of a budget. */
export class ClientShare {
  readonly #budget: ClientBudget;
  readonly #client: () => string;
  #owner: string | null = null;
  #bytes = 0;

  constructor(budget: ClientBudget, client: () => string) {
    this.#budget = budget;
    this.#client = client;
  }

  /** Takes room for `bytes` in all, no less than before; returns what is in the way, or null. */
  grow(bytes: number): NoRoom | null {
    const owner = this.#owner ?? (bytes > NOBODYS_BYTES_MAX ? this.#client() : null);
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
