/**
 * Stops a server in order: requests, the last snapshot, the log. One deadline, counted from the signal, holds for all.
 *
 * Called by serve.ts once. Whoever waits at the end of `--drain-timeout-ms` with a SIGKILL never has to send it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine/index.js';
import type { Config } from './config.js';
import type { HttpServer } from './http/server.js';
import type { FrontThreads } from './http-threads/front-threads.js';
import type { ServedNode } from './serve-cluster.js';
import type { OtlpExporter } from './tracing/otlp-exporter.js';

/** The least time of a stop, however short the drain may be: the log is forced to disk. */
const STOP_MIN_MS = 1000;
/** Share of the time that requests may take. The rest is the engine's. */
const REQUESTS_SHARE = 0.6;
/** Share of what is left then that a node of a cluster may take to give its lease back: the others would wait until it ends. */
const LEAVE_SHARE = 0.25;
/** Share of what is left then that the last snapshot may take. The rest is for giving it up, and for the log. */
const SNAPSHOT_SHARE = 0.75;
/** What spans that are still to be exported may take of it. */
const SPANS_MS = 1500;
/** For the end of the process itself. */
const EXIT_MS = 100;

/** 'closed': nothing is left of the engine. 'recovering': it has not begun to serve, and its threads still run. */
export type StopOutcome = 'closed' | 'recovering';

/** What is stopped beside the engine; null: there is none. */
export interface StoppedParts {
  readonly server: Pick<HttpServer, 'drain' | 'close'>;
  readonly fronts: Pick<FrontThreads, 'drain' | 'close'> | null;
  readonly exporter: Pick<OtlpExporter, 'close'> | null;
  readonly node: Pick<ServedNode, 'leave' | 'close'> | null;
}

/** Rejects when the engine does not close in time, or cannot sync what it acknowledged. */
export async function stopServer(
  { drainTimeoutMs, snapshotOnStop }: Pick<Config, 'drainTimeoutMs' | 'snapshotOnStop'>,
  gate: { startDraining(): void; readonly opened: Pick<Engine, 'close'> | null },
  { server, fronts, exporter, node }: StoppedParts,
): Promise<StopOutcome> {
  const totalMs = Math.max(drainTimeoutMs, STOP_MIN_MS) - EXIT_MS;
  const endMs = performance.now() + totalMs;
  const leftMs = (): number => Math.max(0, Math.floor(endMs - performance.now()));
  gate.startDraining();
  // The other nodes of a cluster wait for this one no longer; writes under way are still answered.
  const left = node?.leave();
  const requestsMs = Math.floor(drainTimeoutMs * REQUESTS_SHARE);
  const requestsEndMs = performance.now() + requestsMs;
  await Promise.all([server.drain(requestsMs), fronts?.drain(requestsMs)]);
  // Others may have come to this thread while those of the front threads were waited for.
  await server.drain(Math.max(0, requestsEndMs - performance.now()));
  server.close();
  fronts?.close();
  const exported = exporter?.close(Math.min(SPANS_MS, leftMs()));
  const engine = gate.opened;
  // It has acknowledged nothing yet, and the next start recovers the same.
  if (engine === null) return 'recovering';
  if (left !== undefined) await Promise.race([left, sleep(leftMs() * LEAVE_SHARE)]);
  // Who stops without waiting for requests does not want to wait for a snapshot either.
  const snapshotWithinMs = snapshotOnStop && drainTimeoutMs > 0 ? Math.floor(leftMs() * SNAPSHOT_SHARE) : 0;
  await within(leftMs(), engine.close(snapshotWithinMs), `the engine did not close within ${totalMs} ms`);
  await node?.close(leftMs());
  await exported;
  return 'closed';
}

/** Settles as `promise` does, or rejects with `message` after `ms`. */
async function within(ms: number, promise: Promise<void>, message: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
