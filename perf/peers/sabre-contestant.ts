/**
 * Sabre's server as a contestant, asked over one connection. Its time is what each answer says it took, from the query string to the
 * finished body: without HTTP. It ranks by BM25.
 */
import http from 'node:http';
import { timeQuery } from '../measure-latency.js';
import type { Contestant, Order, Pass } from './contestant.js';
import { COLLECTION, searchFor } from './sabre-parameters.js';

export class SabreContestant implements Contestant {
  readonly name: string;
  readonly isExact = true;
  readonly hasTwoCalls = false;
  readonly #port: number;
  readonly #texts: readonly string[];
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(name: string, port: number, texts: readonly string[]) {
    this.name = name;
    this.#port = port;
    this.#texts = texts;
  }

  async ask({ mode, shape, first, end }: Order): Promise<Pass> {
    const counts: number[] = [];
    const us: number[] = [];
    for (const text of this.#texts.slice(first, end)) {
      const query = searchFor(mode, shape, 'bm25', text);
      const { found, serverMs } = await timeQuery(
        this.#port,
        `/collections/${COLLECTION}/search?${query}`,
        this.#agent,
      );
      counts.push(found);
      us.push(serverMs * 1000);
    }
    return { counts, us };
  }

  stop(): void {
    this.#agent.destroy();
  }
}
