/**
 * What a reader, or an HTTP thread that reads, does once nobody has asked it for a while: it gives back memory that its reads have left
 * behind. Else the pages of the largest search stay, and garbage does until much more of it has come together.
 */
import { collectGarbage } from '../memory/collect-garbage.js';
import type { ReadServer } from '../query/read-server.js';
import { bindSystemMemory, type SystemMemory } from '../storage/mapping/system-memory.js';

export class ReaderRest {
  readonly #server: ReadServer;
  /** Bound at the first rest; in words, why it cannot be. */
  #memory: SystemMemory | string | null = null;

  constructor(server: ReadServer) {
    this.#server = server;
  }

  /** Takes some milliseconds to tens of them. */
  rest(): void {
    this.#memory ??= bindSystemMemory();
    const memory = this.#memory;
    collectGarbage();
    if (typeof memory === 'string') return;
    this.#server.releaseScratch((unused) => memory.discard(memory.addressOf(unused), unused.length));
    // What the collector has freed lies in the C library's pools.
    memory.trimHeap();
  }
}
