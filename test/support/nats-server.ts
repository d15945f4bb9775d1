/**
 * NATS servers for tests: one, or three that are a cluster, each with JetStream in a folder of its own. The program is the one that
 * `.ci/nats-server` builds; a machine without Go skips the tests, loudly.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from './project.js';

const START_MS = 15_000;

function findServer(): { readonly path: string } | { readonly reason: string } {
  const { status, stdout, stderr } = spawnSync(join(PROJECT_ROOT, '.ci/nats-server'), { encoding: 'utf8' });
  if (status === 0) return { path: stdout.trim() };
  return { reason: `NOT INSTALLED: nats-server (.ci/nats-server: ${stderr.trim().split('\n').at(-1) ?? ''})` };
}

const found = findServer();

/** What `test` takes as options: nothing where nats-server is there, else the reason to skip. */
export function needingNats(): { readonly skip?: string } {
  if ('path' in found) return {};
  process.stderr.write(`\n!!!! SKIPPED: ${found.reason}\n\n`);
  return { skip: found.reason };
}

/** The path of the program, for a test that has said it needs it. Throws where it is not there. */
export function natsServerPath(): string {
  if ('path' in found) return found.path;
  throw new Error(found.reason);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            resolve(typeof address === 'object' && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Whether somebody listens at `port`. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

interface ServerPlace {
  readonly port: number;
  readonly configuration: string;
  process: ChildProcess | null;
}

export interface NatsOptions {
  readonly servers?: 1 | 3;
  readonly maxPayload?: string;
  /** Further lines of the configuration of each. */
  readonly extra?: string;
}

export class NatsServers {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sabre-nats-'));
  readonly #places: ServerPlace[] = [];

  private constructor() {}

  /** Starts them; resolves when each takes connections and, of three, all know each other. */
  static async start({ servers = 1, maxPayload = '8MB', extra = '' }: NatsOptions = {}): Promise<NatsServers> {
    const made = new NatsServers();
    const ports = await freePorts(2 * servers);
    const routes = ports.slice(servers).map((port) => `nats://127.0.0.1:${port}`);
    for (let i = 0; i < servers; i++) {
      const configuration = join(made.#folder, `${i}.conf`);
      const cluster = `cluster { name: test, listen: "127.0.0.1:${ports[servers + i]}", routes: [${routes.join(', ')}] }`;
      writeFileSync(
        configuration,
        [
          `listen: "127.0.0.1:${ports[i]}"`,
          `server_name: n${i}`,
          `max_payload: ${maxPayload}`,
          `jetstream { store_dir: "${join(made.#folder, String(i))}", sync_interval: always }`,
          servers === 1 ? '' : cluster,
          extra,
        ].join('\n'),
      );
      made.#places.push({ port: ports[i] ?? 0, configuration, process: null });
    }
    await Promise.all(made.#places.map((_, i) => made.restart(i)));
    return made;
  }

  get urls(): string[] {
    return this.#places.map(({ port }) => `nats://127.0.0.1:${port}`);
  }

  /** Starts the server `index`, which does not run. */
  async restart(index: number): Promise<void> {
    const place = this.#placeOf(index);
    place.process = spawn(natsServerPath(), ['-c', place.configuration], {
      stdio: process.env['NATS_LOG'] === undefined ? 'ignore' : 'inherit',
    });
    const until = Date.now() + START_MS;
    while (!(await listens(place.port))) {
      if (Date.now() > until) throw new Error(`nats-server ${index} does not listen`);
      await sleep(20);
    }
  }

  /** Gives the server `index`, which runs, another line `extra` in its configuration. */
  reconfigure(index: number, extra: string): void {
    const { configuration, process: running } = this.#placeOf(index);
    const lines = readFileSync(configuration, 'utf8').split('\n');
    writeFileSync(configuration, [...lines.slice(0, -1), extra].join('\n'));
    running?.kill('SIGHUP');
  }

  /** Ends the server `index` as a lost machine would. */
  async kill(index: number): Promise<void> {
    const place = this.#placeOf(index);
    const { process: running } = place;
    if (running === null) return;
    place.process = null;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  /** Copies what the server `index`, which does not run, has stored; what puts it back, while it does not run again. */
  copyStore(index: number): () => void {
    const store = join(this.#folder, String(index));
    const copy = `${store}-copy`;
    cpSync(store, copy, { recursive: true });
    return () => {
      rmSync(store, { recursive: true });
      cpSync(copy, store, { recursive: true });
    };
  }

  /** Has the server `index` stand still, or go on. */
  freeze(index: number, isFrozen: boolean): void {
    this.#placeOf(index).process?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  async close(): Promise<void> {
    await Promise.all(this.#places.map((_, i) => this.kill(i)));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #placeOf(index: number): ServerPlace {
    const place = this.#places[index];
    if (place === undefined) throw new Error(`there is no server ${index}`);
    return place;
  }
}
