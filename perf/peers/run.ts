/**
 * Compares Sabre with tantivy and Lucene on the same documents, queries and machine, and on fewer documents with libraries
 * from npm. `npm run perf:peers -- --help` lists the options; docs/peers.md says what is measured and how.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { PROJECT_ROOT } from '../../test/support/project.js';
import { dataOption } from '../data-folder.js';
import { makeScratchFolder } from '../process-end.js';
import { count, describeRun, mib, writeReport } from '../report.js';
import { CORPORA } from '../schemas.js';
import { type ComparisonOptions, compare, say } from './comparison.js';
import { type PreparedDocuments, prepareDocuments } from './documents.js';
import { buildLucene, buildTantivy } from './engines.js';
import { startEngines } from './large-engines.js';
import { describeLibraries, installLibraries, libraryRows, startLibraries } from './libraries.js';
import { allRows } from './questions.js';

interface PeersOptions extends ComparisonOptions {
  readonly data: string;
  readonly cache: string;
  readonly documents: number;
  readonly libraryDocuments: number;
  readonly write?: string | true;
}

/** Some libraries take a hundred times as long: they get this part of the queries. */
const LIBRARY_QUERIES = 3;
const REPORT_FILE = join(PROJECT_ROOT, 'docs', 'peers.md');

/** Prepares the first `limit` titles for the time of `work`. */
async function withDocuments(
  options: PeersOptions,
  limit: number,
  work: (documents: PreparedDocuments) => Promise<string>,
): Promise<string> {
  const [{ files }] = CORPORA.filter(({ name }) => name === 'reddit');
  const paths = files.map((name) => join(options.data, name));
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`THE CORPUS IS MISSING: ${missing.join(', ')}. Give --data FOLDER.`);
  const folder = makeScratchFolder('sabre-peers-documents-');
  try {
    say(`preparing ${count(limit)} documents at most`);
    return await work(await prepareDocuments(paths, limit, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compareWithEngines(options: PeersOptions): Promise<string> {
  const found = [buildTantivy(options.cache), buildLucene(options.cache)];
  const engines = found.flatMap((engine) => ('missing' in engine ? [] : [engine]));
  const missing = found.flatMap((engine) =>
    'missing' in engine ? [`NOT MEASURED: ${engine.name}, ${engine.missing}`] : [],
  );
  for (const line of missing) say(line);
  const tables = await withDocuments(options, options.documents, async (documents) => {
    const compared = await compare(documents, options, allRows, (prepared) => startEngines(engines, prepared));
    const how = `${options.queries} queries a kind, ${options.rounds} rounds`;
    return `${count(documents.count)} documents, ${mib(documents.jsonBytes)} of JSON, ${how}.\n\n${compared}`;
  });
  return [...engines.map(({ version }) => version), ...missing, tables].join('\n\n');
}

async function compareWithLibraries(options: PeersOptions): Promise<string> {
  const folder = join(options.cache, 'npm');
  installLibraries(folder);
  return withDocuments(options, options.libraryDocuments, async (documents) => {
    const fewer = {
      ...options,
      queries: Math.ceil(options.queries / LIBRARY_QUERIES),
      rounds: Math.min(options.rounds, 3),
    };
    const compared = await compare(documents, fewer, libraryRows, (prepared) => startLibraries(folder, prepared));
    const how = `${fewer.queries} queries a kind, ${fewer.rounds} rounds`;
    return `${describeLibraries()}. ${count(documents.count)} documents, ${how}.\n\n${compared}`;
  });
}

async function run(options: PeersOptions): Promise<void> {
  mkdirSync(options.cache, { recursive: true });
  const load = `${loadavg()[0].toFixed(1)} processes wanted a core before the run`;
  const parts = [`${describeRun('perf:peers')} Times are microseconds, p50 / p95; ${load}.`];
  if (options.documents > 0) parts.push('### tantivy and Lucene', await compareWithEngines(options));
  if (options.libraryDocuments > 0) parts.push('### Libraries of npm', await compareWithLibraries(options));
  const report = parts.join('\n\n');
  process.stdout.write(`${report}\n`);
  if (options.write !== undefined) writeReport(options.write === true ? REPORT_FILE : options.write, report, 'peers');
}

function naturalNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a natural number');
  return Number(text);
}

const program = new Command('perf:peers')
  .description('compare the built server with tantivy, Lucene and libraries from npm')
  .addOption(dataOption())
  .option('--cache <folder>', 'where the others are built and installed', join(tmpdir(), 'sabre-peers'))
  .option('--documents <count>', 'how many titles at most; 0: not with tantivy and Lucene', naturalNumber, 2_000_000)
  .option('--library-documents <count>', 'how many for the libraries; 0: not with them', naturalNumber, 50_000)
  .option('--queries <count>', 'of a kind', naturalNumber, 150)
  .option('--rounds <count>', 'how often each is asked; the median counts', naturalNumber, 9)
  .option('--only <text>', 'only the rows with that in their name', '')
  .option('--write [file]', 'write the tables there too, between its peers markers (docs/peers.md)')
  .action(async (options: PeersOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf:peers: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
