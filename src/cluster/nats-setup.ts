/**
 * Makes a stream of JetStream where it is missing, and refuses one that is not as it has to be. Used by nats-stream.ts and
 * nats-leases.ts.
 */
import { randomBytes } from 'node:crypto';
import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { EngineError } from '../../engine/index.js';
import type { NatsLink } from './nats-link.js';
import { reasonOf } from './nats-reason.js';

const REPLICAS_MAX = 3;
/** Codes: no such stream; fewer servers than replicas; replicas without a cluster; made meanwhile by another. */
const STREAM_NOT_FOUND = 10059;
const TOO_FEW_SERVERS = new Set([10005, 10074]);
const NAME_IN_USE = 10058;

/** Key of the metadata that tells a stream from every other. */
export const ID_KEY = 'sabre-id';
/** That of the log of a cluster which begins with a snapshot, and not with nothing. */
export const SEEDED_KEY = 'sabre-seeded';
const ID_FORMAT_KEY = 'sabre-format';
const FORMAT = '1';

export interface StreamWish {
  readonly name: string;
  readonly subjects: readonly string[];
  /** Beyond what all have in common. */
  readonly config: Partial<StreamConfig>;
  /** null: 3, or as many as there are servers. */
  readonly replicas: number | null;
  /** Whether it is made where it is missing; not given: it is. */
  readonly isMade?: boolean;
}

/** Resolves with the stream and its id; rejects with io_error where it is not ours, else because it is missing or with what the server says. */
export async function ensureStream(link: NatsLink, wish: StreamWish): Promise<{ id: string; info: StreamInfo }> {
  const found = await findStream(link, wish.name);
  if (found === null && wish.isMade === false)
    throw new Error(`NATS no longer has the stream ${wish.name}, which this node has followed`);
  const info = found ?? (await create(link, wish));
  const { config } = info;
  const id = config.metadata?.[ID_KEY];
  const faults = faultsOf(config, wish);
  if (id === undefined || config.metadata?.[ID_FORMAT_KEY] !== FORMAT)
    faults.unshift('it was not made by this version of Sabre');
  if (id === undefined || faults.length > 0)
    throw new EngineError('io_error', `the stream ${wish.name} cannot be used: ${faults.join(', ')}`);
  return { id, info };
}

/** Resolves with the stream `name`; null: there is none. Rejects with what the server says, or because none does. */
export async function findStream(link: NatsLink, name: string): Promise<StreamInfo | null> {
  try {
    return await link.manager.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return null;
    throw error;
  }
}

async function create(link: NatsLink, wish: StreamWish): Promise<StreamInfo> {
  for (let replicas = wish.replicas ?? REPLICAS_MAX; ; replicas--) {
    try {
      return await link.manager.streams.add({
        ...wish.config,
        name: wish.name,
        subjects: [...wish.subjects],
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        num_replicas: replicas,
        deny_delete: true,
        metadata: { [ID_KEY]: randomBytes(12).toString('hex'), [ID_FORMAT_KEY]: FORMAT },
      });
    } catch (error) {
      const code = error instanceof JetStreamApiError ? error.code : 0;
      if (code === NAME_IN_USE) {
        const made = await findStream(link, wish.name);
        if (made !== null) return made;
      }
      // Whoever has asked for so many waits until there are so many servers.
      if (TOO_FEW_SERVERS.has(code) && wish.replicas !== null)
        throw new Error(`${wish.name} cannot have ${replicas} replicas (--cluster-replicas): ${reasonOf(error)}`);
      if (!TOO_FEW_SERVERS.has(code) || replicas === 1) throw error;
    }
  }
}

function faultsOf(config: StreamConfig, { subjects, config: wished }: StreamWish): string[] {
  const faults: string[] = [];
  const check = (isRight: boolean, fault: string): void => {
    if (!isRight) faults.push(fault);
  };
  check(config.subjects.join() === subjects.join(), `its subjects are ${config.subjects.join()}`);
  check(config.storage === StorageType.File, 'it is kept in memory');
  check(config.retention === RetentionPolicy.Limits, `its retention is ${config.retention}`);
  check(config.deny_delete === true, 'messages can be deleted from it');
  check(config.max_age === 0, 'its messages have an age limit');
  check(config.max_msgs <= 0, 'the number of its messages is limited');
  check(config.max_bytes <= 0 || config.discard === DiscardPolicy.New, 'it drops old messages when it is full');
  const perSubject = wished.max_msgs_per_subject ?? -1;
  const isSame = perSubject <= 0 ? config.max_msgs_per_subject <= 0 : config.max_msgs_per_subject === perSubject;
  check(isSame, `it keeps ${config.max_msgs_per_subject} messages per subject`);
  check(config.mirror === undefined && (config.sources ?? []).length === 0, 'it copies another stream');
  return faults;
}
