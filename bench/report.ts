/**
 * The rounds of a suite as the table that run.ts prints and as the measures that it records.
 */
import { medianOf } from '../perf/records/ratio-interval.js';
import type { Measure } from '../perf/records/run-record.js';
import { parseWork, type SuiteRun, type TaskRun } from './suites.js';

const microseconds = (ms: number): string => (ms * 1000).toFixed(ms < 0.01 ? 3 : 1);

/** What one unit of the task's work costs, from the median call. */
function unitCost(name: string, p50: number): string {
  const work = parseWork(name);
  if (work === null) return '';
  const ns = (p50 * 1e6) / work.count;
  return ns < 1000 ? ns.toPrecision(3) : ns.toFixed(0);
}

/** The rounds of each task of a suite, in the order of its tasks. */
function byTask(runs: readonly SuiteRun[]): TaskRun[][] {
  return (runs[0]?.tasks ?? []).map((_, index) => runs.flatMap(({ tasks }) => tasks.slice(index, index + 1)));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A row for each task: the medians of its rounds, and all its samples. */
export function tableOf(runs: readonly SuiteRun[]): Record<string, string>[] {
  return byTask(runs).map((rounds) => {
    const at = (figure: Exclude<keyof TaskRun, 'name'>): number => medianOf(rounds.map((round) => round[figure]));
    const name = rounds[0]?.name ?? '';
    return {
      task: name,
      'mean us': microseconds(at('mean')),
      'p50 us': microseconds(at('p50')),
      'p99 us': microseconds(at('p99')),
      'ns a unit': unitCost(name, at('p50')),
      'per second': Math.round(at('perSecond')).toLocaleString('en-US'),
      samples: sum(rounds.map(({ samples }) => samples)).toLocaleString('en-US'),
    };
  });
}

/** The measure of each task: the median call, round by round; its quartiles are medians of those of the rounds. */
export function measuresOf(path: string, runs: readonly SuiteRun[]): Measure[] {
  return byTask(runs).map((rounds) => {
    const at = (figure: 'q1' | 'p50' | 'q3'): number[] => rounds.map((round) => 1000 * round[figure]);
    return {
      name: `${path.replace(/\.bench\.ts$/, '')}: ${rounds[0]?.name ?? ''}`,
      unit: 'us',
      better: 'lower',
      n: sum(rounds.map(({ samples }) => samples)),
      median: medianOf(at('p50')),
      q1: medianOf(at('q1')),
      q3: medianOf(at('q3')),
      rounds: at('p50'),
    };
  });
}
