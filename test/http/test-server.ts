/**
 * A real server over a fake engine, on a port of its own, and two ways to talk to it: node:http, and bytes on a socket.
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type Logger, pino } from 'pino';
import type { ServedState } from '../../src/cluster/cluster-state.js';
import type { Config } from '../../src/config.js';
import { createServer } from '../../src/create-server.js';
import { type ClusterGuard, EngineGate } from '../../src/engine-gate.js';
import { FakeEngine } from './fake-engine.js';

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 0,
  dataDir: '',
  adminKey: null,
  searchKey: null,
  keyEpoch: 0,
  tls: null,
  httpThreads: 1,
  readerThreads: 1,
  searchHelpers: 1,
  readerCacheBytes: 67_108_864,
  maxConnections: 1000,
  memoryBytes: 2 ** 32,
  queryTimeoutMs: 10_000,
  maxAnswerBytes: 1 << 28,
  maxBodyBytes: 100_000,
  maxInflightBodyBytes: 400_000,
  maxClientBodyBytes: 400_000,
  bodyRateMin: 65_536,
  bodyGraceMs: 5000,
  maxUnsentBytes: 64 * 1024 * 1024,
  maxClientUnsentBytes: 64 * 1024 * 1024,
  answerRateMin: 65_536,
  answerGraceMs: 5000,
  syncIntervalMs: 0,
  snapshotWalBytes: 0,
  snapshotIntervalMs: 0,
  snapshotOnStop: true,
  verify: 'off',
  mapFiles: true,
  trustedProxies: [],
  corsOrigins: [],
  logLevel: 'silent',
  slowQueryMs: 0,
  otlp: null,
  exportTimeoutMs: 30_000,
  compressMinBytes: 16_384,
  readyBacklogMs: 5000,
  drainTimeoutMs: 1000,
  ui: true,
  cluster: null,
};

export interface StartOptions {
  /** The gate stays shut: the engine is still recovering. */
  readonly isRecovering?: boolean;
  readonly logger?: Logger;
  /** The server is a node of a cluster: what its gate asks, and what it tells. */
  readonly node?: { readonly guard: ClusterGuard; readonly state: () => ServedState };
}

/** Starts a server; `stop` ends it and its connections. */
export async function startServer(overrides: Partial<Config> = {}, options: StartOptions = {}) {
  const config = { ...DEFAULTS, ...overrides };
  const engine = new FakeEngine();
  const gate = new EngineGate();
  if (options.node !== undefined) gate.watch(options.node.guard);
  if (options.isRecovering !== true) gate.open(engine, 1500);
  const logger: Logger = options.logger ?? pino({ level: 'silent' });
  const server = createServer({
    config,
    maxConnections: config.maxConnections ?? 1000,
    backlogOverMs: 300,
    fronts: null,
    cluster: options.node?.state ?? null,
    certificate: null,
    exporter: null,
    gate,
    logger,
    version: '1.2.3',
  });
  const port = await server.listen(config.host, config.port);
  const agent = new Agent({ keepAlive: true });

  const send = (method: string, path: string, { headers, body }: RequestOptions = {}): Promise<TestAnswer> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: config.host, method, path, headers, agent }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const { statusCode = 0, headers: received } = answer;
          resolve({ status: statusCode, headers: received, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });

  /** Sends `bytes` and returns what came back until the server closed, or was quiet for `quietMs`. */
  const raw = (bytes: string | Buffer, quietMs = 150): Promise<{ text: string; isClosed: boolean }> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connect(port, config.host, () => socket.write(bytes));
      const finish = (isClosed: boolean): void => {
        socket.destroy();
        resolve({ text, isClosed });
      };
      socket.setTimeout(quietMs, () => finish(false));
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('error', () => finish(true));
      socket.on('close', () => finish(true));
    });

  const stop = (): void => {
    agent.destroy();
    server.close();
  };
  return {
    engine,
    gate,
    server,
    port,
    send,
    raw,
    stop,
    get: (path: string, o?: RequestOptions) => send('GET', path, o),
  };
}

/** The code in an error body; throws when the body is not of that form. */
export function errorCode(answer: TestAnswer): string {
  const { error } = JSON.parse(answer.text) as { error: { code: string; message: string } };
  if (typeof error.message !== 'string' || error.message === '') throw new Error(`no message: ${answer.text}`);
  return error.code;
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;

/** Declares a test that runs `body` against a server of its own. */
export function withServer(
  name: string,
  overrides: Parameters<typeof startServer>[0],
  body: (server: TestServer) => Promise<void>,
): void {
  test(name, async () => {
    const server = await startServer(overrides);
    try {
      await body(server);
    } finally {
      server.stop();
    }
  });
}
