/**
 * Measures what products do to whole collections: export, change of the schema, deletion by filter, patches, searches by POST, imports of
 * tables. Each with its bound. `npm run perf:extras -- --help` lists the options.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { addTimes, BackgroundWork, noTimes, percentileOf, type Times } from './background-work.js';
import { checkPresent, dataOption, filesOf } from './data-folder.js';
import {
  changeSchema,
  exportAll,
  exportBeside,
  findFilter,
  measurePatches,
  measurePosts,
  measureTables,
  medianOf,
  readDocuments,
  send,
  watchingMemory,
} from './extras-measures.js';
import { loadCollection } from './load-collection.js';
import { makeScratchFolder } from './process-end.js';
import { createMixes, TWO_WORDS } from './query-mixes.js';
import { count, describeRun, mib, table, writeReport } from './report.js';
import { CORPORA, type Corpus } from './schemas.js';
import { SERVER_FILE, ServerProcess } from './server-process.js';
import { readVocabulary } from './vocabulary.js';

interface ExtrasOptions {
  readonly data: string;
  readonly server: string;
  readonly files: number;
  readonly rounds: number;
  readonly tableDocs: number;
  readonly searches: number;
  readonly quietMs: number;
  readonly deletedDocs: number;
  readonly markdown?: string;
}

const CORPUS = CORPORA[0] as Corpus;
/** Declared by the change of the schema alone, though the documents have it from the beginning. */
const ADDED = 'num_comments';
const PATCHES = 400;

interface Row {
  readonly what: string;
  readonly bound: string;
  readonly got: string;
  readonly holds: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const p99 = ({ client }: Times): number => percentileOf(client, 0.99);

/** Searches beside something else: at most twice the 99th percentile of the quiet ones. */
function besideRow(what: string, quiet: Times, beside: Times): Row {
  const ratio = p99(beside) / p99(quiet);
  const got = `${ratio.toFixed(2)} x (${p99(quiet).toFixed(2)} ms, then ${p99(beside).toFixed(2)})`;
  const asked = `${count(beside.client.length)} searches`;
  return { what: `p99 of searches ${what} (${asked})`, bound: '<= 2 x', got, holds: ratio <= 2 };
}

function ratioRow(what: string, bound: number, [base, measured]: readonly [number, number]): Row {
  const ratio = measured / base;
  const got = `${ratio.toFixed(2)} x (${base.toFixed(3)} ms, then ${measured.toFixed(3)})`;
  return { what, bound: `<= ${bound} x`, got, holds: ratio <= bound };
}

async function exportRows(server: ServerProcess, work: BackgroundWork, quiet: Times, rounds: number): Promise<Row[]> {
  const documents = await server.documents(CORPUS.name);
  const { lines, bytes } = await exportAll(server, CORPUS.name, true);
  if (lines !== documents) throw new Error(`expected ${documents} documents exported, got ${lines}`);
  const rates: number[] = [];
  let grown = 0;
  for (let round = 0; round < rounds; round++) {
    const { result, grownBytes } = await watchingMemory(server, () => exportAll(server, CORPUS.name));
    if (result.bytes !== bytes) throw new Error(`expected ${bytes} bytes exported, got ${result.bytes}`);
    rates.push(documents / result.seconds);
    grown = Math.max(grown, grownBytes);
  }
  const beside = noTimes();
  for (let round = 0; round < rounds; round++)
    addTimes(beside, (await work.whileDoing(() => exportBeside(server, CORPUS.name))).times);
  const rate = medianOf(rates);
  return [
    { what: 'export, documents/s', bound: '>= 300,000', got: count(rate), holds: rate >= 300_000 },
    { what: 'anonymous memory meanwhile', bound: '<= + 32 MiB', got: `+ ${mib(grown)}`, holds: grown <= 32 << 20 },
    besideRow('beside exports', quiet, beside),
  ];
}

async function changeRows(server: ServerProcess, work: BackgroundWork, quiet: Times): Promise<Row[]> {
  const field = CORPUS.fields.find(({ name }) => name === ADDED) as object;
  const { seconds, times } = await changeSchema(server, work, CORPUS.name, field);
  await server.settle(CORPUS.name);
  return [
    { what: 'a sortable int field more', bound: '<= 20 s', got: `${seconds.toFixed(1)} s`, holds: seconds <= 20 },
    besideRow('meanwhile', quiet, times),
  ];
}

async function deletionRow(server: ServerProcess, wanted: number): Promise<Row> {
  const { filter, found } = await findFilter(server, CORPUS.name, ADDED, wanted);
  const startMs = performance.now();
  const path = `/collections/${CORPUS.name}/documents?${new URLSearchParams({ filter })}`;
  const { num_deleted } = await send<{ num_deleted: number }>(server, 'DELETE', path);
  const seconds = (performance.now() - startMs) / 1000;
  if (num_deleted !== found) throw new Error(`expected ${found} documents deleted, got ${num_deleted}`);
  const what = `deletion of ${count(num_deleted)} documents by a filter`;
  return { what, bound: '<= 1 s', got: `${seconds.toFixed(2)} s`, holds: seconds <= 1 };
}

async function measure(server: ServerProcess, files: readonly string[], folder: string, options: ExtrasOptions) {
  const textFields = CORPUS.fields.filter(({ type }) => type === 'text').map(({ name }) => name);
  const mixes = createMixes(CORPUS, await readVocabulary(files, textFields), options.searches, options.data);
  const paths = mixes.find(({ name }) => name === TWO_WORDS)?.paths ?? [];
  const { segments } = await loadCollection(
    server,
    { name: CORPUS.name, fields: CORPUS.fields.filter(({ name }) => name !== ADDED) },
    files,
  );
  say(`${CORPUS.name}: ${segments} segments`);
  const work = new BackgroundWork(server, paths);
  await work.rest();
  await work.whileQuiet(options.quietMs);
  const quiet = await work.whileQuiet(options.quietMs);
  const rows = await exportRows(server, work, quiet, options.rounds);
  say('exports: measured');
  rows.push(ratioRow('search by POST beside GET, median', 1.1, await measurePosts(server, CORPUS.name, paths)));
  const documents = await readDocuments(files[0], CORPUS, options.tableDocs);
  const patches = await measurePatches(server, CORPUS.name, documents.slice(0, PATCHES), 'score');
  rows.push(ratioRow('merge patch beside upsert, median', 1.2, patches));
  say('single requests: measured');
  await work.rest();
  rows.push(...(await changeRows(server, work, quiet)));
  say('change of the schema: measured');
  rows.push(await deletionRow(server, options.deletedDocs));
  const { ndjson, csv } = await measureTables(server, CORPUS, documents, options.rounds, folder);
  const share = ndjson / csv;
  const rate = (seconds: number): string => `${count(documents.length / seconds)}/s`;
  const got = `${share.toFixed(2)} (${rate(ndjson)}, ${rate(csv)})`;
  rows.push({ what: 'rate of a CSV import, of JSON lines', bound: '>= .60', got, holds: share >= 0.6 });
  return rows;
}

async function run(options: ExtrasOptions): Promise<void> {
  const files = filesOf(CORPUS, options.data, options.files);
  checkPresent(files);
  const folder = makeScratchFolder('sabre-extras-');
  try {
    const server = await ServerProcess.start(join(folder, 'data'), join(folder, 'server.log'), [], options.server);
    try {
      const rows = await measure(server, files, folder, options);
      const cells = rows.map(({ what, bound, got, holds }) => [what, bound, got, holds ? 'holds' : '**missed**']);
      const report = `${describeRun('perf:extras')}\n\n${table(['what', 'bound', 'got', ''], cells)}`;
      process.stdout.write(`${report}\n`);
      if (options.markdown !== undefined) writeReport(options.markdown, report, 'extras');
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const program = new Command('perf:extras')
  .description('measure exports, changes of whole collections, patches and imports of tables, each with its bound')
  .addOption(dataOption())
  .option('--server <file>', 'the build that is measured', SERVER_FILE)
  .option('--files <count>', 'files of titles', Number, 2)
  .option('--rounds <count>', 'how often exports and imports are measured', Number, 3)
  .option('--table-docs <count>', 'documents of the tables that are imported', Number, 300_000)
  .option('--searches <count>', 'different ones that are asked beside the rest', Number, 4000)
  .option('--quiet-ms <ms>', 'how long they are asked alone', Number, 5000)
  .option('--deleted-docs <count>', 'about how many documents are deleted', Number, 500_000)
  .option('--markdown <file>', 'write the table there too, between its extras markers if it has them')
  .action(async (options: ExtrasOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf:extras: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
