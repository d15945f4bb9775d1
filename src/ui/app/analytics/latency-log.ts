/**
 * The latencies that this tab has seen, over time: bounded, kept in memory while the tab is open, whichever view is shown.
 */
import type { Latency } from '../../../client/client.js';

export interface LatencyPoint {
  /** Unix time in seconds. */
  readonly at: number;
  readonly latency: Latency;
  /** Searches a second since the point before; null for the first. */
  readonly rate: number | null;
}

/** An hour of points each 5 s; of more, every second one is dropped, and so on. */
export const POINTS_MAX = 720;

/** `points` with what was seen at `at`. A server that was started anew begins anew. */
export function withPoint(points: readonly LatencyPoint[], at: number, latency: Latency): readonly LatencyPoint[] {
  const last = points.at(-1);
  if (last === undefined || latency.total_searches < last.latency.total_searches) return [{ at, latency, rate: null }];
  const seconds = at - last.at;
  const searches = latency.total_searches - last.latency.total_searches;
  const all = [...points, { at, latency, rate: seconds > 0 ? searches / seconds : last.rate }];
  return all.length <= POINTS_MAX ? all : all.filter((_, i) => i % 2 === 0 || i === all.length - 1);
}

let kept: readonly LatencyPoint[] = [];

/** What was kept. */
export const keptPoints = (): readonly LatencyPoint[] => kept;

/** Keeps a point, and returns all. */
export function keepPoint(at: number, latency: Latency): readonly LatencyPoint[] {
  kept = withPoint(kept, at, latency);
  return kept;
}
