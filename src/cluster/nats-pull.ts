/**
 * Follows a JetStream stream from a sequence on, for ever: when the connection, the server or the consumer is lost it makes another
 * consumer behind the last message. Used by nats-stream.ts and nats-leases.ts.
 *
 * Messages come in order and none is left out but what the stream no longer has. It pulls, as only then the server says every second
 * that nothing has come, and what is under way is bounded.
 */
import { randomBytes } from 'node:crypto';
import { AckPolicy, type ConsumerConfig, DeliverPolicy, ReplayPolicy } from '@nats-io/jetstream';
import { createInbox, type Msg, nanos, type Subscription } from '@nats-io/transport-node';
import type { NatsLink } from './nats-link.js';
import type { Following } from './stream-port.js';

const PULL_MESSAGES = 4096;
const PULL_BYTES = 16 * 1024 * 1024;
const PULL_EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 1000;
/** Without a message or a heartbeat for so long the consumer is lost. */
const SILENT_MS = 2500;
/** A consumer that nobody pulls from goes away by itself. */
const INACTIVE_MS = 10_000;
const RETRY_MS = 100;
const RETRY_MS_MAX = 1000;

const STATUS_HEARTBEAT = 100;
const STATUS_NO_MESSAGES = 404;
const STATUS_EXPIRED = 408;
const STATUS_CONFLICT = 409;

/** `data` is valid while it is handed over. */
export interface PulledMessage {
  readonly sequence: number;
  readonly subject: string;
  readonly data: Uint8Array;
}

export class NatsPull implements Following {
  readonly #link: NatsLink;
  readonly #stream: string;
  readonly #receive: (message: PulledMessage) => void;
  readonly #forgetLink: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #from: number;
  readonly #overlap: number;
  #next: number;
  /** Of the consumer in use: what others send is late. */
  #generation = 0;
  #consumer: string | null = null;
  #inbox = '';
  #subscription: Subscription | null = null;
  #consumerSequence = 0;
  #unpulled = 0;
  #heardAt = 0;
  #retryMs = RETRY_MS;
  #isStopped = false;

  /** `overlap`: so many messages that were handed over are handed over again by each further consumer. */
  constructor(
    link: NatsLink,
    stream: string,
    { from, overlap }: { readonly from: number; readonly overlap: number },
    receive: (message: PulledMessage) => void,
  ) {
    this.#link = link;
    this.#stream = stream;
    this.#receive = receive;
    this.#from = from;
    this.#overlap = overlap;
    this.#next = from;
    this.#forgetLink = link.onChange((isConnected) => {
      if (isConnected) this.renew();
    });
    this.#timer = setInterval(() => {
      if (this.#consumer !== null && performance.now() - this.#heardAt > SILENT_MS) this.renew();
    }, HEARTBEAT_MS / 2);
    void this.#begin();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#forgetLink();
    this.#drop();
  }

  renew(): void {
    if (this.#isStopped) return;
    this.#drop();
    void this.#begin();
  }

  #drop(): void {
    this.#generation += 1;
    this.#subscription?.unsubscribe();
    this.#subscription = null;
    const consumer = this.#consumer;
    this.#consumer = null;
    // Where nobody answers it goes away by itself.
    if (consumer !== null && this.#link.isConnected)
      this.#link.manager.consumers.delete(this.#stream, consumer).catch(() => {});
  }

  async #begin(): Promise<void> {
    const generation = this.#generation;
    const { connection, manager } = this.#link;
    const name = `sabre-${randomBytes(8).toString('hex')}`;
    const config: Partial<ConsumerConfig> = {
      name,
      ack_policy: AckPolicy.None,
      replay_policy: ReplayPolicy.Instant,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, this.#from, this.#next - this.#overlap),
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
    };
    try {
      await manager.consumers.add(this.#stream, config);
      if (generation !== this.#generation) return;
      this.#consumer = name;
      this.#consumerSequence = 0;
      this.#inbox = createInbox();
      this.#subscription = connection.subscribe(this.#inbox, {
        callback: (error, message) => {
          if (generation !== this.#generation) return;
          if (error !== null) this.renew();
          else this.#take(message);
        },
      });
      this.#heardAt = performance.now();
      this.#pull();
      this.#retryMs = RETRY_MS;
    } catch {
      this.#beginLater(generation);
    }
  }

  #beginLater(generation: number): void {
    const timer = setTimeout(() => {
      if (generation === this.#generation && !this.#isStopped) void this.#begin();
    }, this.#retryMs);
    this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * 2);
    timer.unref();
  }

  #pull(): void {
    this.#unpulled = PULL_MESSAGES;
    const request = {
      batch: PULL_MESSAGES,
      max_bytes: PULL_BYTES,
      expires: nanos(PULL_EXPIRES_MS),
      idle_heartbeat: nanos(HEARTBEAT_MS),
    };
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${this.#stream}.${this.#consumer}`;
    this.#link.connection.publish(subject, JSON.stringify(request), { reply: this.#inbox });
  }

  #take(message: Msg): void {
    this.#heardAt = performance.now();
    if (message.subject === this.#inbox) {
      this.#takeStatus(message.headers?.code ?? 0, message.headers?.description ?? '');
      return;
    }
    const place = placeOf(message.reply ?? '');
    // One was lost on the way.
    if (place === null || place.consumerSequence !== this.#consumerSequence + 1) {
      this.renew();
      return;
    }
    this.#consumerSequence = place.consumerSequence;
    this.#next = place.sequence + 1;
    this.#unpulled -= 1;
    if (this.#unpulled === 0) this.#pull();
    this.#receive({ sequence: place.sequence, subject: message.subject, data: message.data });
  }

  #takeStatus(code: number, description: string): void {
    if (code === STATUS_HEARTBEAT) return;
    const isOver = code === STATUS_EXPIRED || code === STATUS_NO_MESSAGES;
    const isFull = code === STATUS_CONFLICT && /maxbytes|batch completed/i.test(description);
    if (isOver || isFull) this.#pull();
    else this.#renewLater();
  }

  /** The consumer, or its server, says that it is no more; another is not there at once. */
  #renewLater(): void {
    this.#drop();
    this.#beginLater(this.#generation);
  }
}

/** What the reply subject of a message of a consumer says: $JS.ACK.(domain.account.)stream.consumer.tries.sequence.its own.time.pending */
function placeOf(reply: string): { readonly sequence: number; readonly consumerSequence: number } | null {
  const tokens = reply.split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK' || tokens.length < 9) return null;
  const start = tokens.length === 9 ? 5 : 7;
  return { sequence: Number(tokens[start]), consumerSequence: Number(tokens[start + 1]) };
}
