/**
 * Measures a server that is asked for far more than it can: whether cheap requests still come through, memory stays
 * bounded, no write is lost, and how soon it is as before. `npm run perf:overload -- --help` lists the options.
 *
 * Three processes: the server, one that overloads it (overload-attack.ts), and one that measures (overload-probe.ts). On two
 * cores they share them, as a server would with its neighbours.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { Vocabulary } from '../bench/support/zipf.js';
import type { Attack, AttackReport } from './overload-attack.js';
import type { ProbeReport } from './overload-probe.js';
import { makeScratchFolder } from './process-end.js';
import { createRandom } from './random.js';
import { count, describeRun, mib, ms, table } from './report.js';
import { ServerProcess } from './server-process.js';

interface OverloadOptions {
  readonly documents: string;
  readonly seconds: string;
  readonly connections: string;
  readonly folder: string;
}

const BATCH_DOCUMENTS = 5000;
/** One answer of all of them is 225 MB. */
const HUGE_DOCUMENTS = 250;
const HUGE_DOCUMENT_BYTES = 900_000;
const DEAR_PATH = '/collections/titles/search?facet=brand,maker,tags&sort=price:asc&limit=1';
const PROBE_EVERY_MS = 10;
const SUSTAINED_SECONDS = 5;
const QUIET_SECONDS = 10;
/** How far beyond what is sustainable. */
const OVERLOAD = 10;
/** After the load, a probe of this length at a time, until one is as quick as before. */
const RECOVERY_STEP_MS = 250;
const RECOVERY_MS_MAX = 60_000;

async function send(url: string, method: string, path: string, body: string): Promise<string> {
  const response = await fetch(url + path, { method, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 200)}`);
  return text;
}

/** Makes and fills the collections; returns a word that few documents hold. */
async function fill(url: string, documents: number): Promise<string> {
  const fields = [
    { name: 'title', type: 'text' },
    ...['brand', 'maker', 'tags'].map((name) => ({ name, type: 'keyword', facet: true })),
    { name: 'price', type: 'int', sort: true },
  ];
  await send(url, 'POST', '/collections', JSON.stringify({ name: 'titles', fields }));
  await send(url, 'POST', '/collections', JSON.stringify({ name: 'huge', fields: [{ name: 'title', type: 'text' }] }));
  const vocabulary = new Vocabulary(50_000, 1);
  const random = createRandom(2);
  const word = vocabulary.text(random, 1);
  for (let done = 0; done < documents; done += BATCH_DOCUMENTS) {
    const batch = Array.from({ length: Math.min(BATCH_DOCUMENTS, documents - done) }, (_, index) => {
      const n = done + index;
      const number = Math.floor(random() * 1e6);
      const tags = [`t${number % 97}`, `t${number % 89}`];
      return {
        id: `${n}`,
        title: vocabulary.text(random, 8),
        brand: `b${n % 500}`,
        maker: `m${number % 20_000}`,
        tags,
        price: number,
      };
    });
    await send(url, 'POST', '/collections/titles/documents', JSON.stringify(batch));
  }
  const pad = 'x'.repeat(HUGE_DOCUMENT_BYTES);
  for (let n = 0; n < HUGE_DOCUMENTS; n += 25) {
    const batch = Array.from({ length: 25 }, (_, index) => ({ id: `${n + index}`, title: 'huge', pad }));
    await send(url, 'POST', '/collections/huge/documents', JSON.stringify(batch));
  }
  return word;
}

/** Dear queries a second that the server answers when two clients ask for nothing else. */
async function measureSustained(port: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const untilMs = performance.now() + SUSTAINED_SECONDS * 1000;
  let answered = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const request = http.get({ host: '127.0.0.1', port, path: DEAR_PATH, agent });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      await once(response, 'end');
      if (response.statusCode === 200) answered++;
    }
  };
  await Promise.all([ask(), ask()]);
  agent.destroy();
  return answered / SUSTAINED_SECONDS;
}

type ProbeReports = Readonly<Record<'fetch' | 'word' | 'health', ProbeReport>>;

async function report(probe: ChildProcess): Promise<ProbeReports> {
  probe.send('report');
  const [reports] = (await once(probe, 'message')) as [ProbeReports];
  return reports;
}

/** Writes one document after the other, and checks at the end that all that were acknowledged are there. */
class Writes {
  readonly #url: string;
  readonly acknowledged: number[] = [];
  refused = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(url: string) {
    this.#url = url;
    this.#done = this.#run();
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const body = JSON.stringify({ id: `w${n}`, title: 'written under load', price: n });
      try {
        await send(this.#url, 'POST', '/collections/titles/documents', body);
        this.acknowledged.push(n);
      } catch {
        this.refused++;
      }
    }
  }

  /** Returns how many acknowledged writes cannot be found. */
  async lost(): Promise<number> {
    this.#isOver = true;
    await this.#done;
    let lost = 0;
    for (const n of this.acknowledged) {
      const response = await fetch(`${this.#url}/collections/titles/documents/w${n}`);
      const { price } = (await response.json()) as { price?: number };
      if (price !== n) lost++;
    }
    return lost;
  }
}

/** Milliseconds until the probes are about as quick again as before; infinite when they are not within a minute. */
async function measureRecovery(probe: ChildProcess, quiet: ProbeReports): Promise<number> {
  const startMs = performance.now();
  await report(probe);
  for (;;) {
    await sleep(RECOVERY_STEP_MS);
    const now = await report(probe);
    const names = ['fetch', 'word', 'health'] as const;
    const isQuick = names.every((name) => {
      const { answered, failed, p99Ms } = now[name];
      return answered > 0 && failed === 0 && p99Ms <= 2 * quiet[name].p99Ms + 5;
    });
    const elapsedMs = performance.now() - startMs;
    if (isQuick) return elapsedMs;
    if (elapsedMs > RECOVERY_MS_MAX) return Number.POSITIVE_INFINITY;
  }
}

/** Prints what the probes saw; whether all of it is within its bounds. */
function printFigures(quiet: ProbeReports, loaded: ProbeReports): boolean {
  const bounds = { fetch: 50, word: 50, health: 20 };
  const names = { fetch: 'a document by id', word: 'a search for one word', health: '/health' };
  const keys = ['fetch', 'word', 'health'] as const;
  const holds = (key: (typeof keys)[number]): boolean => {
    const { answered, failed, p99Ms } = loaded[key];
    return answered > 0 && failed === 0 && p99Ms <= bounds[key];
  };
  const rows = keys.map((key) => [
    names[key],
    `${ms(quiet[key].p50Ms)} / ${ms(quiet[key].p99Ms)}`,
    `${ms(loaded[key].p50Ms)} / ${ms(loaded[key].p99Ms)} / ${ms(loaded[key].maxMs)}`,
    `${count(loaded[key].asked)} / ${count(loaded[key].failed)}`,
    `<= ${bounds[key]} ms`,
    holds(key) ? 'holds' : '**missed**',
  ]);
  const headings = [
    'request',
    'quiet p50 / p99, ms',
    'overloaded p50 / p99 / max, ms',
    'asked / failed',
    'p99 bound',
    '',
  ];
  process.stdout.write(`${table(headings, rows)}\n`);
  return keys.every(holds);
}

async function measure(options: OverloadOptions): Promise<void> {
  const folder = makeScratchFolder('sabre-overload-', resolve(options.folder));
  const server = await ServerProcess.start(join(folder, 'data'), join(folder, 'server.log'));
  const children: ChildProcess[] = [];
  const run = (script: string, args: readonly string[]): ChildProcess => {
    const child = fork(join(import.meta.dirname, script), args, { execArgv: ['--import', 'tsx'] });
    children.push(child);
    return child;
  };
  try {
    process.stdout.write(`${describeRun('perf:overload')}\n\n`);
    const word = await fill(server.url, Number(options.documents));
    await server.settle('titles');
    const sustained = await measureSustained(server.port);
    const paths = {
      fetch: '/collections/titles/documents/17',
      word: `/collections/titles/search?q=${word}&prefix=false&typo_tolerance=false`,
      health: '/health',
    };
    const probe = run('overload-probe.ts', [String(server.port), String(PROBE_EVERY_MS), JSON.stringify(paths)]);
    await sleep(3000);
    await report(probe);
    await sleep(QUIET_SECONDS * 1000);
    const quiet = await report(probe);
    const seconds = Number(options.seconds);
    const attack: Attack = {
      seconds,
      dearPath: DEAR_PATH,
      dearConnections: Number(options.connections),
      dearPerSecond: OVERLOAD * sustained,
      abandonedPerSecond: 20,
      hugePath: `/collections/huge/search?limit=${HUGE_DOCUMENTS}`,
      hugeClients: 40,
      uploadPath: '/collections/titles/documents',
      uploads: 4,
      uploadBytesPerSecond: 20_000,
    };
    const attacker = run('overload-attack.ts', [String(server.port), JSON.stringify(attack)]);
    const writes = new Writes(server.url);
    let peakBytes = 0;
    const watch = setInterval(() => {
      peakBytes = Math.max(peakBytes, server.memory('RssAnon'));
    }, 200);
    const [attacked] = (await once(attacker, 'message')) as [AttackReport];
    clearInterval(watch);
    const loaded = await report(probe);
    const recoveryMs = await measureRecovery(probe, quiet);
    const isServed = printFigures(quiet, loaded);
    const lost = await writes.lost();
    if (!isServed || lost > 0 || recoveryMs === Number.POSITIVE_INFINITY) process.exitCode = 1;
    const facts = [
      [
        'dear queries a second that the server sustains / was asked for',
        `${ms(sustained)} / ${ms(attacked.dearAsked / seconds)}`,
      ],
      ['their answers by status', JSON.stringify(attacked.dearAnswers)],
      ['queries abandoned / bytes of huge answers taken', `${count(attacked.abandoned)} / ${mib(attacked.hugeBytes)}`],
      ['slow uploads that were ended', count(attacked.uploadsEnded)],
      ['largest anonymous memory', mib(peakBytes)],
      ['until as quick as before', `${ms(recoveryMs)} ms`],
      [
        'writes acknowledged / refused / lost',
        `${count(writes.acknowledged.length)} / ${count(writes.refused)} / ${count(lost)}`,
      ],
    ];
    process.stdout.write(`${table(['', ''], facts)}\n`);
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
    const stopMs = performance.now();
    const status = await server.stop();
    if (status !== 0) process.exitCode = 1;
    process.stdout.write(`stopped with ${status} after ${ms(performance.now() - stopMs)} ms\n`);
    rmSync(folder, { recursive: true });
  }
}

const program = new Command('perf:overload')
  .description('measure a server that is asked for far more than it can')
  .addHelpText(
    'after',
    '\nExit status: 0, or 1 after an error, a missed bound, a write that was lost, and when it does not recover.',
  )
  .option('--documents <count>', 'documents of the collection that is asked', '300000')
  .option('--seconds <count>', 'how long it is overloaded', '30')
  .option('--connections <count>', 'connections that ask dear queries', '900')
  .option('--folder <path>', 'where its files lie meanwhile', tmpdir());
await measure(program.parse().opts<OverloadOptions>());
