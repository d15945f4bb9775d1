/**
 * Relaxed durability: forces the log to disk at an interval, if something was acknowledged that is not there yet.
 *
 * Lives on the writer thread. One sync at a time: a disk that takes longer than the interval is not asked again meanwhile.
 */
import { EngineError } from '../core/errors.js';
import type { EngineLogger } from '../engine.js';
import type { WriteAheadLog } from '../storage/log/wal.js';

export class IntervalSync {
  readonly #wal: Pick<WriteAheadLog, 'isSynced' | 'sync'>;
  readonly #logger: EngineLogger;
  #isUnderWay = false;

  constructor(wal: Pick<WriteAheadLog, 'isSynced' | 'sync'>, logger: EngineLogger) {
    this.#wal = wal;
    this.#logger = logger;
  }

  /** Begins; `fail` hears of bugs. */
  start(intervalMs: number, fail: (error: unknown) => void): void {
    setInterval(() => void this.tick().catch(fail), intervalMs).unref();
  }

  /** Syncs what is not on disk; what the disk refuses is logged, and tried again at the next tick. */
  async tick(): Promise<void> {
    if (this.#isUnderWay || this.#wal.isSynced) return;
    this.#isUnderWay = true;
    try {
      await this.#wal.sync();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#logger.error({ code: error.code }, `syncing the write-ahead log failed: ${error.message}`);
    } finally {
      this.#isUnderWay = false;
    }
  }
}
