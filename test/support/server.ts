/**
 * Starts the built server (dist/src/main.js, which tells what of the sources is covered) as a child process on a free port, and stops, kills or restarts it.
 *
 * Used by every test that speaks HTTP. A server is stopped with SIGTERM where possible, because a killed process leaves
 * no coverage behind; what it logged is kept and shown when it fails to start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.js';
import { PROJECT_ROOT } from './project.js';

/** What `sabre` runs: the same, bundled. All tests can be run with it: TEST_MAIN=dist/server/main.js npm run run-tests. */
export const BUNDLED_MAIN = 'dist/server/main.js';
export const MAIN_FILE = join(PROJECT_ROOT, process.env['TEST_MAIN'] ?? 'dist/src/main.js');

const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 30_000;
const POLL_EVERY_MS = 15;
const LOG_CHARS_MAX = 200_000;

export interface ServerOptions {
  /** Flags after --listen, --data-dir and --reader-threads. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The program, from the project's root. Default: MAIN_FILE. */
  readonly main?: string;
  /** Limit of open files of the process (ulimit -n). */
  readonly openFiles?: number;
  /** A command that ends by running the one after it in its own place. */
  readonly wrapper?: readonly string[];
  /** Key that the server's own client sends. */
  readonly key?: string;
  /** Its own client speaks TLS. */
  readonly isSecure?: boolean;
  /** An existing directory; without it a temporary one is made, and removed by dispose(). */
  readonly dataDir?: string;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Set by whoever wants to see all these tests pass with several: TEST_HTTP_THREADS=3 npm test. */
const HTTP_THREADS = process.env['TEST_HTTP_THREADS'];
/** Then any request may need another thread. */
export const HAS_FRONT_THREADS = HTTP_THREADS !== undefined;

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Below the ports that Linux gives to whoever connects or asks for any (from 32768 on): between the asking for a port
 * and the server's listening nobody else is given it.
 */
const FIRST_PORT = 12_000;
const PORTS = 20_000;
/** Test processes that run at the same time start this far apart. */
const PORTS_PER_PROCESS = 40;
let nextPort = (process.pid * PORTS_PER_PROCESS) % PORTS;

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** A port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried++) {
    const port = FIRST_PORT + nextPort;
    nextPort = (nextPort + 1) % PORTS;
    if (await canListen(port)) return port;
  }
  throw new Error('no port is free');
}

/** The environment without the variables that would configure a server behind a test's back. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('SABRE_') && name !== 'NODE_OPTIONS');
  // NODE_TEST_CONTEXT would make a child of the test runner speak the runner's protocol.
  return { ...Object.fromEntries(kept.filter(([name]) => name !== 'NODE_TEST_CONTEXT')), ...extra };
}

export class Server {
  readonly port: number;
  readonly dataDir: string;
  readonly client: Client;
  readonly #options: ServerOptions;
  readonly #ownsDataDir: boolean;
  #child: ChildProcess | null = null;
  #exited: Promise<ExitStatus> = Promise.resolve({ code: null, signal: null });
  #isRunning = false;
  #log = '';

  constructor(port: number, dataDir: string, ownsDataDir: boolean, options: ServerOptions) {
    this.port = port;
    this.dataDir = dataDir;
    this.client = new Client(port, options.key ?? null, options.isSecure ?? false);
    this.#options = options;
    this.#ownsDataDir = ownsDataDir;
  }

  /** Everything the process wrote, the last LOG_CHARS_MAX characters of it. */
  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the process and waits until `probe` answers 200: /ready, or /health for one that is still recovering. */
  async start(probe = '/ready'): Promise<void> {
    const main = this.#options.main === undefined ? MAIN_FILE : join(PROJECT_ROOT, this.#options.main);
    if (!existsSync(main)) throw new Error(`${main} is missing: run "npm run build"`);
    const args = ['--listen', `127.0.0.1:${this.port}`, '--data-dir', this.dataDir, '--reader-threads', '2'];
    if (HTTP_THREADS !== undefined) args.push('--http-threads', HTTP_THREADS);
    const command = [...(this.#options.wrapper ?? []), process.execPath, main, ...args, ...(this.#options.args ?? [])];
    const { openFiles } = this.#options;
    // The shell replaces itself, so the process that is signalled is the server.
    const limited =
      openFiles === undefined ? command : ['/bin/sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh', ...command];
    const [program = '', ...rest] = limited;
    const child = spawn(program, rest, {
      env: cleanEnvironment(this.#options.env),
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    const keep = (chunk: Buffer): void => {
      this.#log = (this.#log + chunk.toString('utf8')).slice(-LOG_CHARS_MAX);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    let running = true;
    this.#exited = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        running = false;
        children.delete(child);
        // Nobody asked for this end: say why, because the test itself will only see a refused connection.
        if (this.#child === child)
          process.stderr.write(`the server died (${code ?? signal}):\n${this.#log.slice(-4000)}\n`);
        this.#isRunning = false;
        resolve({ code, signal });
      });
    });
    this.#child = child;
    this.#isRunning = true;
    await this.#waitUntilReady(probe, () => running);
  }

  async #waitUntilReady(probe: string, isRunning: () => boolean): Promise<void> {
    const deadline = Date.now() + START_WITHIN_MS;
    while (Date.now() < deadline) {
      if (!isRunning()) throw new Error(`the server ended while starting:\n${this.#log}`);
      const status = await this.client.get(probe).then(
        (reply) => reply.status,
        () => 0,
      );
      if (status === 200) return;
      await sleep(POLL_EVERY_MS);
    }
    throw new Error(`the server was not ready in time:\n${this.#log}`);
  }

  /** SIGTERM, then waits for the end; SIGKILL when it does not come. */
  async stop(): Promise<ExitStatus> {
    return this.#end('SIGTERM');
  }

  /** kill -9, as a crash of the process would. */
  async kill(): Promise<ExitStatus> {
    return this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<ExitStatus> {
    const child = this.#child;
    if (child === null) return { code: null, signal: null };
    this.#child = null;
    this.client.close();
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    const status = await this.#exited;
    clearTimeout(late);
    return status;
  }

  /** Starts again when the process has died by itself, so that a property that kills it can be shrunk. */
  async revive(): Promise<void> {
    if (this.#isRunning) return;
    this.#child = null;
    await this.start();
  }

  /** Stops with SIGTERM and starts again on the same directory and port. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Stops and removes the data directory when this server made it. */
  async dispose(): Promise<void> {
    await this.stop();
    if (this.#ownsDataDir) await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A temporary directory for one server. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sabre-test-'));
}

/** Starts a server and waits until it serves, or until `probe` answers 200. The caller disposes of it. */
export async function startServer(options: ServerOptions = {}, probe = '/ready'): Promise<Server> {
  const dataDir = options.dataDir ?? (await makeDataDir());
  const server = new Server(await freePort(), dataDir, options.dataDir === undefined, options);
  await server.start(probe);
  return server;
}

export interface RunResult extends ExitStatus {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end, for flags that print or refuse. Killed after `withinMs`, which fails the caller. */
export async function runMain(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  withinMs = 20_000,
): Promise<RunResult> {
  const cwd = await makeDataDir();
  const child = spawn(process.execPath, [MAIN_FILE, ...args], {
    env: cleanEnvironment(env),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
  const status = await new Promise<ExitStatus>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  clearTimeout(late);
  children.delete(child);
  await rm(cwd, { recursive: true, force: true });
  return { ...status, stdout, stderr };
}
