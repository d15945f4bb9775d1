/**
 * The life of a server: starts everything, listens, and stops in order when told to.
 *
 * Called by the serve command. Listens before the engine has recovered, so that probes see a live process; requests wait
 * at the gate meanwhile.
 */
import type { Logger } from 'pino';
import { EngineError, limits, openEngine, type RecoveryProgress } from '../engine/index.js';
import type { Config } from './config.js';
import { createServer, type ServerParts } from './create-server.js';
import { describeRecovery, EngineGate } from './engine-gate.js';
import { canExitNow, exitNow, killNow } from './exit-now.js';
import { QuietReads } from './http/quiet-reads.js';
import type { HttpServer } from './http/server.js';
import { TlsFilesError } from './http/tls-files.js';
import { UnsupportedSystemError } from './http/uws.js';
import { FrontThreads } from './http-threads/front-threads.js';
import { createLogger } from './log.js';
import { connectionsMax, loadingsAtOnce, openFilesMax } from './open-files.js';
import { ServedNode } from './serve-cluster.js';
import { ServedCertificate } from './served-certificate.js';
import { type StopOutcome, stopServer } from './stop-server.js';
import { OtlpExporter } from './tracing/otlp-exporter.js';
import { readVersion } from './version.js';
import { onWaitingShellEnd } from './waiting-shells.js';
import { YoungGeneration } from './young-generation.js';

/**
 * Waking others, preparing the search there and putting parts together takes two or three tenths of a millisecond; and estimates are
 * two to four times what a search takes.
 */
const SHARE_ABOVE_US = 1500;

/** A signal that follows another within this time is the same one: of Ctrl-C npm gets one too, and passes it on. */
const SAME_SIGNAL_MS = 500;

/** Runs the server. Resolves when it serves; from then on the process ends by a signal or a fatal error. */
export async function runServer(config: Config): Promise<void> {
  new YoungGeneration().start();
  const logger = createLogger(config.logLevel);
  // The HTTP library does not survive that Node ends further threads that have used it.
  const exit = config.httpThreads > 1 && canExitNow() ? exitNow : (code: number): never => process.exit(code);
  const fail = (error: unknown, message: string): void => {
    logger.fatal({ err: error }, message);
    exit(1);
  };
  const refuse = (message: string, code?: string): never => {
    logger.fatal({ code }, message);
    return exit(1);
  };
  process.on('uncaughtException', (error) => fail(error, 'a bug'));
  const gate = new EngineGate();
  // A signal is heard when this function waits for the first time, or later: the parts are there by then.
  stopOnSignals(logger, () => stopServer(config, gate, { server, fronts, exporter, node }), exit);
  if (config.tls !== null) {
    process.on('SIGHUP', () =>
      certificate?.reload(() => {
        server.renewCertificate();
        fronts?.renewCertificates();
      }),
    );
  }
  const version = readVersion();
  logger.info({ version, node: process.version, dataDir: config.dataDir }, 'sabre starts');
  warnAboutKeys(config, logger);
  if (config.httpThreads > 1 && exit !== exitNow)
    refuse('--http-threads: expected 1, because the package koffi has no build for this system');
  const maxConnections = connectionsMaxOr(refuse, config);
  const { cluster } = config;
  const onLost = (error: Error): void => fail(error, 'this node of the cluster cannot go on');
  const node = cluster === null ? null : new ServedNode(cluster, config.dataDir, logger, onLost);
  if (node !== null) gate.watch(node);
  const onFrontDeath = (error: Error): void => fail(error, 'an HTTP thread died');
  const fronts = config.httpThreads > 1 ? new FrontThreads(onFrontDeath, node?.deadline ?? null) : null;
  const certificate = certificateOr(refuse, config, logger);
  const { otlp } = config;
  const exporter = otlp === null ? null : new OtlpExporter({ target: otlp, version, logger });
  const state = node === null ? null : () => node.state();
  const parts = { config, maxConnections, fronts, gate, certificate, exporter, logger, version, cluster: state };
  const server = createServerOr(refuse, parts);
  // Told to stop meanwhile, it has nothing more to do but end.
  const isStopping = (): boolean => gate.state === 'draining';
  if (fronts !== null) server.share(await fronts.start(config.httpThreads - 1, config, maxConnections));
  if (isStopping()) return;
  try {
    const port = await server.listen(config.host, config.port);
    logger.info({ host: config.host, port, maxConnections }, 'listening; recovering the data');
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
  const startedMs = performance.now();
  try {
    const replication = await node?.prepare();
    if (isStopping()) return;
    const engine = await openEngine({
      ...(replication !== undefined && { replication }),
      dataDir: config.dataDir,
      readerThreads: config.readerThreads,
      loadingsAtOnce: loadingsAtOnce(maxConnections, openFilesMax(), furtherThreads(config)),
      searchHelpers: config.searchHelpers,
      shareAboveUs: SHARE_ABOVE_US,
      httpThreads: config.httpThreads,
      readerCacheBytes: config.readerCacheBytes,
      memoryBytes: config.memoryBytes,
      queryTimeoutMs: config.queryTimeoutMs,
      answerBytesMax: config.maxAnswerBytes,
      responseBytesMax: Math.min(limits.RESPONSE_BYTES_MAX, config.maxUnsentBytes, config.maxClientUnsentBytes),
      syncIntervalMs: config.syncIntervalMs,
      snapshotWalBytes: config.snapshotWalBytes,
      snapshotIntervalMs: config.snapshotIntervalMs,
      verify: config.verify,
      mapFiles: config.mapFiles,
      logger,
      onProgress: (progress) => noteProgress(progress, gate, logger),
      onFatal: (error) => fail(error, 'a thread of the engine died'),
    });
    if (isStopping()) return;
    const recoveryMs = Math.round(performance.now() - startedMs);
    fronts?.openSeats(engine.readSeats);
    node?.attach(engine);
    gate.open(engine, recoveryMs);
    new QuietReads(() => server.answered, engine.rest).start();
    logger.info({ collections: engine.collectionCount, ms: recoveryMs }, 'ready');
  } catch (error) {
    const isFault = error instanceof EngineError && error.code !== 'internal_error';
    if (isFault && error.code === 'memory_full') refuse(`cannot start: ${error.message}`, error.code);
    else if (isFault) refuse(`cannot open the data folder (--data-dir): ${error.message}`, error.code);
    else fail(error, 'cannot open the data folder');
  }
}

/** Readers and further HTTP threads. */
const furtherThreads = ({ readerThreads, httpThreads }: Config): number => readerThreads + httpThreads - 1;

/** Returns how many connections to hold, or refuses when there are too few descriptors for that. */
function connectionsMaxOr(refuse: (message: string) => never, config: Config): number {
  const { maxConnections } = config;
  try {
    return connectionsMax(maxConnections, openFilesMax(), furtherThreads(config));
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the certificate to show, null without TLS, or refuses one that cannot be used. */
function certificateOr(refuse: (message: string) => never, { tls }: Config, logger: Logger): ServedCertificate | null {
  try {
    return tls === null ? null : new ServedCertificate(tls, logger);
  } catch (error) {
    if (error instanceof TlsFilesError) refuse(`TLS: ${error.message}`);
    throw error;
  }
}

/** Returns a server, or refuses where its HTTP library does not run. */
function createServerOr(refuse: (message: string) => never, parts: ServerParts): HttpServer {
  try {
    return createServer(parts);
  } catch (error) {
    if (error instanceof UnsupportedSystemError || error instanceof TlsFilesError) refuse(error.message);
    throw error;
  }
}

/** Keeps `progress` for who asks, and logs the start of a phase. */
function noteProgress(progress: RecoveryProgress, gate: EngineGate, logger: Logger): void {
  const isNewPhase = gate.progress?.phase !== progress.phase;
  gate.noteProgress(progress);
  if (isNewPhase) logger.info({ phase: progress.phase, bytes: progress.totalBytes }, describeRecovery(progress));
}

function warnAboutKeys(config: Config, logger: Logger): void {
  if (config.adminKey === null && config.searchKey === null) {
    logger.warn('NO KEY IS SET: everybody who reaches this server may read, change and delete everything');
  } else if (config.adminKey === config.searchKey) {
    logger.warn('the admin key and the search key are the same: whoever may search may also change and delete');
  } else if (config.adminKey === null) {
    logger.warn('only a search key is set: nobody may write');
  }
}

/**
 * On the first SIGTERM or SIGINT, or when the shell that waits for it is gone, drains and exits 0; a second signal kills
 * the process, and one that does not end in time exits 1 whatever its threads do.
 */
function stopOnSignals(logger: Logger, stopAll: () => Promise<StopOutcome>, exit: (code: number) => never): void {
  let stoppingSinceMs = Number.POSITIVE_INFINITY;
  const stop = (signal: NodeJS.Signals): void => {
    const sinceMs = performance.now() - stoppingSinceMs;
    if (sinceMs >= 0) {
      if (sinceMs < SAME_SIGNAL_MS) return;
      logger.warn({ signal }, 'told to stop twice: stopping at once');
      killNow();
    }
    stoppingSinceMs = performance.now();
    logger.info({ signal }, 'draining');
    stopAll().then(
      (outcome) => {
        logger.info('stopped');
        if (outcome === 'recovering') exitNow(0);
        exit(0);
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'cannot stop cleanly');
        exitNow(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  onWaitingShellEnd(() => {
    if (stoppingSinceMs === Number.POSITIVE_INFINITY) stop('SIGTERM');
  });
}
