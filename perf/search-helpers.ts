/**
 * Measures what helping readers save a search that takes long: the same queries are asked of a server without helpers and of one
 * with them, some of each in turn. `npm run perf:helpers -- --help` lists the options.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { checkPresent, dataOption, filesOf } from './data-folder.js';
import { loadCollection } from './load-collection.js';
import { percentile } from './measure-latency.js';
import { OneConnection, requestBytes } from './one-connection.js';
import { makeScratchFolder } from './process-end.js';
import { BROWSE, createMixes, type QueryMix } from './query-mixes.js';
import { createRandom, pick, type Random, randomBelow } from './random.js';
import { describeRun, table, writeReport } from './report.js';
import { CORPORA, type Corpus } from './schemas.js';
import { SERVER_FILE, ServerProcess } from './server-process.js';
import { readVocabulary, type Vocabulary } from './vocabulary.js';

interface HelperOptions {
  readonly data: string;
  readonly server: string;
  readonly base?: string;
  readonly files: number;
  readonly queries: number;
  readonly warmUp: number;
  readonly kind: string;
  readonly markdown?: string;
}

const CORPUS = CORPORA[0] as Corpus;
const FREQUENT_WORDS = 12;
/** Queries that one server is asked before it is the other's turn: the processor's caches are its own by then. */
const TURN_QUERIES = 500;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Those that warm up are the first of its paths. */
type Kind = Pick<QueryMix, 'name' | 'paths'>;

/** The words that stand most often in the documents that were sampled. */
function frequentWords({ samples }: Vocabulary): string[] {
  const counts = new Map<string, number>();
  for (const word of samples.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, FREQUENT_WORDS)
    .map(([word]) => word);
}

/** Searches that take long: facets, orders and filters of very many documents. Each is another one, as are their filters. */
function createKinds(vocabulary: Vocabulary, { queries, warmUp }: HelperOptions): Kind[] {
  const total = queries + warmUp;
  const words = frequentWords(vocabulary);
  const filter = (random: Random): string =>
    `score:>${randomBelow(random, 500)} && num_comments:<${1000 + randomBelow(random, 1000)}`;
  const kind = (name: string, parameters: (random: Random) => Record<string, string>): Kind => {
    const random = createRandom(11);
    const draw = (): string => `/collections/${CORPUS.name}/search?${new URLSearchParams(parameters(random))}`;
    return { name, paths: Array.from({ length: total }, draw) };
  };
  const pair = (random: Random): Record<string, string> => ({
    q: `${pick(random, words)} ${pick(random, words)}`,
    match_mode: 'any',
    typo_tolerance: 'false',
    prefix: 'false',
  });
  const mixes = createMixes(CORPUS, vocabulary, total, '');
  return [
    ...mixes.filter(({ name }) => name === BROWSE || name === 'one word, 2 facets'),
    kind('filter, 3 facets, sort', (random) => ({
      q: '',
      facet: 'subreddit,domain,flair',
      sort: 'created:desc',
      filter: filter(random),
    })),
    kind('two frequent words, any, 2 facets', (random) => ({ ...pair(random), facet: 'subreddit,domain' })),
    kind('the same, 3 facets and a filter', (random) => ({
      ...pair(random),
      facet: 'subreddit,domain,flair',
      filter: filter(random),
    })),
    kind('two frequent words, any, filter, sort', (random) => ({
      ...pair(random),
      sort: 'num_comments:desc',
      filter: filter(random),
    })),
  ];
}

/** Milliseconds that each query but the first `warmUp` took each of the servers, sorted. */
async function measure(
  { paths }: Kind,
  servers: readonly ServerProcess[],
  { warmUp }: HelperOptions,
): Promise<Float64Array[]> {
  // What the client does beside asking takes a core from those that help.
  const connections: OneConnection[] = [];
  for (const { port } of servers) connections.push(await OneConnection.open(port));
  const requests = paths.map((path) => requestBytes('GET', path));
  const times: number[][] = servers.map(() => []);
  for (let start = 0; start < paths.length; start += TURN_QUERIES) {
    for (const [which, connection] of connections.entries()) {
      for (const [index, request] of requests.slice(start, start + TURN_QUERIES).entries()) {
        const { serverUs } = await connection.ask(request);
        if (start + index >= warmUp) times[which]?.push(serverUs / 1000);
      }
    }
  }
  for (const connection of connections) connection.close();
  return times.map((own) => Float64Array.from(own).sort());
}

const HEADINGS = ['search, ms', 'alone p50', 'p95', 'helped p50', 'p95', 'alone / helped, p50', 'p95'];
const BASE_HEADINGS = ['base helped p50', 'p95', 'alone / base helped, p50', 'p95'];

/** The columns of HEADINGS, and those of BASE_HEADINGS where a third server was measured. */
function rowOf(name: string, times: readonly Float64Array[]): string[] {
  const [alone, helped, ...base] = times.map((own) => [percentile(own, 0.5), percentile(own, 0.95)] as const);
  if (alone === undefined || helped === undefined) throw new Error('two servers are measured');
  const ms = (value: number): string => value.toFixed(2);
  const ratios = (own: readonly [number, number]): string[] => [ms(alone[0] / own[0]), ms(alone[1] / own[1])];
  const columns = [...[...alone, ...helped].map(ms), ...ratios(helped)];
  return [name, ...columns, ...base.flatMap((own) => [...own.map(ms), ...ratios(own)])];
}

async function run(options: HelperOptions): Promise<void> {
  const files = filesOf(CORPUS, options.data, options.files);
  checkPresent(files);
  const textFields = CORPUS.fields.filter(({ type }) => type === 'text').map(({ name }) => name);
  const kinds = createKinds(await readVocabulary(files, textFields), options);
  const folder = makeScratchFolder('sabre-helpers-');
  const servers: ServerProcess[] = [];
  try {
    const [alone, helped, base] = [join(folder, 'alone'), join(folder, 'helped'), join(folder, 'base')];
    const loader = await ServerProcess.start(alone, join(folder, 'load.log'), [], options.server);
    servers.push(loader);
    const { segments } = await loadCollection(loader, CORPUS, files);
    say(`${segments} segments`);
    servers.pop();
    await loader.stop();
    const start = async (data: string, server: string, flags: readonly string[] = []): Promise<void> => {
      if (data !== alone) cpSync(alone, data, { recursive: true });
      servers.push(await ServerProcess.start(data, `${data}.log`, flags, server));
    };
    if (options.base !== undefined) await start(base, options.base);
    await start(helped, options.server);
    await start(alone, options.server, ['--search-helpers', '0']);
    servers.reverse();
    const rows: string[][] = [];
    for (const kind of kinds.filter(({ name }) => name.includes(options.kind))) {
      say(kind.name);
      rows.push(rowOf(kind.name, await measure(kind, servers, options)));
    }
    const report = `${describeRun('perf:helpers')}\n\n${table([...HEADINGS, ...(options.base === undefined ? [] : BASE_HEADINGS)], rows)}`;
    process.stdout.write(`${report}\n`);
    if (options.markdown !== undefined) writeReport(options.markdown, report, 'helpers');
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const program = new Command('perf:helpers')
  .description('measure searches that take long on one reader and with the help of others')
  .addOption(dataOption())
  .option('--server <file>', 'the build that is measured', SERVER_FILE)
  .option('--base <file>', 'another build, which helps too and is measured in turn with it')
  .option('--files <count>', 'how many files of the corpus', Number, 2)
  .option('--queries <count>', 'of a kind', Number, 1000)
  .option('--warm-up <count>', 'further queries of a kind before these, until compilers are done', Number, 2000)
  .option('--kind <text>', 'only the kinds with that in their name', '')
  .option('--markdown <file>', 'write the table there too, between its helpers markers if it has them')
  .action(async (options: HelperOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf:helpers: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
