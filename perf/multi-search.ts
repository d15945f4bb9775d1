/**
 * Measures what asking five searches at once costs beside asking the longest of them alone. Every set is asked as five GETs, as five
 * POSTs, at once, and at once with its first search five times, in turn and on one connection, round by round; of each request the
 * median of the rounds counts. `npm run perf:multi -- --help` lists the options.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { checkPresent, dataOption, filesOf } from './data-folder.js';
import { loadCollection } from './load-collection.js';
import { percentile } from './measure-latency.js';
import { OneConnection, requestBytes, type TimedAnswer } from './one-connection.js';
import { makeScratchFolder } from './process-end.js';
import { count, describeRun, table, writeReport } from './report.js';
import { CORPORA, type Corpus } from './schemas.js';
import { createSets, type SearchParameters, type SetKind } from './search-sets.js';
import { SERVER_FILE, ServerProcess } from './server-process.js';
import { readVocabulary } from './vocabulary.js';

interface MultiOptions {
  readonly data: string;
  readonly server: string;
  readonly folder?: string;
  readonly files: number;
  readonly count: number;
  readonly rounds: number;
  readonly warmUp: number;
  readonly pauseMs: number;
  readonly kind: string;
  readonly flags: string;
  readonly markdown?: string;
}

const CORPUS = CORPORA[0] as Corpus;
/** How a set is asked. */
const WAYS = ['GET', 'POST', 'at once', 'equal'] as const;
type Way = (typeof WAYS)[number];

/** Times of a set in microseconds, medians of the rounds: of each of its requests asked that way. */
type SetTimes = Readonly<Record<Way, readonly Record<'clientUs' | 'serverUs', number>[]>>;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const sortedOf = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
const medianOf = (values: readonly number[]): number => percentile(sortedOf(values), 0.5);

/** The requests of a set by how it is asked. */
function requestsOf(set: readonly SearchParameters[]): Record<Way, Buffer[]> {
  const path = `/collections/${CORPUS.name}/search`;
  const queryOf = (search: SearchParameters): string =>
    new URLSearchParams(
      Object.entries(search).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
  const together = (searches: readonly SearchParameters[]): Buffer[] => [
    requestBytes('POST', '/multi-search', {
      searches: searches.map((search) => ({ collection: CORPUS.name, ...search })),
    }),
  ];
  return {
    GET: set.map((search) => requestBytes('GET', `${path}?${queryOf(search)}`)),
    POST: set.map((search) => requestBytes('POST', path, search)),
    'at once': together(set),
    equal: together(set.map(() => set[0] as SearchParameters)),
  };
}

/** Asks `sets` in turn, each in every way, `rounds` times and before that `warmUp` times that do not count. */
async function measureSets(
  connection: OneConnection,
  sets: readonly (readonly SearchParameters[])[],
  { rounds, warmUp, pauseMs }: MultiOptions,
): Promise<SetTimes[]> {
  const all = sets.map(requestsOf);
  const taken = new Map<Buffer, TimedAnswer[]>();
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, requests] of all.entries()) {
      for (let turn = 0; turn < WAYS.length; turn++) {
        // Who comes first changes: none finds the caches warmer.
        for (const request of requests[WAYS[(turn + index + round + warmUp) % WAYS.length] as Way]) {
          if (pauseMs > 0) await sleep(pauseMs);
          const timed = await connection.ask(request);
          if (round >= 0) taken.set(request, [...(taken.get(request) ?? []), timed]);
        }
      }
    }
  }
  const timesOf = (request: Buffer) => {
    const answers = taken.get(request) ?? [];
    const clientUs = medianOf(answers.map((answer) => answer.clientUs));
    return { clientUs, serverUs: medianOf(answers.map((answer) => answer.serverUs)) };
  };
  return all.map((requests) => {
    const [get, post, atOnce, equal] = WAYS.map((way) => requests[way].map(timesOf));
    return { GET: get, POST: post, 'at once': atOnce, equal };
  });
}

const HEADINGS = [
  'five searches, us',
  'longest GET alone',
  'longest POST alone',
  'the five one by one',
  'at once',
  'of the longest GET',
  'of the longest POST',
  'of the five',
  'first alone',
  'five times the first',
  'of the first',
];

/** A row of p50 (p95) over all sets. Ratios are those of the sets, not of the columns. */
function rowOf(name: string, sets: readonly SetTimes[], side: 'clientUs' | 'serverUs'): string[] {
  const cell = (figure: (set: SetTimes) => number, show: (value: number) => string): string => {
    const values = sortedOf(sets.map(figure));
    return `${show(percentile(values, 0.5))} (${show(percentile(values, 0.95))})`;
  };
  const ratio = (value: number): string => value.toFixed(2);
  const longest = (way: Way) => (set: SetTimes) => Math.max(...set[way].map((times) => times[side]));
  const sum = (set: SetTimes): number => set.POST.reduce((total, times) => total + times[side], 0);
  const first = (way: Way) => (set: SetTimes) => set[way][0]?.[side] ?? Number.NaN;
  const atOnce = first('at once');
  return [
    name,
    cell(longest('GET'), count),
    cell(longest('POST'), count),
    cell(sum, count),
    cell(atOnce, count),
    cell((set) => atOnce(set) / longest('GET')(set), ratio),
    cell((set) => atOnce(set) / longest('POST')(set), ratio),
    cell((set) => atOnce(set) / sum(set), ratio),
    cell(first('POST'), count),
    cell(first('equal'), count),
    cell((set) => first('equal')(set) / first('POST')(set), ratio),
  ];
}

/** The times of all sets of each kind on the server at `port`. */
async function measureKinds(port: number, kinds: readonly SetKind[], options: MultiOptions): Promise<SetTimes[][]> {
  const connection = await OneConnection.open(port);
  const measured: SetTimes[][] = [];
  for (const { sets } of kinds) measured.push(await measureSets(connection, sets, options));
  connection.close();
  return measured;
}

function render(kinds: readonly SetKind[], measured: readonly SetTimes[][]): string {
  const rows = (side: 'clientUs' | 'serverUs'): string[][] =>
    kinds.map(({ name }, index) => rowOf(name, measured[index] ?? [], side));
  const parts = ['Seen from the client, p50 (p95) of the sets:', table(HEADINGS, rows('clientUs'))];
  return [...parts, 'By `Server-Timing`:', table(HEADINGS, rows('serverUs'))].join('\n\n');
}

/** Starts the server on the data of the collection, which is imported where it is not there. */
async function start(dataFolder: string, folder: string, files: readonly string[], options: MultiOptions) {
  const isThere = existsSync(dataFolder);
  const flags = options.flags === '' ? [] : options.flags.split(' ');
  const server = await ServerProcess.start(dataFolder, join(folder, 'server.log'), flags, options.server);
  try {
    if (!isThere) await loadCollection(server, CORPUS, files);
    say(`${CORPUS.name}: ${await server.settle(CORPUS.name)} segments`);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function run(options: MultiOptions): Promise<void> {
  const files = filesOf(CORPUS, options.data, options.files);
  checkPresent(files);
  const textFields = CORPUS.fields.filter(({ type }) => type === 'text').map(({ name }) => name);
  const all = createSets(CORPUS, await readVocabulary(files, textFields), options.count);
  const kinds = all.filter(({ name }) => name.includes(options.kind));
  const folder = makeScratchFolder('sabre-multi-');
  try {
    const server = await start(options.folder ?? join(folder, 'data'), folder, files, options);
    try {
      const report = `${describeRun('perf:multi')}\n\n${render(kinds, await measureKinds(server.port, kinds, options))}`;
      process.stdout.write(`${report}\n`);
      if (options.markdown !== undefined) writeReport(options.markdown, report, 'multi');
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const program = new Command('perf:multi')
  .description('measure five searches asked at once beside the longest of them alone')
  .addOption(dataOption())
  .option('--server <file>', 'the build that is measured', SERVER_FILE)
  .option('--folder <folder>', 'data folder of the collection, kept for other runs: filled when it is not there')
  .option('--files <count>', 'files of titles', Number, 2)
  .option('--count <count>', 'sets of each kind', Number, 40)
  .option('--rounds <count>', 'rounds that count', Number, 15)
  .option('--warm-up <count>', 'rounds that do not', Number, 10)
  .option('--pause-ms <ms>', 'before each request, in which all threads fall asleep', Number, 0)
  .option('--kind <text>', 'only the kinds of sets with that in their name', '')
  .option('--flags <flags>', 'further flags of the server', '')
  .option('--markdown <file>', 'write the tables there too, between its multi markers if it has them')
  .action(async (options: MultiOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf:multi: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
