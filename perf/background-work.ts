/**
 * Asks queries on one connection while the server does something else: nothing, merges, or a snapshot.
 *
 * In all three the metrics are read every WATCH_MS, so that they compare.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, timeQuery } from './measure-latency.js';
import { post, type ServerProcess } from './server-process.js';

/** Rarely enough for the 99th percentile not to be that of queries behind a reading of the metrics. */
const WATCH_MS = 250;
const MERGES_MS_MAX = 300_000;

/** Milliseconds of queries, in the server and seen from here. */
export interface Times {
  readonly server: number[];
  readonly client: number[];
}

export const noTimes = (): Times => ({ server: [], client: [] });

/** Adds the times of `more` to `all`. */
export function addTimes(all: Times, more: Times): void {
  for (const ms of more.server) all.server.push(ms);
  for (const ms of more.client) all.client.push(ms);
}

/** The value below which `share` of the times lie; NaN without any. */
export const percentileOf = (times: readonly number[], share: number): number =>
  percentile(Float64Array.from(times).sort(), share);

interface Asked {
  readonly serverMs: number;
  readonly clientMs: number;
  /** On the clock of performance.now(). */
  readonly endedAtMs: number;
}

export class BackgroundWork {
  readonly #server: ServerProcess;
  readonly #paths: readonly string[];
  #next = 0;

  /** `paths`: what is asked, over and over. */
  constructor(server: ServerProcess, paths: readonly string[]) {
    this.#server = server;
    this.#paths = paths;
  }

  /** Asks for `ms` milliseconds. */
  async whileQuiet(ms: number): Promise<Times> {
    const untilMs = performance.now() + ms;
    return timesOf(await this.#askUntil(() => performance.now() >= untilMs));
  }

  /**
   * Asks until no merge has ended for `quietMs`, and keeps what was asked before the last one did: up to then merges went on
   * without a pause, as nothing is written. `quietMs` must exceed the longest merge.
   */
  async whileMerging(quietMs: number): Promise<Times> {
    const startMs = performance.now();
    let lastMerges = -1;
    let watchedAtMs = startMs;
    let changedAtMs = startMs;
    let wentOnUntilMs = startMs;
    const asked = await this.#askUntil((merges) => {
      const nowMs = performance.now();
      if (merges !== lastMerges) {
        // It ended since the last look, perhaps right after it.
        if (lastMerges >= 0) wentOnUntilMs = watchedAtMs;
        lastMerges = merges;
        changedAtMs = nowMs;
      }
      watchedAtMs = nowMs;
      return nowMs - changedAtMs >= quietMs || nowMs - startMs >= MERGES_MS_MAX;
    });
    return timesOf(asked.filter(({ endedAtMs }) => endedAtMs <= wentOnUntilMs));
  }

  /** Asks for a snapshot, and queries until it is answered. Throws when it fails. */
  async whileSnapshot(): Promise<Times & { readonly seconds: number; readonly bytes: number }> {
    const startMs = performance.now();
    let endMs = Number.POSITIVE_INFINITY;
    const answered = post(this.#server.port, '/snapshot').finally(() => {
      endMs = performance.now();
    });
    const [asked, { status, body }] = await Promise.all([this.#askUntil(() => endMs < Infinity), answered]);
    if (status !== 200) throw new Error(`POST /snapshot was answered ${status}: ${body.slice(0, 300)}`);
    const { bytes_written } = JSON.parse(body) as { bytes_written: number };
    const during = asked.filter(({ endedAtMs, clientMs }) => endedAtMs - clientMs < endMs);
    return { ...timesOf(during), seconds: (endMs - startMs) / 1000, bytes: bytes_written };
  }

  /** Asks one query after the other until `isOver`, which is told now and then how many merges have ended. */
  async #askUntil(isOver: (merges: number) => boolean): Promise<Asked[]> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const asked: Asked[] = [];
    let isDone = false;
    const watch = async (): Promise<void> => {
      while (!isOver(await this.#server.metric('sabre_merges_total'))) await sleep(WATCH_MS);
    };
    const ask = async (): Promise<void> => {
      while (!isDone) {
        const path = this.#paths[this.#next++ % this.#paths.length];
        const { serverMs, clientMs } = await timeQuery(this.#server.port, path, agent);
        asked.push({ serverMs, clientMs, endedAtMs: performance.now() });
      }
    };
    try {
      const watched = watch().finally(() => {
        isDone = true;
      });
      await Promise.all([watched, ask()]);
      return asked;
    } finally {
      isDone = true;
      agent.destroy();
    }
  }
}

const timesOf = (asked: readonly Asked[]): Times => ({
  server: asked.map(({ serverMs }) => serverMs),
  client: asked.map(({ clientMs }) => clientMs),
});
