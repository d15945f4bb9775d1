/**
 * A campaign against a cluster: clients write and read at all nodes while nodes and NATS servers are killed, stopped, cut off and
 * healed, and after each round the history is judged and the nodes are compared.
 *
 * Used by cluster-crash.test.ts with few rounds and by perf/cluster-crash.ts with many. What is drawn comes from one seed; how the
 * requests meet is the machine's. A failure shows the last lines of every node's log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../../support/cluster.js';
import { type Random, seededRandom } from '../../support/simulated-random.js';
import { Asker } from './asking.js';
import { DISTURBANCES, type Disturbance, slowLinks } from './disturbances.js';
import { settle } from './final-state.js';
import type { Value } from './history.js';
import { checkHistory } from './history-checker.js';
import { RoundRecord } from './record.js';
import { addRound, type Figures, newFigures } from './round-figures.js';
import { createLasting, runTraffic, type Traffic } from './traffic.js';

/** Traffic before a disturbance and after it. */
const CALM_MS = 700;
const HEALED_WITHIN_MS = 60_000;
/** A tenth of NATS' default, so that a group is beyond it. */
const MAX_PAYLOAD = 100 * 1024;
const LOG_CHARS_SHOWN = 3000;

export interface CampaignOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Disturbances by their names; default: all that can be made here. */
  readonly only?: readonly string[];
  /** Whether NATS servers are reached through proxies of this process, which can delay what goes to and from them. */
  readonly areLinksSlow?: boolean;
  /** Further flags of the nodes. */
  readonly args?: readonly string[];
  readonly onRound?: (round: number, name: string) => void;
}

export interface CampaignReport {
  /** By disturbance. */
  readonly figures: ReadonlyMap<string, Figures>;
  /** Keys of all rounds that were too much to judge. */
  readonly undecided: number;
  /** What could not be made on this machine. */
  readonly leftOut: readonly string[];
}

/** What a round found wrong. */
export class ClusterCampaignError extends Error {
  readonly violations: readonly string[];

  constructor(seed: number, round: number, name: string, violations: readonly string[], cluster: Cluster) {
    const shown = violations.slice(0, 20).map((violation) => `\n  ${violation}`);
    const logs = cluster.nodes.map((node) => `\n--- ${node.name}\n${node.log.slice(-LOG_CHARS_SHOWN)}`);
    super(`seed ${seed}, round ${round} (${name}), ${violations.length} wrong:${shown.join('')}${logs.join('')}`);
    this.violations = violations;
  }
}

class Campaign {
  readonly figures = new Map<string, Figures>();
  undecided = 0;
  readonly #cluster: Cluster;
  readonly #random: Random;
  readonly #traffic: Traffic;
  #values: ReadonlyMap<string, Value> = new Map();

  constructor(cluster: Cluster, random: Random) {
    this.#cluster = cluster;
    this.#random = random;
    this.#traffic = {
      targets: cluster.nodes.map(({ host, port }) => ({ host: host.clientAddress, port })),
      asker: new Asker(),
      random,
      versions: { count: 0 },
      record: new RoundRecord(this.#values),
      isEnding: false,
    };
  }

  begin(): Promise<void> {
    return createLasting(this.#traffic);
  }

  /** Returns what was wrong. */
  async run({ name, run }: Disturbance): Promise<readonly string[]> {
    const traffic = this.#traffic;
    const record = new RoundRecord(this.#values);
    const violations: string[] = [];
    traffic.record = record;
    traffic.isEnding = false;
    const clients = runTraffic(traffic);
    await sleep(CALM_MS);
    const fromMs = performance.now();
    try {
      await run(this.#cluster, this.#random);
      this.#cluster.heal();
      const healedFromMs = performance.now();
      await this.#cluster.waitReady(HEALED_WITHIN_MS);
      const healedMs = performance.now() - healedFromMs;
      await sleep(CALM_MS);
      const toMs = performance.now();
      traffic.isEnding = true;
      await clients;
      const asked = [...record.asked];
      this.#values = await settle(traffic, (oddity) => violations.push(oddity));
      const figures = this.figures.get(name) ?? newFigures();
      this.figures.set(name, figures);
      addRound(figures, asked, { fromMs, toMs, healedMs });
    } catch (error) {
      violations.push(error instanceof Error ? error.message : String(error));
    }
    traffic.isEnding = true;
    await clients;
    return [...violations, ...record.oddities, ...this.#judge(record), ...this.#deaths()];
  }

  #judge({ history }: RoundRecord): string[] {
    const { findings, undecided } = checkHistory(history);
    this.undecided += undecided.length;
    return findings.map(({ kind, message }) => `${kind}: ${message}`);
  }

  #deaths(): string[] {
    const all = [...this.#cluster.nodes, ...this.#cluster.servers];
    return all.filter(({ deaths }) => deaths > 0).map(({ name }) => `${name} has ended by itself`);
  }

  end(): void {
    this.#traffic.asker.close();
  }
}

/** The disturbances of a campaign in the order of its rounds: all of them before any comes again. */
function* planRounds(random: Random, possible: readonly Disturbance[]): Generator<Disturbance> {
  for (;;) {
    const left = [...possible];
    while (left.length > 0) yield* left.splice(Math.floor(random() * left.length), 1);
  }
}

/** Runs a campaign. Errors: ClusterCampaignError with everything that was wrong after the first round that found anything. */
export async function runClusterCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { rounds, seed, only, areLinksSlow = false, args = [] } = options;
  const random = seededRandom(seed);
  const links = { delayMs: () => 0 };
  const delayMs = (): number => links.delayMs();
  const cluster = await Cluster.start({ maxPayload: MAX_PAYLOAD, args, ...(areLinksSlow && { delayMs }) });
  const campaign = new Campaign(cluster, random);
  try {
    const named = [...DISTURBANCES, ...(areLinksSlow ? slowLinks(links) : [])].filter(
      ({ name }) => only === undefined || only.includes(name),
    );
    const isPossible = ({ needs }: Disturbance): boolean => needs === undefined || cluster.network[needs];
    const plan = planRounds(random, named.filter(isPossible));
    await campaign.begin();
    for (let round = 1; round <= rounds; round++) {
      const disturbance = plan.next().value as Disturbance;
      const violations = await campaign.run(disturbance);
      if (violations.length > 0) throw new ClusterCampaignError(seed, round, disturbance.name, violations, cluster);
      options.onRound?.(round, disturbance.name);
    }
    const leftOut = named.filter((each) => !isPossible(each)).map(({ name }) => name);
    if (!cluster.network.canDisturb && !areLinksSlow)
      leftOut.push('delays and losses by netem (moments without a network instead)');
    return { figures: campaign.figures, undecided: campaign.undecided, leftOut };
  } finally {
    campaign.end();
    await cluster.dispose();
  }
}
