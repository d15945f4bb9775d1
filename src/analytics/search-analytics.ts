/**
 * What the server remembers about its searches: the facade that the search route writes and the analytics routes read.
 *
 * In memory only; a restart forgets everything. Only successful searches are recorded, suggestions never.
 */
import type { Latency, QueryEntry, QueryList } from '../api/types/server.js';
import { LatencyRecorder } from './latency.js';
import { TopQueries } from './top-queries.js';

export class SearchAnalytics {
  readonly #startedMs = performance.now();
  readonly #queries = new TopQueries();
  readonly #latency = new LatencyRecorder();

  /** Seconds since the server started, with fractions. */
  get uptimeSeconds(): number {
    return (performance.now() - this.#startedMs) / 1000;
  }

  get trackedQueries(): number {
    return this.#queries.tracked;
  }

  get droppedQueries(): number {
    return this.#queries.dropped;
  }

  /** Records one successful search. A blank `q` counts in the latency figures only. */
  record(collection: string, q: string, found: number, elapsedUs: number): void {
    this.#latency.record(elapsedUs);
    const query = q.trim();
    if (query !== '') this.#queries.record(collection, query, found, elapsedUs, Date.now());
  }

  /** Forgets the queries of a collection that was deleted. */
  forget(collection: string): void {
    this.#queries.forget(collection);
  }

  /** The same of all collections that do not exist: others may have deleted them, and searches may have ended since. */
  forgetGone(exists: (collection: string) => boolean): void {
    this.#queries.forgetGone(exists);
  }

  /** The most frequent queries; `collection` null: of all. */
  top(collection: string | null, limit: number): QueryList {
    return this.#list(this.#queries.top(collection, limit));
  }

  /** The queries that most often found nothing. */
  zeroResults(collection: string | null, limit: number): QueryList {
    return this.#list(this.#queries.zeroResults(collection, limit));
  }

  latency(): Latency {
    const uptime = this.uptimeSeconds;
    const figures = this.#latency.figures();
    return {
      ...figures,
      total_searches: figures.count,
      uptime_seconds: Math.floor(uptime),
      queries_per_second: Math.round((figures.count / uptime) * 1000) / 1000,
    };
  }

  #list(queries: readonly QueryEntry[]): QueryList {
    return { queries, tracked_queries: this.#queries.tracked, dropped_queries: this.#queries.dropped };
  }
}
