/**
 * Measures what lies between the socket and the engine: requests a second of cheap requests, as shares of what a bare app of
 * the HTTP library answers in the same run. All are measured in turn, round by round, so that a machine that is faster or
 * slower for a while is so for all. `npm run perf:toll -- --help` lists the options.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { importFile } from '../src/cli/import.js';
import { nodeArguments } from '../test/support/project.js';
import { dataOption } from './data-folder.js';
import { measureThroughput } from './measure-throughput.js';
import { endWithUs, makeScratchFolder } from './process-end.js';
import { count, describeRun, table, writeReport } from './report.js';
import { CORPORA, type Corpus } from './schemas.js';
import { post, SERVER_FILE, ServerProcess } from './server-process.js';
import { wordsOf } from './vocabulary.js';

interface TollOptions {
  readonly data: string;
  readonly server: string;
  readonly base?: string;
  readonly folder?: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: string;
  readonly flags: string;
  readonly kinds: string;
  readonly markdown?: string;
}

/** Requests of one kind to one process. */
interface Contestant {
  readonly name: string;
  readonly url: string;
  readonly paths: readonly string[];
}

const CORPUS = CORPORA[0] as Corpus;
const TEXT_FIELD = 'title';
const WORDS_OF_A_KIND = 200;
/** Documents that hold a rare word, at most. */
const RARE_DOCUMENTS_MAX = 8;
/** The most frequent words of all are passed over: nobody asks for them alone. */
const FREQUENT_FROM = 20;
const IDS_STEP = 997;
const BARE = 'bare app';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

/** What is asked for: words by how many documents hold them, and ids. */
interface Subjects {
  readonly rare: readonly string[];
  readonly frequent: readonly string[];
  readonly ids: readonly string[];
}

async function readSubjects(file: string): Promise<Subjects> {
  const frequencies = new Map<string, number>();
  const ids: string[] = [];
  let documents = 0;
  for await (const batch of new DocumentFile(file).batches({ documents: 5000, bytes: 1 << 23 })) {
    for (const line of splitLines(batch.body)) {
      const document = JSON.parse(line.toString()) as Record<string, unknown>;
      if (documents++ % IDS_STEP === 0) ids.push(String(document['id']));
      for (const word of new Set(wordsOf(String(document[TEXT_FIELD] ?? ''))))
        frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    }
  }
  const words = [...frequencies].sort(([, a], [, b]) => b - a).map(([word]) => word);
  const all = words.filter((word) => (frequencies.get(word) ?? 0) <= RARE_DOCUMENTS_MAX);
  const rare = all.filter((_, index) => index % Math.ceil(all.length / WORDS_OF_A_KIND) === 0);
  return { rare, frequent: words.slice(FREQUENT_FROM, FREQUENT_FROM + WORDS_OF_A_KIND), ids };
}

/** The requests of each kind. */
function createKinds({ rare, frequent, ids }: Subjects): Record<string, readonly string[]> {
  const search = (more: string) => (word: string) =>
    `/collections/${CORPUS.name}/search?q=${encodeURIComponent(word)}${more}`;
  const exact = '&prefix=false&typo_tolerance=false';
  return {
    '/health': ['/health'],
    'fetch by id': ids.map((id) => `/collections/${CORPUS.name}/documents/${encodeURIComponent(id)}`),
    'rare word, exact': rare.map(search(exact)),
    'rare word, default': rare.map(search('')),
    'frequent word, exact': frequent.map(search(exact)),
    'frequent word, exact, bm25': frequent.map(search(`${exact}&ranking=bm25`)),
  };
}

/** Makes the collection in `dataFolder` with `serverFile`, and a snapshot of it. */
async function load(dataFolder: string, logFile: string, serverFile: string, file: string): Promise<void> {
  const server = await ServerProcess.start(dataFolder, logFile, [], serverFile);
  try {
    const body = JSON.stringify({ name: CORPUS.name, fields: CORPUS.fields });
    const response = await fetch(`${server.url}/collections`, { method: 'POST', body });
    if (!response.ok) throw new Error(`creating ${CORPUS.name} was answered ${response.status}`);
    await importFile(file, { url: server.url, collection: CORPUS.name, batchDocs: 10_000, concurrency: 1 });
    await server.settle(CORPUS.name);
    const { status } = await post(server.port, '/snapshot');
    if (status !== 200) throw new Error(`the snapshot was answered ${status}`);
  } finally {
    await server.stop();
  }
}

/** Starts the bare app; its process and its address. */
async function startBareApp(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, nodeArguments('perf/bare-app'), { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: `http://127.0.0.1:${line.toString().trim()}` };
}

/** Rates of each contestant at `connections`, round by round. */
async function measure(
  contestants: readonly Contestant[],
  connections: number,
  { rounds, seconds }: TollOptions,
  folder: string,
): Promise<number[][]> {
  const rates: number[][] = contestants.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { name, url, paths }] of contestants.entries()) {
      const row = await measureThroughput(url, name, paths, connections, seconds, folder);
      if (row.errors > 0) throw new Error(`${name}: ${row.errors} errors`);
      // The first round warms everything up.
      if (round > 0) rates[index].push(row.requestsPerSecond);
    }
  }
  return rates;
}

/** Each kind's rate, its share of the bare app's in the same round, and of `base` in the same round. */
function render(contestants: readonly Contestant[], connections: number, rates: readonly number[][]): string {
  const rows = contestants.map(({ name }, index) => {
    const share = (of: readonly number[]): string =>
      `${(100 * medianOf(rates[index].map((rate, round) => rate / of[round]))).toFixed(0)} %`;
    const base = contestants.findIndex((other) => other.name === `base: ${name}`);
    return [name, count(medianOf(rates[index])), share(rates[0]), base < 0 ? '' : share(rates[base])];
  });
  return `${connections} connections\n\n${table(['request', 'per second', 'of the bare app', 'of the base'], rows)}`;
}

async function run(options: TollOptions): Promise<void> {
  const folder = makeScratchFolder('sabre-toll-');
  const file = join(options.data, CORPUS.files[0] as string);
  const servers: ServerProcess[] = [];
  const bare = await startBareApp();
  try {
    const kinds = Object.entries(createKinds(await readSubjects(file)));
    const dataFolder = options.folder ?? join(folder, 'data');
    if (!existsSync(dataFolder)) await load(dataFolder, join(folder, 'load.log'), options.base ?? options.server, file);
    const contestants: Contestant[] = [{ name: BARE, url: bare.url, paths: ['/'] }];
    const enter = async (prefix: string, serverFile: string): Promise<void> => {
      const copy = join(folder, `data-${servers.length}`);
      cpSync(dataFolder, copy, { recursive: true });
      const flags = options.flags === '' ? [] : options.flags.split(' ');
      const server = await ServerProcess.start(copy, join(folder, 'server.log'), flags, serverFile);
      servers.push(server);
      say(`${serverFile}: ${await server.settle(CORPUS.name)} segments`);
      for (const [name, paths] of kinds)
        if (name.includes(options.kinds)) contestants.push({ name: prefix + name, url: server.url, paths });
    };
    await enter('', options.server);
    if (options.base !== undefined) await enter('base: ', options.base);
    const parts = [describeRun('perf:toll')];
    for (const connections of options.connections.split(',').map(Number))
      parts.push(render(contestants, connections, await measure(contestants, connections, options, folder)));
    const report = parts.join('\n\n');
    process.stdout.write(`${report}\n`);
    if (options.markdown !== undefined) writeReport(options.markdown, report, 'toll');
  } finally {
    bare.child.kill();
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const program = new Command('perf:toll')
  .description('measure cheap requests as shares of what a bare app of the HTTP library answers')
  .addOption(dataOption())
  .option('--server <file>', 'the build that is measured', SERVER_FILE)
  .option('--base <file>', "another build's dist/server/main.js, measured in turn with it")
  .option('--folder <folder>', 'data folder of the collection, kept for other runs: filled when it is not there')
  .option('--rounds <count>', 'rounds that count, after one that does not', Number, 3)
  .option('--seconds <seconds>', 'whole ones, of one measurement', Number, 2)
  .option('--connections <counts>', 'with commas between', '1,64')
  .option('--kinds <text>', 'only the kinds of requests with that in their name', '')
  .option('--flags <flags>', 'further flags of the servers', '')
  .option('--markdown <file>', 'write the tables there too, between its toll markers if it has them')
  .action(async (options: TollOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf:toll: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
