/**
 * The bucket of leases on JetStream: a key-value bucket, which is a stream with a subject per key. Used by cluster-thread.ts.
 *
 * It keeps so many changes of each key that none is overwritten before a node that begins to watch has got it: see cluster-member.ts.
 */
import { DiscardPolicy } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { LeaseBucket, LeaseEntry, LeaseOutcome, LeaseValue } from './lease-port.js';
import type { NatsLink } from './nats-link.js';
import type { ClusterNames } from './nats-names.js';
import { publishOnce } from './nats-publish.js';
import { NatsPull } from './nats-pull.js';
import { ensureStream } from './nats-setup.js';

/** The most that a bucket can have: a node renews its lease four times in its time, so 16 leases. */
const HISTORY = 64;

export class NatsLeases implements LeaseBucket {
  readonly id: string;
  readonly opened: number;
  readonly #link: NatsLink;
  readonly #stream: string;
  readonly #prefix: string;

  private constructor(link: NatsLink, id: string, opened: number, stream: string, prefix: string) {
    this.#link = link;
    this.id = id;
    this.opened = opened;
    this.#stream = stream;
    this.#prefix = prefix;
  }

  /** Makes the bucket where it is missing. Rejects with io_error where the one that is there is not ours. */
  static async open(link: NatsLink, { leases }: ClusterNames, replicas: number | null): Promise<NatsLeases> {
    const [stream, prefix] = [`KV_${leases}`, `$KV.${leases}.`];
    const config = {
      max_msgs_per_subject: HISTORY,
      discard: DiscardPolicy.New,
      allow_direct: true,
      allow_rollup_hdrs: true,
    };
    const { id, info } = await ensureStream(link, { name: stream, subjects: [`${prefix}>`], config, replicas });
    return new NatsLeases(link, id, info.state.last_seq, stream, prefix);
  }

  async put(node: string, value: LeaseValue | null, revision: number, timeoutMs: number): Promise<LeaseOutcome> {
    const fields = headers();
    fields.set('Nats-Expected-Last-Subject-Sequence', String(revision));
    if (value === null) {
      // As key-value buckets have it (NATS ADR-8).
      fields.set('KV-Operation', 'PURGE');
      fields.set('Nats-Rollup', 'sub');
    }
    const bytes = new TextEncoder().encode(value === null ? '' : JSON.stringify(value));
    const outcome = await publishOnce(this.#link, `${this.#prefix}${node}`, bytes, fields, timeoutMs);
    if (outcome.kind === 'stored') return { kind: 'stored', revision: outcome.sequence };
    return { kind: outcome.kind === 'overtaken' ? 'conflict' : 'unknown' };
  }

  watch(receive: (entry: LeaseEntry) => void): { stop(): void } {
    return new NatsPull(this.#link, this.#stream, { from: 1, overlap: 0 }, ({ sequence, subject, data }) =>
      receive({ node: subject.slice(this.#prefix.length), revision: sequence, value: parseValue(data) }),
    );
  }
}

function parseValue(data: Uint8Array): LeaseValue | null {
  try {
    const value = JSON.parse(new TextDecoder().decode(data)) as Partial<LeaseValue> | null;
    const isValue = typeof value?.life === 'string' && typeof value.leaseMs === 'number' && value.state !== undefined;
    return isValue ? (value as LeaseValue) : null;
  } catch {
    return null;
  }
}
