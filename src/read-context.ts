/**
 * What the routes of reads need, on whichever thread they run: the main thread has all of it in its AppContext, a front thread
 * what stands for it there.
 */
import type { Exchange } from './http/exchange.js';
import type { ReadEngine } from './read-engine.js';
import type { SearchTags } from './routes/search-tags.js';
import type { SlowSearchLog } from './routes/slow-searches.js';

interface Durations {
  observeUs(elapsedUs: number): void;
}

export interface ReadContext {
  readonly gate: {
    readonly engine: ReadEngine | null;
    pass(exchange: Exchange, run: (engine: ReadEngine) => void): void;
  };
  readonly analytics: { record(collection: string, q: string, found: number, elapsedUs: number): void };
  readonly metrics: {
    searchRequests: number;
    suggestRequests: number;
    slowSearches: number;
    readonly searchDuration: Durations;
    readonly searchWait: Durations;
    readonly suggestDuration: Durations;
    readonly fetchDuration: Durations;
  };
  /** null: slow searches are not logged. */
  readonly slowSearches: SlowSearchLog | null;
  readonly tags: SearchTags;
}
