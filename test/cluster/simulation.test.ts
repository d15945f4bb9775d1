/**
 * A cluster in a simulated world where everything goes wrong: processes stand still, are cut off and die at any step, requests and answers
 * get lost, come late or twice, the servers lose their quorum. The promises hold after every step.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../support/simulated-random.js';
import { EMPTY_DISK, LEASE_MS, type SimulatedDisk, SimulatedNode, type WriteEnd } from './simulated-node.js';
import { PAYLOAD_MAX, SimulatedServers } from './simulated-stream.js';
import { type SimulatedProcess, SimulatedWorld } from './simulated-world.js';

const NAMES = ['a', 'b', 'c'];
const STEPS = 120;
const CALM_STEPS = 5;
const HEALED_MS = 60 * LEASE_MS;

class SimulatedCluster {
  readonly world: SimulatedWorld;
  readonly servers: SimulatedServers;
  readonly nodes = new Map<string, SimulatedNode>();
  /** All processes there have been: one that was replaced may go on. */
  readonly processes: SimulatedNode[] = [];
  readonly disks = new Map<string, SimulatedDisk>();
  readonly ends: WriteEnd[] = [];
  #writes = 0;
  #acknowledged = 0;

  constructor(seed: number) {
    this.world = new SimulatedWorld(seededRandom(seed));
    this.servers = new SimulatedServers(this.world);
    for (const name of NAMES) this.start(name);
  }

  start(name: string): void {
    const node = new SimulatedNode(this.servers, name, this.disks.get(name) ?? EMPTY_DISK, (end) => {
      if (end.kind === 'acknowledged') this.#acknowledged = Math.max(this.#acknowledged, end.sequence);
      this.ends.push(end);
    });
    this.nodes.set(name, node);
    this.processes.push(node);
  }

  /** No process that answers reads lacks what was acknowledged. */
  readonly check = (): void => {
    for (const { isReadable, applied, name } of this.processes)
      if (isReadable && applied < this.#acknowledged)
        throw new Error(`${name} answers reads at ${applied}, and ${this.#acknowledged} was acknowledged`);
  };

  /** One thing that goes wrong while all else is well: what wild steps hide. */
  async calmStep(): Promise<void> {
    const { world } = this;
    world.loss = 0;
    const node = this.nodes.get(NAMES[Math.floor(world.random() * NAMES.length)] ?? '');
    assert.ok(node);
    const action = world.random();
    if (action < 0.4) this.#slow(node);
    else if (action < 0.7) this.#rejoinUnseen(node);
    else this.#replace(node);
    this.#writeForAWhile();
    await world.run(8 * LEASE_MS, this.check);
    await this.heal();
  }

  async step(): Promise<void> {
    const { world } = this;
    const node = this.nodes.get(NAMES[Math.floor(world.random() * NAMES.length)] ?? '');
    assert.ok(node);
    const { process } = node;
    const action = world.random();
    if (action < 0.6) {
      if (node.isReadable) node.write(`w${++this.#writes}`, world.chance(0.1) ? 3 * PAYLOAD_MAX : 20);
    } else if (action < 0.68)
      process.pausedUntil = Math.max(process.pausedUntil, world.time + world.delay(5, 6 * LEASE_MS));
    else if (action < 0.76) process.isCut = !process.isCut;
    else if (action < 0.8) this.servers.isDown = !this.servers.isDown;
    else if (action < 0.84) this.disks.set(node.name, node.disk);
    else if (action < 0.88) this.#restart(node);
    else if (action < 0.89) this.#replace(node);
    else if (action < 0.91) void node.member.leave();
    else if (action < 0.92) this.servers.log.forgetIds();
    else if (action < 0.95) this.#deafen(process);
    else if (action < 0.97) this.#slow(node);
    else this.#rejoinUnseen(node);
    if (!process.isAlive || node.member.phase === 'left') this.#restart(node);
    await world.run(world.delay(1, LEASE_MS), this.check);
  }

  /** Some of what `process` should hear comes late. */
  #deafen({ deafUntil }: SimulatedProcess): void {
    const { world } = this;
    for (const ear of ['log', 'leases', 'progress'] as const)
      if (world.chance(0.6)) deafUntil[ear] = world.time + LEASE_MS * (1 + 6 * world.random());
  }

  /** `node` renews its lease, and neither applies anything nor hears that others do. */
  #slow({ process: { deafUntil } }: SimulatedNode): void {
    deafUntil.log = this.world.time + 6 * LEASE_MS;
    deafUntil.progress = deafUntil.log;
    // Leases tell, too, how far the others have got.
    if (this.world.chance(0.6)) deafUntil.leases = deafUntil.log;
    this.#writeForAWhile();
  }

  /** `node` joins again while the others hear nothing of leases, and becomes slow then. */
  #rejoinUnseen(node: SimulatedNode): void {
    const { world } = this;
    const until = world.time + 8 * LEASE_MS;
    for (const other of this.nodes.values()) if (other !== node) other.process.deafUntil.leases = until;
    void node.member.leave();
    this.disks.set(node.name, node.disk);
    world.schedule(LEASE_MS / 2, null, () => {
      if (this.nodes.get(node.name) === node) this.#restart(node);
    });
    world.schedule(LEASE_MS * (1 + 2 * world.random()), null, () => {
      const now = this.nodes.get(node.name);
      if (now !== undefined) this.#slow(now);
    });
  }

  #writeForAWhile(): void {
    const { world } = this;
    for (let i = 0; i < 20; i++)
      world.schedule(world.random() * 6 * LEASE_MS, null, () => {
        const able = [...this.nodes.values()].filter(({ isReadable }) => isReadable);
        able[Math.floor(world.random() * able.length)]?.write(`w${++this.#writes}`, 20);
      });
  }

  /** After a while without harm all are ready, and have the same. */
  async heal(): Promise<void> {
    this.servers.isDown = false;
    for (const one of this.processes) {
      one.process.isCut = false;
      if (this.nodes.get(one.name) !== one) one.crash();
    }
    for (let i = 0; i < HEALED_MS / LEASE_MS; i++) {
      await this.world.run(LEASE_MS, this.check);
      for (const node of this.nodes.values())
        if (!node.process.isAlive || node.member.phase === 'left') this.#restart(node);
      if (this.#isWhole()) return;
    }
    const told = [...this.nodes.values()].map(
      ({ name, member }) => `${name}: ${member.phase}, ${member.reason}, ${JSON.stringify(member.figures)}`,
    );
    throw new Error(`not whole again: ${told.join('; ')}`);
  }

  #isWhole(): boolean {
    return [...this.nodes.values()].every(
      ({ isReadable, applied }) => isReadable && applied === this.servers.log.entries.length,
    );
  }

  #restart(node: SimulatedNode): void {
    node.crash();
    this.start(node.name);
  }

  /** A second process of the same name, while the first stands still, or does not hear of it. */
  #replace(node: SimulatedNode): void {
    if (this.world.chance(0.5)) {
      this.disks.set(node.name, node.disk);
      const { deafUntil } = node.process;
      deafUntil.leases = this.world.time + 6 * LEASE_MS;
      if (this.world.chance(0.7)) deafUntil.log = deafUntil.leases;
      this.#writeForAWhile();
    } else this.#pauseLong(node);
    this.start(node.name);
  }

  #pauseLong(node: SimulatedNode): void {
    const until = this.world.time + this.world.delay(2, 12) * LEASE_MS;
    node.process.pausedUntil = Math.max(node.process.pausedUntil, until);
  }
}

/** Everything that must hold of the records and of what writers were told. */
function checkHistory({ nodes, processes, ends }: SimulatedCluster): void {
  const longest = [...processes].sort((a, b) => b.records.length - a.records.length)[0]?.records ?? [];
  for (const { name, records } of processes)
    assert.deepEqual(records, longest.slice(0, records.length), `${name} has another order`);
  for (const { name, records } of nodes.values()) assert.equal(records.length, longest.length, `${name} lacks some`);
  assert.equal(new Set(longest).size, longest.length, 'something was applied twice');
  for (const end of ends) {
    if (end.kind === 'acknowledged') assert.ok(longest.includes(end.text), `${end.text} was acknowledged, and is lost`);
    if (end.kind === 'refused') assert.ok(!longest.includes(end.text), `${end.text} was refused, and is there`);
  }
  for (const { failure } of processes)
    if (failure !== null) assert.match(failure.message, /another process is the node/);
}

test('no read misses what was acknowledged, nothing is lost, applied twice or in another order', async () => {
  const told = { acknowledged: 0, refused: 0, unknown: 0 };
  const property = fc.asyncProperty(fc.integer({ min: 0, max: 0xffffffff }), async (seed) => {
    const cluster = new SimulatedCluster(seed);
    await cluster.world.run(5 * LEASE_MS, cluster.check);
    if (seed % 2 === 0) for (let i = 0; i < CALM_STEPS; i++) await cluster.calmStep();
    else for (let i = 0; i < STEPS; i++) await cluster.step();
    await cluster.heal();
    checkHistory(cluster);
    for (const { kind } of cluster.ends) told[kind] += 1;
  });
  await fc.assert(property, { numRuns: Number(process.env['SIMULATIONS'] ?? 8), endOnFailure: true });
  assert.ok(told.acknowledged > told.unknown / 4, `the simulation tells little: ${JSON.stringify(told)}`);
  if (process.env['SIMULATIONS'] !== undefined) process.stdout.write(`${JSON.stringify(told)}\n`);
});
