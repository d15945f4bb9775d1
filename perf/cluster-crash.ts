/**
 * The campaign against a cluster: three NATS servers and three nodes under the traffic of many clients are killed, stopped, cut off
 * and healed, round after round, and what clients were told is judged. `npm run cluster:crash -- --rounds 100 --seed 1`; the exit
 * status is 1 when anything was wrong.
 */
import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import {
  type CampaignReport,
  ClusterCampaignError,
  runClusterCampaign,
} from '../test/cluster-crash/campaign/cluster-campaign.js';
import type { Outcome } from '../test/cluster-crash/campaign/history.js';
import { count, describeRun, table, writeReport } from './report.js';
import { SERVER_FILE } from './server-process.js';

interface ClusterCrashOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly only?: string;
  readonly slowLinks?: true;
  readonly flags: string;
  readonly markdown?: string;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function asCount(raw: string): number {
  if (/^[0-9]{1,10}$/.test(raw)) return Number(raw);
  throw new InvalidArgumentError('Expected a whole number.');
}

const HEADINGS = [
  'disturbance',
  'rounds',
  'writes',
  'acknowledged',
  'refused',
  'unknown',
  'reads',
  'refused',
  'not answered',
  'longest pause of writes',
  'of reads',
  'all serve again after',
];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const sum = ({ acknowledged, refused, unknown }: Record<Outcome, number>): number => acknowledged + refused + unknown;

/** A row of each disturbance, and what could not be judged or made. */
function render({ figures, undecided, leftOut }: CampaignReport): string {
  const rows = Array.from(figures, ([name, { rounds, writes, reads, writePauseMs, readPauseMs, healedMs }]) => [
    name,
    count(rounds),
    count(sum(writes)),
    ...[writes.acknowledged, writes.refused, writes.unknown, sum(reads), reads.refused, reads.unknown].map(count),
    ...[writePauseMs, readPauseMs, healedMs].map(seconds),
  ]);
  const notes = [`Keys with too many explanations to judge: ${undecided}.`];
  if (leftOut.length > 0) notes.push(`Not made on this machine: ${leftOut.join('; ')}.`);
  return `${table(HEADINGS, rows)}\n\n${notes.join(' ')}`;
}

async function run({ rounds, seed, only, slowLinks, flags, markdown }: ClusterCrashOptions): Promise<void> {
  if (!existsSync(SERVER_FILE)) throw new Error(`${SERVER_FILE} is missing: run "npm run build"`);
  say(`seed ${seed}, ${rounds} rounds`);
  const startMs = performance.now();
  try {
    const campaign = await runClusterCampaign({
      rounds,
      seed,
      args: flags === '' ? [] : flags.split(' '),
      ...(only !== undefined && { only: only.split(',') }),
      areLinksSlow: slowLinks === true,
      onRound: (round, name) => say(`round ${round}: ${name}, ${seconds(performance.now() - startMs)}`),
    });
    const report = `${describeRun('cluster:crash')}\n\nSeed ${seed}, nothing wrong.\n\n${render(campaign)}`;
    process.stdout.write(`${report}\n`);
    if (markdown !== undefined) writeReport(markdown, report, 'cluster-crash');
  } catch (error) {
    if (!(error instanceof ClusterCampaignError)) throw error;
    process.stdout.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

await new Command()
  .name('cluster:crash')
  .option('--rounds <count>', 'disturbances', asCount, 100)
  .option('--seed <number>', 'what everything is drawn from (default: a random one)', asCount)
  .option('--only <names>', 'only these disturbances, with commas between')
  .option('--slow-links', 'put proxies before the NATS servers, which delay, and lose, some of what goes through them')
  .option('--flags <flags>', 'further flags of the nodes', '')
  .option('--markdown <file>', 'write the table there too, between its cluster-crash markers if it has them')
  .action((options: ClusterCrashOptions) =>
    run({ ...options, seed: options.seed ?? Math.floor(Math.random() * 2 ** 31) }),
  )
  .parseAsync();
