/**
 * What happens to a cluster in a round of the campaign. Each disturbance lasts a bounded time; the campaign heals what is left
 * of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../support/cluster.js';
import type { HostProcess } from '../../support/host-process.js';
import type { Random } from '../../support/simulated-random.js';
import { below, pick } from './names.js';

export interface Disturbance {
  readonly name: string;
  /** What of the network it needs. */
  readonly needs?: 'canCut';
  run(cluster: Cluster, random: Random): Promise<void>;
}

const LASTS_MS_MIN = 500;
const LASTS_MS_MAX = 4000;
/** A start that is killed has come to anything between loading code and serving. */
const STARTING_MS_MAX = 1500;
const KILLED_STARTS = 2;
/** Without netem a network is bad by being gone, again and again, for moments. */
const GONE_MS_MAX = 150;
const THERE_MS_MAX = 300;
const DELAY_MS_MAX = 120;
const LOSS_PERCENT_MAX = 20;
/** When TCP sends again what was lost. */
const RESENT_MS = 200;

const lasting = (random: Random): Promise<void> => sleep(LASTS_MS_MIN + below(random, LASTS_MS_MAX - LASTS_MS_MIN));

async function killed(one: HostProcess, random: Random): Promise<void> {
  await one.kill();
  await lasting(random);
  one.run();
}

async function paused(one: HostProcess, random: Random): Promise<void> {
  one.pause();
  await lasting(random);
  one.resume();
}

async function cutOff(one: HostProcess, random: Random): Promise<void> {
  one.host.cut();
  await lasting(random);
  one.host.mend();
}

async function badNetwork(one: HostProcess, { network }: Cluster, random: Random): Promise<void> {
  const untilMs = performance.now() + LASTS_MS_MIN + below(random, LASTS_MS_MAX - LASTS_MS_MIN);
  if (network.canDisturb) one.host.disturb(1 + below(random, DELAY_MS_MAX), below(random, LOSS_PERCENT_MAX));
  while (performance.now() < untilMs) {
    if (!network.canDisturb) one.host.cut();
    await sleep(1 + below(random, GONE_MS_MAX));
    if (!network.canDisturb) one.host.mend();
    await sleep(1 + below(random, THERE_MS_MAX));
  }
  one.host.mend();
}

/** All but one of the NATS servers. */
const majority = ({ servers }: Cluster, random: Random): readonly HostProcess[] => {
  const spared = below(random, servers.length);
  return servers.filter((_, index) => index !== spared);
};

export const DISTURBANCES: readonly Disturbance[] = [
  { name: 'nothing', run: (_, random) => lasting(random) },
  { name: 'node killed', run: ({ nodes }, random) => killed(pick(random, nodes), random) },
  { name: 'node stopped for a while', run: ({ nodes }, random) => paused(pick(random, nodes), random) },
  { name: 'node cut off', needs: 'canCut', run: ({ nodes }, random) => cutOff(pick(random, nodes), random) },
  { name: 'NATS server killed', run: ({ servers }, random) => killed(pick(random, servers), random) },
  { name: 'NATS server stopped for a while', run: ({ servers }, random) => paused(pick(random, servers), random) },
  { name: 'NATS server cut off', needs: 'canCut', run: ({ servers }, random) => cutOff(pick(random, servers), random) },
  {
    name: 'node leaves and comes back',
    run: async ({ nodes }, random) => {
      const node = pick(random, nodes);
      await node.stop();
      await lasting(random);
      node.run();
    },
  },
  {
    name: 'node killed while it starts',
    run: async ({ nodes }, random) => {
      const node = pick(random, nodes);
      for (let start = 0; start < KILLED_STARTS; start++) {
        await node.kill();
        node.run();
        await sleep(below(random, STARTING_MS_MAX));
      }
      await node.kill();
      node.run();
    },
  },
  {
    name: 'bad network at a node',
    needs: 'canCut',
    run: (cluster, random) => badNetwork(pick(random, cluster.nodes), cluster, random),
  },
  {
    name: 'bad network at a NATS server',
    needs: 'canCut',
    run: (cluster, random) => badNetwork(pick(random, cluster.servers), cluster, random),
  },
  {
    name: 'NATS quorum stopped for a while',
    run: async (cluster, random) => {
      await Promise.all(majority(cluster, random).map((server) => paused(server, random)));
    },
  },
  {
    name: 'NATS quorum killed',
    run: async (cluster, random) => {
      await Promise.all(majority(cluster, random).map((server) => killed(server, random)));
    },
  },
  {
    name: 'a node and a NATS server killed',
    run: async ({ nodes, servers }, random) => {
      await Promise.all([pick(random, nodes), pick(random, servers)].map((one) => killed(one, random)));
    },
  },
  {
    name: 'everything killed',
    run: async ({ nodes, servers }) => {
      await Promise.all([...nodes, ...servers].map((one) => one.kill()));
    },
  },
];

/** The same for proxies before the NATS servers, whose delay is that of `links`. What is lost comes once more, and so late. */
export function slowLinks(links: { delayMs: () => number }): readonly Disturbance[] {
  const slow = async (random: Random, delayMs: () => number): Promise<void> => {
    links.delayMs = delayMs;
    await lasting(random);
    links.delayMs = () => 0;
  };
  return [
    { name: 'all links slow', run: (_, random) => slow(random, () => below(random, DELAY_MS_MAX)) },
    {
      name: 'all links lose some',
      run: (_, random) => slow(random, () => (100 * random() < LOSS_PERCENT_MAX / 4 ? RESENT_MS : 0)),
    },
  ];
}
