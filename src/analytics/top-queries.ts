/**
 * Which queries are asked most, and which find nothing: bounded memory, constant time per search.
 *
 * Recorded on the path of every search, read by the analytics endpoints. Holds nothing on disk.
 */
import type { QueryEntry } from '../api/types/server.js';
import { StreamSummary, SummaryNode } from './stream-summary.js';

const TRACKED_QUERIES_MAX = 10_000;

class TrackedQuery extends SummaryNode {
  readonly collection: string;
  readonly query: string;
  searches = 0;
  zeroResults = 0;
  lastFound = 0;
  totalUs = 0;
  lastSeenMs = 0;

  constructor(collection: string, query: string) {
    super();
    this.collection = collection;
    this.query = query;
  }
}

export class TopQueries {
  readonly #summary: StreamSummary<TrackedQuery>;
  readonly #byCollection = new Map<string, Map<string, TrackedQuery>>();
  #dropped = 0;

  constructor(capacity = TRACKED_QUERIES_MAX) {
    this.#summary = new StreamSummary(capacity);
  }

  /** Queries held now, over all collections. */
  get tracked(): number {
    return this.#summary.size;
  }

  /** Queries that gave way to others since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Records one search for `query` (trimmed, not empty): documents `found`, time taken, and the time now. */
  record(collection: string, query: string, found: number, elapsedUs: number, nowMs: number): void {
    let tracked = this.#byCollection.get(collection)?.get(query);
    if (tracked === undefined) tracked = this.#takeCopy(collection, query);
    else this.#summary.increment(tracked);
    tracked.searches += 1;
    if (found === 0) tracked.zeroResults += 1;
    tracked.lastFound = found;
    tracked.totalUs += elapsedUs;
    tracked.lastSeenMs = nowMs;
  }

  /** Drops every query of `collection`. */
  forget(collection: string): void {
    const queries = this.#byCollection.get(collection);
    if (queries === undefined) return;
    for (const tracked of queries.values()) this.#summary.remove(tracked);
    this.#byCollection.delete(collection);
  }

  /** Drops the queries of collections that do not exist. */
  forgetGone(exists: (collection: string) => boolean): void {
    for (const collection of this.#byCollection.keys()) if (!exists(collection)) this.forget(collection);
  }

  /** The `limit` most asked queries of `collection` (null: of all), then by last seen, then by text. */
  top(collection: string | null, limit: number): QueryEntry[] {
    return this.#list(collection, limit, (tracked) => tracked.searches);
  }

  /** The `limit` queries that most often found nothing, in the same order; only those that did at least once. */
  zeroResults(collection: string | null, limit: number): QueryEntry[] {
    return this.#list(collection, limit, (tracked) => tracked.zeroResults);
  }

  /** A slice of the request's URL would keep all of it in memory. What is no Unicode is another text as a copy, which may be known. */
  #takeCopy(collection: string, query: string): TrackedQuery {
    const copy = Buffer.from(query).toString();
    const known = this.#byCollection.get(collection)?.get(copy);
    if (known === undefined) return this.#take(collection, copy);
    this.#summary.increment(known);
    return known;
  }

  #take(collection: string, query: string): TrackedQuery {
    const tracked = new TrackedQuery(collection, query);
    const evicted = this.#summary.insert(tracked);
    if (evicted !== null) {
      this.#dropped += 1;
      const siblings = this.#byCollection.get(evicted.collection);
      siblings?.delete(evicted.query);
      if (siblings?.size === 0) this.#byCollection.delete(evicted.collection);
    }
    let queries = this.#byCollection.get(collection);
    if (queries === undefined) {
      queries = new Map();
      this.#byCollection.set(collection, queries);
    }
    queries.set(tracked.query, tracked);
    return tracked;
  }

  #list(collection: string | null, limit: number, rank: (tracked: TrackedQuery) => number): QueryEntry[] {
    const maps = collection === null ? this.#byCollection.values() : [this.#byCollection.get(collection) ?? new Map()];
    const ranked: TrackedQuery[] = [];
    for (const queries of maps) {
      for (const tracked of queries.values()) if (rank(tracked) > 0) ranked.push(tracked);
    }
    ranked.sort((a, b) => rank(b) - rank(a) || compareRecency(a, b));
    return ranked.slice(0, limit).map(toEntry);
  }
}

function compareRecency(a: TrackedQuery, b: TrackedQuery): number {
  if (a.lastSeenMs !== b.lastSeenMs) return b.lastSeenMs - a.lastSeenMs;
  if (a.query !== b.query) return a.query < b.query ? -1 : 1;
  return a.collection < b.collection ? -1 : 1;
}

function toEntry(tracked: TrackedQuery): QueryEntry {
  return {
    query: tracked.query,
    collection: tracked.collection,
    count: tracked.searches,
    zero_result_count: tracked.zeroResults,
    last_result_count: tracked.lastFound,
    avg_latency_ms: Math.round(tracked.totalUs / tracked.searches) / 1000,
    last_seen: tracked.lastSeenMs,
  };
}
