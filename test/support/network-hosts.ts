/**
 * Hosts for the processes of a cluster: network namespaces of their own where root allows, so that one can be cut off for real, else
 * loopback. Used by cluster.ts.
 *
 * A host has two interfaces: `cluster` between the hosts, which can be cut and disturbed, and `clients`, by which this process asks
 * it whatever the other does. Nothing is routed anywhere else. All that is made is named sbt<slot>..., carries the number of this
 * process, and is removed by dispose(), or by the next run when this one has died.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

export interface Host {
  /** Where the other hosts reach it, and where this process does. */
  readonly address: string;
  readonly clientAddress: string;
  /** What to run so that `command` runs there; the process keeps its number. */
  wrap(command: readonly string[]): readonly string[];
  /** Takes it off the network between the hosts, without a word to anybody; not on loopback. */
  cut(): void;
  /** Cuts it off from these alone; not on loopback. */
  part(from: readonly Host[]): void;
  /** Ends what cut(), part() and disturb() did. */
  mend(): void;
  /** Delays what it sends, and loses some, by tc netem. Errors: where canDisturb is false. */
  disturb(delayMs: number, lossPercent: number): void;
}

export interface Network {
  readonly hosts: readonly Host[];
  /** Where the hosts reach this process, on the network between them. */
  readonly ownAddress: string;
  /** Hosts are namespaces. */
  readonly canCut: boolean;
  /** The kernel has netem, too. */
  readonly canDisturb: boolean;
  dispose(): void;
}

const SLOTS = 60;
const PREFIX = /^sbt\d+/;
const PLANES = ['a', 'b'] as const;
/** Of the second byte on: nothing else on a machine of ours uses it. */
const RANGE = '10.213';
const RANGE_ROUTE = `${RANGE}.0.0/16`;

const ip = (...args: readonly string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const succeeds = (doing: () => unknown): boolean => {
  try {
    doing();
    return true;
  } catch {
    return false;
  }
};

interface Link {
  readonly ifname: string;
  readonly ifalias?: string;
}

const ownLinks = (): readonly Link[] =>
  (JSON.parse(ip('-json', 'link', 'show')) as Link[]).filter(({ ifname }) => PREFIX.test(ifname));

function ownNamespaces(slot: string): readonly string[] {
  let names: string[] = [];
  succeeds(() => {
    names = readdirSync('/run/netns').filter((name) => name.startsWith(`${slot}-`));
  });
  return names;
}

/** Removes the namespaces of `slot`, with the processes that a run left in them, and its bridges. */
function removeSlot(slot: string): void {
  for (const name of ownNamespaces(slot)) {
    const pids = ip('netns', 'pids', name).split('\n').filter(Boolean).map(Number);
    for (const pid of pids) succeeds(() => process.kill(pid, 'SIGKILL'));
    succeeds(() => ip('netns', 'del', name));
  }
  const isOfSlot = ({ ifname }: Link): boolean => ifname.startsWith(`${slot}-`);
  // With one end of a pair goes the other.
  for (const { ifname } of ownLinks().filter(isOfSlot)) succeeds(() => ip('link', 'del', ifname));
}

const isAlive = (pid: number): boolean => succeeds(() => process.kill(pid, 0));

/** Removes what runs that have died have left. */
function removeLeftovers(): void {
  for (const { ifname, ifalias = '' } of ownLinks()) {
    const pid = Number(/^sabre-test (\d+)$/.exec(ifalias)?.[1] ?? 0);
    if (pid > 0 && !isAlive(pid)) removeSlot(ifname.slice(0, ifname.indexOf('-')));
  }
}

/**
 * Without a bridge its addresses would be looked for outside: what has gone has no route at all. It stays until no process has a
 * network.
 */
function keepInside(): void {
  const route = ['unreachable', RANGE_ROUTE];
  succeeds(() => ip('route', 'add', ...route));
  process.once('exit', () => {
    if (ownLinks().length === 0) succeeds(() => ip('route', 'del', ...route));
  });
}

/** Makes the bridges of a slot that nobody has, and returns its number. */
function claimSlot(): number {
  for (let slot = 0; slot < SLOTS; slot++) {
    // Only one of several can make it.
    if (!succeeds(() => ip('link', 'add', `sbt${slot}-a`, 'type', 'bridge'))) continue;
    ip('link', 'set', 'dev', `sbt${slot}-a`, 'alias', `sabre-test ${process.pid}`);
    ip('link', 'add', `sbt${slot}-b`, 'type', 'bridge');
    for (const [index, plane] of PLANES.entries()) {
      ip('addr', 'add', `${RANGE}.${2 * slot + index}.1/24`, 'dev', `sbt${slot}-${plane}`);
      ip('link', 'set', `sbt${slot}-${plane}`, 'up');
    }
    return slot;
  }
  throw new Error('no slot is left for another network');
}

function addHost(slot: number, number: number): Host {
  const name = `sbt${slot}-h${number}`;
  const addressIn = (plane: number): string => `${RANGE}.${2 * slot + plane}.${10 + number}`;
  const inside = (...args: readonly string[]): string => ip('-n', name, ...args);
  ip('netns', 'add', name);
  inside('link', 'set', 'lo', 'up');
  for (const [index, plane] of PLANES.entries()) {
    const [outer, inner] = [`${name}${plane}`, `eth${index}`];
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name);
    ip('link', 'set', outer, 'master', `sbt${slot}-${plane}`, 'up');
    inside('addr', 'add', `${addressIn(index)}/24`, 'dev', inner);
    inside('link', 'set', inner, 'up');
  }
  const parted = new Set<string>();
  const tc = (...args: readonly string[]): void =>
    void execFileSync('tc', ['-n', name, 'qdisc', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    address: addressIn(0),
    clientAddress: addressIn(1),
    wrap: (command) => ['nsenter', `--net=/run/netns/${name}`, '--', ...command],
    cut: () => void ip('link', 'set', `${name}a`, 'nomaster'),
    mend: () => {
      ip('link', 'set', `${name}a`, 'master', `sbt${slot}-a`);
      for (const address of parted) inside('route', 'del', 'blackhole', `${address}/32`);
      parted.clear();
      succeeds(() => tc('del', 'dev', 'eth0', 'root'));
    },
    part: (from) => {
      for (const { address } of from) {
        if (parted.has(address)) continue;
        inside('route', 'add', 'blackhole', `${address}/32`);
        parted.add(address);
      }
    },
    disturb: (delayMs, lossPercent) =>
      tc(
        'replace',
        'dev',
        'eth0',
        'root',
        'netem',
        'delay',
        `${delayMs}ms`,
        `${delayMs / 4}ms`,
        'loss',
        `${lossPercent}%`,
      ),
  };
}

function createNamespaces(count: number): Network {
  removeLeftovers();
  keepInside();
  const slot = claimSlot();
  let isOurs = true;
  const dispose = (): void => {
    process.off('exit', dispose);
    // Afterwards another process may have the slot.
    if (isOurs) removeSlot(`sbt${slot}`);
    isOurs = false;
  };
  process.on('exit', dispose);
  try {
    const hosts = Array.from({ length: count }, (_, number) => addHost(slot, number));
    const canDisturb = succeeds(() => hosts[0]?.disturb(1, 0));
    hosts[0]?.mend();
    return { hosts, ownAddress: `${RANGE}.${2 * slot}.1`, canCut: true, canDisturb, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

const LOOPBACK: Host = {
  address: '127.0.0.1',
  clientAddress: '127.0.0.1',
  wrap: (command) => command,
  cut: () => {
    throw new Error('hosts on loopback cannot be cut off');
  },
  part: () => {
    throw new Error('hosts on loopback cannot be parted');
  },
  mend: () => {},
  disturb: () => {
    throw new Error('hosts on loopback cannot be disturbed');
  },
};

/** Makes `count` hosts. The caller disposes of them once their processes have ended. */
export function createNetwork(count: number): Network {
  const isOurs = process.getuid?.() === 0 && process.platform === 'linux';
  if (isOurs && succeeds(() => ip('-json', 'link', 'show'))) {
    try {
      return createNamespaces(count);
    } catch (error) {
      process.stderr.write(`\n!!!! no network namespaces here, so nothing is cut off: ${String(error)}\n\n`);
    }
  }
  return {
    hosts: Array.from({ length: count }, () => LOOPBACK),
    ownAddress: LOOPBACK.address,
    canCut: false,
    canDisturb: false,
    dispose: () => {},
  };
}
