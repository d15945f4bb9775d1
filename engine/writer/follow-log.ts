/**
 * Makes the writer follow a replicated log: its writes come from there, in that order, and what it tells is what all who follow it have.
 *
 * Used by open-writer.ts in the place of a backlog that takes writes as they are asked for.
 */
import type { Delivery } from '../replication.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import type { StreamWal } from '../storage/log/stream-wal.js';
import { ReplicatedBacklog } from './replicated-backlog.js';
import type { CollectionSet } from './state/collection-set.js';
import { replicatedResult } from './state/replicated-outcome.js';
import type { WriterEvents, WriterLoop } from './writer-loop.js';

/** How often it is told what is applied: often enough for what is bounded in tens of these. */
const NOTED_BYTES = 1 << 20;

/** The log, as the writer reaches it. */
export interface FollowedLog {
  readonly streamId: string;
  /** Hears now and then how many bytes of records were applied since the start. */
  onApplied(bytes: number): void;
  /** Asks for the end of a change of a schema to get a place in it. */
  proposeChangeEnd(collectionId: number, schema: CollectionSchema): void;
  /** Called once, with what takes its deliveries. */
  start(take: (deliveries: readonly Delivery[]) => void): void;
}

export interface Following {
  readonly backlog: ReplicatedBacklog;
  /** In the place of those given. */
  readonly events: WriterEvents;
  /** Begins to take deliveries, for `loop`. */
  begin(loop: WriterLoop): void;
}

/** What takes the place of the writer's own backlog and events, so that it follows `log` into `collections`; `wal` is where it stands. */
export function followLog(
  log: FollowedLog,
  wal: StreamWal,
  collections: CollectionSet,
  events: WriterEvents,
): Following {
  let notedBytes = 0;
  const backlog = new ReplicatedBacklog(wal.sequence, (sequence, replayFrom, bytes) => {
    wal.moveTo(sequence, replayFrom);
    if (bytes - notedBytes < NOTED_BYTES) return;
    notedBytes = bytes;
    log.onApplied(bytes);
  });
  return {
    backlog,
    events: {
      ...events,
      result: (result) => events.result(replicatedResult(result, wal.sequence, collections.hasMetDamage)),
    },
    begin: (loop) =>
      log.start((deliveries) => {
        try {
          for (const delivery of deliveries) backlog.deliver(delivery);
        } catch (error) {
          events.fail(error);
          return;
        }
        loop.wake();
      }),
  };
}
