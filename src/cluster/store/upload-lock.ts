/**
 * Lets one node at a time upload and trim: a key in a KV bucket of its own, whose values the server forgets after a while. Who
 * holds it renews it; who cannot, stops in time.
 */
import type { JetStreamClient } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';

/** Until the server forgets a lock that is not renewed. */
const LOCK_MS = 30_000;
const RENEW_MS = 5_000;
/** Since the last renewal was sent; then it counts as lost, well before another can get it. */
const LOST_MS = 20_000;
const KEY = 'upload';

/** A lock that is held. */
export interface HeldLock {
  /** Aborted when it is lost. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

export interface UploadLock {
  /** null: another node has it. Errors: as the connection's. */
  tryTake(): Promise<HeldLock | null>;
}

/** The lock of a cluster; its bucket is created when missing, with `replicas` copies. */
export async function openUploadLock(
  connection: NatsConnection | JetStreamClient,
  clusterName: string,
  node: string,
  replicas: number,
): Promise<UploadLock> {
  const bucket = await new Kvm(connection).create(`SABRE_${clusterName}_upload`, {
    ttl: LOCK_MS,
    replicas,
    history: 1,
  });
  return { tryTake: () => tryTake(bucket, node) };
}

async function tryTake(bucket: KV, node: string): Promise<HeldLock | null> {
  const sentAt = performance.now();
  const revision = await bucket.create(KEY, node).catch(async (error: unknown) => {
    // Somebody has it; or nobody answers, and then nobody does now either.
    if ((await bucket.get(KEY))?.operation === 'PUT') return null;
    throw error;
  });
  return revision === null ? null : new RenewedLock(bucket, node, revision, sentAt);
}

class RenewedLock implements HeldLock {
  readonly #bucket: KV;
  readonly #node: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #revision: number;
  #renewedAt: number;
  #renewal: Promise<void> | null = null;

  constructor(bucket: KV, node: string, revision: number, sentAt: number) {
    this.#bucket = bucket;
    this.#node = node;
    this.#revision = revision;
    this.#renewedAt = sentAt;
    this.#timer = setInterval(() => this.#tick(), RENEW_MS);
    this.#timer.unref();
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewal;
    // Else the server forgets it soon.
    await this.#bucket.delete(KEY, { previousSeq: this.#revision }).catch(() => {});
  }

  #tick(): void {
    if (performance.now() - this.#renewedAt > LOST_MS) this.#lose('it could not be renewed');
    else this.#renewal ??= this.#renew();
  }

  async #renew(): Promise<void> {
    const sentAt = performance.now();
    try {
      this.#revision = await this.#bucket.update(KEY, this.#node, this.#revision);
      this.#renewedAt = sentAt;
    } catch {
      // Lost to another, or nobody answers: when that lasts, #tick says so.
    }
    this.#renewal = null;
  }

  #lose(why: string): void {
    clearInterval(this.#timer);
    this.#lost.abort(new Error(`the upload lock is lost: ${why}`));
  }
}
