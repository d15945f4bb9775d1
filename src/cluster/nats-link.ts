/**
 * The connection of the cluster thread to the NATS servers: made again for ever once it is lost, and to another server when the one that
 * is connected does not know those who answer. Used by nats-stream.ts, nats-leases.ts and the snapshot keeper.
 */
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectToNats, type NatsTarget } from './nats-connect.js';

const REQUEST_MS = 2500;
/** Nothing that needs a majority was done for so long, though it was asked for: the server may be cut off from the others. */
const MOVE_ON_MS = 5000;
/** Requests in vain that are further apart tell nothing of the time between them. */
const IN_VAIN_GAP_MS = 30_000;

export interface LinkOptions extends NatsTarget {
  /** Milliseconds, which only ever grow; not given: those of the process. */
  readonly now?: () => number;
}

export class NatsLink {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly #now: () => number;
  #isConnected = true;
  /** When the first and the last request was in vain, with none between that was not. */
  #inVain: { readonly since: number; readonly last: number } | null = null;
  /** Address of the server that is being left for another. */
  #left: string | null = null;
  readonly #listeners = new Set<(isConnected: boolean) => void>();

  private constructor(connection: NatsConnection, manager: JetStreamManager, now: () => number) {
    this.connection = connection;
    this.manager = manager;
    this.#now = now;
    void this.#follow();
  }

  /** Connects to one of the servers; rejects when none takes the connection. */
  static async connect(options: LinkOptions): Promise<NatsLink> {
    const connection = await connectToNats(options);
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_MS });
    return new NatsLink(connection, manager, options.now ?? (() => performance.now()));
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Address of the server; null: none. */
  get server(): string | null {
    return this.#isConnected ? this.connection.getServer() : null;
  }

  /** `listener` hears of each change of isConnected. */
  onChange(listener: (isConnected: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something was done that only a majority of the servers can do. */
  noteDone(): void {
    this.#inVain = null;
  }

  /** A request to JetStream got no answer, or none that a server with a majority gives. */
  noteInVain(): void {
    const now = this.#now();
    const isGoingOn = this.#isConnected && this.#inVain !== null && now - this.#inVain.last < IN_VAIN_GAP_MS;
    const since = isGoingOn ? (this.#inVain?.since ?? now) : now;
    this.#inVain = { since, last: now };
    if (now - since < MOVE_ON_MS) return;
    this.#inVain = null;
    this.#left = this.server;
    void this.connection.reconnect();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.#turn(false);
      else if (type === 'reconnect' && !this.#isBack()) this.#turn(true);
    }
    this.#turn(false);
  }

  /** Whether it is the server again that was to be left, and that is tried once more: the client takes them in turn, but for the first time. */
  #isBack(): boolean {
    const isBack = this.#left === this.connection.getServer();
    this.#left = null;
    if (isBack) void this.connection.reconnect();
    return isBack;
  }

  #turn(isConnected: boolean): void {
    this.#isConnected = isConnected;
    for (const listener of this.#listeners) listener(isConnected);
  }
}
