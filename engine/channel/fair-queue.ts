/**
 * Reads that wait on the HTTP thread, client by client: each client in turn gets one of its reads out, so that a client
 * with a thousand of them delays another's by one.
 *
 * Holds slot numbers; a slot waits in one queue at most.
 */
import { assertPresent } from '../core/assert.js';

interface Client {
  readonly name: string;
  /** In the order of arrival. */
  readonly slots: number[];
}

export class FairQueue {
  readonly #clients = new Map<string, Client>();
  /** The clients that have reads waiting, the one whose turn it is first. */
  readonly #turns: Client[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Puts `slot` behind the others of `client`. */
  push(slot: number, client: string): void {
    let waiting = this.#clients.get(client);
    if (waiting === undefined) {
      waiting = { name: client, slots: [] };
      this.#clients.set(client, waiting);
      this.#turns.push(waiting);
    }
    waiting.slots.push(slot);
    this.#size++;
  }

  /** Takes the next slot out, or -1. */
  shift(): number {
    const client = this.#turns.shift();
    if (client === undefined) return -1;
    const slot = assertPresent(client.slots.shift(), 'a client in turn has a read');
    this.#size--;
    if (client.slots.length > 0) this.#turns.push(client);
    else this.#clients.delete(client.name);
    return slot;
  }

  /** The slot that shift() would take, or -1. */
  peek(): number {
    return this.#turns.length === 0 ? -1 : this.#turns[0].slots[0];
  }

  /** Takes `slot` of `client` out; false: it does not wait here. */
  remove(slot: number, client: string): boolean {
    const waiting = this.#clients.get(client);
    const at = waiting === undefined ? -1 : waiting.slots.indexOf(slot);
    if (waiting === undefined || at < 0) return false;
    waiting.slots.splice(at, 1);
    this.#size--;
    if (waiting.slots.length === 0) this.#forget(waiting);
    return true;
  }

  /** Reads of `client` that wait here. */
  countOf(client: string): number {
    return this.#clients.get(client)?.slots.length ?? 0;
  }

  /** The client with the most reads waiting, or null. */
  largest(): { readonly client: string; readonly count: number } | null {
    let most: Client | null = null;
    for (const client of this.#turns) if (most === null || client.slots.length > most.slots.length) most = client;
    return most === null ? null : { client: most.name, count: most.slots.length };
  }

  /** Takes out the read of `client` that came last. */
  popOf(client: string): number {
    const waiting = assertPresent(this.#clients.get(client), 'a client with reads waiting');
    const slot = assertPresent(waiting.slots.pop(), 'a client in turn has a read');
    this.#size--;
    if (waiting.slots.length === 0) this.#forget(waiting);
    return slot;
  }

  #forget(client: Client): void {
    this.#clients.delete(client.name);
    this.#turns.splice(this.#turns.indexOf(client), 1);
  }
}
