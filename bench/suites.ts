/**
 * Finds the benchmark files and runs their suites. Used by run.ts, and by the test that runs every suite tiny.
 *
 * A file NAME.bench.ts anywhere below bench/ exports `suite`; dropping one in adds it to both.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from 'tinybench';
import { moduleUrl, PROJECT_ROOT } from '../test/support/project.js';

/** tiny: inputs and times just large enough to run every line. */
export type SuiteSize = 'tiny' | 'full';
export type Suite = (size: SuiteSize) => Bench | Promise<Bench>;

/** Options of a suite's Bench: how long each of its tasks runs. `slow`: a call takes tens of milliseconds or more. */
export function benchOptions(size: SuiteSize, name: string, slow = false) {
  if (size === 'tiny') return { name, time: 0, iterations: 2, warmup: false, throws: true };
  return slow
    ? { name, time: 500, iterations: 5, warmupTime: 0, warmupIterations: 1, throws: true }
    : { name, time: 500, warmupTime: 100, throws: true };
}

/** A task's name with the work that one call does, so that the table can say what a unit costs: `scatter [655 postings]`. */
export const work = (name: string, count: number, unit: string): string => `${name} [${count} ${unit}]`;

/** Reads the work out of a name that work() made; null when there is none. */
export function parseWork(name: string): { readonly count: number; readonly unit: string } | null {
  const found = / \[(\d+) ([^\]]+)\]$/.exec(name);
  return found === null ? null : { count: Number(found[1]), unit: found[2] };
}

/** Paths of the benchmark files relative to bench/, ordered by name. */
export function findSuites(): string[] {
  const entries = readdirSync(join(PROJECT_ROOT, 'bench'), { recursive: true, encoding: 'utf8' });
  return entries.filter((path) => path.endsWith('.bench.ts')).sort();
}

/** Loads the suite of the file at `path`, relative to bench/. Throws when it exports none. */
export async function loadSuite(path: string): Promise<Suite> {
  const loaded = (await import(moduleUrl(`bench/${path.replace(/\.ts$/, '')}`))) as { suite?: unknown };
  if (typeof loaded.suite !== 'function') throw new Error(`bench/${path} exports no function "suite"`);
  return loaded.suite as Suite;
}
