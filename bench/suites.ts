/**
 * Finds the benchmark files and runs their suites. Used by run.ts, and by the test that runs every suite tiny.
 *
 * A file NAME.bench.ts anywhere below bench/ exports `suite`; dropping one in adds it to both.
 */
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from 'tinybench';
import { LOADER_ARGUMENTS, moduleFile, moduleUrl, PROJECT_ROOT } from '../test/support/project.js';

/** tiny: inputs and times just large enough to run every line. */
export type SuiteSize = 'tiny' | 'full';
export type Suite = (size: SuiteSize) => Bench | Promise<Bench>;

/** Options of a suite's Bench: how long each of its tasks runs. `slow`: a call takes tens of milliseconds or more. */
export function benchOptions(size: SuiteSize, name: string, slow = false) {
  const always = { name, throws: true, retainSamples: true };
  if (size === 'tiny') return { ...always, time: 0, iterations: 2, warmup: false };
  return slow
    ? { ...always, time: 500, iterations: 5, warmupTime: 0, warmupIterations: 1 }
    : { ...always, time: 500, warmupTime: 100 };
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

/** What the calls of a task took in one run of its suite, in milliseconds. */
export interface TaskRun {
  readonly name: string;
  readonly samples: number;
  readonly mean: number;
  readonly q1: number;
  readonly p50: number;
  readonly q3: number;
  readonly p99: number;
  readonly perSecond: number;
}

export interface SuiteRun {
  readonly name: string;
  readonly tasks: readonly TaskRun[];
}

/** Runs the suite of the file at `path`, relative to bench/, in a process of its own. Throws when that fails. */
export function runSuite(path: string, size: SuiteSize): Promise<SuiteRun> {
  return new Promise((resolve, reject) => {
    const child = fork(moduleFile('bench/run-suite'), [path, size], { execArgv: [...LOADER_ARGUMENTS] });
    let run: SuiteRun | null = null;
    child.on('message', (message) => {
      run = message as SuiteRun;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (run === null) reject(new Error(`bench/${path} ended with ${code}`));
      else resolve(run);
    });
  });
}

/** The first sentence of what the file at `path`, relative to bench/, says of itself. */
export function purposeOf(path: string): string {
  const opening = /^\/\*\*\s*\n([\s\S]*?)\*\//.exec(readFileSync(join(PROJECT_ROOT, 'bench', path), 'utf8'))?.[1] ?? '';
  const text = opening.replaceAll(/^ \* ?/gm, '').replaceAll(/\s+/g, ' ');
  return (/^.*?[.](?= |$)/.exec(text.trim())?.[0] ?? text).trim();
}
