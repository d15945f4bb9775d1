/**
 * Asks queries on one connection while the server does something else: nothing, merges, or a snapshot.
 *
 * In all three the metrics are read every WATCH_MS, so that they compare.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, timeQuery } from './measure-latency.js';
import { post, REST_MS, type ServerProcess } from './server-process.js';

/** Rarely enough for the 99th percentile not to be that of queries behind a reading of the metrics. */
const WATCH_MS = 250;
/** Readings in a row without a merge after which none is left. */
const REST_READINGS = REST_MS / WATCH_MS;
const MERGES_MS_MAX = 120_000;

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

/** A query. Moments are on the clock of performance.now(). */
export interface Asked {
  readonly serverMs: number;
  readonly clientMs: number;
  readonly endedAtMs: number;
}

/** What the server said of its merges. */
export interface Reading {
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** Whether one of large segments was under way. */
  readonly isMerging: boolean;
  /** How many have ended since the start. */
  readonly merges: number;
}

/**
 * Those of `asked` during which merges ran: at the last reading before the query, at the first after it, and at those in
 * between. When one merge ended meanwhile, the next had begun.
 */
export function askedDuringMerges(asked: readonly Asked[], readings: readonly Reading[]): Asked[] {
  return asked.filter(({ endedAtMs, clientMs }) => {
    const from = readings.findLastIndex(({ answeredAtMs }) => answeredAtMs <= endedAtMs - clientMs);
    const to = readings.findIndex(({ askedAtMs }) => askedAtMs >= endedAtMs);
    return from >= 0 && to >= 0 && readings.slice(from, to + 1).every(({ isMerging }) => isMerging);
  });
}

const isAtRest = (readings: readonly Reading[]): boolean => {
  const last = readings.slice(-REST_READINGS);
  return last.length === REST_READINGS && last.every((each) => !each.isMerging && each.merges === last[0].merges);
};

export class BackgroundWork {
  readonly #server: ServerProcess;
  readonly #paths: readonly string[];
  #next = 0;

  /** `paths`: what is asked, over and over. */
  constructor(server: ServerProcess, paths: readonly string[]) {
    this.#server = server;
    this.#paths = paths;
  }

  /** Waits, asking nothing, until no merge is left to do. Throws when that takes too long. */
  async rest(): Promise<void> {
    const readings: Reading[] = [];
    const startMs = performance.now();
    while (!isAtRest(readings)) {
      if (performance.now() - startMs > MERGES_MS_MAX) throw new Error(`merges go on after ${MERGES_MS_MAX} ms`);
      readings.push(await this.#read());
      await sleep(WATCH_MS);
    }
  }

  /** Asks for `ms` milliseconds, at rest. Throws when a merge ran. */
  async whileQuiet(ms: number): Promise<Times> {
    const untilMs = performance.now() + ms;
    const { asked, readings } = await this.#askUntil(() => performance.now() >= untilMs);
    if (readings.some(({ isMerging }) => isMerging)) throw new Error('a merge ran while none was expected');
    return timesOf(asked);
  }

  /** Asks until no merge is left to do, and keeps what was asked while one ran. Call it right after what is to be merged. */
  async whileMerging(): Promise<Times> {
    const untilMs = performance.now() + MERGES_MS_MAX;
    const { asked, readings } = await this.#askUntil((read) => isAtRest(read) || performance.now() >= untilMs);
    return timesOf(askedDuringMerges(asked, readings));
  }

  /** Asks until `work` is done, and returns what it gave and the seconds that it took, with the times of what was asked before its end. */
  async whileDoing<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly times: Times; readonly result: T; readonly seconds: number }> {
    const startMs = performance.now();
    let endMs = Number.POSITIVE_INFINITY;
    const done = work().finally(() => {
      endMs = performance.now();
    });
    const [{ asked }, result] = await Promise.all([this.#askUntil(() => endMs < Infinity), done]);
    const during = asked.filter(({ endedAtMs, clientMs }) => endedAtMs - clientMs < endMs);
    return { times: timesOf(during), result, seconds: (endMs - startMs) / 1000 };
  }

  /** Asks for a snapshot, and queries until it is answered. Throws when it fails. */
  async whileSnapshot(): Promise<Times & { readonly seconds: number; readonly bytes: number }> {
    const { times, result, seconds } = await this.whileDoing(() => post(this.#server.port, '/snapshot'));
    const { status, body } = result;
    if (status !== 200) throw new Error(`POST /snapshot was answered ${status}: ${body.slice(0, 300)}`);
    const { bytes_written } = JSON.parse(body) as { bytes_written: number };
    return { ...times, seconds, bytes: bytes_written };
  }

  async #read(): Promise<Reading> {
    const askedAtMs = performance.now();
    const read = await this.#server.metrics('sabre_merge_running', 'sabre_merges_total');
    const answeredAtMs = performance.now();
    return { askedAtMs, answeredAtMs, isMerging: read.sabre_merge_running > 0, merges: read.sabre_merges_total };
  }

  /** Asks one query after the other until `isOver`, which is given what was read now and then. */
  async #askUntil(isOver: (readings: readonly Reading[]) => boolean) {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const asked: Asked[] = [];
    const readings: Reading[] = [];
    let isDone = false;
    const watch = async (): Promise<void> => {
      for (;;) {
        readings.push(await this.#read());
        if (isOver(readings)) return;
        await sleep(WATCH_MS);
      }
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
      return { asked, readings };
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
