/**
 * The log and the bucket of leases of a simulated cluster: what JetStream promises, and every way in which it may do so. Requests
 * and answers get lost or come late, a message that was given up is stored after all, followers get messages twice or hang.
 */
import type { LeaseBucket, LeaseEntry, LeaseOutcome, LeaseValue } from '../../src/cluster/lease-port.js';
import type { ProgressPort } from '../../src/cluster/member-ports.js';
import type {
  Following,
  LogInfo,
  LogStream,
  OutgoingMessage,
  PublishOutcome,
  StoredMessage,
} from '../../src/cluster/stream-port.js';
import type { SimulatedProcess, SimulatedWorld } from './simulated-world.js';

export const PAYLOAD_MAX = 400;

interface Entry<Content> {
  readonly sequence: number;
  readonly subject: string;
  readonly content: Content;
}

/** Something that is appended to under subjects, each time only behind the last of the subject that is expected. */
export class SimulatedJournal<Content> {
  readonly entries: Entry<Content>[] = [];
  readonly #last = new Map<string, number>();
  readonly #ids = new Map<string, number>();
  readonly #gone = new Set<number>();

  /** The sequence; null: the last of the subject is another. */
  append(subject: string, previous: number, id: string | null, content: Content): number | null {
    const known = id === null ? undefined : this.#ids.get(id);
    if (known !== undefined) return known;
    if ((this.#last.get(subject) ?? 0) !== previous) return null;
    const sequence = this.entries.length + 1;
    this.entries.push({ sequence, subject, content });
    this.#last.set(subject, sequence);
    if (id !== null) this.#ids.set(id, sequence);
    return sequence;
  }

  /** The same, and drops what came before under the subject. */
  rollUp(subject: string, previous: number, content: Content): number | null {
    const sequence = this.append(subject, previous, null, content);
    if (sequence === null) return null;
    for (const entry of this.entries)
      if (entry.subject === subject && entry.sequence < sequence) this.#gone.add(entry.sequence);
    return sequence;
  }

  /** What is left of the `count` entries from the place `from` on. */
  read(from: number, count: number): Entry<Content>[] {
    return this.entries.slice(from - 1, from - 1 + count).filter(({ sequence }) => !this.#gone.has(sequence));
  }

  /** After two minutes. */
  forgetIds(): void {
    this.#ids.clear();
  }

  lastOf(subject: string): Entry<Content> | null {
    return this.entries[(this.#last.get(subject) ?? 0) - 1] ?? null;
  }
}

interface Listener {
  readonly node: string;
  readonly receive: (life: string, sequence: number) => void;
}

/** What all processes share. */
export class SimulatedServers {
  readonly world: SimulatedWorld;
  readonly log = new SimulatedJournal<Uint8Array>();
  readonly leases = new SimulatedJournal<LeaseValue | null>();
  readonly listeners = new Map<SimulatedProcess, Listener>();
  /** Whether they have no quorum. */
  isDown = false;

  constructor(world: SimulatedWorld) {
    this.world = world;
  }

  /** Has `perform` done by the servers for `process`; how it ends is up to chance. */
  ask<Result>(
    process: SimulatedProcess,
    timeoutMs: number,
    perform: () => Result,
  ): Promise<{ kind: 'answer'; result: Result } | { kind: 'nobody' } | { kind: 'silence' }> {
    const { world } = this;
    return new Promise((resolve) => {
      if ((process.isCut || this.isDown) && world.chance(0.5)) {
        process.after(world.delay(0.1, 2), () => resolve({ kind: 'nobody' }));
        return;
      }
      process.after(timeoutMs, () => resolve({ kind: 'silence' }));
      // A cut connection may hold a request back until it is there again.
      const isLost = process.isCut ? world.chance(0.8) : world.chance(world.loss);
      if (isLost) return;
      world.schedule(process.isCut ? world.delay(50, 600) : world.delay(0.2, 40), null, () => {
        if (this.isDown) return;
        const result = perform();
        if (process.isCut || world.chance(world.loss)) return;
        process.after(world.delay(0.2, 40), () => resolve({ kind: 'answer', result }));
      });
    });
  }

  /** Hands entries of `journal` from the place `from` on to `receive`, by and by. */
  follow<Content>(
    process: SimulatedProcess,
    ear: 'log' | 'leases',
    journal: SimulatedJournal<Content>,
    from: number,
    receive: (entry: Entry<Content>) => void,
  ): Following {
    const { world } = this;
    let next = from;
    let isStopped = false;
    const poll = (): void => {
      if (isStopped || !process.isAlive) return;
      const isHeld = process.isCut || process.deafUntil[ear] > world.time || world.chance(0.05);
      const count = isHeld ? 0 : 1 + Math.floor(world.random() * 4);
      const found = journal.read(next, count);
      next = Math.min(next + count, journal.entries.length + 1);
      const arrive = (): void => {
        for (const entry of found) if (!isStopped) receive(entry);
        if (world.chance(0.02)) next = Math.max(from, next - 3);
        process.after(world.delay(0.3, isHeld ? 60 : 10), poll);
      };
      process.after(world.delay(0.2, 20), arrive);
    };
    process.after(0, poll);
    return {
      stop: () => {
        isStopped = true;
      },
      renew: () => {},
    };
  }
}

export class SimulatedStream implements LogStream {
  readonly payloadMax = PAYLOAD_MAX;
  readonly #servers: SimulatedServers;
  readonly #process: SimulatedProcess;

  constructor(servers: SimulatedServers, process: SimulatedProcess) {
    this.#servers = servers;
    this.#process = process;
  }

  async publish(message: OutgoingMessage, timeoutMs: number): Promise<PublishOutcome> {
    const { origin, counter, previous } = message;
    const bytes = message.bytes.slice();
    const answer = await this.#servers.ask(this.#process, timeoutMs, () =>
      this.#servers.log.append(origin, previous, `${origin}-${counter}`, bytes),
    );
    if (answer.kind === 'nobody') return { kind: 'not stored', reason: 'nobody' };
    if (answer.kind === 'silence') return { kind: 'unknown', reason: 'silence' };
    return answer.result === null ? { kind: 'overtaken' } : { kind: 'stored', sequence: answer.result };
  }

  async lastOf(origin: string): Promise<StoredMessage | null> {
    const answer = await this.#servers.ask(this.#process, 100, () => this.#servers.log.lastOf(origin));
    if (answer.kind !== 'answer') throw new Error(answer.kind);
    return answer.result === null ? null : { sequence: answer.result.sequence, bytes: answer.result.content };
  }

  follow(from: number, receive: (message: StoredMessage) => void): Following {
    return this.#servers.follow(this.#process, 'log', this.#servers.log, from, ({ sequence, content }) => {
      // As of the connection: a Buffer, whose slice() is a view, of memory that something else lies in afterwards.
      const bytes = Buffer.from(content);
      receive({ sequence, bytes });
      bytes.fill(0xee);
    });
  }

  async info(): Promise<LogInfo> {
    const answer = await this.#servers.ask(this.#process, 100, () => this.#servers.log.entries.length);
    if (answer.kind !== 'answer') throw new Error(answer.kind);
    return { first: 1, last: answer.result, bytes: 0 };
  }
}

export class SimulatedBucket implements LeaseBucket {
  readonly id = 'bucket';
  readonly opened: number;
  readonly #servers: SimulatedServers;
  readonly #process: SimulatedProcess;

  constructor(servers: SimulatedServers, process: SimulatedProcess) {
    this.#servers = servers;
    this.#process = process;
    this.opened = servers.leases.entries.length;
  }

  async put(node: string, value: LeaseValue | null, revision: number, timeoutMs: number): Promise<LeaseOutcome> {
    const { leases } = this.#servers;
    const answer = await this.#servers.ask(this.#process, timeoutMs, () =>
      value === null ? leases.rollUp(node, revision, null) : leases.append(node, revision, null, value),
    );
    if (answer.kind !== 'answer') return { kind: 'unknown' };
    return answer.result === null ? { kind: 'conflict' } : { kind: 'stored', revision: answer.result };
  }

  watch(receive: (entry: LeaseEntry) => void): { stop(): void } {
    return this.#servers.follow(this.#process, 'leases', this.#servers.leases, 1, ({ sequence, subject, content }) =>
      receive({ node: subject, revision: sequence, value: content }),
    );
  }
}

export class SimulatedProgress implements ProgressPort {
  readonly #servers: SimulatedServers;
  readonly #process: SimulatedProcess;
  readonly #node: string;

  constructor(servers: SimulatedServers, process: SimulatedProcess, node: string) {
    this.#servers = servers;
    this.#process = process;
    this.#node = node;
  }

  send(to: string | null, life: string, sequence: number): void {
    const { world, listeners } = this.#servers;
    if (this.#process.isCut) return;
    for (const [process, { node, receive }] of listeners) {
      const isMeant = process !== this.#process && (to ?? node) === node;
      if (isMeant && !process.isCut && process.deafUntil.progress <= world.time && world.chance(0.95))
        process.after(world.delay(0.2, 30), () => receive(life, sequence));
    }
  }

  listen(receive: (life: string, sequence: number) => void): void {
    this.#servers.listeners.set(this.#process, { node: this.#node, receive });
  }
}
