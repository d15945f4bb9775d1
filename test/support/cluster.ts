/**
 * A cluster on this machine: NATS servers and nodes of the built product, each on a host of its own (network-hosts.ts), with what can
 * happen to them. Used by the tests and load tests of the cluster; everything is removed by dispose().
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.js';
import { DelayProxy } from './delay-proxy.js';
import { HostProcess } from './host-process.js';
import { natsServerPath } from './nats-server.js';
import { createNetwork, type Host, type Network } from './network-hosts.js';
import { freePort, MAIN_FILE } from './server.js';

const READY_WITHIN_MS = 60_000;
const POLL_EVERY_MS = 15;
const PROBE_WITHIN_MS = 1000;
const NAME = 'test';

export interface ClusterOptions {
  /** Default: 3 each. */
  readonly nodes?: number;
  readonly servers?: number;
  /** Flags of every node. */
  readonly args?: readonly string[];
  /** Puts a proxy of this process before each NATS server, and says how long each piece is on its way through it. Default: none. */
  readonly delayMs?: () => number;
  /** Of the NATS servers, in bytes. Default: 1 MiB, as theirs. */
  readonly maxPayload?: number;
  /** Further lines of the configuration of the NATS server at `address`. */
  readonly serverConfig?: (address: string) => readonly string[];
  /** Where node `index` keeps its data. Default: a temporary directory. */
  readonly dataDir?: (index: number) => string | undefined;
  /** Another program than the one that is built. */
  readonly main?: string;
}

/** A port, which has to be a free one where all hosts are one. */
const portOn = async (network: Network, usual: number): Promise<number> => (network.canCut ? usual : freePort());

/** Waits until `probe` says yes. Throws `what` and the log of `process` when that takes too long, or it ends. */
async function waitUntil(process: HostProcess, probe: () => Promise<boolean>, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (!process.isRunning) throw new Error(`${process.name} has ended:\n${process.log.slice(-4000)}`);
    if (await probe()) return;
    await sleep(POLL_EVERY_MS);
  }
  throw new Error(`${process.name} was not ready within ${withinMs} ms:\n${process.log.slice(-4000)}`);
}

/** The status of a GET, 0 where there was none in time. */
async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(PROBE_WITHIN_MS),
      headers: { connection: 'close' },
    });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
}

export class NatsServer extends HostProcess {
  readonly url: string;
  readonly #health: string;

  /** `address`: where clients reach it. */
  constructor(name: string, host: Host, command: readonly string[], address: string, httpPort: number) {
    super(name, host, command);
    this.url = `nats://${address}`;
    this.#health = `http://${host.clientAddress}:${httpPort}/healthz`;
  }

  /** Whether it serves, and its streams and buckets are as far as those of the others. */
  isHealthy(): Promise<boolean> {
    return statusOf(this.#health).then((status) => status === 200);
  }

  waitHealthy(withinMs = READY_WITHIN_MS): Promise<void> {
    return waitUntil(this, () => this.isHealthy(), withinMs);
  }
}

export class ClusterNode extends HostProcess {
  readonly index: number;
  readonly port: number;
  readonly url: string;
  readonly dataDir: string;
  readonly client: Client;

  constructor(index: number, host: Host, command: readonly string[], port: number, dataDir: string) {
    super(`node ${index}`, host, command);
    this.index = index;
    this.port = port;
    this.url = `http://${host.clientAddress}:${port}`;
    this.dataDir = dataDir;
    this.client = new Client(port, null, false, host.clientAddress);
  }

  isReady(): Promise<boolean> {
    return statusOf(`${this.url}/ready`).then((status) => status === 200);
  }

  waitReady(withinMs = READY_WITHIN_MS): Promise<void> {
    return waitUntil(this, () => this.isReady(), withinMs);
  }

  /** Starts it and waits until it serves; returns how long that took, in milliseconds. */
  async start(more: readonly string[] = []): Promise<number> {
    const startMs = performance.now();
    this.run(more);
    await this.waitReady();
    return performance.now() - startMs;
  }
}

export class Cluster {
  readonly network: Network;
  readonly servers: readonly NatsServer[];
  readonly nodes: readonly ClusterNode[];
  readonly #folder: string;
  readonly #proxies: readonly DelayProxy[];

  private constructor(
    network: Network,
    servers: readonly NatsServer[],
    nodes: readonly ClusterNode[],
    folder: string,
    proxies: readonly DelayProxy[],
  ) {
    this.#proxies = proxies;
    this.network = network;
    this.servers = servers;
    this.nodes = nodes;
    this.#folder = folder;
  }

  /** Starts the NATS servers, and the nodes unless `areNodesLeft`; waits until all serve. */
  static async start(options: ClusterOptions = {}, areNodesLeft = false): Promise<Cluster> {
    const { nodes: nodeCount = 3, servers: serverCount = 3 } = options;
    const folder = await mkdtemp(join(tmpdir(), 'sabre-cluster-'));
    const network = createNetwork(serverCount + nodeCount);
    const proxies: DelayProxy[] = [];
    let cluster: Cluster | null = null;
    try {
      const servers = await defineServers(network, network.hosts.slice(0, serverCount), folder, options, proxies);
      const nodes = await defineNodes(network, network.hosts.slice(serverCount), servers, folder, options);
      cluster = new Cluster(network, servers, nodes, folder, proxies);
      for (const server of servers) server.run();
      await Promise.all(servers.map((server) => server.waitHealthy()));
      if (!areNodesLeft) await cluster.startNodes();
      return cluster;
    } catch (error) {
      if (cluster !== null) await cluster.dispose();
      else network.dispose();
      for (const proxy of proxies) proxy.close();
      throw error;
    }
  }

  /** Starts those that do not run, and waits until all serve. */
  async startNodes(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.start()));
  }

  node(index: number): ClusterNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  /** Ends every disturbance: all are on the network, go on and run. Does not wait until they serve. */
  heal(): void {
    for (const process of [...this.servers, ...this.nodes]) {
      process.host.mend();
      process.resume();
      process.run();
    }
  }

  /** Waits until all serve. Errors: the log of the first that does not in time. */
  async waitReady(withinMs = READY_WITHIN_MS): Promise<void> {
    const all = [
      ...this.servers.map((each) => each.waitHealthy(withinMs)),
      ...this.nodes.map((each) => each.waitReady(withinMs)),
    ];
    await Promise.all(all);
  }

  async dispose(): Promise<void> {
    for (const node of this.nodes) node.client.close();
    await Promise.all([...this.nodes, ...this.servers].map((each) => each.kill()));
    for (const proxy of this.#proxies) proxy.close();
    this.network.dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function defineServers(
  network: Network,
  hosts: readonly Host[],
  folder: string,
  { maxPayload = 1024 * 1024, delayMs, serverConfig = () => [] }: ClusterOptions,
  proxies: DelayProxy[],
): Promise<NatsServer[]> {
  const program = natsServerPath();
  const ports = await Promise.all(
    hosts.map(async () => ({
      clients: await portOn(network, 4222),
      routes: await portOn(network, 6222),
      http: await portOn(network, 8222),
    })),
  );
  const reach = async ({ address }: Host, port: number): Promise<string> => {
    if (delayMs === undefined) return `${address}:${port}`;
    const proxy = await DelayProxy.start(network.ownAddress, address, port, delayMs);
    proxies.push(proxy);
    return `${network.ownAddress}:${proxy.port}`;
  };
  const routes = await Promise.all(hosts.map((host, index) => reach(host, ports[index]?.routes ?? 0)));
  return Promise.all(
    hosts.map(async (host, index) => {
      const { clients = 0, routes: own = 0, http = 0 } = ports[index] ?? {};
      const file = join(folder, `nats-${index}.conf`);
      const config = [
        `server_name: s${index}`,
        `listen: "${host.address}:${clients}"`,
        `http: "${host.clientAddress}:${http}"`,
        `max_payload: ${maxPayload}`,
        // An acknowledged message survives a power failure.
        `jetstream { store_dir: "${join(folder, `nats-${index}`)}", sync_interval: always }`,
        // One alone with such a block would wait for others.
        ...(hosts.length === 1 ? [] : [clusterBlock(`${host.address}:${own}`, routes)]),
        ...serverConfig(host.address),
      ];
      await writeFile(file, `${config.join('\n')}\n`);
      return new NatsServer(
        `NATS server ${index}`,
        host,
        [program, '--config', file],
        await reach(host, clients),
        http,
      );
    }),
  );
}

const clusterBlock = (listen: string, routes: readonly string[]): string =>
  `cluster { name: ${NAME}, listen: "${listen}", routes: [${routes.map((route) => `"nats://${route}"`).join(', ')}] }`;

async function defineNodes(
  network: Network,
  hosts: readonly Host[],
  servers: readonly NatsServer[],
  folder: string,
  { args = [], dataDir, main = MAIN_FILE }: ClusterOptions,
): Promise<ClusterNode[]> {
  const urls = servers.map(({ url }) => url).join(',');
  return Promise.all(
    hosts.map(async (host, index) => {
      const port = await portOn(network, 8108);
      const directory = dataDir?.(index) ?? join(folder, `node-${index}`);
      await mkdir(directory, { recursive: true });
      const flags = {
        '--listen': `${host.clientAddress}:${port}`,
        '--data-dir': directory,
        '--reader-threads': '1',
        '--cluster': urls,
        '--cluster-name': NAME,
        '--cluster-node': `n${index}`,
      };
      const command = [process.execPath, main, 'serve', ...Object.entries(flags).flat(), ...args];
      return new ClusterNode(index, host, command, port, directory);
    }),
  );
}

/** A server that is no node of a cluster, on a host of its own as theirs are: what a cluster is compared with. */
export async function startAlone(args: readonly string[] = []): Promise<{
  readonly node: ClusterNode;
  readonly startMs: number;
  dispose(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-alone-'));
  const network = createNetwork(1);
  const [host] = network.hosts as [Host];
  const port = await portOn(network, 8108);
  const flags = { '--listen': `${host.clientAddress}:${port}`, '--data-dir': folder, '--reader-threads': '1' };
  const command = [process.execPath, MAIN_FILE, 'serve', ...Object.entries(flags).flat(), ...args];
  const node = new ClusterNode(0, host, command, port, folder);
  const dispose = async (): Promise<void> => {
    node.client.close();
    await node.kill();
    network.dispose();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { node, startMs: await node.start(), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
