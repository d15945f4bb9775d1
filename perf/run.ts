/**
 * The load test of the whole server: starts what was built, imports real corpora with the import command, asks queries
 * over HTTP and prints tables. `npm run perf -- --help` lists the options.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { PROJECT_ROOT } from '../test/support/project.js';
import { importFile } from './import-file.js';
import { type LatencyRow, measureLatency } from './measure-latency.js';
import { measureThroughput, type ThroughputRow } from './measure-throughput.js';
import { createMixes, ONE_WORD_BY_OCCURRENCE, ONE_WORD_BY_WORD, type QueryMix } from './query-mixes.js';
import { type CorpusFigures, checkFloors, renderReport, writeReport } from './report.js';
import { CORPORA, type Corpus } from './schemas.js';
import { ServerProcess } from './server-process.js';
import { readVocabulary, type Vocabulary } from './vocabulary.js';

const CONNECTIONS = [1, 8, 64];

interface PerfOptions {
  readonly data: string;
  readonly corpus: string;
  readonly quick?: boolean;
  readonly markdown?: string;
  readonly keep?: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function measureLatencies(server: ServerProcess, mixes: readonly QueryMix[]): Promise<LatencyRow[]> {
  const rows: LatencyRow[] = [];
  for (const mix of mixes) {
    const row = await measureLatency(server.port, mix);
    say(`  ${row.name}: p50 ${row.p50.toFixed(3)}, p95 ${row.p95.toFixed(3)}, p99 ${row.p99.toFixed(3)} ms`);
    rows.push(row);
  }
  return rows;
}

async function measureThroughputs(server: ServerProcess, mixes: readonly QueryMix[], seconds: number, folder: string) {
  const rows: ThroughputRow[] = [];
  for (const mix of mixes) {
    if (mix.name !== ONE_WORD_BY_OCCURRENCE && mix.name !== ONE_WORD_BY_WORD) continue;
    for (const connections of CONNECTIONS) {
      const row = await measureThroughput(server.url, mix.name, mix.paths, connections, seconds, folder);
      say(
        `  ${row.name}, ${connections} connections: ${Math.round(row.requestsPerSecond)} requests/s, ${row.errors} errors`,
      );
      rows.push(row);
    }
  }
  return rows;
}

/** Loads one corpus into a server of its own and measures everything. */
async function measureCorpus(corpus: Corpus, options: PerfOptions): Promise<CorpusFigures> {
  const quick = options.quick === true;
  const files = corpus.files.slice(0, quick ? 1 : undefined).map((name) => join(options.data, name));
  const folder = mkdtempSync(join(tmpdir(), `sabre-perf-${corpus.name}-`));
  const logFile = join(folder, 'server.log');
  const dataFolder = join(folder, 'data');
  say(`${corpus.name}: reading the documents`);
  const textFields = corpus.fields.filter(({ type }) => type === 'text').map(({ name }) => name);
  const vocabulary = await readVocabulary(files, textFields);
  const mixes = createMixes(corpus, vocabulary, quick ? 300 : 2000, options.data);
  const schemaFile = join(folder, 'schema.json');
  writeFileSync(schemaFile, JSON.stringify({ name: corpus.name, fields: corpus.fields }));
  const server = await ServerProcess.start(dataFolder, logFile);
  try {
    const loaded = await load(server, corpus, files, schemaFile, vocabulary);
    say(`${corpus.name}: asking`);
    const latencies = await measureLatencies(server, mixes);
    const throughputs = await measureThroughputs(server, mixes, quick ? 2 : 8, folder);
    const rssAfterQueries = server.memory('VmRSS');
    const anonymousAfterQueries = server.memory('RssAnon');
    const rssPeak = server.memory('VmHWM');
    const status = await server.stop();
    if (status !== 0) throw new Error(`the server ended with ${status}; see ${logFile}`);
    const restartSeconds = await measureRestart(dataFolder, logFile, corpus.name, vocabulary.documents);
    return { ...loaded, rssAfterQueries, anonymousAfterQueries, rssPeak, restartSeconds, latencies, throughputs };
  } finally {
    await server.stop();
    if (options.keep !== true) rmSync(folder, { recursive: true });
    else say(`${corpus.name}: kept ${folder}`);
  }
}

async function load(
  server: ServerProcess,
  corpus: Corpus,
  files: readonly string[],
  schemaFile: string,
  vocabulary: Vocabulary,
) {
  let importSeconds = 0;
  for (const file of files) {
    say(`${corpus.name}: importing ${file}`);
    const { documents, seconds } = await importFile(server, file, corpus.name, schemaFile);
    say(`  ${documents} documents in ${seconds} s, ${Math.round(documents / seconds)}/s`);
    importSeconds += seconds;
  }
  const segments = await server.settle(corpus.name);
  return {
    corpus: corpus.name,
    documents: vocabulary.documents,
    postings: vocabulary.postings,
    importSeconds,
    segments,
    rssAfterImport: server.memory('VmRSS'),
    anonymousAfterImport: server.memory('RssAnon'),
    arenaBytes: await server.metric('sabre_arena_bytes_used'),
    walBytes: await server.metric('sabre_wal_bytes'),
  };
}

/** Seconds from the start on existing data to the first answer. Throws when a document is missing. */
async function measureRestart(
  dataFolder: string,
  logFile: string,
  collection: string,
  expected: number,
): Promise<number> {
  const server = await ServerProcess.start(dataFolder, logFile);
  try {
    const documents = await server.documents(collection);
    if (documents !== expected) throw new Error(`after a restart: expected ${expected} documents, got ${documents}`);
    return server.startMs / 1000;
  } finally {
    await server.stop();
  }
}

function chooseCorpora(options: PerfOptions): Corpus[] {
  if (!existsSync(options.data)) {
    throw new Error(`THE CORPORA ARE MISSING: no folder ${options.data}. Give --data FOLDER.`);
  }
  const chosen = CORPORA.filter(({ name }) => options.corpus === 'all' || options.corpus === name);
  const missing = chosen.flatMap(({ files }) => files).filter((file) => !existsSync(join(options.data, file)));
  if (missing.length > 0) throw new Error(`THE CORPORA ARE MISSING: ${options.data} lacks ${missing.join(', ')}`);
  return chosen;
}

async function run(options: PerfOptions): Promise<void> {
  const all: CorpusFigures[] = [];
  for (const corpus of chooseCorpora(options)) all.push(await measureCorpus(corpus, options));
  const reddit = options.quick === true ? undefined : all.find(({ corpus }) => corpus === 'reddit');
  const floors = reddit === undefined ? [] : checkFloors(reddit);
  const report = renderReport(all, floors);
  process.stdout.write(`${report}\n`);
  if (options.markdown !== undefined) writeReport(options.markdown, report);
  if (floors.some(({ holds }) => !holds)) process.exitCode = 1;
}

const program = new Command('perf')
  .description('measure the built server on real corpora, over HTTP')
  .option('--data <folder>', 'folder of the corpora', resolve(PROJECT_ROOT, '..', 'shared', 'data'))
  .addOption(
    new Option('--corpus <name>', 'which one').choices([...CORPORA.map(({ name }) => name), 'all']).default('reddit'),
  )
  .option('--quick', 'one file a corpus, few queries, no verdict on the floors')
  .option('--markdown <file>', 'write the tables there too, between its perf markers if it has them')
  .option('--keep', 'keep the temporary folder with the data and the log')
  .action(async (options: PerfOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
