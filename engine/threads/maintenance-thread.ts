/**
 * The maintenance thread: merges segments, one order of the writer after another. Writes only the region that an order
 * names, and reads only its sources, which the writer keeps until the answer.
 */
import { workerData } from 'node:worker_threads';
import { type MergeOutcome, runMergeOrder } from '../collection/merge-job.js';
import { assertPresent } from '../core/assert.js';
import { type Arena, type Region, type RegionViews, viewRegion } from '../memory/arena.js';
import { RegionFullError, RegionWriter } from '../memory/region-writer.js';
import type { MaintenanceData, MaintenanceInput } from './messages.js';

const { writerPort } = workerData as MaintenanceData;
const arenas: Arena[] = [];

function view(region: Region): RegionViews {
  return viewRegion(assertPresent(arenas[region.arena], 'arena of the region'), region);
}

writerPort.on('message', (message: MaintenanceInput) => {
  if (message.kind === 'arena') {
    arenas[message.arena.id] = message.arena;
    return;
  }
  let outcome: MergeOutcome;
  try {
    outcome = { bytes: runMergeOrder(message.order, view, new RegionWriter(view(message.order.target))) };
  } catch (error) {
    if (!(error instanceof RegionFullError)) throw error;
    outcome = { bytes: null };
  }
  writerPort.postMessage(outcome);
});
