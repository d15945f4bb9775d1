/**
 * Puts the HTTP layer together: routes, keys, counters, analytics. Called by serve.ts, and by tests with an engine of
 * their own.
 */
import type { Logger } from 'pino';
import { SharedCounter } from '../engine/index.js';
import { SearchAnalytics } from './analytics/search-analytics.js';
import type { AppContext } from './app-context.js';
import type { ServedState } from './cluster/cluster-state.js';
import type { Config } from './config.js';
import type { EngineGate } from './engine-gate.js';
import { Authenticator } from './http/auth.js';
import { ClientAddresses } from './http/client-address.js';
import { ClientBudget } from './http/client-budget.js';
import { Compressor } from './http/compressor.js';
import { ConnectionLimit } from './http/connection-limit.js';
import { CorsPolicy } from './http/cors.js';
import { HttpCounters } from './http/http-counters.js';
import { RateWatch } from './http/rate-watch.js';
import { Router } from './http/router.js';
import { HttpServer } from './http/server.js';
import { UnsentBytes } from './http/unsent-bytes.js';
import { addTally } from './http-threads/add-tally.js';
import type { FrontThreads } from './http-threads/front-threads.js';
import { Metrics } from './metrics/metrics.js';
import { ReadBacklog } from './read-backlog.js';
import { aliasRoutes } from './routes/aliases.js';
import { analyticsRoutes } from './routes/analytics.js';
import { collectionRoutes } from './routes/collections.js';
import { docsRoutes } from './routes/docs.js';
import { documentRoutes } from './routes/documents.js';
import { healthRoutes } from './routes/health.js';
import { metricsRoutes } from './routes/metrics.js';
import { multiSearchRoutes } from './routes/multi-search.js';
import { searchRoutes } from './routes/search.js';
import { newProcessMark, SearchTags } from './routes/search-tags.js';
import { SlowSearchLog } from './routes/slow-searches.js';
import { snapshotRoutes } from './routes/snapshots.js';
import { suggestRoutes } from './routes/suggest.js';
import { textRuleRoutes } from './routes/text-rules.js';
import { uiRoutes } from './routes/ui.js';
import type { ServedCertificate } from './served-certificate.js';
import type { OtlpExporter } from './tracing/otlp-exporter.js';
import { Tracer } from './tracing/tracer.js';
import { readPageFiles } from './ui/page-files.js';

/** How long the backlog of reads is above its bound before /ready says so. */
const BACKLOG_OVER_MS = 3000;

export interface ServerParts {
  readonly config: Config;
  /** Connections at a time (open-files.ts). */
  readonly maxConnections: number;
  /** Instead of BACKLOG_OVER_MS. */
  readonly backlogOverMs?: number;
  /** null: there is no HTTP thread but this one. */
  readonly fronts: FrontThreads | null;
  readonly gate: EngineGate;
  /** null: this is no node of a cluster. */
  readonly cluster: (() => ServedState) | null;
  /** null: without TLS. */
  readonly certificate: ServedCertificate | null;
  /** null: nothing is traced. */
  readonly exporter: OtlpExporter | null;
  readonly logger: Logger;
  readonly version: string;
}

/** The page that is shown, null for none. A checkout without the packages that build it has none, and says so. */
function pageFilesOf({ ui }: Config, logger: Logger): AppContext['pageFiles'] {
  const files = ui ? readPageFiles('ui') : null;
  if (ui && files === null)
    logger.warn('there is no page at /ui: it was not built, for which "npm ci" installs the packages');
  return files;
}

/** Returns a server that listens nowhere yet. */
export function createServer(parts: ServerParts): HttpServer {
  const { config, maxConnections, fronts, gate, cluster, exporter, logger, version } = parts;
  const analytics = new SearchAnalytics();
  const bodyBudget = new ClientBudget(config.maxInflightBodyBytes, config.maxClientBodyBytes);
  const bodies = { budget: bodyBudget, watch: new RateWatch(config.bodyRateMin, config.bodyGraceMs) };
  const unsent = new UnsentBytes({
    maxBytes: config.maxUnsentBytes,
    clientMaxBytes: config.maxClientUnsentBytes,
    rateMin: config.answerRateMin,
    graceMs: config.answerGraceMs,
  });
  const { open, refused } = fronts ?? { open: new SharedCounter(), refused: new SharedCounter() };
  const connections = new ConnectionLimit(maxConnections, open, refused);
  const counters = new HttpCounters();
  const backlogMs = (): number => gate.opened?.readBacklogMs ?? 0;
  const readBacklog = new ReadBacklog(backlogMs, config.readyBacklogMs, parts.backlogOverMs ?? BACKLOG_OVER_MS);
  const metrics = new Metrics({
    http: counters,
    connections,
    unsent,
    fronts: () => fronts?.totals ?? { inFlight: 0, unsentBytes: 0, unsentAnswers: 0 },
    analytics,
    engine: () => gate.opened,
    bodyBytesInFlight: () => bodyBudget.usedBytes,
    recoveryMs: () => gate.recoveryMs,
    certificate: parts.certificate,
    exporter,
    cluster,
    operating: { config, version, isReady: () => gate.state === 'serving' && !readBacklog.isTooLong },
  });
  const context: AppContext = {
    gate,
    readBacklog,
    analytics,
    metrics,
    gather: (done) => (fronts === null ? done() : fronts.gather(done)),
    bodies,
    maxBodyBytes: config.maxBodyBytes,
    slowSearches: config.slowQueryMs === 0 ? null : new SlowSearchLog(config.slowQueryMs * 1000, logger),
    exportTimeoutMs: config.exportTimeoutMs,
    pageFiles: pageFilesOf(config, logger),
    docsFiles: readPageFiles('ui-docs'),
    tags: new SearchTags(fronts?.processMark ?? newProcessMark()),
    cluster,
    logger,
    version,
  };
  const routes = [
    collectionRoutes,
    aliasRoutes,
    documentRoutes,
    textRuleRoutes,
    searchRoutes,
    multiSearchRoutes,
    suggestRoutes,
    snapshotRoutes,
    analyticsRoutes,
  ];
  const server = new HttpServer({
    router: new Router(
      [...routes, healthRoutes, metricsRoutes, docsRoutes, uiRoutes].flatMap((define) => define(context)),
    ),
    authenticator: new Authenticator(config.adminKey, config.searchKey, config.keyEpoch),
    cors: new CorsPolicy(config.corsOrigins),
    counters,
    appliedSequence: cluster === null ? null : () => gate.opened?.replicated?.appliedSequence ?? null,
    connections,
    unsent,
    compressor: new Compressor(config.compressMinBytes),
    clients: new ClientAddresses(config.trustedProxies),
    tls: config.tls,
    tracer: exporter === null ? null : new Tracer(config.otlp?.sampleRatio ?? 0, (spans) => exporter.add(spans)),
    logger,
  });
  fronts?.attach({
    handle: (response, request) => server.handle(response, request),
    trace: (spans) => exporter?.add(spans),
    add: (tally) => addTally(tally, counters, metrics, analytics),
    replace: (old, renewed) => server.replace(old, renewed),
  });
  return server;
}
