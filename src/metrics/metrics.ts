/**
 * The metrics of the server in Prometheus form.
 *
 * Routes add to the plain counters on every request; everything else is read from the engine when a scrape comes.
 */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Engine, EngineStats, ReaderStats } from '../../engine/index.js';
import type { SearchAnalytics } from '../analytics/search-analytics.js';
import type { ServedState } from '../cluster/cluster-state.js';
import type { ConnectionLimit } from '../http/connection-limit.js';
import type { HttpCounters } from '../http/http-counters.js';
import type { UnsentBytes } from '../http/unsent-bytes.js';
import type { FrontTotals } from '../http-threads/messages.js';
import type { ServedCertificate } from '../served-certificate.js';
import type { OtlpExporter } from '../tracing/otlp-exporter.js';
import { addClusterMetrics } from './cluster-metrics.js';
import { describeCollections } from './collection-figures.js';
import { DurationHistogram } from './duration-histogram.js';
import { addNodeMetrics } from './node-metrics.js';
import { addOperatingMetrics, type OperatingSources } from './operating-metrics.js';
import { addCounter, addGauge, PREFIX } from './own-metric.js';
import { addSpanMetrics } from './span-metrics.js';

export interface MetricsSources {
  readonly http: HttpCounters;
  readonly connections: ConnectionLimit;
  readonly unsent: UnsentBytes;
  /** What front threads have under way. */
  readonly fronts: () => FrontTotals;
  readonly analytics: SearchAnalytics;
  /** null until the engine serves. */
  readonly engine: () => Engine | null;
  readonly bodyBytesInFlight: () => number;
  /** 0 until the engine serves. */
  readonly recoveryMs: () => number;
  /** null: without TLS. */
  readonly certificate: ServedCertificate | null;
  readonly operating: OperatingSources;
  /** null: nothing is traced. */
  readonly exporter: OtlpExporter | null;
  /** null: this is no node of a cluster. */
  readonly cluster: (() => ServedState) | null;
}

/** A number of the engine that is shown as it is. */
type StatsReader = (stats: EngineStats) => number;

const sumOf = (readers: readonly ReaderStats[], key: keyof ReaderStats): number =>
  readers.reduce((sum, reader) => sum + reader[key], 0);

const ENGINE_GAUGES: readonly (readonly [string, string, StatsReader])[] = [
  ['wal_bytes', 'Bytes in the write-ahead log.', (stats) => stats.walBytes],
  ['arena_bytes_reserved', 'Address space of the arenas.', (stats) => stats.arenaBytesReserved],
  ['arena_bytes_used', 'Bytes of the arenas that hold segments.', (stats) => stats.arenaBytesUsed],
  ['memory_bytes_max', 'The memory budget.', (stats) => stats.memoryBytesMax],
  ['memory_bytes_used', 'What is taken of the memory budget.', (stats) => stats.memoryBytesUsed],
  ['memory_bytes_kept', 'What of the budget documents may not take.', (stats) => stats.memoryBytesKept],
  [
    'process_anonymous_bytes',
    'Memory of the process that no file backs; 0: the system does not tell.',
    (stats) => stats.processBytes,
  ],
  ['mapped_bytes', 'Bytes of segments mapped from their files.', (stats) => stats.mappedBytes],
  ['damaged_collections', 'Collections refused because their files are damaged.', (stats) => stats.damagedCollections],
  ['merge_running', '1 while large segments are merged.', (stats) => Number(stats.mergeRunning)],
  ['snapshot_running', '1 while a snapshot is written.', (stats) => Number(stats.snapshots.running)],
  [
    'snapshot_last_timestamp_seconds',
    'Unix time of the last snapshot since the start; 0: none.',
    (stats) => stats.snapshots.lastAtMs / 1000,
  ],
  [
    'snapshot_last_duration_seconds',
    'Time that the last snapshot took.',
    (stats) => stats.snapshots.lastElapsedMs / 1000,
  ],
  [
    'snapshot_oldest_write_timestamp_seconds',
    'Unix time of the oldest write since the start that no snapshot holds; 0: there is none.',
    (stats) => stats.snapshots.oldestWriteMs / 1000,
  ],
  ['snapshot_bytes', 'Bytes of all files of the last snapshot.', (stats) => stats.snapshots.bytes],
  ['reader_threads', 'Reader threads.', (stats) => stats.readers.length],
  ['read_queue_depth', 'Reads handed to the readers and not yet answered.', (stats) => stats.readQueueDepth],
  [
    'read_backlog_seconds',
    'How long a query that takes long would wait before it begins, about.',
    (stats) => stats.readBacklogMs / 1000,
  ],
  ['answer_bytes', 'Memory of large answers on their way to clients.', (stats) => stats.answerBytes],
  ['write_queue_depth', 'Writes handed to the writer and not yet answered.', (stats) => stats.writeQueueDepth],
];

const ENGINE_COUNTERS: readonly (readonly [string, string, StatsReader])[] = [
  ['documents_indexed_total', 'Documents indexed.', (stats) => stats.documentsIndexed],
  ['documents_failed_total', 'Documents refused while indexing.', (stats) => stats.documentsFailed],
  ['documents_deleted_total', 'Documents deleted.', (stats) => stats.documentsDeleted],
  ['read_timeouts_total', 'Reads refused because their time was over.', (stats) => stats.readTimeouts],
  ['reads_abandoned_total', 'Reads given up because their client had gone.', (stats) => stats.readsAbandoned],
  [
    'reads_inline_total',
    'Reads answered by the HTTP threads themselves.',
    (stats) => sumOf(stats.inlineReaders, 'queries'),
  ],
  [
    'reads_inline_given_up_total',
    'Reads that they began and handed over: too long for them, or refused, which the first of them tells.',
    (stats) => sumOf(stats.inlineReaders, 'givenUp'),
  ],
  ['reads_shed_total', 'Reads refused because too much waited.', (stats) => stats.readsShed],
  ['wal_syncs_total', 'Times the write-ahead log was forced to disk.', (stats) => stats.walSyncs],
  ['memory_refused_writes_total', 'Writes refused for want of memory.', (stats) => stats.memoryRefusals],
  ['merges_total', 'Segment merges finished.', (stats) => stats.merges],
  ['snapshots_total', 'Snapshots written.', (stats) => stats.snapshots.written],
  ['snapshot_failures_total', 'Snapshots that could not be written.', (stats) => stats.snapshots.failed],
  ['verified_bytes_total', 'Bytes of segment files compared with their checksum.', (stats) => stats.verifiedBytes],
];

export class Metrics {
  readonly searchDuration: DurationHistogram;
  readonly searchWait: DurationHistogram;
  readonly suggestDuration: DurationHistogram;
  readonly fetchDuration: DurationHistogram;
  readonly indexDuration: DurationHistogram;
  /** Requests handed to the engine, whatever became of them. */
  searchRequests = 0;
  suggestRequests = 0;
  indexRequests = 0;
  /** Searches that took longer than what is logged. */
  slowSearches = 0;
  readonly #registry = new Registry();
  readonly #sources: MetricsSources;

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    this.searchDuration = this.#duration('search_duration_seconds', 'Time of searches in the thread that answered.');
    this.searchWait = this.#duration(
      'search_wait_duration_seconds',
      'What searches waited that HTTP threads do not answer themselves.',
    );
    this.suggestDuration = this.#duration(
      'suggest_duration_seconds',
      'Time of suggestions in the thread that answered.',
    );
    this.fetchDuration = this.#duration(
      'fetch_duration_seconds',
      'Time of document fetches in the thread that answered.',
    );
    this.indexDuration = this.#duration(
      'index_duration_seconds',
      'Time of index requests from body to acknowledgement.',
    );
    this.#registerServerMetrics();
    this.#registerEngineMetrics();
    this.#registerReaderMetrics();
    addOperatingMetrics(this.#registry, sources.operating);
    if (sources.cluster !== null) addClusterMetrics(this.#registry, sources.cluster);
    if (sources.exporter !== null) addSpanMetrics(this.#registry, sources.exporter);
    addNodeMetrics(this.#registry);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text of a scrape. */
  async render(): Promise<string> {
    const collections = await describeCollections(this.#sources.engine()?.collectionStats() ?? []);
    return `${await this.#registry.metrics()}\n${collections}`;
  }

  #duration(name: string, help: string): DurationHistogram {
    return new DurationHistogram(PREFIX + name, help, this.#registry);
  }

  #gauge(name: string, help: string, read: () => number): void {
    addGauge(this.#registry, name, help, read);
  }

  #counter(name: string, help: string, read: () => number): void {
    addCounter(this.#registry, name, help, read);
  }

  #registerCertificate(certificate: ServedCertificate): void {
    this.#gauge(
      'tls_certificate_expiry_timestamp_seconds',
      'Unix time at which the certificate expires.',
      () => certificate.expiresMs / 1000,
    );
    this.#counter('tls_reloads_total', 'Certificates taken since the start.', () => certificate.reloads);
    this.#counter(
      'tls_reload_failures_total',
      'Certificates that could not be used.',
      () => certificate.reloadFailures,
    );
  }

  #registerServerMetrics(): void {
    const { http, connections, unsent, fronts, analytics, bodyBytesInFlight, recoveryMs, certificate } = this.#sources;
    this.#gauge('uptime_seconds', 'Seconds since the server started.', () => analytics.uptimeSeconds);
    this.#gauge('recovery_duration_seconds', 'Time from start to ready; 0: not ready yet.', () => recoveryMs() / 1000);
    this.#counter('search_requests_total', 'Searches handed to the engine.', () => this.searchRequests);
    this.#counter('slow_searches_total', 'Searches that took longer than --slow-query-ms.', () => this.slowSearches);
    this.#counter('suggest_requests_total', 'Suggestions asked of the engine.', () => this.suggestRequests);
    this.#counter('index_requests_total', 'Index requests handed to the engine.', () => this.indexRequests);
    this.#gauge('http_connections', 'Connections that are open.', () => connections.open);
    this.#gauge('http_connections_max', 'Connections at a time.', () => connections.max);
    this.#counter('http_connections_refused_total', 'Connections beyond that.', () => connections.refused);
    if (certificate !== null) this.#registerCertificate(certificate);
    this.#gauge(
      'http_requests_in_flight',
      'Requests not yet answered completely.',
      () => http.inFlight + fronts().inFlight,
    );
    this.#gauge('http_body_bytes_in_flight', 'Memory held by request bodies.', bodyBytesInFlight);
    this.#gauge(
      'http_unsent_bytes',
      'Memory of answers that their clients have not read yet.',
      () => unsent.bytes + fronts().unsentBytes,
    );
    this.#gauge('http_unsent_bytes_max', 'Bound on that.', () => unsent.maxBytes);
    this.#gauge(
      'http_unsent_answers',
      'Answers that their clients have not read yet.',
      () => unsent.answers + fronts().unsentAnswers,
    );
    this.#gauge('analytics_tracked_queries', 'Distinct queries held by the analytics.', () => analytics.trackedQueries);
    this.#counter('analytics_dropped_queries_total', 'Queries the analytics let go.', () => analytics.droppedQueries);
    new Counter({
      name: `${PREFIX}http_requests_total`,
      help: 'Answers by route template, method and status.',
      labelNames: ['route', 'method', 'status'],
      registers: [this.#registry],
      collect() {
        this.reset();
        http.forEach((route, method, status, count) => {
          this.inc({ route, method, status: String(status) }, count);
        });
      },
    });
  }

  #registerEngineMetrics(): void {
    const read = (reader: StatsReader) => (): number => {
      const stats = this.#sources.engine()?.stats() ?? null;
      return stats === null ? 0 : reader(stats);
    };
    for (const [name, help, reader] of ENGINE_GAUGES) this.#gauge(name, help, read(reader));
    for (const [name, help, reader] of ENGINE_COUNTERS) this.#counter(name, help, read(reader));
    const { engine } = this.#sources;
    this.#gauge('collections', 'Collections that exist.', () => engine()?.collectionCount ?? 0);
    new Gauge({
      name: `${PREFIX}file_mapping`,
      help: 'How segment files come into memory; always 1.',
      labelNames: ['kind'],
      registers: [this.#registry],
      collect() {
        this.reset();
        const stats = engine()?.stats();
        if (stats !== undefined) this.set({ kind: stats.mapping }, 1);
      },
    });
  }

  #registerReaderMetrics(): void {
    const { engine } = this.#sources;
    const figures = [
      ['reader_queries_total', 'Reads answered by a thread.', 'queries', 1],
      ['reader_helps_total', 'Searches of other threads that a thread took a part in.', 'helped', 1],
      ['reader_busy_seconds_total', 'Time a thread spent on reads.', 'busyUs', 1e6],
      ['reader_cache_hits_total', 'What a thread still remembered.', 'cacheHits', 1],
      ['reader_cache_misses_total', 'What a thread did not remember.', 'cacheMisses', 1],
      ['reader_cache_evictions_total', 'What a thread forgot to make room.', 'cacheEvictions', 1],
    ] as const;
    for (const [name, help, key, divisor] of figures) {
      new Counter({
        name: PREFIX + name,
        help,
        labelNames: ['reader'],
        registers: [this.#registry],
        collect() {
          this.reset();
          for (const [reader, stats] of labelledReaders(engine())) this.inc({ reader }, stats[key] / divisor);
        },
      });
    }
    new Gauge({
      name: `${PREFIX}reader_cache_bytes`,
      help: 'What a reader thread remembers for reads to come.',
      labelNames: ['reader'],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [reader, { cacheBytes }] of labelledReaders(engine())) this.set({ reader }, cacheBytes);
      },
    });
  }
}

/** What each thread that answers reads has counted, with the value of its label. */
function labelledReaders(engine: Engine | null): (readonly [string, ReaderStats])[] {
  const stats = engine?.stats();
  if (stats === undefined) return [];
  const threads = stats.readers.map((reader, index) => [String(index), reader] as const);
  const http = stats.inlineReaders.map((reader, index) => [index === 0 ? 'http' : `http-${index}`, reader] as const);
  return [...threads, ...http];
}
