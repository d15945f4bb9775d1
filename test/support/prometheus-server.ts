/**
 * Debian's Prometheus as a child process: started with a configuration in a folder of its own, asked over its HTTP interface,
 * stopped and removed at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programPath } from './needed-program.js';
import { freePort } from './server.js';

const START_WITHIN_MS = 60_000;

/** A series of an answer with its latest value. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [atS: number, value: string];
}

interface Answer<Data> {
  readonly status: string;
  readonly error?: string;
  readonly data: Data;
}

export interface RuleGroup {
  readonly rules: readonly {
    readonly name: string;
    readonly health: string;
    readonly query: string;
    readonly state: string;
  }[];
}

export class PrometheusServer {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #folder: string;
  #log = '';

  private constructor(child: ChildProcess, url: string, folder: string) {
    this.#child = child;
    this.#url = url;
    this.#folder = folder;
    const keep = (chunk: Buffer): void => {
      this.#log = (this.#log + chunk.toString('utf8')).slice(-20_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  /** Starts one with `files`, of which prometheus.yml is its configuration. */
  static async start(files: Readonly<Record<string, string>>): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), 'sabre-prometheus-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const address = `127.0.0.1:${await freePort()}`;
    const args = [
      '--config.file=prometheus.yml',
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ];
    const child = spawn(programPath('prometheus'), args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    process.on('exit', () => child.kill('SIGKILL'));
    const server = new PrometheusServer(child, `http://${address}`, folder);
    try {
      await server.#untilReady();
    } catch (error) {
      await server.dispose();
      throw error;
    }
    return server;
  }

  async #untilReady(): Promise<void> {
    const deadline = Date.now() + START_WITHIN_MS;
    while (Date.now() < deadline && this.#child.exitCode === null) {
      const isReady = await fetch(`${this.#url}/-/ready`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isReady) return;
      await sleep(50);
    }
    throw new Error(`prometheus did not start:\n${this.#log}`);
  }

  async #get<Data>(path: string): Promise<Data> {
    const answer = (await (await fetch(this.#url + path)).json()) as Answer<Data>;
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  }

  /** What `query` yields now. Throws where it does not parse or cannot be evaluated. */
  async query(query: string): Promise<readonly Series[]> {
    const path = `/api/v1/query?${new URLSearchParams({ query })}`;
    return (await this.#get<{ result: readonly Series[] }>(path)).result;
  }

  async ruleGroups(): Promise<readonly RuleGroup[]> {
    return (await this.#get<{ groups: readonly RuleGroup[] }>('/api/v1/rules')).groups;
  }

  /** Ends it and removes its folder. */
  async dispose(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => this.#child.on('close', resolve));
      this.#child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
