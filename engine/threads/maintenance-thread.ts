/**
 * The maintenance thread: builds segments from the log at start; then merges segments, writes snapshots and compares
 * checksums, as the writer orders. Started by open-engine.ts.
 */
import { workerData } from 'node:worker_threads';
import { MaintenanceEnd } from '../channel/maintenance-end.js';
import type { MaintenanceData } from '../channel/messages.js';
import { lowerPriority } from './priority.js';
import { announceLoaded } from './spawn.js';

announceLoaded();

/** A tenth of the share of a thread that answers, when both want the same core: once the log is replayed its work may wait. */
const NICENESS = 10;

const { writerPort } = workerData as MaintenanceData;
new MaintenanceEnd(writerPort, () => lowerPriority(NICENESS)).listen();
