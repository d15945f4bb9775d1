/**
 * The load test of the whole server: starts what was built, imports a corpus with the import command, asks queries
 * over HTTP and prints tables; records what it measured and compares it. `npm run perf -- --help` lists the options.
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { combineRounds, measuresOf } from './combine-rounds.js';
import { type CorpusSource, chooseSources, describeCorpora, type SourceOptions, SYNTHETIC } from './corpus-source.js';
import { dataOption } from './data-folder.js';
import { filterFields, searchedFields } from './file-corpus.js';
import { measureRound, type PreparedCorpus, type RoundFigures, type RoundOptions } from './measure-round.js';
import { makeScratchFolder } from './process-end.js';
import { createMixes, MIX_PURPOSES } from './query-mixes.js';
import {
  addRecordOptions,
  checkWritable,
  finishRun,
  numberWithin,
  type RecordOptions,
  recordBefore,
  reportComparison,
  roundsOf,
  runCommand,
} from './records/record-options.js';
import { ReferenceLoop } from './records/reference-loop.js';
import { makeRecord, type RunRecord } from './records/run-record.js';
import { checkFloors, renderReport, writeReport } from './report.js';
import { SERVER_FILE } from './server-process.js';
import { readVocabulary } from './vocabulary.js';

interface PerfOptions extends SourceOptions, RecordOptions {
  readonly queries: number;
  readonly seconds: number;
  readonly against?: string;
  readonly markdown?: string;
  readonly keep?: true;
}

/** A build with the rounds that were measured of it, one list for each corpus. */
interface Contestant {
  readonly serverFile: string;
  readonly figures: RoundFigures[][];
}

const QUICK_QUERIES = 300;
const QUICK_SECONDS = 2;

/** Queries of each kind in a round. */
const queriesOf = ({ quick, queries }: PerfOptions): number => (quick ? Math.min(QUICK_QUERIES, queries) : queries);

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Reads the documents and draws the queries. */
async function prepare({ corpus, queriesFolder, files }: CorpusSource, folder: string, options: PerfOptions) {
  say(`${corpus.name}: reading the documents`);
  const paths = files(folder);
  const valueFields = filterFields(corpus.fields).map(({ name }) => name);
  const vocabulary = await readVocabulary(paths, searchedFields(corpus), valueFields);
  const mixes = createMixes(corpus, vocabulary, queriesOf(options), queriesFolder);
  const schemaFile = join(folder, `${corpus.name}-schema.json`);
  writeFileSync(schemaFile, JSON.stringify(corpus.schema ?? { name: corpus.name, fields: corpus.fields }));
  const { documents, postings } = vocabulary;
  return { name: corpus.name, files: paths, schemaFile, documents, postings, mixes };
}

/** Seconds of a round for each number of connections: whole ones, as wrk takes no others. */
function secondsOf({ quick, seconds }: PerfOptions, rounds: number): number {
  const all = quick ? Math.min(QUICK_SECONDS, seconds) : seconds;
  return all === 0 ? 0 : Math.max(1, Math.round(all / rounds));
}

/** Measures every corpus on every build once a round; the builds take turns in who comes first. */
async function measureRounds(
  corpora: readonly PreparedCorpus[],
  contestants: readonly Contestant[],
  rounds: number,
  options: Omit<RoundOptions, 'serverFile'>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    if (rounds > 1) say(`round ${round + 1} of ${rounds}`);
    for (const [index, corpus] of corpora.entries()) {
      const inTurn = round % 2 === 0 ? contestants : contestants.toReversed();
      for (const { serverFile, figures } of inTurn) {
        if (contestants.length > 1) say(`build ${serverFile}`);
        figures[index]?.push(await measureRound(corpus, { ...options, serverFile }));
      }
    }
    options.reference.endRound();
  }
}

function recordOf(
  { figures }: Contestant,
  corpora: readonly PreparedCorpus[],
  reference: ReferenceLoop,
  rounds: number,
  options: PerfOptions,
): RunRecord {
  const measured = corpora.flatMap((corpus, index) => measuresOf(corpus, figures[index] ?? []));
  const described = {
    corpora: corpora.map(({ name, documents }) => ({ name, documents })),
    rounds,
    queries: queriesOf(options),
    seconds: secondsOf(options, rounds),
  };
  return makeRecord('perf', described, [reference.measure(), ...measured]);
}

async function measureIn(folder: string, sources: readonly CorpusSource[], options: PerfOptions): Promise<void> {
  const before = recordBefore(options, 'perf');
  checkWritable(options);
  const rounds = roundsOf(options, options.against !== undefined);
  const corpora: PreparedCorpus[] = [];
  for (const source of sources) corpora.push(await prepare(source, folder, options));
  const files = options.against === undefined ? [SERVER_FILE] : [SERVER_FILE, resolve(options.against)];
  const contestants = files.map((serverFile): Contestant => ({ serverFile, figures: corpora.map(() => []) }));
  const reference = new ReferenceLoop();
  const seconds = secondsOf(options, rounds);
  await measureRounds(corpora, contestants, rounds, { seconds, folder, keep: options.keep ?? false, reference, say });
  const [own, other] = contestants as [Contestant, Contestant?];
  const all = corpora.map((corpus, index) => combineRounds(corpus, own.figures[index] ?? []));
  const reddit = options.quick ? undefined : all.find(({ corpus }) => corpus === 'reddit');
  const floors = reddit === undefined ? [] : checkFloors(reddit);
  const report = renderReport(all, floors);
  process.stdout.write(`${report}\n`);
  const marker = all.every(({ corpus }) => corpus === SYNTHETIC) ? SYNTHETIC : 'perf';
  if (options.markdown !== undefined) writeReport(options.markdown, report, marker);
  if (floors.some(({ holds }) => !holds)) process.exitCode = 1;
  const record = recordOf(own, corpora, reference, rounds, options);
  finishRun(record, before, options);
  if (other !== undefined) {
    const theirs = recordOf(other, corpora, reference, rounds, options);
    reportComparison({ ...theirs, commit: other.serverFile, changed: false }, record, options, true);
  }
}

function list({ data }: PerfOptions): void {
  const purposes = Object.entries(MIX_PURPOSES).map(([name, purpose]) => `${name.padEnd(34)} ${purpose}`);
  const measured = [
    'import: documents/s; resident memory and arena after it; resident memory after the queries; seconds of a restart',
    'search_time_ms of every query of each kind, one at a time: p50 and p95 are compared',
    'requests/s of the first two kinds at 1, 8 and 64 connections',
  ];
  const parts = [
    ['Corpora:', ...describeCorpora(data)],
    ['Queries:', ...purposes],
    ['Measures:', ...measured],
  ];
  process.stdout.write(
    `${parts.map(([title, ...lines]) => [title, ...lines.map((line) => `  ${line}`)].join('\n')).join('\n\n')}\n`,
  );
}

async function run(options: PerfOptions): Promise<void> {
  if (options.list) return list(options);
  const sources = chooseSources(options, (line) => say(`perf: ${line}`));
  const folder = makeScratchFolder('sabre-perf-', tmpdir(), options.keep);
  await measureIn(folder, sources, options);
}

const program = new Command('perf')
  .description('measure the built server, over HTTP: each round with a server and an import of its own')
  .addOption(dataOption())
  .option(
    '--corpus <name>',
    `a name from --list, all, ${SYNTHETIC}:N, or a file (default: reddit, or ${SYNTHETIC} without it)`,
  )
  .option('--schema <file>', 'of the collection of --corpus FILE, as POST /collections takes it')
  .option('--query-by <fields>', 'text fields of it that are searched, with commas between (default: all)')
  .option('--seed <number>', 'of the synthetic documents', numberWithin(0, 2 ** 32 - 1), 1)
  .option('--queries <count>', 'of each kind in a round', numberWithin(1, 100_000), 2000)
  .option(
    '--seconds <count>',
    'of requests at each number of connections, shared by the rounds; 0: none',
    numberWithin(0, 600),
    8,
  )
  .option(
    '--quick',
    `one file, or 20,000 documents; at most ${QUICK_QUERIES} queries and ${QUICK_SECONDS} seconds, no verdict on the floors`,
  )
  .option('--against <file>', "another build's dist/server/main.js: measured in turn with this one, and compared")
  .option('--markdown <file>', 'write the tables there too, between its perf markers (synthetic ones) if it has them')
  .option('--keep', 'keep the temporary folder with the data and the log');
await addRecordOptions(program)
  .action((options: PerfOptions) => runCommand('perf', () => run(options)))
  .parseAsync();
