/**
 * What the server tells of itself: errors, health, snapshots, analytics. Doc comments are the descriptions in
 * /openapi.json.
 */
import type { tags } from 'typia';
import type { ClusterStatus } from './cluster.js';

export interface ErrorBody {
  error: ErrorDetail;
}

export interface ErrorDetail {
  /** one of the codes that the endpoint names; stable */
  code: string;
  /** what, where, expected, got; for people */
  message: string;
}

export interface Health {
  ok: boolean;
  version: string;
  uptime_seconds: number & tags.Type<'uint32'>;
  num_collections: number & tags.Type<'uint32'>;
}

/** What the server is, and where it is described. */
export interface Index {
  name: string;
  version: string;
  /** path of the description for people */
  docs: string;
  /** path of the description for programs */
  openapi: string;
}

export interface Ready {
  ready: boolean;
  /** of a node of a cluster */
  cluster?: ClusterStatus;
}

export interface NotReady {
  error: ErrorDetail;
  /** of a node of a cluster */
  cluster?: ClusterStatus;
  /** while recovering, once it is known */
  progress?: Progress;
}

/** How far recovery is: bytes of segment files opened, then bytes of log replayed. */
export interface Progress {
  phase: 'segments' | 'log';
  done_bytes: number & tags.Type<'uint64'>;
  total_bytes: number & tags.Type<'uint64'>;
}

export interface Snapshot {
  /** number of the snapshot */
  snapshot: number & tags.Type<'uint32'>;
  /** last record of the log that it contains */
  sequence: number & tags.Type<'uint64'>;
  collections: number & tags.Type<'uint32'>;
  segments: number & tags.Type<'uint32'>;
  /** files that had to be written, manifest included */
  files_written: number & tags.Type<'uint32'>;
  bytes_written: number & tags.Type<'uint64'>;
  took_ms: number;
}

export interface QueryList {
  queries: readonly QueryEntry[];
  /** queries held over all collections */
  tracked_queries: number & tags.Type<'uint32'>;
  /** queries that gave way to others */
  dropped_queries: number & tags.Type<'uint32'>;
}

/** Its figures cover the searches since the query was last taken up. */
export interface QueryEntry {
  query: string;
  collection: string;
  count: number & tags.Type<'uint32'>;
  zero_result_count: number & tags.Type<'uint32'>;
  last_result_count: number & tags.Type<'uint32'>;
  avg_latency_ms: number;
  /** Unix time in milliseconds */
  last_seen: number & tags.Type<'uint64'>;
}

/** How long the searches since the start took. */
export interface Latency {
  count: number & tags.Type<'uint32'>;
  mean_ms: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  max_ms: number;
  total_searches: number & tags.Type<'uint32'>;
  uptime_seconds: number & tags.Type<'uint32'>;
  queries_per_second: number;
}
