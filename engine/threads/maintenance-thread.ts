/**
 * The maintenance thread: builds segments from the log at start; then merges segments, writes snapshots and compares
 * checksums, as the writer orders. Writes only the region that an order names and the files that a snapshot names, and
 * reads only what the writer keeps until the answer.
 *
 * Once the log is replayed its work may wait: it runs with a lower priority than the threads that answer, where the system
 * has such.
 */
import { workerData } from 'node:worker_threads';
import type { MaintenanceData, MaintenanceInput, MaintenanceOutput, PostedError } from '../channel/messages.js';
import { beginOrder, endOrder, type OrderState } from '../channel/replay-client.js';
import { assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { type Arena, type Region, type RegionViews, viewRegion } from '../memory/arena.js';
import { collectGarbage } from '../memory/collect-garbage.js';
import { crc32c } from '../storage/files/crc32c.js';
import { segmentName } from '../storage/files/data-files.js';
import type { Directory } from '../storage/files/directory.js';
import type { ManifestSegment } from '../storage/files/manifest.js';
import { openDirectory } from '../storage/files/node-directory.js';
import { openSegmentFile, verifySegmentFile } from '../storage/files/segment-file.js';
import { runMergeOrder } from '../writer/merge/merge-job.js';
import { BundleBuilder, type ReplayOrder } from '../writer/recovery/replay-bundle.js';
import { writeSnapshot } from '../writer/snapshot/snapshot-job.js';
import { lowerPriority } from './priority.js';

/** A tenth of the share of a thread that answers, when both want the same core. */
const NICENESS = 10;

const { dataDir, writerPort } = workerData as MaintenanceData;
const arenas: Arena[] = [];
let directory: Directory | null = null;
/** Has large buffers; none once the log is replayed. */
let builder: BundleBuilder | null = null;

function view(region: Region): RegionViews {
  return viewRegion(assertPresent(arenas[region.arena], 'arena of the region'), region);
}

/** Opened late: the writer creates and locks it. */
function dataDirectory(): Directory {
  directory ??= openDirectory(dataDir);
  return directory;
}

const send = (message: MaintenanceOutput): void => writerPort.postMessage(message);

async function verify(segment: ManifestSegment): Promise<PostedError | null> {
  try {
    const file = openSegmentFile(dataDirectory(), segment, crc32c);
    try {
      await verifySegmentFile(file, `${dataDir}/${segmentName(segment)}`, segment, crc32c);
    } finally {
      file.close();
    }
    return null;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function build({ bundle, target }: ReplayOrder, state: OrderState): void {
  if (!beginOrder(state)) return;
  builder ??= new BundleBuilder();
  const built = builder.buildInto(view(target), bundle);
  send({ kind: 'build', collectionId: bundle.collectionId, built });
  endOrder(state);
}

async function carryOut(message: MaintenanceInput): Promise<void> {
  switch (message.kind) {
    case 'arena':
      arenas[message.arena.id] = message.arena;
      break;
    case 'merge':
      send({ kind: 'merge', outcome: runMergeOrder(message.order, view) });
      break;
    case 'snapshot':
      send({ kind: 'snapshot', outcome: await writeSnapshot(message.order, dataDirectory(), view) });
      if (message.state !== null) endOrder(message.state);
      break;
    case 'verify':
      send({ kind: 'verify', error: await verify(message.segment) });
      break;
    case 'build':
      build(message.order, message.state);
      break;
    case 'built':
      builder = null;
      lowerPriority(NICENESS);
      break;
    case 'collect':
      collectGarbage();
      break;
  }
}

writerPort.on('message', (message: MaintenanceInput) => {
  carryOut(message).catch((error: unknown) => {
    // A bug: let it end the thread, and with it the process.
    setImmediate(() => {
      throw error;
    });
  });
});
