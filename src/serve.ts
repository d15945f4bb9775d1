/**
 * The life of a server: starts everything, listens, and stops in order when told to.
 *
 * Called by the serve command. Listens before the engine has recovered, so that probes see a live process; requests wait
 * at the gate meanwhile.
 */
import type { Logger } from 'pino';
import { type Engine, openEngine } from '../engine/index.js';
import type { Config } from './config.js';
import { createServer } from './create-server.js';
import { EngineGate } from './engine-gate.js';
import type { HttpServer } from './http/server.js';
import { createLogger } from './log.js';
import { readVersion } from './version.js';

/** Longest wait for the engine to finish what it accepted, once every request is answered. */
const CLOSE_TIMEOUT_MS = 30_000;

/** Runs the server. Resolves when it serves; from then on the process ends by a signal or a fatal error. */
export async function runServer(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  const fail = (error: unknown, message: string): void => {
    logger.fatal({ err: error }, message);
    process.exit(1);
  };
  process.on('uncaughtException', (error) => fail(error, 'a bug'));
  const gate = new EngineGate();
  const version = readVersion();
  logger.info({ version, node: process.version, dataDir: config.dataDir }, 'sabre starts');
  warnAboutKeys(config, logger);
  const server = createServer({ config, gate, logger, version });
  stopOnSignals(config, logger, gate, server);
  try {
    const port = await server.listen(config.host, config.port);
    logger.info({ host: config.host, port }, 'listening; recovering the data');
  } catch (error) {
    fail(error, 'cannot listen');
  }
  try {
    const engine = await openEngine({
      dataDir: config.dataDir,
      readerThreads: config.readerThreads,
      syncIntervalMs: config.syncIntervalMs,
      logger,
      onFatal: (error) => fail(error, 'a thread of the engine died'),
    });
    gate.open(engine);
    logger.info({ collections: engine.listCollections().length }, 'ready');
  } catch (error) {
    fail(error, 'cannot open the data folder');
  }
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

/** On the first SIGTERM or SIGINT drains and exits 0; a second one exits at once. */
function stopOnSignals(config: Config, logger: Logger, gate: EngineGate, server: HttpServer): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      logger.warn({ signal }, 'told to stop twice: stopping at once');
      process.exit(1);
    }
    isStopping = true;
    logger.info({ signal }, 'draining');
    shutDown(config, gate, server).then(
      () => {
        logger.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'cannot stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function shutDown(config: Config, gate: EngineGate, server: HttpServer): Promise<void> {
  gate.startDraining();
  await server.drain(config.drainTimeoutMs);
  server.close();
  if (gate.engine !== null) await closeEngine(gate.engine);
}

async function closeEngine(engine: Engine): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the engine did not close within ${CLOSE_TIMEOUT_MS} ms`));
    }, CLOSE_TIMEOUT_MS);
    engine
      .close()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
