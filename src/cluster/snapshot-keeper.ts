/**
 * What the cluster thread has kept of snapshots outside of the nodes: uploads, downloads, and the trimming of the log behind them.
 */

export interface StoredSnapshot {
  /** The last that it contains. */
  readonly sequence: number;
  /** Where the log has to be read from by who begins with it. */
  readonly replayFrom: number;
}

export interface SnapshotKeeper {
  /** null: there is none. */
  newest(): Promise<StoredSnapshot | null>;
  /** Fills `dataDir` with the newest; null: there is none. */
  download(dataDir: string): Promise<StoredSnapshot | null>;
  /** To be called when a snapshot was written, and now and then: uploads if it is due and nobody else does, trims the log. */
  upkeep(): Promise<void>;
  close(): Promise<void>;
}
