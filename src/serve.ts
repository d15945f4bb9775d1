/**
 * The life of a server: starts everything, listens, and stops in order when told to.
 *
 * Called by the serve command. Listens before the engine has recovered, so that probes see a live process; requests wait
 * at the gate meanwhile.
 */
import type { Logger } from 'pino';
import { type Engine, EngineError, openEngine, type RecoveryProgress } from '../engine/index.js';
import type { Config } from './config.js';
import { createServer, type ServerParts } from './create-server.js';
import { describeRecovery, EngineGate } from './engine-gate.js';
import type { HttpServer } from './http/server.js';
import { UnsupportedSystemError } from './http/uws.js';
import { createLogger } from './log.js';
import { connectionsMax, openFilesMax } from './open-files.js';
import { readVersion } from './version.js';
import { onWaitingShellEnd } from './waiting-shells.js';

/** The least time that the engine gets to finish what it accepted, however short the drain may be. */
const CLOSE_TIMEOUT_MIN_MS = 1000;

/** Share of the engine's time that its last snapshot may take: the rest is for giving it up, and for the log. */
const SNAPSHOT_SHARE = 0.75;

/** A signal that follows another within this time is the same one: of Ctrl-C npm gets one too, and passes it on. */
const SAME_SIGNAL_MS = 500;

/** Runs the server. Resolves when it serves; from then on the process ends by a signal or a fatal error. */
export async function runServer(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  const fail = (error: unknown, message: string): void => {
    logger.fatal({ err: error }, message);
    process.exit(1);
  };
  const refuse = (message: string, code?: string): never => {
    logger.fatal({ code }, message);
    return process.exit(1);
  };
  process.on('uncaughtException', (error) => fail(error, 'a bug'));
  const gate = new EngineGate();
  const version = readVersion();
  logger.info({ version, node: process.version, dataDir: config.dataDir }, 'sabre starts');
  warnAboutKeys(config, logger);
  const maxConnections = connectionsMaxOr(refuse, config);
  const server = createServerOr(refuse, { config, maxConnections, gate, logger, version });
  stopOnSignals(config, logger, gate, server);
  try {
    const port = await server.listen(config.host, config.port);
    logger.info({ host: config.host, port, maxConnections }, 'listening; recovering the data');
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
  const startedMs = performance.now();
  try {
    const engine = await openEngine({
      dataDir: config.dataDir,
      readerThreads: config.readerThreads,
      readerCacheBytes: config.readerCacheBytes,
      syncIntervalMs: config.syncIntervalMs,
      snapshotWalBytes: config.snapshotWalBytes,
      snapshotIntervalMs: config.snapshotIntervalMs,
      verify: config.verify,
      mapFiles: config.mapFiles,
      logger,
      onProgress: (progress) => noteProgress(progress, gate, logger),
      onFatal: (error) => fail(error, 'a thread of the engine died'),
    });
    const recoveryMs = Math.round(performance.now() - startedMs);
    gate.open(engine, recoveryMs);
    logger.info({ collections: engine.listCollections().length, ms: recoveryMs }, 'ready');
  } catch (error) {
    const isFault = error instanceof EngineError && error.code !== 'internal_error';
    if (isFault) refuse(`cannot open the data folder (--data-dir): ${error.message}`, error.code);
    else fail(error, 'cannot open the data folder');
  }
}

/** Returns how many connections to hold, or refuses when there are too few descriptors for that. */
function connectionsMaxOr(refuse: (message: string) => never, { maxConnections, readerThreads }: Config): number {
  try {
    return connectionsMax(maxConnections, openFilesMax(), readerThreads);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Returns a server, or refuses where its HTTP library does not run. */
function createServerOr(refuse: (message: string) => never, parts: ServerParts): HttpServer {
  try {
    return createServer(parts);
  } catch (error) {
    if (error instanceof UnsupportedSystemError) refuse(error.message);
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
 * Ends the process without waiting for its threads, which process.exit does even for one that hangs. The kernel spares
 * the first process of a container from its own SIGKILL: that one exits the ordinary way.
 */
function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
  process.exit(1);
}

/**
 * On the first SIGTERM or SIGINT, or when the shell that waits for it is gone, drains and exits 0; a second signal, or a
 * thread that does not end, kills the process.
 */
function stopOnSignals(config: Config, logger: Logger, gate: EngineGate, server: HttpServer): void {
  let stoppingSinceMs = Number.POSITIVE_INFINITY;
  const stop = (signal: NodeJS.Signals): void => {
    const sinceMs = performance.now() - stoppingSinceMs;
    if (sinceMs >= 0) {
      if (sinceMs < SAME_SIGNAL_MS) return;
      logger.warn({ signal }, 'told to stop twice: stopping at once');
      killSelf();
    }
    stoppingSinceMs = performance.now();
    logger.info({ signal }, 'draining');
    shutDown(config, gate, server).then(
      () => {
        logger.info('stopped');
        // From here on a further signal is the system's to act on: this thread may wait for others.
        process.off('SIGTERM', stop).off('SIGINT', stop);
        process.exit(0);
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'cannot stop cleanly');
        killSelf();
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  onWaitingShellEnd(() => {
    if (stoppingSinceMs === Number.POSITIVE_INFINITY) stop('SIGTERM');
  });
}

async function shutDown(config: Config, gate: EngineGate, server: HttpServer): Promise<void> {
  gate.startDraining();
  await server.drain(config.drainTimeoutMs);
  server.close();
  if (gate.engine !== null) await closeEngine(gate.engine, config);
}

async function closeEngine(engine: Engine, { drainTimeoutMs, snapshotOnStop }: Config): Promise<void> {
  const timeoutMs = Math.max(drainTimeoutMs, CLOSE_TIMEOUT_MIN_MS);
  // Who stops without waiting for requests does not want to wait for a snapshot either.
  const snapshotWithinMs = snapshotOnStop && drainTimeoutMs > 0 ? Math.floor(timeoutMs * SNAPSHOT_SHARE) : 0;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the engine did not close within ${timeoutMs} ms`));
    }, timeoutMs);
    engine
      .close(snapshotWithinMs)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
