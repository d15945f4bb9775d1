/**
 * Asks queries one after the other on one connection and collects what the server says each took.
 */
import http from 'node:http';
import type { QueryMix } from './query-mixes.js';
import { get } from './server-process.js';

const SERVER_TIME = /"search_time_ms":([\d.eE+-]+)/;
const FOUND = /"found":(\d+)/;
const SUGGESTED = /"text":/;

export interface LatencyRow {
  readonly name: string;
  readonly queries: number;
  /** Share of the queries that found anything. */
  readonly hitShare: number;
  /** Milliseconds in the server, from search_time_ms. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Milliseconds from request to whole response, seen from here. */
  readonly clientP50: number;
  readonly clientP95: number;
}

/** The value below which `share` of the sorted values lie, by nearest rank. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export interface TimedQuery {
  /** Milliseconds in the server, from search_time_ms. */
  readonly serverMs: number;
  /** Milliseconds from request to whole response, seen from here. */
  readonly clientMs: number;
  /** Documents found; NaN for suggestions. */
  readonly found: number;
  readonly isHit: boolean;
}

/** Asks one query. Throws when it is not answered with 200. */
export async function timeQuery(port: number, path: string, agent: http.Agent): Promise<TimedQuery> {
  const startedMs = performance.now();
  const { status, body } = await get(port, path, agent);
  const clientMs = performance.now() - startedMs;
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${body.slice(0, 300)}`);
  const serverMs = Number(SERVER_TIME.exec(body)?.[1] ?? Number.NaN);
  const found = Number(FOUND.exec(body)?.[1] ?? Number.NaN);
  return { serverMs, clientMs, found, isHit: Number.isNaN(found) ? SUGGESTED.test(body) : found > 0 };
}

/** What the queries of one mix took, in the order in which they were asked. */
export interface MixTimes {
  readonly name: string;
  readonly serverMs: Float64Array;
  readonly clientMs: Float64Array;
  readonly hits: number;
}

/** Measures one mix after others of the kind. Throws when a query is not answered with 200. */
export async function measureLatency(port: number, mix: QueryMix): Promise<MixTimes> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const serverMs = new Float64Array(mix.paths.length);
  const clientMs = new Float64Array(mix.paths.length);
  let hits = 0;
  try {
    for (const path of mix.warmUp) await get(port, path, agent);
    for (const [index, path] of mix.paths.entries()) {
      const timed = await timeQuery(port, path, agent);
      clientMs[index] = timed.clientMs;
      serverMs[index] = timed.serverMs;
      if (timed.isHit) hits++;
    }
  } finally {
    agent.destroy();
  }
  return { name: mix.name, serverMs, clientMs, hits };
}

/** The times of several together, sorted. */
export function joinTimes(times: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(times.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const some of times) {
    joined.set(some, at);
    at += some.length;
  }
  return joined.sort();
}

/** The row of the rounds of one mix. */
export function latencyRow(rounds: readonly MixTimes[]): LatencyRow {
  const serverMs = joinTimes(rounds.map((round) => round.serverMs));
  const clientMs = joinTimes(rounds.map((round) => round.clientMs));
  return {
    name: rounds[0]?.name ?? '',
    queries: serverMs.length,
    hitShare: rounds.reduce((sum, { hits }) => sum + hits, 0) / serverMs.length,
    p50: percentile(serverMs, 0.5),
    p95: percentile(serverMs, 0.95),
    p99: percentile(serverMs, 0.99),
    max: percentile(serverMs, 1),
    clientP50: percentile(clientMs, 0.5),
    clientP95: percentile(clientMs, 0.95),
  };
}
