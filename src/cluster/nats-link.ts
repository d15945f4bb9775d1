/**
 * The connection of the cluster thread to the NATS servers: made again for ever once it is lost, and to another server when the one that
 * is connected does not know those who answer. Used by nats-stream.ts, nats-leases.ts and the snapshot keeper.
 */
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectToNats, type NatsTarget } from './nats-connect.js';
import { reasonOf } from './nats-reason.js';
import { ToldOnce } from './told-once.js';

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
  readonly #user: string | null;
  #isConnected = true;
  #trouble: string | null = null;
  /** When the first and the last request was in vain, with none between that was not. */
  #inVain: { readonly since: number; readonly last: number } | null = null;
  /** Address of the server that is being left for another. */
  #left: string | null = null;
  readonly #listeners = new Set<(isConnected: boolean) => void>();
  /** Why connecting again was refused since the connection was lost. */
  readonly #refusals = new ToldOnce();
  #onRefused: (reason: string) => void = () => {};

  private constructor(connection: NatsConnection, manager: JetStreamManager, options: LinkOptions) {
    this.connection = connection;
    this.manager = manager;
    this.#now = options.now ?? (() => performance.now());
    this.#user = options.access.user;
    void this.#follow();
  }

  /** Connects to one of the servers; rejects when none takes the connection. */
  static async connect(options: LinkOptions): Promise<NatsLink> {
    const connection = await connectToNats(options);
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_MS });
    return new NatsLink(connection, manager, options);
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Address of the server; null: none. */
  get server(): string | null {
    return this.#isConnected ? this.connection.getServer() : null;
  }

  /** Why NATS did not do what it was asked for last, or does not let this client in; null: it did, or nothing is known. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** `listener` hears why this client is not let in again, each reason once. */
  onRefused(listener: (reason: string) => void): void {
    this.#onRefused = listener;
  }

  /** `listener` hears of each change of isConnected, but that of close(). */
  onChange(listener: (isConnected: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something was done that only a majority of the servers can do. `trouble`: it was to refuse what was asked for. */
  noteDone(trouble: string | null = null): void {
    this.#inVain = null;
    this.#trouble = trouble;
  }

  /** A request to JetStream got no answer, or none that a server with a majority gives. */
  noteInVain(trouble: string): void {
    if (this.#isConnected) this.#trouble = trouble;
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
    this.#listeners.clear();
    await this.connection.close();
  }

  async #follow(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') this.#turn(false);
      else if (status.type === 'reconnect' && !this.#isBack()) this.#turn(true);
      else if (status.type === 'error' && !this.#isConnected) this.#noteRefusal(reasonOf(status.error, this.#user));
    }
    this.#turn(false);
  }

  #noteRefusal(reason: string): void {
    this.#trouble = reason;
    if (this.#refusals.isNews(reason)) this.#onRefused(reason);
  }

  /** Whether it is the server again that was to be left, and that is tried once more: the client takes them in turn, but for the first time. */
  #isBack(): boolean {
    const isBack = this.#left === this.connection.getServer();
    this.#left = null;
    if (isBack) void this.connection.reconnect();
    return isBack;
  }

  #turn(isConnected: boolean): void {
    // Each try to connect again that fails is another loss to the client library.
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    this.#trouble = null;
    this.#refusals.forget();
    for (const listener of this.#listeners) listener(isConnected);
  }
}
