/**
 * What the routes share: made once by serve.ts, handed to every routes module.
 */
import type { Logger } from 'pino';
import type { SearchAnalytics } from './analytics/search-analytics.js';
import type { ServedState } from './cluster/cluster-state.js';
import type { EngineGate } from './engine-gate.js';
import type { BodyLimits } from './http/body.js';
import type { Metrics } from './metrics/metrics.js';
import type { ReadBacklog } from './read-backlog.js';
import type { SearchTags } from './routes/search-tags.js';
import type { SlowSearchLog } from './routes/slow-searches.js';
import type { PageFile } from './ui/page-files.js';

export interface AppContext {
  readonly gate: EngineGate;
  readonly readBacklog: ReadBacklog;
  readonly analytics: SearchAnalytics;
  readonly metrics: Metrics;
  /** Calls `done` once what front threads have answered is in `analytics` and `metrics`: at once when there are none. */
  readonly gather: (done: () => void) => void;
  readonly bodies: BodyLimits;
  readonly maxBodyBytes: number;
  /** null: slow searches are not logged. */
  readonly slowSearches: SlowSearchLog | null;
  /** How long an export waits for a client that does not read on. */
  readonly exportTimeoutMs: number;
  /** Of the page at /ui, by path; null: there is none. */
  readonly pageFiles: ReadonlyMap<string, PageFile> | null;
  /** Of the page at /docs; null: it was not built. */
  readonly docsFiles: ReadonlyMap<string, PageFile> | null;
  readonly tags: SearchTags;
  /** null: this is no node of a cluster. */
  readonly cluster: (() => ServedState) | null;
  readonly logger: Logger;
  readonly version: string;
}
