/**
 * What an operator's alerts compare other metrics with: whether the server is ready, which version it is, the room on its disk,
 * and the bounds that its options set.
 *
 * Called by metrics.ts.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../config.js';
import { DiskWatch } from './disk-space.js';
import { addGauge, PREFIX } from './own-metric.js';

export interface OperatingSources {
  readonly config: Pick<Config, 'dataDir' | 'snapshotWalBytes' | 'snapshotIntervalMs'>;
  readonly version: string;
  /** What /ready says. */
  readonly isReady: () => boolean;
}

/** Adds them to `registry`. */
export function addOperatingMetrics(registry: Registry, { config, version, isReady }: OperatingSources): void {
  const disk = new DiskWatch(config.dataDir);
  addGauge(registry, 'ready', '1 while /ready answers 200.', () => Number(isReady()));
  new Gauge({
    name: `${PREFIX}build_info`,
    help: 'The version of the server; always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  const freeBytes = async (): Promise<number> => (await disk.read()).freeBytes;
  const sizeBytes = async (): Promise<number> => (await disk.read()).sizeBytes;
  addGauge(registry, 'disk_free_bytes', 'Room on the file system of the data directory; NaN: not known.', freeBytes);
  addGauge(registry, 'disk_size_bytes', 'Size of the file system of the data directory; NaN: not known.', sizeBytes);
  addGauge(
    registry,
    'snapshot_wal_bytes_max',
    'Write-ahead log after which a snapshot is written; 0: never for its size.',
    () => config.snapshotWalBytes,
  );
  addGauge(
    registry,
    'snapshot_interval_seconds',
    'Age of the oldest write outside of any snapshot after which one is written; 0: never for its age.',
    () => config.snapshotIntervalMs / 1000,
  );
}
