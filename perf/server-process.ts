/**
 * Starts the built server on a free port and a temporary folder, watches it from outside, and stops it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '../test/support/project.js';
import { endWithUs } from './process-end.js';
import { processorSeconds } from './processor-time.js';

const READY_POLL_MS = 20;
const READY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const SETTLE_MS_MAX = 120_000;
/** Merges that wait for a rest begin before this is over. */
export const REST_MS = 3500;

/** What `sabre` runs: the server's modules bundled. */
export const SERVER_FILE = join(PROJECT_ROOT, 'dist', 'server', 'main.js');

/** The environment without this product's variables, which would change what is measured. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SABRE_')));
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

function send(method: 'GET' | 'POST', port: number, path: string, agent?: http.Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { method, host: '127.0.0.1', port, path, ...(agent === undefined ? {} : { agent }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      },
    );
    request.on('error', reject);
    request.end();
  });
}

/** GET `path` from the server on `port`. Errors: those of the connection. */
export const get = (port: number, path: string, agent?: http.Agent): Promise<Answer> => send('GET', port, path, agent);

/** POST `path`, without a body. Errors: those of the connection. */
export const post = (port: number, path: string): Promise<Answer> => send('POST', port, path);

export class ServerProcess {
  readonly port: number;
  /** When it was started, on the clock of performance.now(). */
  readonly startedAtMs: number;
  /** From start to the first answer that says it serves. */
  readonly startMs: number;
  /** When the last merge ended that settle() has seen, or that began. */
  mergedAtMs = 0;
  readonly #child: ChildProcess;

  private constructor(port: number, startedAtMs: number, child: ChildProcess) {
    this.port = port;
    this.startedAtMs = startedAtMs;
    this.startMs = performance.now() - startedAtMs;
    this.#child = child;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Starts a server on `dataFolder`, its output going to `logFile`; `flags` win over what is set here. `serverFile` is
   * another build's. Throws with the end of that output when it fails.
   */
  static async start(
    dataFolder: string,
    logFile: string,
    flags: readonly string[] = [],
    serverFile = SERVER_FILE,
  ): Promise<ServerProcess> {
    if (!existsSync(serverFile)) throw new Error(`${serverFile} is missing: run "npm run build" first`);
    const port = await findFreePort();
    const log = openSync(logFile, 'a');
    const startedMs = performance.now();
    const parameters = [serverFile, '--listen', `127.0.0.1:${port}`, '--data-dir', dataFolder, '--log-level', 'warn'];
    parameters.push(...flags);
    const child = spawn(process.execPath, parameters, { stdio: ['ignore', log, log], env: cleanEnvironment() });
    closeSync(log);
    endWithUs(child);
    while (performance.now() - startedMs < READY_TIMEOUT_MS) {
      if (child.exitCode !== null || child.signalCode !== null) break;
      const answer = await get(port, '/ready').catch(() => null);
      if (answer?.status === 200) return new ServerProcess(port, startedMs, child);
      await sleep(READY_POLL_MS);
    }
    child.kill('SIGKILL');
    throw new Error(`the server did not start; its last words:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
  }

  /** Seconds that its threads have kept a processor busy. */
  processorSeconds(): number {
    return processorSeconds(Number(this.#child.pid));
  }

  /** Resident memory in bytes, from /proc. `RssAnon` alone leaves out mapped files. */
  memory(field: 'VmRSS' | 'VmHWM' | 'RssAnon' | 'RssFile'): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return 1024 * Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  }

  /** Sum over the labels of each metric, read at one moment; 0 when there is none. */
  async metrics<Name extends string>(...names: readonly Name[]): Promise<Record<Name, number>> {
    const { body } = await get(this.port, '/metrics');
    const lines = body.split('\n');
    const sumOf = (name: Name): number =>
      lines
        .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    return Object.fromEntries(names.map((name) => [name, sumOf(name)])) as Record<Name, number>;
  }

  /** Sum over the labels of a metric; 0 when there is none. */
  async metric(name: string): Promise<number> {
    return (await this.metrics(name))[name];
  }

  /** Waits, two minutes at most, until no merge has run for longer than those at rest let wait; returns the number of segments. */
  async settle(collection: string): Promise<number> {
    const untilMs = performance.now() + SETTLE_MS_MAX;
    let merges = -1;
    this.mergedAtMs = performance.now();
    for (; performance.now() < Math.min(this.mergedAtMs + REST_MS, untilMs); await sleep(250)) {
      const read = await this.metrics('sabre_merge_running', 'sabre_merges_total');
      if (read.sabre_merge_running === 0 && read.sabre_merges_total === merges) continue;
      merges = read.sabre_merges_total;
      this.mergedAtMs = performance.now();
    }
    return this.segments(collection);
  }

  async documents(collection: string): Promise<number> {
    return (await this.#view(collection)).num_documents;
  }

  async segments(collection: string): Promise<number> {
    return (await this.#view(collection)).num_segments;
  }

  async #view(collection: string): Promise<{ readonly num_documents: number; readonly num_segments: number }> {
    const { status, body } = await get(this.port, `/collections/${collection}`);
    if (status !== 200) throw new Error(`GET /collections/${collection} was answered ${status}: ${body}`);
    return JSON.parse(body) as { num_documents: number; num_segments: number };
  }

  /** Asks it to end, and returns how it did: its exit status, or the signal. */
  async stop(): Promise<number | string | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const [code, signal] = await exited;
    clearTimeout(timer);
    return code ?? signal;
  }

  /** Ends it at once, as a crash would; does nothing to one that has ended. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
