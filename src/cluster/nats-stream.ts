/**
 * The log of a cluster on JetStream. Used by cluster-thread.ts.
 *
 * Each origin has a subject of its own, and each of its messages names the sequence of the one before: JetStream stores it only if that
 * is the last under the subject. So a repeated attempt is refused, and its message found as the last; the message id says for two
 * minutes the same.
 */
import type { StreamInfo } from '@nats-io/jetstream';
import { headers, nanos } from '@nats-io/transport-node';
import { EngineError } from '../../engine/index.js';
import type { NatsLink } from './nats-link.js';
import type { ClusterNames } from './nats-names.js';
import { HEADER_BYTES_MAX, publishOnce } from './nats-publish.js';
import { NatsPull } from './nats-pull.js';
import { reasonOf } from './nats-reason.js';
import { ensureStream, findStream, ID_KEY, SEEDED_KEY } from './nats-setup.js';
import type { Following, LogInfo, LogStream, OutgoingMessage, PublishOutcome, StoredMessage } from './stream-port.js';

const DUPLICATE_WINDOW_MS = 120_000;
/** Bigger messages hold up the small ones of other nodes, also where the servers take them. */
const PAYLOAD_MAX = 4 * 1024 * 1024;
const SMALLEST_PAYLOAD = 64 * 1024;

export class NatsStream implements LogStream {
  readonly id: string;
  /** Whether it was made for a cluster that was seeded: a node that begins without a snapshot would lack what that holds. */
  readonly isSeeded: boolean;
  readonly payloadMax: number;
  readonly #link: NatsLink;
  readonly #names: ClusterNames;

  private constructor(link: NatsLink, names: ClusterNames, id: string, isSeeded: boolean) {
    this.#link = link;
    this.#names = names;
    this.id = id;
    this.isSeeded = isSeeded;
    const largest = link.connection.info?.max_payload ?? SMALLEST_PAYLOAD;
    this.payloadMax = Math.min(PAYLOAD_MAX, largest - HEADER_BYTES_MAX);
    if (largest < SMALLEST_PAYLOAD)
      throw new EngineError(
        'io_error',
        `the NATS server takes messages of ${largest} bytes (max_payload), ${SMALLEST_PAYLOAD} at least are needed`,
      );
  }

  /** Makes the stream where it is missing, unless not `isMade`. Rejects with io_error where the one that is there is not ours. */
  static async open(link: NatsLink, names: ClusterNames, replicas: number | null, isMade = true): Promise<NatsStream> {
    const { id, info } = await ensureStream(link, {
      name: names.stream,
      subjects: [`${names.log}.*`],
      config: { duplicate_window: nanos(DUPLICATE_WINDOW_MS) },
      ...{ replicas, isMade },
    });
    return new NatsStream(link, names, id, info.config.metadata?.[SEEDED_KEY] !== undefined);
  }

  publish({ origin, counter, previous, bytes }: OutgoingMessage, timeoutMs: number): Promise<PublishOutcome> {
    const fields = headers();
    fields.set('Nats-Msg-Id', `${origin}-${counter}`);
    fields.set('Nats-Expected-Stream', this.#names.stream);
    fields.set('Nats-Expected-Last-Subject-Sequence', String(previous));
    return publishOnce(this.#link, `${this.#names.log}.${origin}`, bytes, fields, timeoutMs);
  }

  async lastOf(origin: string): Promise<StoredMessage | null> {
    const { streams } = this.#link.manager;
    const found = await streams.getMessage(this.#names.stream, { last_by_subj: `${this.#names.log}.${origin}` });
    return found === null ? null : { sequence: found.seq, bytes: found.data };
  }

  follow(from: number, receive: (message: StoredMessage) => void): Following {
    return new NatsPull(this.#link, this.#names.stream, { from, overlap: 1 }, ({ sequence, data }) =>
      receive({ sequence, bytes: data }),
    );
  }

  async info(): Promise<LogInfo | null> {
    const found = await this.#find();
    if (found === null) return null;
    const { config, state } = found;
    const id = config.metadata?.[ID_KEY];
    if (id !== this.id)
      throw new EngineError(
        'io_error',
        `the stream ${this.#names.stream} of NATS: expected the log ${this.id}, which this node follows, got ${id === undefined ? 'one that Sabre has not made' : `the log ${id}`}`,
      );
    return { first: state.first_seq, last: state.last_seq, bytes: state.bytes };
  }

  /** Has every node that opens it find it seeded. */
  async markSeeded(): Promise<void> {
    const { streams } = this.#link.manager;
    const { stream } = this.#names;
    const { config } = await streams.info(stream);
    await streams.update(stream, { metadata: { ...config.metadata, [SEEDED_KEY]: '1' } });
  }

  async #find(): Promise<StreamInfo | null> {
    try {
      // A server without a majority may answer, too.
      return await findStream(this.#link, this.#names.stream);
    } catch (error) {
      this.#link.noteInVain(reasonOf(error));
      throw error;
    }
  }
}
