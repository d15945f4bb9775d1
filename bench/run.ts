/**
 * Runs the micro benchmarks and prints a table for each, records what they took, and compares it with a former run:
 * `npm run bench -- --help`.
 */
import { Command } from 'commander';
import {
  addRecordOptions,
  checkWritable,
  finishRun,
  type RecordOptions,
  recordBefore,
  roundsOf,
  runCommand,
} from '../perf/records/record-options.js';
import { ReferenceLoop } from '../perf/records/reference-loop.js';
import { makeRecord } from '../perf/records/run-record.js';
import { measuresOf, tableOf } from './report.js';
import { findSuites, purposeOf, runSuite, type SuiteRun } from './suites.js';

interface BenchOptions extends RecordOptions {
  readonly tiny?: true;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function choose(parts: readonly string[]): string[] {
  const paths = findSuites();
  const wanted = paths.filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)));
  if (wanted.length > 0) return wanted;
  throw new Error(`no benchmark file matches ${parts.join(', ')}; there are:\n${paths.join('\n')}`);
}

function list(paths: readonly string[]): void {
  const width = Math.max(...paths.map((path) => path.length));
  for (const path of paths) process.stdout.write(`${path.padEnd(width)}  ${purposeOf(path)}\n`);
}

/** Every suite once a round: what the machine does for a while falls on all of them, and on few rounds of each. */
async function measure(paths: readonly string[], options: BenchOptions): Promise<void> {
  const before = recordBefore(options, 'bench');
  checkWritable(options);
  const rounds = roundsOf(options);
  const runs = new Map<string, SuiteRun[]>(paths.map((path) => [path, []]));
  const reference = new ReferenceLoop();
  for (let round = 1; round <= rounds; round++) {
    if (rounds > 1) say(`round ${round} of ${rounds}`);
    for (const [path, taken] of runs) {
      reference.sample();
      taken.push(await runSuite(path, options.tiny ? 'tiny' : 'full'));
    }
    reference.endRound();
  }
  for (const taken of runs.values()) {
    process.stdout.write(`\n${taken[0]?.name ?? ''}\n`);
    console.table(tableOf(taken));
  }
  const measures = [reference.measure(), ...[...runs].flatMap(([path, taken]) => measuresOf(path, taken))];
  const record = makeRecord('bench', { tiny: options.tiny ?? false, rounds }, measures);
  finishRun(record, before, options);
}

const program = addRecordOptions(new Command('bench'))
  .description('run the micro benchmarks')
  .argument('[part...]', 'parts of the names of the files to run; default: all')
  .option('--tiny', 'inputs just large enough to run every line: the figures mean nothing')
  .action((parts: string[], options: BenchOptions) =>
    runCommand('bench', async () => (options.list ? list(choose(parts)) : measure(choose(parts), options))),
  );
await program.parseAsync();
