/**
 * A process of a node in a simulated cluster: a ClusterMember, and an engine that remembers what it has applied. What it keeps on its
 * disk outlives it.
 */
import { randomBytes } from 'node:crypto';
import type { Delivery, EngineError } from '../../engine/index.js';
import { ClusterMember } from '../../src/cluster/cluster-member.js';
import type { ReadDeadline } from '../../src/cluster/read-deadline.js';
import { SimulatedBucket, SimulatedProgress, type SimulatedServers, SimulatedStream } from './simulated-stream.js';
import { SimulatedProcess } from './simulated-world.js';

export const LEASE_MS = 200;
const WRITE_TIMEOUT_MS = 600;
const TICK_MS = 10;
/** As short as may be, so that it happens among all else. */
const FORGET_AFTER_MS = 3 * LEASE_MS;

class SimulatedDeadline implements ReadDeadline {
  readonly #process: SimulatedProcess;
  #until = 0;
  #holds = false;

  constructor(process: SimulatedProcess) {
    this.#process = process;
  }

  now(): number {
    return Math.floor(this.#process.now());
  }

  extend(since: number, ms: number): void {
    this.#until = since + ms;
    this.#holds = true;
  }

  end(): void {
    this.#holds = false;
  }

  get isOver(): boolean {
    return !this.#holds || this.now() >= this.#until;
  }
}

/** What a node has on its disk. */
export interface SimulatedDisk {
  readonly applied: number;
  readonly replayFrom: number;
  readonly records: readonly string[];
}

export const EMPTY_DISK: SimulatedDisk = { applied: 0, replayFrom: 1, records: [] };

/** What became of a write. */
export type WriteEnd =
  | { readonly kind: 'acknowledged'; readonly text: string; readonly sequence: number }
  | { readonly kind: 'refused' | 'unknown'; readonly text: string };

export class SimulatedNode {
  readonly name: string;
  readonly process: SimulatedProcess;
  readonly member: ClusterMember;
  readonly records: string[];
  applied: number;
  replayFrom: number;
  failure: EngineError | null = null;
  readonly #reads: SimulatedDeadline;
  readonly #onEnd: (end: WriteEnd) => void;
  /** Texts by number of what nobody has answered. */
  readonly #texts = new Map<number, string>();
  /** Own writes that were applied, in order. */
  readonly #own: { readonly sequence: number; readonly number: number }[] = [];
  #number = 0;
  #released = 0;
  #takenBytes = 0;
  #readyAt = 0;

  constructor(servers: SimulatedServers, name: string, disk: SimulatedDisk, onEnd: (end: WriteEnd) => void) {
    this.name = name;
    this.process = new SimulatedProcess(servers.world);
    this.records = [...disk.records];
    this.applied = disk.applied;
    this.replayFrom = disk.replayFrom;
    this.#onEnd = onEnd;
    this.#reads = new SimulatedDeadline(this.process);
    this.member = new ClusterMember(
      {
        stream: new SimulatedStream(servers, this.process),
        bucket: new SimulatedBucket(servers, this.process),
        progress: new SimulatedProgress(servers, this.process, name),
        clock: this.process,
        reads: this.#reads,
        lease: new SimulatedDeadline(this.process),
      },
      {
        ...{ node: name, origin: randomBytes(8).toString('hex'), url: null, version: '1', leaseMs: LEASE_MS },
        ...{
          acknowledge: 'all',
          readsWithoutQuorum: false,
          writeTimeoutMs: WRITE_TIMEOUT_MS,
          forgetAfterMs: FORGET_AFTER_MS,
        },
      },
      {
        deliver: (deliveries) => this.#deliver(deliveries),
        release: (sequence) => this.#release(sequence),
        refuse: (number, error) => this.#end(number, error.code === 'unknown_outcome' ? 'unknown' : 'refused', 0),
        done: () => {},
        tell: () => {},
        fail: (error) => {
          this.failure = error;
          this.crash();
        },
        changed: () => {},
      },
    );
    this.member.attach(disk.applied, disk.replayFrom);
    this.#tick();
  }

  get isReadable(): boolean {
    return this.process.isAlive && this.member.phase === 'ready' && !this.#reads.isOver;
  }

  get disk(): SimulatedDisk {
    return { applied: this.applied, replayFrom: this.replayFrom, records: [...this.records] };
  }

  /** Proposes a write of `text`, with so many `bytes`. */
  write(text: string, bytes: number): void {
    const number = ++this.#number;
    this.#texts.set(number, text);
    const record = new TextEncoder().encode(`${number} ${text}`.padEnd(bytes));
    this.process.after(0, () => this.member.propose([{ number, record }]));
  }

  /** Ends the process at once. */
  crash(): void {
    this.process.isAlive = false;
    for (const text of this.#texts.values()) this.#onEnd({ kind: 'unknown', text });
    this.#texts.clear();
  }

  #tick(): void {
    this.member.tick();
    this.process.after(TICK_MS, () => this.#tick());
  }

  /** One batch after the other, each in its time. */
  #deliver(deliveries: readonly Delivery[]): void {
    const { world } = this.process;
    const at = Math.max(world.time, this.#readyAt) + world.delay(0.1, world.chance(0.01) ? 400 : 15);
    this.#readyAt = at;
    this.process.after(at - world.time, () => this.#apply(deliveries));
  }

  #apply(deliveries: readonly Delivery[]): void {
    for (const { sequence, isOwn, records, replayFrom } of deliveries) {
      if (sequence <= this.applied) throw new Error(`${this.name}: ${sequence} comes behind ${this.applied}`);
      for (const record of records) {
        const [number = '', text = ''] = new TextDecoder().decode(record).trimEnd().split(' ');
        this.records.push(text);
        this.#takenBytes += record.length;
        if (isOwn) this.#own.push({ sequence, number: Number(number) });
      }
      this.applied = sequence;
      this.replayFrom = replayFrom;
    }
    this.member.note({ bytes: this.#takenBytes });
    this.member.apply(this.applied);
    this.#answer();
  }

  #release(sequence: number): void {
    this.#released = sequence;
    this.#answer();
  }

  #answer(): void {
    while ((this.#own[0]?.sequence ?? Number.POSITIVE_INFINITY) <= this.#released) {
      const { sequence, number } = this.#own.shift() ?? { sequence: 0, number: 0 };
      this.#end(number, 'acknowledged', sequence);
    }
  }

  #end(number: number, kind: WriteEnd['kind'], sequence: number): void {
    const text = this.#texts.get(number);
    this.#texts.delete(number);
    if (text === undefined) return;
    this.#onEnd(kind === 'acknowledged' ? { kind, text, sequence } : { kind, text });
  }
}
