/**
 * What a ClusterMember is made with: the log, the bucket, the clock and the deadlines it uses, its options, and who gets what comes of it.
 */
import type { Delivery, EngineError } from '../../engine/index.js';
import type { Clock } from './clock.js';
import type { LeaseBucket } from './lease-port.js';
import type { ReadDeadline } from './read-deadline.js';
import type { LogStream } from './stream-port.js';

/** Tells other nodes how far one has got, as fast as can be and maybe in vain: leases say it too. */
export interface ProgressPort {
  /** `to`: name of the node that is told; null: all are. */
  send(to: string | null, life: string, sequence: number): void;
  listen(receive: (life: string, sequence: number) => void): void;
}

export interface MemberPorts {
  readonly stream: LogStream;
  readonly bucket: LeaseBucket;
  readonly progress: ProgressPort;
  readonly clock: Clock;
  /** Until when reads may be answered, and until when the lease is valid: the same but for readsWithoutQuorum. */
  readonly reads: ReadDeadline;
  readonly lease: ReadDeadline;
}

export interface MemberOptions {
  readonly node: string;
  readonly origin: string;
  readonly url: string | null;
  readonly version: string;
  readonly leaseMs: number;
  readonly acknowledge: 'all' | 'local';
  readonly readsWithoutQuorum: boolean;
  readonly writeTimeoutMs: number;
  /** Names of nodes whose leases have been over for so long are forgotten. */
  readonly forgetAfterMs: number;
}

/** Who gets what comes of it. */
export interface MemberHost {
  deliver(deliveries: readonly Delivery[]): void;
  release(sequence: number): void;
  refuse(number: number, error: EngineError): void;
  /** So many bytes of proposals are stored or refused. */
  done(bytes: number): void;
  /** It is impossible to go on. */
  fail(error: EngineError): void;
  /** Something that operators should know. */
  tell(level: 'info' | 'warn', message: string): void;
  /** The phase is another. */
  changed(): void;
}
