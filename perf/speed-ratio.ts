/**
 * Compares the speed of two builds, query mix by query mix: both servers hold copies of the same files, and each query is
 * asked of both in turn, so that a machine that is faster or slower for a while is so for both. `npm run perf:ratio -- --help`.
 */
import { cpSync, rmSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { checkPresent, dataOption, filesOf } from './data-folder.js';
import { loadCollection } from './load-collection.js';
import { timeQuery } from './measure-latency.js';
import { makeScratchFolder } from './process-end.js';
import { createMixes, type QueryMix } from './query-mixes.js';
import { describeRun, writeReport } from './report.js';
import { CORPORA, type Corpus } from './schemas.js';
import { SERVER_FILE, ServerProcess } from './server-process.js';
import { ASKED_ALIKE, ASKED_BY_RANKING, type MixTimes, renderRatios } from './speed-ratio-report.js';
import { readVocabulary } from './vocabulary.js';

interface RatioOptions {
  readonly data: string;
  readonly corpus: string;
  readonly base: string;
  readonly server: string;
  readonly count: number;
  readonly rounds: number;
  readonly warmUp: number;
  readonly files: number;
  readonly mix: string;
  readonly ownFiles?: true;
  readonly once?: true;
  readonly rankings?: true;
  readonly markdown?: string;
}

/** A build and the parameters that its searches get beside their own. */
interface Contestant {
  readonly port: number;
  readonly parameters: string;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What this build's searches get the first time: one that is asked otherwise in between finds colder caches than the base. */
const firstParameters = ({ rankings }: RatioOptions): string => (rankings ? 'ranking=bm25' : '');

/** Suggestions are not ranked: they are asked as they are. */
const pathFor = ({ parameters }: Contestant, path: string): string =>
  parameters === '' || path.includes('/suggest?') ? path : `${path}&${parameters}`;

/** The least that each query took in `rounds` passes over the mix, for each contestant, after `warmUp` more that do not count. */
async function measureMix(
  mix: QueryMix,
  contestants: readonly Contestant[],
  { rounds, warmUp }: RatioOptions,
): Promise<MixTimes> {
  const agents = contestants.map(() => new http.Agent({ keepAlive: true, maxSockets: 1 }));
  const times = contestants.map(() => new Float64Array(mix.paths.length).fill(Number.POSITIVE_INFINITY));
  const ask = async (which: number, path: string): Promise<number> =>
    (await timeQuery(contestants[which].port, pathFor(contestants[which], path), agents[which])).serverMs;
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, path] of mix.paths.entries()) {
      for (let turn = 0; turn < contestants.length; turn++) {
        // The servers take turns, and who comes first changes: neither is more awake or finds the caches warmer.
        const which = (turn + index + round + warmUp) % contestants.length;
        const ms = await ask(which, path);
        if (round >= 0) times[which][index] = Math.min(times[which][index], ms);
      }
    }
  }
  for (const agent of agents) agent.destroy();
  return { name: mix.name, times };
}

/** Queries that one contestant is asked before the next one's turn: the processor's caches are its own by then. */
const TURN_QUERIES = 50;

/** What each query took when it was asked for the first time, as `npm run perf` asks: after so many others of its mix. */
async function measureMixOnce(mix: QueryMix, contestants: readonly Contestant[]): Promise<MixTimes> {
  const agents = contestants.map(() => new http.Agent({ keepAlive: true, maxSockets: 1 }));
  const times = contestants.map(() => new Float64Array(mix.paths.length));
  const ask = async (which: number, path: string): Promise<number> =>
    (await timeQuery(contestants[which].port, pathFor(contestants[which], path), agents[which])).serverMs;
  for (const which of contestants.keys()) {
    for (const path of mix.warmUp) await ask(which, path);
  }
  for (let start = 0; start < mix.paths.length; start += TURN_QUERIES) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const which = (turn + start / TURN_QUERIES) % contestants.length;
      for (const [index, path] of mix.paths.slice(start, start + TURN_QUERIES).entries()) {
        times[which][start + index] = await ask(which, path);
      }
    }
  }
  for (const agent of agents) agent.destroy();
  return { name: mix.name, times };
}

/**
 * The base, this build, the base again and this build again: four servers that imported the documents themselves and
 * were asked nothing yet. Adds them to `servers`.
 */
async function startFresh(
  corpus: Corpus,
  files: readonly string[],
  folder: string,
  servers: ServerProcess[],
  options: RatioOptions,
): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  for (const [index, parameters] of ['', firstParameters(options), '', ''].entries()) {
    const serverFile = index % 2 === 0 ? options.base : options.server;
    const server = await ServerProcess.start(
      join(folder, `data-${index}`),
      join(folder, `${index}.log`),
      [],
      serverFile,
    );
    servers.push(server);
    const { segments } = await loadCollection(server, corpus, files);
    say(`${corpus.name}: ${segments} segments`);
    contestants.push({ port: server.port, parameters });
  }
  return contestants;
}

/** As {@link startFresh}, with two servers, started again on what was imported. */
async function startLoaded(
  corpus: Corpus,
  files: readonly string[],
  folder: string,
  servers: ServerProcess[],
  options: RatioOptions,
): Promise<Contestant[]> {
  const [baseData, nowData] = ['base', 'now'].map((name) => join(folder, name));
  const load = async (data: string, server: string): Promise<void> => {
    const loader = await ServerProcess.start(data, join(folder, 'load.log'), [], server);
    servers.push(loader);
    await loadCollection(loader, corpus, files);
    await loader.stop();
    servers.pop();
  };
  await load(baseData, options.base);
  // Else both open the same files: segments that two imports leave differ by when their merges ran.
  if (options.ownFiles) await load(nowData, options.server);
  else cpSync(baseData, nowData, { recursive: true });
  servers.push(await ServerProcess.start(baseData, join(folder, 'base.log'), [], options.base));
  servers.push(await ServerProcess.start(nowData, join(folder, 'now.log'), [], options.server));
  for (const server of servers) say(`${corpus.name}: ${await server.settle(corpus.name)} segments`);
  const [base, now] = servers.map(({ port }) => port);
  return [
    { port: base, parameters: '' },
    { port: now, parameters: firstParameters(options) },
    { port: base, parameters: '' },
    { port: now, parameters: '' },
  ];
}

async function compareOn(corpus: Corpus, options: RatioOptions): Promise<string> {
  const files = filesOf(corpus, options.data, options.files);
  checkPresent(files);
  const textFields = corpus.fields.filter(({ type }) => type === 'text').map(({ name }) => name);
  const mixes = createMixes(corpus, await readVocabulary(files, textFields), options.count, options.data);
  const folder = makeScratchFolder(`sabre-ratio-${corpus.name}-`);
  const servers: ServerProcess[] = [];
  try {
    const start = options.once ? startFresh : startLoaded;
    const contestants = await start(corpus, files, folder, servers, options);
    const measured: MixTimes[] = [];
    for (const mix of mixes.filter(({ name }) => name.includes(options.mix))) {
      say(`${corpus.name}: ${mix.name}`);
      measured.push(await (options.once ? measureMixOnce(mix, contestants) : measureMix(mix, contestants, options)));
    }
    const kinds = options.rankings ? ASKED_BY_RANKING : ASKED_ALIKE;
    return `### ${corpus.name}\n\n${renderRatios(measured, kinds)}`;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The corpora that `names` lists. Throws for a name that none has. */
function chosen(names: string): readonly Corpus[] {
  if (names === 'all') return CORPORA;
  return names.split(',').map((wanted) => {
    const corpus = CORPORA.find(({ name }) => name === wanted);
    if (corpus !== undefined) return corpus;
    throw new Error(`--corpus: expected ${CORPORA.map(({ name }) => name).join(', ')} or all, got "${wanted}"`);
  });
}

async function run(options: RatioOptions): Promise<void> {
  const corpora = chosen(options.corpus);
  const parts = [describeRun('perf:ratio')];
  for (const corpus of corpora) parts.push(await compareOn(corpus, options));
  const report = parts.join('\n\n');
  process.stdout.write(`${report}\n`);
  if (options.markdown !== undefined) writeReport(options.markdown, report, 'ratio');
}

const program = new Command('perf:ratio')
  .description('compare the speed of the built server with that of another build')
  .addOption(new Option('--base <file>', "the other build's dist/server/main.js").makeOptionMandatory())
  .option('--server <file>', 'the build that is compared with it', SERVER_FILE)
  .addOption(dataOption())
  .option('--corpus <names>', 'which ones, with commas between, or all', 'reddit,arxiv')
  .option('--files <count>', 'how many files of a corpus', Number, 1)
  .option('--count <count>', 'queries of a mix', Number, 500)
  .option('--rounds <count>', 'how often each is asked; the least time counts', Number, 3)
  .option('--warm-up <count>', 'how often before: a server becomes quick by being asked', Number, 3)
  .option('--mix <text>', 'only the mixes with that in their name', '')
  .option('--own-files', 'each build imports the documents itself: what it writes counts too')
  .option('--once', 'as perf asks: servers of their own, each query once; rounds and warm-up do not count')
  .option('--rankings', 'this build is asked with ranking=bm25 the first time: what the bonuses of the default cost')
  .option('--markdown <file>', 'write the tables there too, between its ratio markers if it has them')
  .action(async (options: RatioOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf:ratio: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
