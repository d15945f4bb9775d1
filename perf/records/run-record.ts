/**
 * What one run of bench or perf measured, as a file that a later run compares itself with: where, of which commit, with which
 * options, and every measure round by round. Written and read by record-options.ts.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { PROJECT_ROOT } from '../../test/support/project.js';
import { medianOf, quantileOf } from './ratio-interval.js';

const FORMAT = 'sabre-measures';
const FORMAT_VERSION = 1;

/** One thing that was measured. All figures are in `unit`. */
export interface Measure {
  /** The same in every run of the same thing; two runs are compared by it. */
  readonly name: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  /** Of all samples of all rounds. */
  readonly n: number;
  readonly median: number;
  readonly q1: number;
  readonly q3: number;
  /** One figure a round, in the order of time: what is compared. */
  readonly rounds: readonly number[];
}

export interface RunRecord {
  readonly format: typeof FORMAT;
  readonly version: typeof FORMAT_VERSION;
  readonly command: string;
  /** null outside a checkout. `changed`: files differ from that commit. */
  readonly commit: string | null;
  readonly changed: boolean;
  /** When it ended, RFC 3339. */
  readonly at: string;
  readonly node: string;
  readonly machine: { readonly cpu: string; readonly cpus: number; readonly memoryBytes: number };
  readonly options: Readonly<Record<string, unknown>>;
  readonly measures: readonly Measure[];
}

/** A measure of `samples`, in any order, which make `rounds`; where a round has a single figure, the rounds are the samples. */
export function measureOf(
  name: string,
  unit: string,
  better: Measure['better'],
  rounds: readonly number[],
  samples: ArrayLike<number> = rounds,
): Measure {
  const sorted = Float64Array.from(samples).sort();
  const at = (share: number): number => quantileOf(sorted, share);
  return { name, unit, better, n: sorted.length, median: at(0.5), q1: at(0.25), q3: at(0.75), rounds };
}

/** The figure that stands for a measure where one is shown: the median of its rounds. */
export const figureOf = ({ rounds }: Measure): number => medianOf(rounds);

/** Prints what git says in the project's folder; null when it fails. */
function git(...parameters: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', parameters, { encoding: 'utf8', cwd: PROJECT_ROOT });
  return status === 0 ? stdout.trim() : null;
}

/** What is measured: the commit, null outside a checkout, and whether files differ from it. */
export const readCommit = (): Pick<RunRecord, 'commit' | 'changed'> => ({
  commit: git('rev-parse', '--short', 'HEAD'),
  changed: (git('status', '--porcelain', '--untracked-files=no') ?? '') !== '',
});

/** The record of a run that ends now. */
export function makeRecord(
  command: string,
  options: Readonly<Record<string, unknown>>,
  measures: readonly Measure[],
): RunRecord {
  const cpus = os.cpus();
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    command,
    ...readCommit(),
    at: new Date().toISOString(),
    node: process.version,
    machine: { cpu: cpus[0]?.model ?? 'unknown', cpus: cpus.length, memoryBytes: os.totalmem() },
    options,
    measures,
  };
}

/** Writes `record` to the file at `path`. Errors: those of the file system. */
export const writeRecord = (path: string, record: RunRecord): void =>
  writeFileSync(path, `${JSON.stringify(record, null, 1)}\n`);

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function isMeasure(value: unknown): boolean {
  if (!isObject(value) || !isText(value.name) || !isText(value.unit)) return false;
  if (value.better !== 'lower' && value.better !== 'higher') return false;
  return Array.isArray(value.rounds) && value.rounds.length > 0 && value.rounds.every(Number.isFinite);
}

/** Reads what writeRecord() wrote for `command`. Throws when it is anything else, with the place and what was expected. */
export function readRecord(path: string, command: string): RunRecord {
  const fail = (expected: string, got: unknown): never => {
    throw new Error(`${path} cannot be compared with: expected ${expected}, got ${JSON.stringify(got) ?? 'nothing'}`);
  };
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be compared with: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(read) || read.format !== FORMAT)
    return fail(`"format": "${FORMAT}"`, isObject(read) ? read.format : read);
  if (read.version !== FORMAT_VERSION) return fail(`"version": ${FORMAT_VERSION}`, read.version);
  if (read.command !== command) return fail(`a record of ${command}`, read.command);
  if (!isObject(read.machine) || !isText(read.node) || !isText(read.at)) return fail('machine, node and at', read);
  if (!isObject(read.options)) return fail('"options" to be an object', read.options);
  if (!Array.isArray(read.measures)) return fail('"measures" to be an array', read.measures);
  const bad = read.measures.find((measure) => !isMeasure(measure));
  if (bad !== undefined) return fail('a measure with name, unit, better and rounds', bad);
  return read as unknown as RunRecord;
}
