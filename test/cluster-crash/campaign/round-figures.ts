/**
 * What a disturbance cost the clients of a cluster, summed over its rounds: the rows of the campaign's table.
 */
import type { Outcome } from './history.js';
import type { Asked } from './record.js';

export interface Figures {
  rounds: number;
  readonly writes: Record<Outcome, number>;
  readonly reads: Record<Outcome, number>;
  /** The longest time without a read, or a write, that was answered by any node. */
  readPauseMs: number;
  writePauseMs: number;
  /** The longest from the end of a disturbance until all nodes served. */
  healedMs: number;
}

export const newFigures = (): Figures => ({
  rounds: 0,
  writes: { acknowledged: 0, refused: 0, unknown: 0 },
  reads: { acknowledged: 0, refused: 0, unknown: 0 },
  readPauseMs: 0,
  writePauseMs: 0,
  healedMs: 0,
});

/** The longest time between `fromMs` and `toMs` in which none of `times` lies. */
export function longestPause(times: readonly number[], fromMs: number, toMs: number): number {
  let longest = 0;
  let since = fromMs;
  for (const time of times.toSorted((a, b) => a - b)) {
    if (time <= fromMs || time >= toMs) continue;
    longest = Math.max(longest, time - since);
    since = time;
  }
  return Math.max(longest, toMs - since);
}

/** Adds a round, whose disturbance began at `fromMs` and whose traffic ended at `toMs`. */
export function addRound(
  figures: Figures,
  asked: readonly Asked[],
  { fromMs, toMs, healedMs }: { readonly fromMs: number; readonly toMs: number; readonly healedMs: number },
): void {
  figures.rounds++;
  for (const { isWrite, outcome } of asked) (isWrite ? figures.writes : figures.reads)[outcome]++;
  const pauseOf = (isWrite: boolean): number => {
    const done = asked.filter((each) => each.isWrite === isWrite && each.outcome === 'acknowledged');
    return longestPause(
      done.map(({ responded }) => responded),
      fromMs,
      toMs,
    );
  };
  figures.readPauseMs = Math.max(figures.readPauseMs, pauseOf(false));
  figures.writePauseMs = Math.max(figures.writePauseMs, pauseOf(true));
  figures.healedMs = Math.max(figures.healedMs, healedMs);
}
