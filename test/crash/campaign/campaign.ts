/**
 * A crash campaign: a real server under the traffic of many clients is killed at random moments and started again on the
 * same data, round after round, and everything acknowledged must be there and nothing else.
 *
 * Used by server-kill.test.ts with few rounds and by perf/crash.ts with many. What is drawn comes from one seed; how the
 * requests meet is the machine's. A failure keeps the data as the kill left it, and as the restart made it.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, runMain, Server } from '../../support/server.js';
import { type Random, seededRandom } from '../../support/simulated-random.js';
import { inspect } from './inspection.js';
import { newName, Registers, type Violation } from './ledger.js';
import { below, pick, RandomContent } from './random-content.js';
import type { Traffic } from './sending.js';
import { createShared, type Names, runTraffic } from './traffic.js';

const WRITERS = 3;
const SHARED = ['shared-1', 'shared-2'];
const LARGE = 'large';
const OWNED = [
  ['owned-1', 'owned-2'],
  ['owned-3', 'owned-4'],
];
/** A round's traffic is measured in acknowledged writes, whatever the machine, but does not last longer than this. */
const TRAFFIC_MS_MAX = 4000;
const WRITES_MAX_DEFAULT = 250;
/** The kill comes so long after the last of them, so that it does not only meet a commit that has just ended. */
const PAUSE_MS_MAX = 40;
/** Long enough for the last snapshot of a stop to be under way. */
const STOPPING_MS_MAX = 300;
/** From before the process listens to after it has recovered. */
const STARTING_MS_MAX = 700;
const RECOVERY_KILLS_MAX = 3;
const VERIFY_MS_MAX = 60_000;

export interface CampaignOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Most writes that a round acknowledges before its end; default 250. */
  readonly writesMax?: number;
  /** Existing, empty directory; default: a temporary one, removed when all is well. */
  readonly workDir?: string;
  readonly onRound?: (round: number, plan: string, totals: Totals) => void;
}

export interface Totals {
  /** Acknowledged, and in flight at a kill. */
  writes: number;
  undecided: number;
  searches: number;
  /** Answered to a client. */
  snapshots: number;
  exports: number;
  /** Kills, those during a recovery included. */
  kills: number;
  /** Runs of the verify command. */
  verified: number;
}

/** What a campaign found wrong: everything of the round in which it found something. */
export class CampaignError extends Error {
  readonly violations: readonly Violation[];

  constructor(seed: number, round: number, plan: string, workDir: string, violations: readonly Violation[]) {
    const shown = violations.slice(0, 20).map(({ kind, message }) => `\n  ${kind}: ${message}`);
    const where = `${workDir} (killed: as the kill left it; data: after the restart)`;
    super(`seed ${seed}, round ${round} (${plan}), data kept in ${where}:${shown.join('')}`);
    this.violations = violations;
  }
}

/** How a round ends, and with which options the next process starts. */
interface RoundPlan {
  readonly end: 'kill' | 'stop, then kill' | 'stop';
  /** Acknowledged before the end. */
  readonly writes: number;
  readonly pauseMs: number;
  readonly stoppingMs: number;
  /** After how many milliseconds each of the next starts is killed. */
  readonly recoveryKillsMs: readonly number[];
  readonly args: readonly string[];
  /** Where every checksum is compared: in what the kill left, or under the server that serves it again. */
  readonly verify: 'killed' | 'data' | 'nothing';
}

function planRound(random: Random, writesMax: number): RoundPlan {
  const draw = below(random, 10);
  const recoveryKills = below(random, 3) === 0 ? 1 + below(random, RECOVERY_KILLS_MAX) : 0;
  const flags: Record<string, string> = {
    '--snapshot-wal-bytes': pick(random, ['65536', '65536', '4096', '0']),
    '--snapshot-interval-s': pick(random, ['1', '1', '0']),
    '--snapshot-on-stop': pick(random, ['true', 'false']),
    '--sync-interval-ms': pick(random, ['0', '0', '0', '20']),
    '--map-files': pick(random, ['true', 'true', 'false']),
    '--verify': pick(random, ['off', 'background', 'open', 'open']),
  };
  return {
    end: draw < 7 ? 'kill' : draw < 9 ? 'stop, then kill' : 'stop',
    writes: 1 + below(random, writesMax),
    pauseMs: below(random, PAUSE_MS_MAX),
    stoppingMs: below(random, STOPPING_MS_MAX),
    recoveryKillsMs: Array.from({ length: recoveryKills }, () => below(random, STARTING_MS_MAX)),
    args: Object.entries(flags).flat(),
    verify: pick(random, ['killed', 'data', 'nothing', 'nothing', 'nothing']),
  };
}

const shownPlan = ({ end, writes, pauseMs, stoppingMs, recoveryKillsMs, args }: RoundPlan): string => {
  const stopping = end === 'stop, then kill' ? ` within ${stoppingMs} ms` : '';
  const recovering = recoveryKillsMs.length > 0 ? `, starts killed after ${recoveryKillsMs.join(', ')} ms` : '';
  return `${writes} writes, ${pauseMs} ms, ${end}${stopping}${recovering}; then ${args.join(' ')}`;
};

/** SIGTERM, and SIGKILL a moment later. */
async function stopThenKill(server: Server, ms: number): Promise<void> {
  const { pid } = server;
  let isStopped = false;
  const stopped = server.stop().then(() => {
    isStopped = true;
  });
  await Promise.race([stopped, sleep(ms)]);
  if (!isStopped) process.kill(pid, 'SIGKILL');
  await stopped;
}

/** Starts a process and kills it before long, whatever it has come to. */
async function startAndKill(server: Server, ms: number): Promise<void> {
  const started = server.start().catch(() => {});
  await sleep(ms);
  await server.kill();
  await started;
}

class Campaign {
  readonly totals: Totals = { writes: 0, undecided: 0, searches: 0, snapshots: 0, exports: 0, kills: 0, verified: 0 };
  readonly #random: Random;
  readonly #content: RandomContent;
  readonly #names: Names = {
    shared: SHARED.map(newName),
    large: newName(LARGE),
    owned: OWNED.map((names) => names.map(newName)),
    aliases: new Registers(),
  };
  readonly #workDir: string;
  readonly #port: number;
  #server: Server;
  #violations: Violation[] = [];

  constructor(seed: number, workDir: string, port: number) {
    this.#random = seededRandom(seed);
    this.#content = new RandomContent(seed, this.#random);
    this.#workDir = workDir;
    this.#port = port;
    this.#server = this.#newServer([]);
  }

  get random(): Random {
    return this.#random;
  }

  get #dataDir(): string {
    return join(this.#workDir, 'data');
  }

  #newServer(args: readonly string[]): Server {
    return new Server(this.#port, this.#dataDir, false, { args });
  }

  #newTraffic(): Traffic {
    return {
      client: this.#server.client,
      random: this.#random,
      content: this.#content,
      report: (kind, message) => this.#violations.push({ kind, message }),
      isEnding: false,
      counts: this.totals,
    };
  }

  async begin(): Promise<void> {
    await mkdir(this.#dataDir, { recursive: true });
    await this.#server.start();
    await createShared(this.#newTraffic(), this.#names);
  }

  /** Returns what was wrong. */
  async run(plan: RoundPlan): Promise<readonly Violation[]> {
    this.#violations = [];
    const traffic = this.#newTraffic();
    const clients = runTraffic(traffic, this.#names, WRITERS);
    await Promise.race([clients, this.#untilEnd(plan)]);
    traffic.isEnding = true;
    await this.#end(plan);
    await clients;
    await this.#keepKilled();
    if (plan.verify === 'killed') await this.#verify('killed');
    for (const ms of plan.recoveryKillsMs) {
      await startAndKill(this.#newServer(plan.args), ms);
      this.totals.kills++;
    }
    this.#server = this.#newServer(plan.args);
    try {
      await this.#server.start();
      this.totals.undecided += await inspect(this.#server.client, this.#content, this.#names, traffic.report);
      if (plan.verify === 'data') await this.#verify('data');
    } catch (error) {
      traffic.report('mismatch', error instanceof Error ? error.message : String(error));
    }
    return this.#violations;
  }

  async #untilEnd({ writes, pauseMs }: RoundPlan): Promise<void> {
    const enough = this.totals.writes + writes;
    const deadline = performance.now() + TRAFFIC_MS_MAX;
    while (this.totals.writes < enough && performance.now() < deadline) await sleep(1);
    await sleep(pauseMs);
  }

  async #end({ end, stoppingMs }: RoundPlan): Promise<void> {
    if (end !== 'stop') this.totals.kills++;
    if (end === 'kill') await this.#server.kill();
    else if (end === 'stop, then kill') await stopThenKill(this.#server, stoppingMs);
    else await this.#server.stop();
  }

  /** A copy of the data before the next start changes it. */
  async #keepKilled(): Promise<void> {
    const killed = join(this.#workDir, 'killed');
    await rm(killed, { recursive: true, force: true });
    await cp(this.#dataDir, killed, { recursive: true });
  }

  /** The verify command finds nothing damaged. */
  async #verify(folder: 'killed' | 'data'): Promise<void> {
    const { code, signal, stdout, stderr } = await runMain(['verify', join(this.#workDir, folder)], {}, VERIFY_MS_MAX);
    this.totals.verified++;
    if (code === 0) return;
    const message = `verify ${folder} ended with ${code ?? signal}: ${stdout}${stderr}`;
    this.#violations.push({ kind: 'mismatch', message });
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}

/** Runs a campaign. Errors: CampaignError with everything that was wrong after the first round that found anything. */
export async function runCampaign(options: CampaignOptions): Promise<Totals> {
  const { rounds, seed } = options;
  const workDir = options.workDir ?? (await mkdtemp(join(tmpdir(), 'sabre-crash-')));
  const campaign = new Campaign(seed, workDir, await freePort());
  try {
    await campaign.begin();
    for (let round = 1; round <= rounds; round++) {
      const plan = planRound(campaign.random, options.writesMax ?? WRITES_MAX_DEFAULT);
      const violations = await campaign.run(plan);
      if (violations.length > 0) throw new CampaignError(seed, round, shownPlan(plan), workDir, violations);
      options.onRound?.(round, shownPlan(plan), campaign.totals);
    }
  } finally {
    await campaign.stop();
  }
  await rm(workDir, { recursive: true, force: true });
  return campaign.totals;
}
