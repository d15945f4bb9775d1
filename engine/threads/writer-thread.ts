/**
 * The writer thread: the only one that allocates shared memory, appends to the log and publishes. Started by
 * open-engine.ts.
 */
import { availableParallelism } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { SharedWords } from '../channel/atomic-words.js';
import { cachedBytes } from '../channel/control-words.js';
import { Epoch } from '../channel/generations.js';
import { MaintenanceClient } from '../channel/maintenance-client.js';
import type { WriterData } from '../channel/messages.js';
import { UpdatePublisher } from '../channel/publication.js';
import { ReplayClient } from '../channel/replay-client.js';
import { WriterEnd } from '../channel/writer-end.js';
import { assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { regionsStart } from '../memory/kernel-instance.js';
import { MatchingDocuments } from '../query/filter/matching-documents.js';
import type { AppliedNote, DeliveryBatch } from '../replication.js';
import { lockDirectory } from '../storage/files/directory-lock.js';
import { heldDirectory, holdFolder } from '../storage/files/node-directory.js';
import { openPageMapper } from '../storage/mapping/open-page-mapper.js';
import type { FollowedLog } from '../writer/follow-log.js';
import { openWriter } from '../writer/open-writer.js';
import { replaySizes } from '../writer/recovery/replay-queue.js';
import { announceLoaded } from './spawn.js';

announceLoaded();

const data = workerData as WriterData;
const end = new WriterEnd(assertPresent(parentPort, 'port to the HTTP thread'));

/** The replicated log whose writes are applied, if there is one. */
function followedLog(): FollowedLog | null {
  if (data.followed === null) return null;
  const { streamId, deliveries } = data.followed;
  return {
    streamId,
    onApplied: (bytes) => deliveries.postMessage({ bytes } satisfies AppliedNote),
    proposeChangeEnd: (collectionId, schema) => end.proposeChangeEnd(collectionId, schema),
    start: (take) => deliveries.on('message', (batch: DeliveryBatch) => take(batch.deliveries)),
  };
}

function start(): void {
  const { dataDir, readerPorts, maintenancePort, syncIntervalMs, verify, memoryBytes, arenas } = data;
  const folder = holdFolder(dataDir);
  const directory = heldDirectory(folder);
  lockDirectory(dataDir);
  const { mapper, reason } = openPageMapper(data.mapFiles);
  end.logger.info({ mapping: mapper.kind, ...(reason === '' ? {} : { reason }) }, 'how segment files come into memory');
  const words = new SharedWords(data.words);
  const publisher = new UpdatePublisher(words, readerPorts);
  const runner = new MaintenanceClient(maintenancePort, new Epoch(words, readerPorts.length), folder);
  const worker = new ReplayClient(maintenancePort);
  const snapshots = { walBytes: data.snapshotWalBytes, intervalMs: data.snapshotIntervalMs };
  // The writer has a scratch slot behind those of the readers, to find documents by filters.
  const matcher = new MatchingDocuments(readerPorts.length);
  const firstPtr = regionsStart(readerPorts.length + 1);
  // Beside the readers, this thread and the one that answers.
  const ruleCopies = readerPorts.length + 2;
  const options = { syncIntervalMs, snapshots, verify, firstPtr, memoryBytes, ruleCopies, arenas };
  openWriter(options, {
    ...{ directory, mapper, publisher, runner, matcher, logger: end.logger },
    followed: followedLog(),
    replay: {
      worker: availableParallelism() === 1 ? null : worker,
      sizes: replaySizes(memoryBytes),
      writeSnapshot: (order) => worker.writeSnapshot(order),
    },
    cachedBytes: () => cachedBytes(words, readerPorts.length),
    onProgress: (progress) => end.progress(progress),
    onArena: (arena) => {
      matcher.addArena(arena);
      publisher.announce({ kind: 'arena', arena });
      runner.addArena(arena);
    },
    events: {
      result: (result) => end.result(result),
      durability: (durability) => end.durability(durability),
      snapshot: (ticket, report, error) => end.snapshot(ticket, report, error),
      stopped: (error) => {
        runner.close();
        data.followed?.deliveries.close();
        end.stopped(error);
      },
      fail: (error) => end.fail(error),
    },
    onReady: (result, durability, loop) => {
      worker.end();
      end.ready(result, durability, loop);
    },
  });
}

try {
  start();
} catch (error) {
  if (!(error instanceof EngineError)) throw error;
  end.failed(error);
}
