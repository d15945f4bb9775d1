/**
 * Measures what a collection costs that holds next to nothing, by making thousands of them: memory, starts, snapshots, and
 * the list of all. `npm run perf:collections -- --help` lists the options.
 *
 * One run: create and fill them, query each, kill the server and start it from the log, snapshot, write to each once more,
 * stop (which writes a last snapshot), start from that, query each again.
 */
import { rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { type ListFigures, measureList } from './measure-list.js';
import { makeScratchFolder } from './process-end.js';
import { count, mib } from './report.js';
import { post, ServerProcess } from './server-process.js';

interface CollectionOptions {
  readonly collections: string;
  readonly fields: string;
  readonly documents: string;
  readonly connections: string;
  readonly readers: string;
  readonly folder: string;
}

/** Neither size nor age of the log brings a snapshot that was not asked for. */
const QUIET_FLAGS = ['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '0'];
const FIELD_TYPES = ['text', 'keyword', 'int', 'float', 'bool', 'date'] as const;
const VALUES = ['"a quick brown fox"', '"red"', '7', '1.5', 'true', '"2024-01-01"'];

function schemaOf(name: string, fieldCount: number): string {
  const fields = Array.from({ length: fieldCount }, (_, index) => {
    const type = FIELD_TYPES[index % FIELD_TYPES.length];
    return type === 'text' ? { name: `f${index}`, type } : { name: `f${index}`, type, facet: true };
  });
  return JSON.stringify({ name, fields });
}

function documentOf(id: number, fieldCount: number): string {
  const values = Array.from({ length: fieldCount }, (_, index) => `"f${index}":${VALUES[index % VALUES.length]}`);
  return `{"id":"${id}",${values.join(',')}}`;
}

const nameOf = (n: number): string => `collection${n}`;

/** What a run measures: one line each. */
type Note = (what: string, value: string) => void;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

class Run {
  readonly #collections: number;
  readonly #fields: number;
  readonly #connections: number;
  readonly #readers: number;
  readonly #agent: http.Agent;
  readonly #note: Note;

  constructor(options: CollectionOptions, note: Note) {
    this.#collections = Number(options.collections);
    this.#fields = Number(options.fields);
    this.#connections = Number(options.connections);
    this.#readers = Number(options.readers);
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: this.#connections });
    this.#note = note;
  }

  async start(folder: string): Promise<ServerProcess> {
    const flags = [...QUIET_FLAGS, '--reader-threads', String(this.#readers)];
    return ServerProcess.start(join(folder, 'data'), join(folder, 'server.log'), flags);
  }

  async create({ port }: ServerProcess): Promise<void> {
    const ms = await this.#each((n) => this.#send(port, '/collections', schemaOf(nameOf(n), this.#fields), 201));
    this.#note('collections created', `${count((1000 * this.#collections) / ms)}/s`);
  }

  /** Writes one document to each collection. */
  async write({ port }: ServerProcess, id: number): Promise<void> {
    const body = documentOf(id, this.#fields);
    const ms = await this.#each((n) => this.#send(port, `/collections/${nameOf(n)}/documents`, body, 200));
    this.#note('documents written, one to each', `${count((1000 * this.#collections) / ms)}/s`);
  }

  /** Queries each collection until each reader has had it, as far as chance allows: once with one reader. */
  async query({ port }: ServerProcess): Promise<void> {
    const times = this.#readers === 1 ? 1 : 4 * this.#readers;
    const ms = await this.#each(async (n) => {
      const path = `/collections/${nameOf(n)}/search?q=fox&query_by=f0`;
      await Promise.all(Array.from({ length: times }, () => this.#send(port, path, null, 200)));
    });
    this.#note('searches, in each collection', `${count((1000 * times * this.#collections) / ms)}/s`);
  }

  /** `before`: resident bytes of the empty server. */
  noteMemory(server: ServerProcess, when: string, before: number): void {
    const rss = server.memory('VmRSS');
    const each = (rss - before) / this.#collections / 1024;
    this.#note(`RSS ${when}`, `${mib(rss)}, ${each.toFixed(1)} KiB a collection`);
  }

  async snapshot({ port }: ServerProcess): Promise<void> {
    const startMs = performance.now();
    const { status, body } = await post(port, '/snapshot');
    if (status !== 200) throw new Error(`POST /snapshot was answered ${status}: ${body}`);
    const { files_written, bytes_written } = JSON.parse(body) as { files_written: number; bytes_written: number };
    const what = `${count(files_written)} files, ${mib(bytes_written)}`;
    this.#note('snapshot', `${seconds(performance.now() - startMs)}, ${what}`);
  }

  async list({ port }: ServerProcess): Promise<void> {
    const { ms, bytes, quietMaxMs, busyMaxMs }: ListFigures = await measureList(port, this.#collections);
    const held = `/health meanwhile at most ${busyMaxMs.toFixed(1)} ms, quiet ${quietMaxMs.toFixed(1)} ms`;
    this.#note('GET /collections', `${ms.toFixed(0)} ms, ${mib(bytes)}; ${held}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Does `work` for each collection, some at a time; returns the milliseconds it took. */
  async #each(work: (n: number) => Promise<void>): Promise<number> {
    const startMs = performance.now();
    let next = 0;
    const keepBusy = async (): Promise<void> => {
      while (next < this.#collections) await work(next++);
    };
    await Promise.all(Array.from({ length: this.#connections }, keepBusy));
    return performance.now() - startMs;
  }

  /** POSTs `body`, or GETs without one; throws when the answer is not `expected`. */
  #send(port: number, path: string, body: string | null, expected: number): Promise<void> {
    return new Promise((settle, reject) => {
      const method = body === null ? 'GET' : 'POST';
      const headers = body === null ? {} : { 'content-type': 'application/json', 'content-length': body.length };
      const options = { method, host: '127.0.0.1', port, path, agent: this.#agent, headers };
      const request = http.request(options, (response) => {
        response.resume();
        const { statusCode } = response;
        response.on('end', () => {
          if (statusCode === expected) settle();
          else reject(new Error(`${method} ${path}: expected ${expected}, got ${statusCode}`));
        });
      });
      request.on('error', reject);
      request.end(body ?? undefined);
    });
  }
}

async function measure(options: CollectionOptions, folder: string): Promise<void> {
  const note: Note = (what, value) => void process.stdout.write(`${what}: ${value}\n`);
  const run = new Run(options, note);
  let server = await run.start(folder);
  try {
    const empty = server.memory('VmRSS');
    note('empty server', mib(empty));
    await run.create(server);
    for (let id = 0; id < Number(options.documents); id++) await run.write(server, id);
    run.noteMemory(server, 'after creation', empty);
    await run.query(server);
    run.noteMemory(server, 'and a search in each', empty);
    await server.kill();
    server = await run.start(folder);
    note('start from the log', seconds(server.startMs));
    run.noteMemory(server, 'after it', empty);
    await run.list(server);
    await run.snapshot(server);
    run.noteMemory(server, 'after the snapshot', empty);
    await run.write(server, Number(options.documents));
    const stopMs = performance.now();
    await server.stop();
    note('stop, which writes a snapshot', seconds(performance.now() - stopMs));
    server = await run.start(folder);
    note('start from the snapshot', seconds(server.startMs));
    note('log replayed by it', mib(await server.metric('sabre_wal_bytes')));
    run.noteMemory(server, 'after it', empty);
    await run.query(server);
    run.noteMemory(server, 'and a search in each', empty);
  } finally {
    run.close();
    await server.kill();
  }
}

const program = new Command('perf:collections')
  .description('measure what thousands of collections of next to nothing cost the built server')
  .option('--collections <count>', 'how many', '4096')
  .option('--fields <count>', 'of each', '20')
  .option('--documents <count>', 'of each, written one by one: as many segments, up to ten', '1')
  .option('--connections <count>', 'over which they are made and queried', '16')
  .option('--readers <count>', 'reader threads of the server', '1')
  .option('--folder <folder>', 'where the data lie: on the disk that is to be measured', tmpdir())
  .action(async (options: CollectionOptions) => {
    const folder = makeScratchFolder('sabre-collections-', resolve(options.folder));
    try {
      await measure(options, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
await program.parseAsync();
