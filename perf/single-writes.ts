/**
 * Measures how well single-document writes share a sync of the log: their rate at one connection and at many, in turn on
 * one server, after an uncounted warm-up at both. `npm run perf:writes -- --help` lists the options.
 *
 * Each measurement writes to a collection made anew. In one that grew, a measurement would find what all before it had
 * written, more on a faster machine and at many connections, and pay for its merges: neighbours would not compare.
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { ThroughputRow } from './measure-throughput.js';
import { createOthers, measureWrites } from './measure-writes.js';
import { makeScratchFolder } from './process-end.js';
import { ServerProcess } from './server-process.js';

interface WriteOptions {
  readonly connections: string;
  readonly rounds: string;
  readonly warmUp: string;
  readonly seconds: string;
  readonly folder: string;
  readonly others: string;
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`;

/** One round: at one connection, then at `many`. */
interface Round {
  readonly one: ThroughputRow;
  readonly many: ThroughputRow;
}

function report(rounds: readonly Round[], connections: number): void {
  const ones = rounds.map(({ one }) => one.requestsPerSecond);
  const manys = rounds.map(({ many }) => many.requestsPerSecond);
  const pairs = rounds.map((_, round) => manys[round] / ones[round]);
  const show = (count: number, rates: readonly number[]): string =>
    `${count} connections: ${perSecond(medianOf(rates))} (${rates.map(perSecond).join(' ')})`;
  const errors = rounds.reduce((sum, { one, many }) => sum + one.errors + many.errors, 0);
  const lines = [
    show(1, ones),
    show(connections, manys),
    `ratio of the medians: ${(medianOf(manys) / medianOf(ones)).toFixed(1)}`,
    `median ratio of neighbours: ${medianOf(pairs).toFixed(1)} (${pairs.map((pair) => pair.toFixed(1)).join(' ')})`,
    `errors: ${errors}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (errors > 0) process.exitCode = 1;
}

async function run(options: WriteOptions): Promise<void> {
  const folder = makeScratchFolder('sabre-writes-', resolve(options.folder));
  const server = await ServerProcess.start(join(folder, 'data'), join(folder, 'server.log'));
  const connections = Number(options.connections);
  const measureRound = async (seconds: number): Promise<Round> => ({
    one: await measureWrites(server, 1, seconds, folder),
    many: await measureWrites(server, connections, seconds, folder),
  });
  const rounds: Round[] = [];
  try {
    await createOthers(server, Number(options.others));
    await measureRound(Number(options.warmUp));
    while (rounds.length < Number(options.rounds)) rounds.push(await measureRound(Number(options.seconds)));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
  report(rounds, connections);
}

const program = new Command('perf:writes')
  .description('measure single-document writes of the built server at one connection and at many')
  .option('--connections <count>', 'the many', '64')
  .option('--rounds <count>', 'how often each is measured', '5')
  .option('--seconds <seconds>', 'how long each time', '6')
  .option('--warm-up <seconds>', 'how long each is written to before it counts', '20')
  .option('--others <count>', 'collections of a document each that lie beside the one that is written to', '0')
  .option('--folder <folder>', 'where the data lie: on the disk that is to be measured', tmpdir())
  .action(run);
await program.parseAsync();
