/**
 * The crash campaign: kills the built server under load, round after round, and compares what it holds after each restart
 * with what it acknowledged. `npm run crash -- --rounds 200 --seed 1`; the exit status is 1 when anything was wrong.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { CampaignError, runCampaign } from '../test/crash/campaign/campaign.js';
import type { Violation } from '../test/crash/campaign/ledger.js';
import { SERVER_FILE } from './server-process.js';

interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly workDir?: string;
}

const ROUNDS_BETWEEN_LINES = 10;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function asCount(raw: string): number {
  if (/^[0-9]{1,10}$/.test(raw)) return Number(raw);
  throw new InvalidArgumentError('Expected a whole number.');
}

const countOf = (violations: readonly Violation[], kind: Violation['kind']): number =>
  violations.filter((violation) => violation.kind === kind).length;

async function run({ rounds, seed, workDir }: CrashOptions): Promise<void> {
  if (!existsSync(SERVER_FILE)) throw new Error(`${SERVER_FILE} is missing: run "npm run build"`);
  if (workDir !== undefined) {
    mkdirSync(workDir, { recursive: true });
    if (readdirSync(workDir).length > 0) throw new Error(`${workDir}: expected an empty folder`);
  }
  say(`seed ${seed}, ${rounds} rounds`);
  const startMs = performance.now();
  const seconds = (): string => `${((performance.now() - startMs) / 1000).toFixed(0)} s`;
  let violations: readonly Violation[] = [];
  try {
    const totals = await runCampaign({
      rounds,
      seed,
      workDir: workDir === undefined ? undefined : resolve(workDir),
      onRound: (round, _plan, { writes, kills }) => {
        if (round % ROUNDS_BETWEEN_LINES === 0) say(`round ${round}: ${writes} writes, ${kills} kills, ${seconds()}`);
      },
    });
    const { writes, undecided, searches, snapshots, exports, kills, verified } = totals;
    say(`${kills} kills, ${writes} writes acknowledged, ${undecided} in flight at a kill`);
    say(
      `${snapshots} snapshots asked for, ${searches} searches and ${exports} exports under load, ${verified} verifications`,
    );
  } catch (error) {
    if (!(error instanceof CampaignError)) throw error;
    say(error.message);
    violations = error.violations;
    process.exitCode = 1;
  }
  const [lost, resurrected, mismatches] = (['lost', 'resurrected', 'mismatch'] as const).map((kind) =>
    countOf(violations, kind),
  );
  say(`lost ${lost}, resurrected ${resurrected}, mismatches ${mismatches}, in ${seconds()}`);
}

await new Command()
  .name('crash')
  .option('--rounds <count>', 'kills under load', asCount, 200)
  .option('--seed <number>', 'what everything is drawn from (default: a random one)', asCount)
  .option('--work-dir <folder>', 'empty folder for the data; removed when all is well')
  .action((options: CrashOptions) => run({ ...options, seed: options.seed ?? Math.floor(Math.random() * 2 ** 31) }))
  .parseAsync();
