/**
 * Sabre as a contestant: a server of its own, asked over one connection. Its time is what each answer says it took, from the
 * parameters to the finished body, documents included: without HTTP, as the others are.
 */
import http from 'node:http';
import { timeQuery } from '../measure-latency.js';
import type { Contestant, Order, Pass, Shape } from './contestant.js';

const COLLECTION = 'titles';
export const SABRE_SCHEMA = { name: COLLECTION, fields: [{ name: 'title', type: 'text' }] };

function parametersOf(shape: Shape, text: string): Record<string, string> {
  if (shape === 'corrected' || shape === 'in two steps') return { q: text };
  const q = shape === 'phrase' ? `"${text}"` : text;
  return { q, typo_tolerance: 'false', prefix: 'false', match_mode: shape === 'any' ? 'any' : 'all' };
}

export class SabreContestant implements Contestant {
  readonly name: string;
  readonly isExact = true;
  readonly #port: number;
  readonly #texts: readonly string[];
  readonly #parameters: Readonly<Record<string, string>>;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  /** `parameters`: sent with every search. */
  constructor(name: string, port: number, texts: readonly string[], parameters: Readonly<Record<string, string>>) {
    this.name = name;
    this.#port = port;
    this.#texts = texts;
    this.#parameters = parameters;
  }

  async ask({ mode, shape, first, end }: Order): Promise<Pass> {
    const counts: number[] = [];
    const us: number[] = [];
    const limit = mode === 'count' ? '0' : '10';
    for (const text of this.#texts.slice(first, end)) {
      const query = new URLSearchParams({ ...parametersOf(shape, text), limit, ...this.#parameters });
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
