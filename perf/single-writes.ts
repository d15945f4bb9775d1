/**
 * Measures how well single-document writes share a sync of the log: their rate at one connection and at many, in turn on
 * one server. `npm run perf:writes -- --help` lists the options.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { measureWrites } from './measure-writes.js';
import { ServerProcess } from './server-process.js';

interface WriteOptions {
  readonly connections: string;
  readonly rounds: string;
  readonly seconds: string;
  readonly folder: string;
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`;

async function run(options: WriteOptions): Promise<void> {
  const folder = mkdtempSync(join(resolve(options.folder), 'sabre-writes-'));
  const server = await ServerProcess.start(join(folder, 'data'), join(folder, 'server.log'));
  const many = Number(options.connections);
  const rates = new Map<number, number[]>([
    [1, []],
    [many, []],
  ]);
  let errors = 0;
  try {
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const [connections, measured] of rates) {
        const row = await measureWrites(server, connections, Number(options.seconds), folder);
        measured.push(row.requestsPerSecond);
        errors += row.errors;
      }
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
  for (const [connections, measured] of rates) {
    const rounds = measured.map(perSecond).join(' ');
    process.stdout.write(`${connections} connections: ${perSecond(medianOf(measured))} (${rounds})\n`);
  }
  const ratio = medianOf(rates.get(many) ?? []) / medianOf(rates.get(1) ?? []);
  process.stdout.write(`ratio: ${ratio.toFixed(1)}, errors: ${errors}\n`);
  if (errors > 0) process.exitCode = 1;
}

const program = new Command('perf:writes')
  .description('measure single-document writes of the built server at one connection and at many')
  .option('--connections <count>', 'the many', '64')
  .option('--rounds <count>', 'how often each is measured', '5')
  .option('--seconds <seconds>', 'how long each time', '6')
  .option('--folder <folder>', 'where the data lie: on the disk that is to be measured', tmpdir())
  .action(run);
await program.parseAsync();
